"""Sections and mentions of Markdown and reStructuredText."""

from textwrap import dedent

import pytest

from knowing.languages import Language, load_languages
from knowing.model import SymbolKind
from knowing.parse import FileFacts, extract
from knowing.parse.facts import How, RefColumn, SymbolColumn

REGISTRY = load_languages()
MARKDOWN, RST, TEXT = REGISTRY["markdown"], REGISTRY["rst"], REGISTRY["text"]


def facts_of(text: str, language: Language) -> FileFacts:
    return extract(dedent(text).encode(), language)


def sections(facts: FileFacts) -> list[tuple[str, int, int]]:
    """Chain, first and last line of each section."""
    assert set(facts.symbols[1:, SymbolColumn.KIND].tolist()) <= {SymbolKind.DOC_SECTION}
    strings = facts.strings
    return [
        (
            strings[row[SymbolColumn.CHAIN]],
            int(row[SymbolColumn.LINE]),
            int(row[SymbolColumn.END_LINE]),
        )
        for row in facts.symbols[1:]
    ]


def names(facts: FileFacts) -> list[str]:
    strings = facts.strings
    return [strings[row[SymbolColumn.NAME]] for row in facts.symbols[1:]]


def mentions(facts: FileFacts) -> list[str]:
    """Owner and name of all mentions, in order."""
    strings = facts.strings
    assert all(row[RefColumn.CODE] == How.MENTION for row in facts.refs)
    return [
        ".".join(
            [
                *([strings[row[RefColumn.RECV]]] if row[RefColumn.RECV] >= 0 else []),
                strings[row[RefColumn.NAME]],
            ]
        )
        for row in facts.refs
    ]


def docs(facts: FileFacts) -> list[str]:
    return facts.texts[1::2]


def test_a_section_runs_to_the_next_heading_of_its_level_or_above() -> None:
    facts = facts_of(
        """\
        # A
        text
        ## B
        text
        #### C
        ## D
        # E
        last""",
        MARKDOWN,
    )
    assert sections(facts) == [
        ("A", 1, 6),
        ("A > B", 3, 5),
        ("A > B > C", 5, 5),
        ("A > D", 6, 6),
        ("E", 7, 8),
    ]
    assert facts.texts[::2] == ["", "# A", "## B", "#### C", "## D", "# E"]


def test_a_deeper_heading_may_come_first() -> None:
    assert sections(facts_of("### A\n\n# B\n\n## C\n", MARKDOWN)) == [
        ("A", 1, 2),
        ("B", 3, 5),
        ("B > C", 5, 5),
    ]


def test_both_forms_of_headings_nest_in_each_other() -> None:
    facts = facts_of(
        """\
        Title
        =====

        Part
        ----

        ### Deep ###

        Other part
        of two lines
        ---

        # New
        """,
        MARKDOWN,
    )
    assert sections(facts) == [
        ("Title", 1, 12),
        ("Title > Part", 4, 8),
        ("Title > Part > Deep", 7, 8),
        ("Title > Other part of two lines", 9, 12),
        ("New", 13, 13),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A\n# comment\n---\n",
        "+++\ntitle = 1\n# comment\n+++\n",
        "```\n# A\n```\n",
        "~~~ python\n# A\n~~~\n",
        "````\n```\n# A\n```\n````\n",
        "```\n# A\nand no end\n",
        "- item\n\n  ```\n  # A\n  ```\n",
        "> ```\n> # A\n> ```\n",
        "<!--\n# A\n-->\n",
        "<pre>\n# A\n</pre>\n",
        "    # A\n",
        "#A\n",
        "####### A\n",
        "#\n",
        "- - -\n",
        "a | b\n--- | ---\n1 | 2\n",
        "| a |\n|---|\n",
        "- item\n---\n",
        "> quoted\n---\n",
        "paragraph\n\n---\n",
        "\\# A\n",
    ],
)
def test_what_is_no_heading_in_markdown(text: str) -> None:
    assert names(extract(text.encode(), MARKDOWN)) == []
    assert names(extract(text.encode() + b"\n# Real\n", MARKDOWN)) in (["Real"], [])


def test_a_fence_in_a_list_ends_with_the_list() -> None:
    assert names(facts_of("- item\n  ```\n  # A\n- item\n\n# B\n", MARKDOWN)) == ["B"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("**Bold** and *it* and __under__ and _score_", "Bold and it and under and score"),
        ("`code_x` and ``a_b``", "code_x and a_b"),
        ("[A link](https://a.org/x_(y)) to [b][c]", "A link to b"),
        ("![Logo](x.png) Name [![badge](a)](b)", "Logo Name"),
        ("Vec<T> is `Vec<T>`", "Vec is Vec<T>"),
        ("v1.2.3: a.b, c::d > e?", "v1.2.3: a.b, c::d > e?"),
        ("Rocket \U0001f680 & caf&eacute;", "Rocket \U0001f680 & café"),
        ("Anchor { #anchor }", "Anchor { #anchor }"),
        ("Anchor {#anchor}", "Anchor"),
        (r"Escaped \*star\*", "Escaped *star*"),
        ("snake_case_name", "snake_case_name"),
        ("\U0001f680", "\U0001f680"),
    ],
)
def test_headings_are_freed_of_markup(heading: str, name: str) -> None:
    assert names(extract(f"## {heading}\n".encode(), MARKDOWN)) == [name]


def test_the_name_stands_where_the_text_of_the_heading_stands() -> None:
    facts = extract("\n##   é **x**\n\nY\n===\n".encode(), MARKDOWN)
    columns = [SymbolColumn.NAME_LINE, SymbolColumn.NAME_COLUMN]
    assert facts.symbols[1:, columns].tolist() == [[2, 5], [4, 0]]


def test_equal_headings_are_told_apart_by_number() -> None:
    facts = facts_of("# A\n## B\n## B\n# A\n## B\n", MARKDOWN)
    assert facts.symbols[1:, SymbolColumn.OVERLOAD].tolist() == [0, 0, 1, 1, 2]


def test_headings_of_any_length_have_a_name_of_bearable_length() -> None:
    (name,) = names(extract(b"# " + b"word " * 300 + b"\n", MARKDOWN))
    assert 150 < len(name) <= 200


def test_the_first_paragraph_is_the_documentation() -> None:
    facts = facts_of(
        """\
        Before *all*.

        # A
        <!-- hidden -->
        [![badge](a)](b)

        | a | b |
        |---|---|

        First `para`
        goes on.

        Second.

        ## B
        ```
        code
        ```
        ## C
        - one
        - two
        """,
        MARKDOWN,
    )
    assert docs(facts) == ["Before all.", "First para goes on.", "", "- one - two"]
    (_, long) = docs(extract(b"# A\n" + "wörd ".encode() * 500, MARKDOWN))
    assert 450 < len(long) <= 500


def test_code_names_in_markdown() -> None:
    facts = facts_of(
        """\
        `Foo.bar()`, `Foo#baz`, `A::B.c`, `$this->run()`, `snake_case`, `filter`, `Foo`, `save!`,
        `@decorator`, `App\\Models\\User`, <code>in_html</code> and ``double_ticks``.

        Not: `true`, `None`, `if`, `get`, `--flag`, `-f`, `a/b.py`, `settings.py`, `example.com`,
        `main.c`, `1.2.3`, `v1.2`, `https://a.org/b.c`, `GET`, `a@b.org`, `:symbol`, `x`, `...`.

        In phrases: `x = make_thing(1)`, `return Foo.bar`, `for i in range_of(x)`.
        """,
        MARKDOWN,
    )
    assert mentions(facts) == [
        *("Foo.bar", "Foo.baz", "A.B.c", "run", "snake_case", "filter", "Foo", "save!"),
        *("decorator", "App.Models.User", "in_html", "double_ticks"),
        *("make_thing", "range_of"),
    ]


def test_code_names_in_blocks_of_code() -> None:
    facts = facts_of(
        """\
        ```python
        from shop.stock import Shelf, lookup as find
        import shop.basket
        shelf = Shelf.make(size)
        if (shelf.size):
            self.client.get("/x")
        settings.DEBUG
        print("see www.example.com/a.b or me@example.org")
        shelf.owner = os.path.join(a)
        ```
        """,
        MARKDOWN,
    )
    assert mentions(facts) == [
        *("shop.stock.Shelf", "shop.stock.lookup", "shop.basket", "Shelf.make"),
        *("client.get", "settings.DEBUG", "os.path.join"),
    ]


def test_mentions_belong_to_the_section_and_are_told_once() -> None:
    facts = facts_of("`a_b`\n# A `a_b`\n`a_b` and `a_b`\n## B\n`a_b`\n", MARKDOWN)
    assert facts.refs[:, RefColumn.SCOPE].tolist() == [0, 1, 2]
    assert facts.refs[:, [RefColumn.LINE, RefColumn.COLUMN]].tolist() == [[1, 1], [2, 5], [5, 1]]
    many = b"# A\n" + b" ".join(b"`name_%d`" % number for number in range(2000))
    assert 100 < len(extract(many, MARKDOWN).refs) < 1000


def test_levels_of_rst_are_the_order_of_its_styles() -> None:
    facts = facts_of(
        """\
        =====
        Title
        =====

        One
        ===

        Two
        ---

        Three
        ~~~~~

        Four
        ====

        Five
        ~~~~
        """,
        RST,
    )
    assert sections(facts) == [
        ("Title", 2, 18),
        ("Title > One", 5, 13),
        ("Title > One > Two", 8, 13),
        ("Title > One > Two > Three", 11, 13),
        ("Title > Four", 14, 18),
        ("Title > Four > Five", 17, 18),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a paragraph\nof lines\n--------\n",
        "====  ====\n a    b\n====  ====\n",
        "+----+\n| ab |\n+----+\n",
        "text::\n\n    A\n    ==\n",
        ".. code-block:: rst\n\n    Abc\n    ===\n",
        "..\n    Abc\n    ===\n",
        ".. a comment\n    Abc\n    ===\n",
        "* item\n------\n",
        "text\n\n----\n\ntext\n",
        "text\n...\n",
        ">>> f()\n=======\n",
    ],
)
def test_what_is_no_heading_in_rst(text: str) -> None:
    assert names(extract(text.encode(), RST)) == []
    assert names(extract(text.encode() + b"\nReal\n====\n", RST)) == ["Real"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("``Foo.bar`` and *it* and **bold**", "Foo.bar and it and bold"),
        (":func:`a.b.c` and :class:`~x.Y`", "a.b.c and Y"),
        (":ref:`Title <label>` and `Link <https://a.org>`_", "Title and Link"),
        ("|name| and note [1]_ and word_", "name and note and word"),
        ("v1.2: new", "v1.2: new"),
        ("6.0", "6.0"),
    ],
)
def test_headings_of_rst_are_freed_of_markup(heading: str, name: str) -> None:
    assert names(extract(f"{heading}\n{'=' * len(heading)}\n".encode(), RST)) == [name]


def test_roles_literals_and_directives_are_mentions() -> None:
    facts = facts_of(
        """\
        Use :func:`a.b.c`, :class:`~x.Y`, :meth:`Foo.bar() <pkg.Foo.bar>`, :py:attr:`.size_of`,
        ``double_ticks`` and `single_ticks`; not :ref:`some_label`, :doc:`/a/b_c`, `link_text`_
        or :pep:`pep_8`.

        .. currentmodule:: pkg.mod

        .. class:: Widget(parent=None)

           .. method:: draw()

              Calls :func:`paint`.

           .. attribute:: new

        .. function:: make_widget(kind)
        .. autoclass:: other.Thing
        """,
        RST,
    )
    assert mentions(facts) == [
        *("a.b.c", "x.Y", "pkg.Foo.bar", "size_of", "double_ticks", "single_ticks"),
        *("pkg.mod.Widget", "pkg.mod.Widget.draw", "paint", "pkg.mod.Widget.new"),
        *("pkg.mod.make_widget", "other.Thing"),
    ]


def test_blocks_of_code_in_rst() -> None:
    facts = facts_of(
        """\
        Like this with ``kept_name``::

            call_one(x)

        .. code-block:: python

            call_two(x)

        >>> call_three(x)

        call_four(x) is text.

        .. call_five(x) is a comment
        """,
        RST,
    )
    assert mentions(facts) == ["kept_name", "call_one", "call_two", "call_three"]


def test_plain_text_is_read_where_it_is_documentation() -> None:
    assert names(facts_of("Title\n=====\n\ntext\n", TEXT)) == ["Title"]
    for text in ("numpy>=2\npytest==9\n", "just words\n", "{\n----------\n}\n", ""):
        facts = extract(text.encode(), TEXT)
        assert facts.problem == "nothing in it looks like documentation"
        assert len(facts.symbols) == 1 and len(facts.refs) == 0


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("README.md", "markdown"),
        ("a/B.MARKDOWN", "markdown"),
        ("a.mdx", "markdown"),
        ("a.rst", "rst"),
        ("docs/a.txt", "text"),
    ],
)
def test_prose_is_known_by_its_extension(path: str, language: str) -> None:
    found = REGISTRY.for_path(path)
    assert found is not None and found.name == language

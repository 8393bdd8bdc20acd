from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent

import pytest

from knowing.pack import Candidate, Detail, Form, Pack, PackOptions, pack
from tests.pack.packs import candidates, check_pack, files_of, numbers_of, packed, view_of

SHOP = """\
    import os


    class Cart:
        \"\"\"Holds what somebody wants to buy.

        Lives as long as the session.
        \"\"\"

        def __init__(self, owner: str) -> None:
            self.owner = owner
            self.items: list[str] = []

        def add(self, item: str, count: int = 1) -> None:
            \"\"\"Puts an item into the cart.\"\"\"
            for _ in range(count):
                self.items.append(item)

        def total(self) -> int:
            return len(self.items)


    def checkout(cart: Cart) -> int:
        if not cart.items:
            # Nothing to pay for.
            raise ValueError("empty")
        return cart.total()
    """


def details(result: Pack) -> list[Detail]:
    return [item.detail for item in result.items]


def test_bodies_are_shown_in_the_order_of_the_file_with_gaps_counted() -> None:
    result = packed({"shop.py": SHOP}, ["::checkout", "Cart.add"])
    assert files_of(result, Form.MARKDOWN)["shop.py"] == dedent("""\
        class Cart:
            # ... 9 lines
            def add(self, item: str, count: int = 1) -> None:
                \"\"\"Puts an item into the cart.\"\"\"
                for _ in range(count):
                    self.items.append(item)
        # ... 5 lines
        def checkout(cart: Cart) -> int:
            if not cart.items:
                # Nothing to pay for.
                raise ValueError("empty")
            return cart.total()""").split("\n")
    assert "## shop.py (lines 4-27)" in result.text
    assert details(result) == [Detail.BODY, Detail.BODY]
    assert result.items[0].text.startswith("def checkout(cart: Cart) -> int:\n")
    assert result.left_out == 0 and "left out" not in result.text


def test_files_stand_in_the_order_of_their_best_symbols() -> None:
    files = {"a.py": "def one():\n    pass\n", "b.py": "def two():\n    pass\n"}
    result = packed(files, ["::two", "::one"])
    assert list(files_of(result, Form.MARKDOWN)) == ["b.py", "a.py"]


def test_a_container_and_its_member_are_not_shown_twice() -> None:
    result = packed({"shop.py": SHOP}, ["::Cart", "Cart.add", "Cart.total", "Cart.items"])
    assert result.text.count("def add(") == 1
    assert result.text.count("self.items: list[str]") == 1
    assert details(result) == [Detail.BODY] * 4


def test_a_small_budget_keeps_signatures_and_says_how_much_is_left_out() -> None:
    names = ["::checkout", "Cart.add", "Cart.total", "::Cart", "Cart.__init__", "Cart.owner"]
    result = packed({"shop.py": SHOP}, names, budget=75)
    assert 0 < len(result.items) < 6
    assert f"{result.left_out} ranked symbols left out" in result.text
    assert result.items[0].candidate.score == 1.0


def test_signatures_end_with_a_mark_for_the_body() -> None:
    body = "\n".join(f"        value_{number} = compute_{number}()" for number in range(60))
    files = {"long.py": f"    def wanted(first: int) -> int:\n{body}\n        return first\n"}
    result = packed(files, ["::wanted"], budget=70)
    assert details(result) == [Detail.SIGNATURE]
    assert files_of(result, Form.MARKDOWN)["long.py"] == [
        "def wanted(first: int) -> int:",
        "    # ... 61 lines",
    ]


def test_marks_are_comments_of_the_language() -> None:
    go = "package a\n\nfunc Long() int {\n" + "\tstep(1)\n" * 80 + "\treturn 1\n}\n"
    rst = "Title\n=====\n\nFirst words.\n\n" + "More and more words.\n\n" * 60
    result = packed({"a.go": go, "b.rst": rst}, ["a.go::Long", "b.rst::Title"], budget=130)
    shown = files_of(result, Form.MARKDOWN)
    assert shown["a.go"][:1] == ["func Long() int {"]
    assert any(line.strip().startswith("// ... ") for line in shown["a.go"])
    assert shown["b.rst"][-1].startswith("... ")


def test_a_long_body_is_compressed_before_it_is_cut_to_a_signature() -> None:
    lines = ["    def handle(request):"]
    for number in range(30):
        lines += [
            f'        logger.info("step {number} of the long way through the whole house")',
            f"        if request.part_{number}:",
            f"            return answer_{number}(request)",
        ]
    files = {"long.py": "\n".join([*lines, "        return None", ""])}
    whole = packed(files, ["::handle"], budget=5000)
    assert "logger.info" in whole.text
    part = packed(files, ["::handle"], budget=int(0.8 * whole.used))
    assert details(part) == [Detail.BODY]
    assert "        return None" not in part.text and "    return None" in part.text
    assert "if request.part_0:" in part.text and "# ... " in part.text
    assert part.text.count("logger.info") < 30


def test_the_task_decides_which_lines_of_a_long_body_stay() -> None:
    body = "\n".join(f"        plain_{number} = {number} + offset" for number in range(40))
    said = '        logger.info("the banana is ripe")\n' * 2
    text = f"    def work(offset):\n{body}\n{said}{body}\n        return plain_1\n"
    view, texts = view_of({"work.py": text})
    asked = candidates(numbers_of(view, "::work"))
    full = pack(view, asked, texts.get, PackOptions(budget=9000))
    for title, there in (("peel the banana", True), ("something else", False)):
        options = PackOptions(budget=int(0.75 * full.used), title=title)
        result = pack(view, asked, texts.get, options)
        check_pack(result, asked, options, texts)
        assert ("banana is ripe" in result.text) == there


def test_near_duplicates_are_shown_once() -> None:
    body = "".join(f"        step_{number}(value)\n" for number in range(12))
    files = {
        "one.py": f"    def first(value):\n{body}        return 1\n",
        "two.py": f"    def second(value):\n{body}        return 2\n",
        "three.py": "    def third(value):\n        return value * value + offset\n",
    }
    result = packed(files, ["::first", "::second", "::third"])
    assert details(result) == [Detail.BODY, Detail.SIGNATURE, Detail.BODY]
    assert result.text.count("step_7(value)") == 1 and "def second(value):" in result.text


def test_what_has_no_file_is_named() -> None:
    files = {"app.py": "    import os\n\n    def home():\n        return os.getenv('HOME_DIR')\n"}
    view, texts = view_of(files)
    (outside,) = (n for n in range(len(view.symbols)) if view.identity(n) == "env://HOME_DIR")
    asked = candidates([outside])
    result = pack(view, asked, texts.get, PackOptions(budget=200))
    assert details(result) == [Detail.NAME]
    assert "HOME_DIR (env var)" in result.text and "outside the code" in result.text


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: b"# a new first line\n" + text, id="lines added before"),
        pytest.param(lambda text: text.replace(b"checkout", b"pay_for_it"), id="renamed"),
        pytest.param(
            lambda text: text.replace(b"        # Nothing to pay for.\n", b""), id="body shortened"
        ),
        pytest.param(lambda _text: b"", id="emptied"),
        pytest.param(lambda _text: None, id="gone"),
    ],
)
def test_a_changed_file_is_shown_by_the_signatures_of_the_index(
    change: Callable[[bytes], bytes | None],
) -> None:
    view, texts = view_of({"shop.py": SHOP})
    asked = candidates(numbers_of(view, "::checkout"))
    changed = change(texts["shop.py"])
    result = pack(view, asked, lambda _path: changed, PackOptions(budget=500))
    assert details(result) == [Detail.SIGNATURE]
    assert "def checkout(cart: Cart) -> int (as indexed, file has changed)" in result.text
    assert "changed since they were indexed: shop.py" in result.text
    assert "cart.total()" not in result.text
    assert result.notes


def test_a_change_below_a_symbol_leaves_the_symbol_usable() -> None:
    view, texts = view_of({"shop.py": SHOP})
    asked = candidates(numbers_of(view, "Cart.add"))
    changed = texts["shop.py"] + b"\n\ndef later():\n    pass\n"
    result = pack(view, asked, lambda _path: changed, PackOptions(budget=500))
    assert details(result) == [Detail.BODY]
    assert "self.items.append(item)" in result.text


def test_repeated_candidates_count_once() -> None:
    view, texts = view_of({"shop.py": SHOP})
    (number,) = numbers_of(view, "Cart.add")
    twice = [Candidate(symbol=number, score=1.0), Candidate(symbol=number, score=0.5)]
    result = pack(view, twice, texts.get, PackOptions(budget=500))
    assert (len(result.items), result.left_out) == (1, 0)
    assert result.items[0].candidate.score == 1.0


def test_nothing_to_show_is_no_text_but_for_the_task() -> None:
    view, texts = view_of({"shop.py": SHOP})
    assert pack(view, [], texts.get, PackOptions(budget=500)).text == ""
    result = pack(view, [], texts.get, PackOptions(budget=500, title="a task"))
    assert result.text == "# Context: a task\n"


def test_notes_and_a_long_task_are_kept_short() -> None:
    view, texts = view_of({"shop.py": SHOP})
    asked = candidates(numbers_of(view, "Cart.add"))
    options = PackOptions(budget=1000, title="why\n# does " * 5000, notes=("index is stale",))
    result = pack(view, asked, texts.get, options)
    check_pack(result, asked, options, texts)
    first, *rest = result.text.split("\n")
    assert first.startswith("# Context: why # does why") and len(first) < 330
    assert "> index is stale" in rest and "self.items.append(item)" in result.text


def test_a_line_too_long_for_any_chat_does_not_hide_the_signature() -> None:
    files = {"min.js": "function tiny(a){return a}" + "var x=1;" * 3000 + "\n"}
    result = packed(files, ["min.js::tiny"], budget=300)
    assert details(result) == [Detail.SIGNATURE] and "function tiny(a)" in result.text


def test_the_outcome_does_not_depend_on_anything_but_the_input() -> None:
    view, texts = view_of({"shop.py": SHOP})
    asked = candidates(numbers_of(view, "Cart.add", "::checkout", "::Cart", "Cart.total"))
    for budget in (60, 120, 400):
        options = PackOptions(budget=budget, title="a task")
        first = pack(view, asked, texts.get, options)
        assert pack(view, asked, dict(texts).get, replace(options)) == first

from hypothesis import given
from hypothesis import strategies as st

from knowing.languages import load_languages
from knowing.model import SymbolKind
from knowing.parse import extract
from knowing.parse.blank import first_branches, readable
from knowing.parse.facts import FileFacts, SymbolColumn

CPP, C = load_languages()["cpp"], load_languages()["c"]


def chains(facts: FileFacts) -> list[str]:
    return [facts.strings[row[SymbolColumn.CHAIN]] for row in facts.symbols[1:]]


def test_a_macro_between_class_and_name_does_not_hide_the_class() -> None:
    source = b"class SHOP_API Shelf : public Base {\n public:\n  void Fill();\n};\n"
    facts = extract(source, CPP)
    assert chains(facts) == ["Shelf", "Shelf.Fill"]
    assert [int(kind) for kind in facts.symbols[1:, SymbolColumn.KIND]] == [
        SymbolKind.CLASS,
        SymbolKind.METHOD,
    ]


def test_macros_around_a_namespace_leave_its_functions_at_the_top() -> None:
    source = (
        b"SHOP_NAMESPACE_BEGIN\nnamespace shop {\nint f() { return 1; }\n}\nSHOP_NAMESPACE_END\n"
    )
    assert chains(extract(source, CPP)) == ["shop", "f"]


def test_the_last_member_of_an_enum_is_no_macro() -> None:
    source = b"enum Kind {\n  KIND_ONE,\n  KIND_END\n};\n"
    assert readable(source, CPP) == source
    assert "Kind.KIND_END" in chains(extract(source, CPP))


def test_blanked_text_keeps_every_line_and_offset() -> None:
    source = b"SHOP_BEGIN_DECLS\r\nint f(void);\r\n"
    text = readable(source, C)
    assert text == b" " * 16 + b"\r\nint f(void);\r\n"


def test_a_condition_inside_an_initialiser_list_is_read_by_its_first_branch() -> None:
    source = b"""
struct Item {
  Item()
      :
#ifdef CHECKED
        checked_(true),
#else
        unchecked_(true),
#endif
        price_(0) {}
  int price_;
};
int after() { return 1; }
"""
    assert chains(extract(source, CPP)) == ["Item", "Item.Item", "Item.price_", "after"]


def test_both_branches_are_read_where_they_are_sound() -> None:
    source = b"#ifdef A\nint a(void) { return 1; }\n#else\nint b(void) { return 2; }\n#endif\n"
    assert chains(extract(source, C)) == ["a", "b"]


def test_first_branches_nest_and_skip_what_is_never_built() -> None:
    source = (
        b"#if 0\nnever\n#else\nused\n#endif\n"
        b"#if A && \\\n    B\nouter\n#if C\ninner\n#elif D\nno\n#else\nno\n#endif\nrest\n"
        b"#else\nno\n#if E\nno\n#endif\nno\n#endif\nlast\n"
    )
    assert first_branches(source).split() == [b"used", b"outer", b"inner", b"rest", b"last"]


PIECES = st.sampled_from(
    [
        b"#if 0\n",
        b"#ifdef A\n",
        b"#elif B\n",
        b"#else\n",
        b"#endif\n",
        b"#if C \\\n",
        b"x;\n",
        b"\r\n",
    ]
)


@given(st.lists(PIECES, max_size=30))
def test_first_branches_never_move_a_line(pieces: list[bytes]) -> None:
    source = b"".join(pieces)
    text = first_branches(source)
    assert len(text) == len(source)
    assert [i for i, c in enumerate(text) if c == 10] == [
        i for i, c in enumerate(source) if c == 10
    ]
    assert b"#if" not in text and b"#else" not in text

"""Where definitions begin and end, keywords outside of what they introduce included."""

from knowing.languages import load_languages
from knowing.parse import extract
from knowing.parse.facts import SymbolColumn

GO = load_languages()["go"]
SOURCE = b"""package shop

type Outer struct{ size int }

func fill() {
\ttype inner struct {
\t\tsize int
\t}
\tvar count = inner{1}
\tuse(count)
}
"""


def test_the_keyword_of_a_type_is_part_of_it_in_a_function_too() -> None:
    facts = extract(SOURCE, GO)
    rows = {facts.strings[row[SymbolColumn.CHAIN]]: row for row in facts.symbols}
    signatures = dict(zip(rows, facts.texts[::2], strict=True))
    for chain, keyword in (("Outer", b"type Outer struct"), ("fill.inner", b"type inner struct")):
        start, end = rows[chain][SymbolColumn.START], rows[chain][SymbolColumn.END]
        assert SOURCE[start:end].startswith(keyword)
        assert SOURCE[start:end].endswith(b"}")
        assert signatures[chain] == keyword.decode()

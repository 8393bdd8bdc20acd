"""What holds for the facts of any bytes whatsoever."""

import numpy as np

from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse import FileFacts
from knowing.parse.facts import (
    DecorationColumn,
    How,
    ImportColumn,
    RefColumn,
    ServiceColumn,
    SymbolColumn,
)

EXTENSION = len(SymbolKind)
TABLES = ("symbols", "refs", "imports", "services", "decorations")


def assert_sound(facts: FileFacts, source: bytes, language: Language) -> None:
    """Everything points at something that exists, and every symbol stands where it says."""
    assert_encodable(facts)
    assert_pointers(facts)
    assert_places(facts, source, language)


def assert_encodable(facts: FileFacts) -> None:
    again = FileFacts.decode(facts.encode())
    assert (again.strings, again.texts) == (facts.strings, facts.texts)
    assert (again.package, again.problem) == (facts.package, facts.problem)
    for name in TABLES:
        assert np.array_equal(getattr(again, name), getattr(facts, name)), name
    assert again.encode() == facts.encode()


def assert_pointers(facts: FileFacts) -> None:
    symbols, refs = facts.symbols, facts.refs
    strings, rows = len(facts.strings), len(symbols)
    assert len(facts.texts) == 2 * rows
    assert rows >= 1 and symbols[0, SymbolColumn.PARENT] == -1
    within(symbols[:, [SymbolColumn.NAME, SymbolColumn.CHAIN]], 0, strings)
    within(symbols[:, SymbolColumn.OWNER], -1, strings)
    within(symbols[:, SymbolColumn.KIND], 0, EXTENSION + 1)
    within(symbols[:, SymbolColumn.TYPE], -1, 3 * len(refs))
    within(symbols[1:, SymbolColumn.PARENT], 0, rows)
    within(refs[:, RefColumn.NAME], 0, strings)
    within(refs[:, RefColumn.SCOPE], 0, rows)
    limits = {
        How.LOCAL: rows,
        How.SELF: rows,
        How.SUPER: rows,
        How.IMPORT: len(facts.imports),
        How.ALIAS: 3 * len(refs),
        How.MEMBER: 3 * len(refs),
        How.MENTION: strings,
    }
    for row in refs:
        how = How(int(row[RefColumn.CODE]) & 15)
        assert -1 <= row[RefColumn.RECV] < limits.get(how, 0), row
    within(facts.imports[:, [ImportColumn.MODULE, ImportColumn.NAME]], 0, strings)
    within(facts.imports[:, ImportColumn.SCOPE], 0, rows)
    within(facts.services[:, ServiceColumn.TEXT], 0, strings)
    within(facts.services[:, ServiceColumn.HANDLER], -1 - len(refs), rows)
    within(facts.decorations[:, DecorationColumn.REF], 0, len(refs))
    within(facts.decorations[:, DecorationColumn.SYMBOL], 0, rows)


def within(cells: np.ndarray, low: int, high: int) -> None:
    assert not cells.size or (cells.min() >= low and cells.max() < high), cells


def assert_places(facts: FileFacts, source: bytes, language: Language) -> None:
    """Symbols lie in their parents, names in their symbols, and names are what is written."""
    strings, lines = facts.strings, [0]
    lines += [at + 1 for at, byte in enumerate(source) if byte == 10]
    for index, row in enumerate(facts.symbols):
        start, end = int(row[SymbolColumn.START]), int(row[SymbolColumn.END])
        assert 0 <= start <= end <= len(source)
        if not index:
            assert (start, end) == (0, len(source))
            continue
        outer = facts.symbols[row[SymbolColumn.PARENT]]
        what = f"{language.name} {strings[row[SymbolColumn.CHAIN]]!r} {row.tolist()}"
        assert outer[SymbolColumn.START] <= start, what
        assert end <= outer[SymbolColumn.END], what
        assert row[SymbolColumn.LINE] <= row[SymbolColumn.END_LINE], what
        at = lines[row[SymbolColumn.NAME_LINE] - 1] + int(row[SymbolColumn.NAME_COLUMN])
        assert start <= at <= end, what
        if not language.prose and row[SymbolColumn.KIND] != EXTENSION:
            name = strings[row[SymbolColumn.NAME]].encode()
            assert name, what
            # A type without a name is called after what it extends.
            assert name.endswith(b"{}") or source[at : at + len(name)] == name, what
    for row in facts.refs:
        at = lines[row[RefColumn.LINE] - 1] + int(row[RefColumn.COLUMN])
        assert 0 <= at <= len(source), (language.name, row.tolist())

"""One file's bytes to `FileFacts`. Never raises for what a file contains."""

import time
from collections.abc import Sequence

import numpy as np

from knowing.languages import Language
from knowing.model import CALLABLE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.blank import readable
from knowing.parse.facts import (
    DecorationColumn,
    FileFacts,
    How,
    ImportColumn,
    RefColumn,
    ServiceColumn,
    SymbolColumn,
    Table,
    numbers,
    table,
)
from knowing.parse.grammar import compiled
from knowing.parse.lexical import Explained, explain
from knowing.parse.machine import Machine
from knowing.parse.macros import MacroMachine
from knowing.parse.prose import read_prose
from knowing.parse.rows import EXTENSION, SymbolRow
from knowing.parse.services import service_rows
from knowing.parse.symbols import documentation, finish_symbols, owner_chains, signature
from knowing.parse.values import assign_roles, expression_value, type_value
from knowing.parse.words import count_words

_TEST, _TEST_CASE = int(SymbolFlag.TEST), int(SymbolFlag.TEST_CASE)


def extract(
    source: bytes, language: Language, flags: SymbolFlag = SymbolFlag(0), limit_ms: int = 5000
) -> FileFacts:
    """The facts of `source`; `flags` are those that its path and content give all its symbols."""
    # Half of the time is for the parser: what it has read by then costs the rest about as much.
    # Processor time, so that a busy machine does not cut files short.
    deadline = time.thread_time() + limit_ms / 2000

    def expired() -> bool:
        return time.thread_time() > deadline

    # Strings are joined by NUL, so a name must not hold one.
    source = source.replace(b"\0", b" ")
    if language.prose:
        machine, explained, problem = read_prose(source, language, expired)
        return _assemble(machine, explained, flags, problem)
    source = readable(source, language)
    events, problem = compiled(language).events(source, expired)
    machine = (MacroMachine if language.macros else Machine)(source, language)
    machine.run(events)
    finish_symbols(machine)
    assign_roles(machine)
    explained = explain(machine)
    return _assemble(machine, explained, flags, problem)


def _assemble(machine: Machine, explained: Explained, flags: SymbolFlag, problem: str) -> FileFacts:
    lines = LineStarts(machine.source)
    chains = owner_chains(machine)
    services = service_rows(machine, explained)
    kept = [i for i, row in enumerate(machine.symbols) if row.name >= 0]
    moved = np.full(len(machine.symbols), -1, dtype=np.int32)
    moved[kept] = np.arange(len(kept), dtype=np.int32)
    for index, symbol in enumerate(machine.symbols):
        if symbol.name < 0:
            # What stands in a function without a name belongs to what is around it.
            moved[index] = moved[symbol.parent]
    rows = [machine.symbols[index] for index in kept]
    texts: list[bytes] = []
    for row in rows:
        texts.append(signature(machine, row))
        texts.append(documentation(machine, row))
    symbols = _symbol_table(machine, explained, [chains[i] for i in kept], rows, int(flags))
    symbols[1:, SymbolColumn.PARENT] = moved[symbols[1:, SymbolColumn.PARENT]]
    _place(symbols, rows, lines)
    word_data, words = count_words(machine.source, symbols)
    return FileFacts(
        string_data=b"\0".join(machine.names.texts),
        text_data=b"\0".join(text.replace(b"\0", b"") for text in texts),
        word_data=word_data,
        package=machine.package.decode("utf-8", "replace").strip(),
        problem=problem,
        symbols=symbols,
        refs=_ref_table(explained, moved, lines),
        imports=_import_table(machine, moved, lines),
        services=_service_table(services, moved, lines),
        decorations=_decoration_table(machine, explained, moved),
        words=words,
    )


class LineStarts:
    """Byte offsets of line beginnings."""

    def __init__(self, source: bytes) -> None:
        newlines = np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == 10)
        self.array = np.empty(len(newlines) + 1, dtype=np.int32)
        self.array[0] = 0
        np.add(newlines, 1, out=self.array[1:], casting="unsafe")

    def lines(self, offsets: Sequence[int] | Table) -> Table:
        """The 1-based lines of many offsets at once."""
        return np.searchsorted(self.array, offsets, side="right").astype(np.int32)


def _place(symbols: Table, rows: list[SymbolRow], lines: LineStarts) -> None:
    """Fills in the lines, which are cheapest for a whole file at once."""
    names = numbers([row.name_start for row in rows])
    heads = numbers([row.head if row.head >= 0 else row.start for row in rows])
    ends = np.maximum(symbols[:, SymbolColumn.END] - 1, symbols[:, SymbolColumn.START])
    name_lines = lines.lines(names)
    symbols[:, SymbolColumn.LINE] = lines.lines(heads)
    symbols[:, SymbolColumn.END_LINE] = lines.lines(ends)
    symbols[:, SymbolColumn.NAME_LINE] = name_lines
    symbols[:, SymbolColumn.NAME_COLUMN] = names - lines.array[name_lines - 1]


def _symbol_table(
    machine: Machine, explained: Explained, chains: list[str], rows: list[SymbolRow], flags: int
) -> Table:
    names, language = machine.names, machine.language
    test_names = tuple(name.encode() for name in language.test_names) or (b"\0",)
    tests = frozenset(
        index
        for index, row in enumerate(machine.symbols)
        if row.kind == SymbolKind.NAMESPACE and row.flags & _TEST
    )
    seen: dict[str, int] = {}
    cells: list[int] = []
    for row, chain in zip(rows, chains, strict=True):
        overload = seen.get(chain, 0)
        if row.kind != EXTENSION:
            seen[chain] = overload + 1
        value = type_value(machine, row.type) if row.type else -1
        if value < 0 and row.value:
            value = expression_value(machine, row.value)
        own = row.flags | flags
        if tests and _among(machine, row, tests):
            own |= _TEST
        name = row.name
        if b":" in names.texts[name] and not row.titled and not language.prose:
            row.name_start += names.texts[name].rfind(b":") + 1
            name = names[chain.rpartition(".")[2].encode()]
        titled = row.flags & _TEST or names.texts[name].startswith(test_names)
        if own & _TEST and row.kind in CALLABLE_KINDS and titled:
            own |= _TEST_CASE
        cells += (
            name,
            names[chain.encode()],
            row.kind,
            own,
            row.parent,
            row.start,
            row.end,
            0,
            0,
            0,
            0,
            row.owner if row.owner >= 0 else row.receiver,
            overload,
            explained.bound(explained.value(value)),
        )
    return numbers(cells).reshape(-1, len(SymbolColumn))


def _among(machine: Machine, row: SymbolRow, namespaces: frozenset[int]) -> bool:
    """Whether a symbol stands in one of the namespaces."""
    parent = row.parent
    while parent > 0 and parent not in namespaces:
        parent = machine.symbols[parent].parent
    return parent > 0


def _ref_table(explained: Explained, moved: Table, lines: LineStarts) -> Table:
    starts, code = numbers(explained.start), numbers(explained.code)
    recv = numbers(explained.recv)
    if (moved != np.arange(len(moved))).any():
        how = code & 15
        local = (how == How.LOCAL) | (how == How.SELF) | (how == How.SUPER)
        recv = np.where(local, moved[np.where(local, recv, 0)], recv)
    line = lines.lines(starts)
    refs = np.empty((len(starts), len(RefColumn)), dtype=np.int32)
    refs[:, RefColumn.NAME] = numbers(explained.name)
    refs[:, RefColumn.CODE] = code
    refs[:, RefColumn.RECV] = recv
    refs[:, RefColumn.SCOPE] = moved[numbers(explained.scope)]
    refs[:, RefColumn.LINE] = line
    refs[:, RefColumn.COLUMN] = starts - lines.array[line - 1]
    return refs


def _import_table(machine: Machine, moved: Table, lines: LineStarts) -> Table:
    rows = machine.imports
    at = lines.lines([row.start for row in rows])
    return table(
        [
            (row.module, row.name, row.alias, moved[row.scope], line, row.flags)
            for row, line in zip(rows, at, strict=True)
        ],
        len(ImportColumn),
    )


def _service_table(
    services: list[tuple[int, int, int, int, int]], moved: Table, lines: LineStarts
) -> Table:
    at = lines.lines([start for *_, start in services])
    return table(
        [
            (edge, text, moved[scope], moved[handler] if handler >= 0 else handler, line)
            for (edge, text, scope, handler, _), line in zip(services, at, strict=True)
        ],
        len(ServiceColumn),
    )


def _decoration_table(machine: Machine, explained: Explained, moved: Table) -> Table:
    rows = []
    for end, symbol in machine.decorators:
        value = machine.value_at.get(end, -1)
        ref = explained.index[value // 3] if value >= 0 else -1
        if ref >= 0:
            rows.append((ref, moved[symbol]))
    return table(rows, len(DecorationColumn))

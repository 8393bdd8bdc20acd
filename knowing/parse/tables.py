"""The rows of one file, read and explained, as the tables of its facts."""

from functools import cache

import numpy as np

from knowing.languages import Language
from knowing.model import CALLABLE_KINDS, SymbolFlag, SymbolKind
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
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine
from knowing.parse.rows import EXTENSION, SymbolRow
from knowing.parse.services import ServiceRow, service_rows
from knowing.parse.symbols import documentation, owner_chains, signature
from knowing.parse.values import expression_value, type_value
from knowing.parse.words import count_words

# Plain integers: arithmetic on enum members costs several times as much.
_TEST, _TEST_CASE = int(SymbolFlag.TEST), int(SymbolFlag.TEST_CASE)
_NAMESPACE = int(SymbolKind.NAMESPACE)
_SYMBOL_WIDTH = len(SymbolColumn)
_NEWLINE = 10


def assemble(machine: Machine, explained: Explained, problem: str, flags: SymbolFlag) -> FileFacts:
    """The facts of a file; `flags` are those of all its symbols."""
    services = service_rows(machine, explained)
    kept, moved = _kept(machine)
    rows = [machine.symbols[index] for index in kept]
    symbols = _symbol_table(machine, explained, kept, moved, int(flags))
    lines = _Lines(machine.source, machine, explained, rows, services)
    _place(symbols, rows, lines)
    texts: list[bytes] = []
    for row in rows:
        texts += (signature(machine, row), documentation(machine, row))
    word_data, words = count_words(machine.source, symbols)
    return FileFacts(
        string_data=b"\0".join(machine.names.texts),
        text_data=b"\0".join([text.replace(b"\0", b"") for text in texts]),
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


def _kept(machine: Machine) -> tuple[list[int], list[int]]:
    """The rows that have a name, and for each row its new number or that of what is around it."""
    kept: list[int] = []
    moved: list[int] = []
    for index, row in enumerate(machine.symbols):
        if row.name >= 0:
            moved.append(len(kept))
            kept.append(index)
        else:
            # What stands in a function without a name belongs to what is around it.
            moved.append(moved[row.parent])
    return kept, moved


class _Lines:
    """The lines of all offsets of a file, looked up at once."""

    def __init__(
        self,
        source: bytes,
        machine: Machine,
        explained: Explained,
        rows: list[SymbolRow],
        services: list[ServiceRow],
    ) -> None:
        newlines = (np.frombuffer(source, dtype=np.uint8) == _NEWLINE).nonzero()[0]
        begins = np.empty(len(newlines) + 1, dtype=np.int32)
        begins[0] = 0
        np.add(newlines, 1, out=begins[1:], casting="unsafe")
        offsets = [row.name_start for row in rows]
        offsets += [row.head if row.head >= 0 else row.start for row in rows]
        offsets += [max(row.end - 1, row.start) for row in rows]
        offsets += [row.start for row in machine.imports]
        offsets += [start for *_, start in services]
        offsets += explained.start
        array = numbers(offsets)
        lines = begins.searchsorted(array, side="right")
        self.columns = array - begins[lines - 1]
        """Bytes between the beginning of the line and the offset, likewise."""
        count = len(rows)
        self.names, self.heads, self.ends = lines[: 3 * count].reshape(3, count)
        end = 3 * count + len(machine.imports)
        self.imports: list[int] = lines[3 * count : end].tolist()
        self.services: list[int] = lines[end : end + len(services)].tolist()
        self.refs = lines[end + len(services) :]


def _place(symbols: Table, rows: list[SymbolRow], lines: _Lines) -> None:
    symbols[:, SymbolColumn.LINE] = lines.heads
    symbols[:, SymbolColumn.END_LINE] = lines.ends
    symbols[:, SymbolColumn.NAME_LINE] = lines.names
    symbols[:, SymbolColumn.NAME_COLUMN] = lines.columns[: len(rows)]


@cache
def _test_names(language: Language) -> tuple[bytes, ...]:
    return tuple(name.encode() for name in language.test_names)


def _symbol_table(
    machine: Machine, explained: Explained, kept: list[int], moved: list[int], flags: int
) -> Table:
    names, symbols = machine.names, machine.symbols
    chains, prose = owner_chains(machine), machine.language.prose
    test_names = _test_names(machine.language)
    tests = _test_namespaces(machine)
    seen: dict[bytes, int] = {}
    cells: list[int] = []
    for index in kept:
        row, chain = symbols[index], chains[index]
        overload = seen.get(chain, 0)
        if row.kind != EXTENSION:
            seen[chain] = overload + 1
        own = row.flags | flags
        if tests and _among(machine, row, tests):
            own |= _TEST
        name = row.name
        text = names.texts[name]
        if b":" in text and not row.titled and not prose:
            row.name_start += text.rfind(b":") + 1
            text = chain.rpartition(b".")[2]
            name = names[text]
        titled = row.flags & _TEST or text.startswith(test_names)
        if own & _TEST and row.kind in CALLABLE_KINDS and titled:
            own |= _TEST_CASE
        cells += (
            name,
            names[chain],
            row.kind,
            own,
            moved[row.parent] if index else -1,
            row.start,
            row.end,
            0,
            0,
            0,
            0,
            row.owner if row.owner >= 0 else row.receiver,
            overload,
            _type_of(machine, explained, row),
        )
    return numbers(cells).reshape(-1, _SYMBOL_WIDTH)


def _type_of(machine: Machine, explained: Explained, row: SymbolRow) -> int:
    """The value that gives the declared type of a symbol, else the type it is assigned."""
    value = type_value(machine, row.type) if row.type else -1
    if value < 0 and row.value:
        value = expression_value(machine, row.value)
    return explained.bound(explained.value(value)) if value >= 0 else -1


def _test_namespaces(machine: Machine) -> frozenset[int]:
    return frozenset(
        [
            index
            for index, row in enumerate(machine.symbols)
            if row.kind == _NAMESPACE and row.flags & _TEST
        ]
    )


def _among(machine: Machine, row: SymbolRow, namespaces: frozenset[int]) -> bool:
    """Whether a symbol stands in one of the namespaces."""
    parent = row.parent
    while parent > 0 and parent not in namespaces:
        parent = machine.symbols[parent].parent
    return parent > 0


def _ref_table(explained: Explained, moved: list[int], lines: _Lines) -> Table:
    count = len(explained.name)
    refs = np.empty((count, len(RefColumn)), dtype=np.int32)
    columns = explained.name + explained.code + explained.recv + explained.scope
    refs[:, : RefColumn.LINE] = numbers(columns).reshape(4, count).T
    if moved and moved[-1] != len(moved) - 1:
        new = numbers(moved)
        how, recv = refs[:, RefColumn.CODE] & 15, refs[:, RefColumn.RECV]
        local = (how == How.LOCAL) | (how == How.SELF) | (how == How.SUPER)
        refs[local, RefColumn.RECV] = new[recv[local]]
        refs[:, RefColumn.SCOPE] = new[refs[:, RefColumn.SCOPE]]
    refs[:, RefColumn.LINE] = lines.refs
    refs[:, RefColumn.COLUMN] = lines.columns[len(lines.columns) - count :]
    return refs


def _import_table(machine: Machine, moved: list[int], lines: _Lines) -> Table:
    return table(
        [
            (row.module, row.name, row.alias, moved[row.scope], line, row.flags)
            for row, line in zip(machine.imports, lines.imports, strict=True)
        ],
        len(ImportColumn),
    )


def _service_table(services: list[ServiceRow], moved: list[int], lines: _Lines) -> Table:
    return table(
        [
            (edge, text, moved[scope], moved[handler] if handler >= 0 else handler, line)
            for (edge, text, scope, handler, _), line in zip(services, lines.services, strict=True)
        ],
        len(ServiceColumn),
    )


def _decoration_table(machine: Machine, explained: Explained, moved: list[int]) -> Table:
    rows = []
    for end, symbol in machine.decorators:
        value = machine.value_at.get(end, -1)
        ref = explained.index[value // 3] if value >= 0 else -1
        if ref >= 0:
            rows.append((ref, moved[symbol]))
    return table(rows, len(DecorationColumn))

"""The facts of all files joined into workspace-wide tables, in canonical order.

Files stand in the order of their paths and rows in the order in which they stand in their file, so
the same files give the same tables whatever was read first. Numbers inside a file (symbols,
references, imports, strings) become numbers of the workspace by adding where the file's block
begins.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from knowing.graph.keys import Ids, Ints
from knowing.graph.refs import Bounds, References
from knowing.parse.facts import (
    DecorationColumn,
    FileFacts,
    How,
    ImportColumn,
    RefColumn,
    ServiceColumn,
    SymbolColumn,
    Table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """A file as the graph sees it: where it is, what language, what it says."""

    path: str
    language: str
    facts: FileFacts


class NameTable(defaultdict[str, int]):
    """Numbers for strings; number 0 is the empty string. A new string gets the next number."""

    def __init__(self) -> None:
        super().__init__(count(1).__next__, {"": 0})
        self._texts: list[str] = []

    @property
    def texts(self) -> list[str]:
        """The string of each number."""
        if len(self._texts) < len(self):
            # Strings are kept in the order in which they came, which is that of their numbers.
            self._texts += islice(self, len(self._texts), None)
        return self._texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All tables of a workspace; see `knowing.parse.facts` for their columns."""

    paths: tuple[str, ...]
    languages: tuple[str, ...]
    packages: tuple[str, ...]
    names: NameTable
    symbols: Table
    symbol_file: Ids
    symbol_base: Ints
    """Where each file's symbols begin; one more entry than files."""
    references: References
    ref_base: Ints
    imports: Table
    import_file: Ids
    import_base: Ints
    services: Table
    service_file: Ids
    service_base: Ints
    decorations: Table
    decoration_base: Ints

    @property
    def refs(self) -> Table:
        """All references as one table; made on first use where files have been replaced."""
        return self.references.table

    @property
    def ref_file(self) -> Ids:
        """The file of each reference."""
        return self.references.file


def join(files: Sequence[FileEntry], names: NameTable | None = None) -> Corpus:
    """The corpus of `files`, which must be sorted by path; `names` are added to, if given."""
    names = NameTable() if names is None else names
    intern = names.__getitem__
    blocks: list[list[int]] = [list(map(intern, entry.facts.strings)) for entry in files]
    remap = np.array([number for block in blocks for number in block], dtype=np.int32)
    string_base = _bases([len(block) for block in blocks])
    tables = {
        name: [getattr(entry.facts, name) for entry in files]
        for name in ("symbols", "refs", "imports", "services", "decorations")
    }
    base = {name: _bases([len(part) for part in parts]) for name, parts in tables.items()}
    file_of = {
        name: np.repeat(np.arange(len(files), dtype=np.int32), [len(part) for part in parts])
        for name, parts in tables.items()
    }
    offsets = _Offsets(remap, string_base, base, file_of)
    bounds = Bounds(symbols=base["symbols"], refs=base["refs"], imports=base["imports"])
    return Corpus(
        paths=tuple(entry.path for entry in files),
        languages=tuple(entry.language for entry in files),
        packages=tuple(entry.facts.package for entry in files),
        names=names,
        symbols=offsets.symbols(_stack(tables["symbols"], len(SymbolColumn))),
        symbol_file=file_of["symbols"],
        symbol_base=base["symbols"],
        references=References(
            joined=offsets.refs(_stack(tables["refs"], len(RefColumn))),
            then=bounds,
            now=bounds,
            replaced={},
        ),
        ref_base=base["refs"],
        imports=offsets.imports(_stack(tables["imports"], len(ImportColumn))),
        import_file=file_of["imports"],
        import_base=base["imports"],
        services=offsets.services(_stack(tables["services"], len(ServiceColumn))),
        service_file=file_of["services"],
        service_base=base["services"],
        decorations=offsets.decorations(_stack(tables["decorations"], len(DecorationColumn))),
        decoration_base=base["decorations"],
    )


def _bases(lengths: Sequence[int]) -> Ints:
    bases = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=bases[1:])
    return bases


def _stack(parts: Sequence[Table], width: int) -> Table:
    """All rows, laid out column by column, since everything from here on works on columns."""
    rows = sum(map(len, parts))
    table = np.empty((rows, width), dtype=np.int32, order="F")
    if parts:
        np.concatenate(parts, out=table)
    return table


class _Offsets:
    """Turns numbers of a file into numbers of the workspace, a whole column at a time."""

    def __init__(
        self,
        remap: Ids,
        string_base: Ints,
        base: Mapping[str, Ints],
        file_of: Mapping[str, Ids],
    ) -> None:
        self._remap = remap
        self._string_base = string_base
        self._base = base
        self._file_of = file_of

    def _strings(self, table: Table, name: str, *columns: int) -> None:
        offset = self._string_base[self._file_of[name]]
        for column in columns:
            local = table[:, column]
            table[:, column] = np.where(local >= 0, self._remap[offset + np.maximum(local, 0)], -1)

    def _shift(self, table: Table, name: str, target: str, column: int, step: int = 1) -> None:
        """Adds the block's beginning to a column of row numbers, -1 staying -1."""
        offset = self._base[target][self._file_of[name]] * step
        local = table[:, column]
        table[:, column] = np.where(local >= 0, local + offset, -1)

    def symbols(self, table: Table) -> Table:
        self._strings(table, "symbols", SymbolColumn.NAME, SymbolColumn.CHAIN, SymbolColumn.OWNER)
        self._shift(table, "symbols", "symbols", SymbolColumn.PARENT)
        self._shift(table, "symbols", "refs", SymbolColumn.TYPE, 3)
        return table

    def refs(self, table: Table) -> Table:
        self._strings(table, "refs", RefColumn.NAME)
        self._shift(table, "refs", "symbols", RefColumn.SCOPE)
        how = table[:, RefColumn.CODE] & 15
        recv = table[:, RefColumn.RECV].astype(np.int64)
        known = recv >= 0
        files = self._file_of["refs"]
        for kinds, target, step in (
            ((How.LOCAL, How.SELF, How.SUPER), "symbols", 1),
            ((How.IMPORT,), "imports", 1),
            ((How.ALIAS, How.MEMBER), "refs", 3),
        ):
            chosen = known & np.isin(how, kinds)
            recv[chosen] += self._base[target][files[chosen]] * step
        mention = known & (how == How.MENTION)
        recv[mention] = self._remap[self._string_base[files[mention]] + recv[mention]]
        table[:, RefColumn.RECV] = recv
        return table

    def imports(self, table: Table) -> Table:
        columns = (ImportColumn.MODULE, ImportColumn.NAME, ImportColumn.ALIAS)
        self._strings(table, "imports", *columns)
        self._shift(table, "imports", "symbols", ImportColumn.SCOPE)
        return table

    def services(self, table: Table) -> Table:
        self._strings(table, "services", ServiceColumn.TEXT)
        self._shift(table, "services", "symbols", ServiceColumn.SCOPE)
        handler = table[:, ServiceColumn.HANDLER].astype(np.int64)
        files = self._file_of["services"]
        symbol, ref = handler >= 0, handler < -1
        handler[symbol] += self._base["symbols"][files[symbol]]
        handler[ref] -= self._base["refs"][files[ref]]
        table[:, ServiceColumn.HANDLER] = handler
        return table

    def decorations(self, table: Table) -> Table:
        self._shift(table, "decorations", "refs", DecorationColumn.REF)
        self._shift(table, "decorations", "symbols", DecorationColumn.SYMBOL)
        return table

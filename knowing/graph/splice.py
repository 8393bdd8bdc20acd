"""One file's block of a corpus replaced by another, everything behind it moved along.

Numbers inside a file only ever mean rows of the same file, so the rows before the block stay as
they are and those behind it move by one and the same distance.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from knowing.graph.corpus import Corpus, FileEntry, join
from knowing.graph.keys import Ids, Ints
from knowing.parse.facts import (
    DecorationColumn,
    How,
    ImportColumn,
    RefColumn,
    ServiceColumn,
    SymbolColumn,
    Table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """By how much numbers of symbols, references and imports move."""

    symbols: int
    refs: int
    imports: int

    @property
    def is_zero(self) -> bool:
        return not (self.symbols or self.refs or self.imports)


Shift = Callable[[Table, Distance], None]


def replace_file(corpus: Corpus, file: int, entry: FileEntry) -> Corpus:
    """The corpus with `entry` in the place of its file number `file`, which has the same path."""
    block = join([entry], corpus.names)
    start = Distance(
        symbols=int(corpus.symbol_base[file]),
        refs=int(corpus.ref_base[file]),
        imports=int(corpus.import_base[file]),
    )
    move = Distance(
        symbols=len(block.symbols) - _size(corpus.symbol_base, file),
        refs=len(block.refs) - _size(corpus.ref_base, file),
        imports=len(block.imports) - _size(corpus.import_base, file),
    )

    def table(old: Table, base: Ints, new: Table, shift: Shift) -> Table:
        shift(new, start)
        behind = old[base[file + 1] :]
        if not move.is_zero:
            behind = behind.copy()
            shift(behind, move)
        return np.concatenate((old[: base[file]], new, behind))

    def files(old: Ids, base: Ints, new: Table) -> Ids:
        own = np.full(len(new), file, dtype=np.int32)
        return np.concatenate((old[: base[file]], own, old[base[file + 1] :]))

    def bases(base: Ints, new: Table) -> Ints:
        moved = base.copy()
        moved[file + 1 :] += len(new) - _size(base, file)
        return moved

    packages = list(corpus.packages)
    packages[file] = entry.facts.package
    return replace(
        corpus,
        packages=tuple(packages),
        symbols=table(corpus.symbols, corpus.symbol_base, block.symbols, _shift_symbols),
        symbol_file=files(corpus.symbol_file, corpus.symbol_base, block.symbols),
        symbol_base=bases(corpus.symbol_base, block.symbols),
        refs=table(corpus.refs, corpus.ref_base, block.refs, _shift_refs),
        ref_file=files(corpus.ref_file, corpus.ref_base, block.refs),
        ref_base=bases(corpus.ref_base, block.refs),
        imports=table(corpus.imports, corpus.import_base, block.imports, _shift_imports),
        import_file=files(corpus.import_file, corpus.import_base, block.imports),
        import_base=bases(corpus.import_base, block.imports),
        services=table(corpus.services, corpus.service_base, block.services, _shift_services),
        service_file=files(corpus.service_file, corpus.service_base, block.services),
        service_base=bases(corpus.service_base, block.services),
        decorations=table(
            corpus.decorations, corpus.decoration_base, block.decorations, _shift_decorations
        ),
        decoration_base=bases(corpus.decoration_base, block.decorations),
    )


def _size(base: Ints, file: int) -> int:
    return int(base[file + 1] - base[file])


def _add(table: Table, column: int, distance: int) -> None:
    """Moves a column of numbers in place; negative ones mean nothing and stay."""
    if distance:
        cells = table[:, column]
        cells += np.where(cells >= 0, np.int32(distance), np.int32(0))


def _shift_symbols(table: Table, by: Distance) -> None:
    _add(table, SymbolColumn.PARENT, by.symbols)
    _add(table, SymbolColumn.TYPE, 3 * by.refs)


def _shift_refs(table: Table, by: Distance) -> None:
    _add(table, RefColumn.SCOPE, by.symbols)
    how = table[:, RefColumn.CODE] & 15
    step = np.zeros(len(How), dtype=np.int32)
    step[[How.LOCAL, How.SELF, How.SUPER]] = by.symbols
    step[How.IMPORT] = by.imports
    step[[How.ALIAS, How.MEMBER]] = 3 * by.refs
    recv = table[:, RefColumn.RECV]
    recv += np.where(recv >= 0, step[how], np.int32(0))


def _shift_imports(table: Table, by: Distance) -> None:
    _add(table, ImportColumn.SCOPE, by.symbols)


def _shift_services(table: Table, by: Distance) -> None:
    _add(table, ServiceColumn.SCOPE, by.symbols)
    handler = table[:, ServiceColumn.HANDLER]
    step = np.where(handler >= 0, np.int32(by.symbols), np.int32(0))
    handler += np.where(handler < -1, np.int32(-by.refs), step)


def _shift_decorations(table: Table, by: Distance) -> None:
    _add(table, DecorationColumn.REF, by.refs)
    _add(table, DecorationColumn.SYMBOL, by.symbols)

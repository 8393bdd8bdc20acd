"""One file's block of a corpus replaced by another, everything behind it moved along.

Numbers inside a file only ever mean rows of the same file, so the rows before the block stay as
they are and those behind it move by one and the same distance.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from knowing.graph.corpus import Corpus, FileEntry, join
from knowing.graph.keys import Ids, Ints
from knowing.graph.refs import Bounds
from knowing.parse.facts import (
    DecorationColumn,
    ImportColumn,
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
        low, high = int(base[file]), int(base[file + 1])
        joined = _joined(old, low, high, new)
        if not move.is_zero:
            shift(joined[low + len(new) :], move)
        return joined

    def files(old: Ids, base: Ints, new: Table) -> Ids:
        own = np.full(len(new), file, dtype=np.int32)
        return np.concatenate((old[: base[file]], own, old[base[file + 1] :]))

    def bases(base: Ints, new: Table) -> Ints:
        moved = base.copy()
        moved[file + 1 :] += len(new) - _size(base, file)
        return moved

    now = Bounds(
        symbols=bases(corpus.symbol_base, block.symbols),
        refs=bases(corpus.ref_base, block.refs),
        imports=bases(corpus.import_base, block.imports),
    )
    packages = list(corpus.packages)
    packages[file] = entry.facts.package
    return replace(
        corpus,
        packages=tuple(packages),
        symbols=table(corpus.symbols, corpus.symbol_base, block.symbols, _shift_symbols),
        symbol_file=files(corpus.symbol_file, corpus.symbol_base, block.symbols),
        symbol_base=now.symbols,
        references=corpus.references.with_file(file, block.refs, now),
        ref_base=now.refs,
        imports=table(corpus.imports, corpus.import_base, block.imports, _shift_imports),
        import_file=files(corpus.import_file, corpus.import_base, block.imports),
        import_base=now.imports,
        services=table(corpus.services, corpus.service_base, block.services, _shift_services),
        service_file=files(corpus.service_file, corpus.service_base, block.services),
        service_base=bases(corpus.service_base, block.services),
        decorations=table(
            corpus.decorations, corpus.decoration_base, block.decorations, _shift_decorations
        ),
        decoration_base=bases(corpus.decoration_base, block.decorations),
    )


def _joined(old: Table, low: int, high: int, new: Table) -> Table:
    """The rows of `old` with `new` ones in the place of those from `low` to `high`."""
    end = low + len(new)
    joined = np.empty((end + len(old) - high, old.shape[1]), dtype=np.int32, order="F")
    for column in range(old.shape[1]):
        # Column by column, as they lie in memory.
        cells, before = joined[:, column], old[:, column]
        cells[:low], cells[low:end], cells[end:] = before[:low], new[:, column], before[high:]
    return joined


def _size(base: Ints, file: int) -> int:
    return int(base[file + 1] - base[file])


def _add(table: Table, column: int, distance: int) -> None:
    """Moves a column of numbers in place; negative ones mean nothing and stay."""
    if distance:
        cells = table[:, column]
        cells += (cells >= 0) * np.int32(distance)


def _shift_symbols(table: Table, by: Distance) -> None:
    _add(table, SymbolColumn.PARENT, by.symbols)
    _add(table, SymbolColumn.TYPE, 3 * by.refs)


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

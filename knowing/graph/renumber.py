"""The next view from the last: columns cut and joined instead of made again."""

import numpy as np

from knowing.graph.build import Graph
from knowing.graph.keys import Ids, Ints
from knowing.graph.number import number_columns, shown_edges, view_numbers
from knowing.graph.view import Octets, StringColumn, SymbolTable, View
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION


def next_view(before: Graph, after: Graph, file: int) -> View:
    """The view of `after`, which differs from `before` in one file's symbols and in edges."""
    numbers = view_numbers(after.members, len(after.nodes))
    return View(
        paths=before.view.paths,
        languages=before.view.languages,
        symbols=_symbols(before, after, file, numbers),
        edges=shown_edges(after.edges, numbers),
    )


def _symbols(before: Graph, after: Graph, file: int, numbers: Ids) -> SymbolTable:
    old, table = before.view.symbols, after.corpus.symbols
    start, end = (_shown_before(before, file + at) for at in (0, 1))
    nodes = None if before.nodes == after.nodes else after.nodes
    last = len(old) - len(before.nodes)
    first_row = int(after.corpus.symbol_base[file])
    rows = np.arange(first_row, int(after.corpus.symbol_base[file + 1]))
    rows = rows[after.members.kind[rows] != EXTENSION]
    names = after.corpus.names.texts
    texts = after.files[file].facts.text_data.split(b"\0")
    extra = None if nodes is None else [name.encode("utf-8", "replace") for _, name in nodes]
    empty = None if nodes is None else [b""] * len(nodes)

    def strings(column: StringColumn, own: list[bytes], tail: list[bytes] | None) -> StringColumn:
        """The column with the file's own strings; `tail` where nodes are other ones."""
        mine = StringColumn.of(own)
        if tail is None and _same(_part(column, start, end), mine):
            return column
        parts = [_part(column, 0, start), mine]
        if tail is None:
            return _joined(*parts, _part(column, end, len(column)))
        return _joined(*parts, _part(column, end, last), StringColumn.of(tail))

    def named(which: SymbolColumn) -> list[bytes]:
        return [names[i].encode("utf-8", "replace") for i in table[rows, which].tolist()]

    local = (rows - first_row).tolist()
    return SymbolTable(
        name=strings(old.name, named(SymbolColumn.NAME), extra),
        chain=strings(old.chain, named(SymbolColumn.CHAIN), extra),
        signature=strings(old.signature, [texts[2 * row] for row in local], empty),
        doc=strings(old.doc, [texts[2 * row + 1] for row in local], empty),
        **number_columns(after.corpus, after.members, after.nodes, numbers),
    )


def _shown_before(graph: Graph, file: int) -> int:
    """How many shown symbols stand before a file's block."""
    base = int(graph.corpus.symbol_base[file])
    return int((graph.members.kind[:base] != EXTENSION).sum())


def _part(column: StringColumn, low: int, high: int) -> StringColumn:
    bounds = column.bounds[low : high + 1]
    return StringColumn(column.data[int(bounds[0]) : int(bounds[-1])], bounds - bounds[0])


def _same(left: StringColumn, right: StringColumn) -> bool:
    return np.array_equal(left.bounds, right.bounds) and np.array_equal(left.data, right.data)


def _joined(*parts: StringColumn) -> StringColumn:
    data: Octets = np.concatenate([part.data for part in parts])
    bounds: Ints = np.empty(1 + sum(map(len, parts)), dtype=np.int64)
    bounds[0] = at = offset = 0
    for part in parts:
        np.add(part.bounds[1:], offset, out=bounds[at + 1 : at + 1 + len(part)])
        at += len(part)
        offset += len(part.data)
    return StringColumn(data, bounds)

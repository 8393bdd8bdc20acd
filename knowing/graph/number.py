"""From rows of the corpus to a `View`: hidden rows left out, the rest numbered without gaps."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from knowing.graph.corpus import Corpus, FileEntry
from knowing.graph.keys import Ids
from knowing.graph.members import Members
from knowing.graph.outside import Node
from knowing.graph.table import EdgeTable
from knowing.graph.view import StringColumn, SymbolTable, View
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION


def number(
    corpus: Corpus,
    members: Members,
    files: Sequence[FileEntry],
    nodes: Sequence[Node],
    edges: EdgeTable,
) -> View:
    """The view of a graph; order is kept, so canonical edges stay canonical."""
    numbers = view_numbers(members, len(nodes))
    return View(
        paths=StringColumn.of(path.encode() for path in corpus.paths),
        languages=StringColumn.of(name.encode() for name in corpus.languages),
        symbols=_symbols(corpus, members, files, nodes, numbers),
        edges=shown_edges(edges, numbers),
    )


def view_numbers(members: Members, nodes: int) -> Ids:
    """For each row of the corpus and each node its number in the view, -1 if it is not shown."""
    shown = np.concatenate((members.kind != EXTENSION, np.ones(nodes, dtype=bool)))
    return np.where(shown, np.cumsum(shown) - 1, -1).astype(np.int32)


def shown_edges(edges: EdgeTable, numbers: Ids) -> EdgeTable:
    """The edges between shown symbols, in the view's numbers."""
    if not len(numbers) or numbers[-1] == len(numbers) - 1:
        return edges
    visible = (numbers[edges.source] >= 0) & (numbers[edges.target] >= 0)
    return (edges if visible.all() else edges.take(visible)).renumbered(numbers)


def _symbols(
    corpus: Corpus,
    members: Members,
    files: Sequence[FileEntry],
    nodes: Sequence[Node],
    numbers: Ids,
) -> SymbolTable:
    rows = np.flatnonzero(members.kind != EXTENSION)
    encoded = [text.encode("utf-8", "replace") for text in corpus.names.texts]
    texts = [text for entry in files for text in entry.facts.text_data.split(b"\0")]
    extra = [name.encode("utf-8", "replace") for _, name in nodes]
    empty = [b""] * len(nodes)

    def strings(which: SymbolColumn) -> StringColumn:
        chosen = corpus.symbols[rows, which].tolist()
        return StringColumn.of([encoded[i] for i in chosen] + extra)

    return SymbolTable(
        name=strings(SymbolColumn.NAME),
        chain=strings(SymbolColumn.CHAIN),
        signature=StringColumn.of([texts[2 * row] for row in rows.tolist()] + empty),
        doc=StringColumn.of([texts[2 * row + 1] for row in rows.tolist()] + empty),
        **number_columns(corpus, members, nodes, numbers),
    )


def number_columns(
    corpus: Corpus, members: Members, nodes: Sequence[Node], numbers: Ids
) -> dict[str, Any]:
    """The columns of the symbol table that hold numbers."""
    shown = members.kind != EXTENSION
    # A slice is not copied, and most workspaces hide nothing.
    rows = slice(None) if shown.all() else np.flatnonzero(shown)
    owner = members.owner[rows]
    blank = np.zeros(len(nodes), np.int32)
    nothing = np.full(len(nodes), -1, np.int32)
    kinds = np.array([kind for kind, _ in nodes], dtype=np.int32)
    columns: dict[str, Any] = {
        "file": np.concatenate((corpus.symbol_file[rows], nothing)),
        "kind": np.concatenate((members.kind[rows], kinds)).astype(np.uint8),
        "owner": np.concatenate(
            (np.where(owner >= 0, numbers[np.maximum(owner, 0)], -1).astype(np.int32), nothing)
        ),
    }
    for name, which in (
        ("flags", SymbolColumn.FLAGS),
        ("start", SymbolColumn.START),
        ("end", SymbolColumn.END),
        ("line", SymbolColumn.LINE),
        ("end_line", SymbolColumn.END_LINE),
        ("name_line", SymbolColumn.NAME_LINE),
        ("name_column", SymbolColumn.NAME_COLUMN),
        ("overload", SymbolColumn.OVERLOAD),
    ):
        columns[name] = np.concatenate((corpus.symbols[rows, which], blank))
    return columns

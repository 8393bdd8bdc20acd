"""New edges put among old ones that are already in order, without sorting them again."""

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints, Mask, expand, pair, pieces
from knowing.graph.moves import Moves
from knowing.graph.table import EdgeTable

_NEAR = 48
"""Stretches that lie closer together are sorted as one, so that there are never too many."""

Column = npt.NDArray[Any]


class Numbering:
    """Old ends of edges to new ones: symbols as they moved, then nodes outside the code."""

    def __init__(self, moves: Moves, count: int, nodes: Ids) -> None:
        self.moves = moves
        self._count = count
        """Of the old symbols; the numbers of nodes begin there."""
        self._nodes = nodes
        """The new number of each old node, or of the next one where it is gone: never falling."""
        first = count + moves.distance
        expected = np.arange(first, first + len(nodes), dtype=np.int32)
        self._nodes_follow = np.array_equal(nodes, expected)

    def shift(self, numbers: Ids) -> None:
        """Old numbers to new ones, in place."""
        if self._nodes_follow:
            self.moves.shift(numbers)
            return
        for part in pieces(numbers):
            nodes = np.flatnonzero(part >= self._count)
            moved = self._nodes[part[nodes] - self._count]
            self.moves.shift(part)
            part[nodes] = moved

    def back(self, numbers: Ids) -> Ids:
        """New numbers outside the changed file to old ones; new nodes to where they would be."""
        moves = self.moves
        old = numbers - (numbers >= moves.start + moves.size) * np.int32(moves.distance)
        if not self._nodes_follow:
            nodes = np.flatnonzero(numbers >= self._count + moves.distance)
            old[nodes] = self._count + np.searchsorted(self._nodes, numbers[nodes])
        return old


def replaced(edges: EdgeTable, gone: Mask, numbering: Numbering, added: EdgeTable) -> EdgeTable:
    """The edges that are not `gone` in new numbers together with `added` ones, in canonical order.

    `added` is canonical and has no edge that is kept. Old edges stay in order wherever nothing is
    added, so only stretches around what is added or gone are sorted; between them whole runs are
    copied.
    """
    begin, end = _places(edges, numbering, added.source)
    low, high = _stretches(edges, gone, numbering.moves, begin, end)
    inner = expand(low, high - low)[1]
    inner = inner[~gone[inner]]
    counts = np.bincount(np.searchsorted(low, inner, side="right") - 1, minlength=len(low))
    counts += np.bincount(np.searchsorted(low, begin, side="right") - 1, minlength=len(low))
    kept = edges.take(inner)
    numbering.shift(kept.source)
    numbering.shift(kept.target)
    mixed = _sorted(EdgeTable.concatenate([kept, added]))
    weave = _Weave(low, high, counts, len(edges))
    columns: dict[str, Column] = {}
    for item in fields(edges):
        old, new = getattr(edges, item.name), getattr(mixed, item.name)
        if item.name in ("source", "target"):
            columns[item.name] = column = weave.joined(old, np.zeros_like(new))
            numbering.shift(column)
            weave.put(column, new)
        else:
            columns[item.name] = weave.joined(old, new)
    return EdgeTable(**columns)


def _sorted(edges: EdgeTable) -> EdgeTable:
    ends = pair(edges.source, edges.target)
    site = (edges.kind.astype(np.int64) << 56) | pair(edges.file + 1, edges.line)
    return edges.take(np.lexsort((site, ends)))


class _Weave:
    """Runs of old columns with parts of new ones between them."""

    def __init__(self, low: Ints, high: Ints, counts: Ints, size: int) -> None:
        ends = np.cumsum(counts)
        self._parts = list(zip((ends - counts).tolist(), ends.tolist(), strict=True))
        runs = zip([0, *high.tolist()], [*low.tolist(), size], strict=True)
        self._first, *self._runs = runs
        """The run before all parts, and the one behind each."""
        self._at = (low - (np.cumsum(high - low) - (high - low)) + ends - counts).tolist()
        """Where each part begins in the outcome."""

    def joined(self, old: Column, new: Column) -> Column:
        parts = [old[self._first[0] : self._first[1]]]
        for (begin, end), (start, stop) in zip(self._parts, self._runs, strict=True):
            parts.append(new[begin:end])
            parts.append(old[start:stop])
        return np.concatenate(parts)

    def put(self, column: Column, new: Column) -> None:
        """Writes the parts over what stands in their places."""
        for at, (begin, end) in zip(self._at, self._parts, strict=True):
            column[at : at + end - begin] = new[begin:end]


def _stretches(
    edges: EdgeTable, gone: Mask, moves: Moves, begin: Ints, end: Ints
) -> tuple[Ints, Ints]:
    """Where old rows cannot just be copied, as rising ranges of rows that do not touch."""
    dropped = np.flatnonzero(gone)
    own = np.searchsorted(edges.source, np.array((moves.start, moves.end), dtype=np.int32))
    lows, highs = [dropped, begin, own[:1]], [dropped + 1, end, own[1:]]
    if not moves.is_rising:
        # Edges to symbols that changed places stand in another order.
        aimed = (edges.target >= moves.start) & (edges.target < moves.end)
        sources = np.unique(edges.source[aimed])
        lows.append(np.searchsorted(edges.source, sources, side="left"))
        highs.append(np.searchsorted(edges.source, sources, side="right"))
    low, high = np.concatenate(lows), np.concatenate(highs)
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    apart = np.flatnonzero(low[1:] > high[:-1] + _NEAR)
    return low[np.concatenate(([0], apart + 1))], high[np.concatenate((apart, [len(low) - 1]))]


def _places(edges: EdgeTable, numbering: Numbering, added: Ids) -> tuple[Ints, Ints]:
    """Where old rows of the same source as the `added` ones begin and end.

    The file's own symbols may have changed places, so that their rows count as one.
    """
    moves = numbering.moves
    low, high = np.searchsorted(edges.source, np.array((moves.start, moves.end), dtype=np.int32))
    old = numbering.back(added)
    own = (added >= moves.start) & (added < moves.start + moves.size)
    begin = np.where(own, low, np.searchsorted(edges.source, old, side="left"))
    end = np.where(own, high, np.searchsorted(edges.source, old, side="right"))
    return begin, end

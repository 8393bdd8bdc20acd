"""How important each symbol is for the code: a random walk along the edges that use it."""

import numpy as np
import numpy.typing as npt

from knowing.graph import View
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind

Floats = npt.NDArray[np.float64]

WEIGHTS = {
    EdgeKind.CALLS: 1.0,
    EdgeKind.EXTENDS: 1.0,
    EdgeKind.IMPLEMENTS: 1.0,
    EdgeKind.TYPE_HINT_OF: 0.6,
    EdgeKind.REFERENCES: 0.5,
    EdgeKind.OVERRIDES: 0.5,
    EdgeKind.DECORATES: 0.5,
    EdgeKind.THROWS: 0.4,
    EdgeKind.IMPORTS: 0.4,
    EdgeKind.ACCESSES_FIELD: 0.2,
}
"""What a use of each kind is worth."""

_DAMPING = 0.85
_ROUNDS = 12
_ASIDE = SymbolFlag.TEST | SymbolFlag.EXAMPLE | SymbolFlag.GENERATED | SymbolFlag.VENDORED


def importance(view: View) -> Floats:
    """A share for each symbol; what is used by what is used counts more.

    Uses by tests and examples do not count, and neither do guesses. A member's importance adds in
    part to that of the type around it.
    """
    edges, table = view.edges, view.symbols
    size = len(table)
    if not size:
        return np.zeros(0)
    aside = (table.flags & int(_ASIDE)) != 0
    worth = np.zeros(256)
    for kind, value in WEIGHTS.items():
        worth[kind] = value
    weight = worth[edges.kind] * edges.confidence
    counted = (weight > 0) & (edges.origin != Origin.HEURISTIC)
    counted &= ~aside[edges.source] & (table.file[edges.target] >= 0)
    rows = np.flatnonzero(counted)
    source, target, weight = edges.source[rows], edges.target[rows], weight[rows]
    given = np.bincount(source, weights=weight, minlength=size)
    share = weight / given[source]
    start = np.where((table.file >= 0) & ~aside, 1.0, 0.0)
    start /= max(start.sum(), 1.0)
    rank = start.copy()
    for _ in range(_ROUNDS):
        flow = np.bincount(target, weights=share * rank[source], minlength=size)
        # What ends nowhere starts anew, so that shares stay shares.
        rank = (1 - _DAMPING) * start + _DAMPING * flow
        rank += start * max(0.0, 1.0 - float(rank.sum()))
    return _with_members(view, rank)


def _with_members(view: View, rank: Floats) -> Floats:
    table = view.symbols
    types = np.isin(table.kind, [int(kind) for kind in TYPE_KINDS])
    members = np.isin(table.kind, [int(kind) for kind in CALLABLE_KINDS | {SymbolKind.FIELD}])
    owned = members & (table.owner >= 0) & types[np.maximum(table.owner, 0)]
    rows = np.flatnonzero(owned)
    added = np.bincount(table.owner[rows], weights=rank[rows], minlength=len(rank))
    total: Floats = rank + 0.5 * added
    return total

"""Who is affected by a change: the graph walked against its edges, level by level.

Each symbol is reached once, on a shortest way; of several such ways the surest counts, and a way
is as sure as its least sure edge. A call of a method may run any method that overrides it, so who
calls the overridden one is affected by a change to the overriding one, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from knowing.graph import View
from knowing.graph.keys import Ids, Ints, Mask
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind

AFFECTING = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
    EdgeKind.INHERITS,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.THROWS,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.TESTS,
    EdgeKind.DOCUMENTS,
    EdgeKind.HANDLES_ROUTE,
    EdgeKind.READS_ENV,
    EdgeKind.EXECUTES_PROCESS,
    EdgeKind.CONSUMES_ENDPOINT,
    EdgeKind.IMPORTS,
)
"""Kinds whose source is affected when the target changes; of `decorates` it is the target."""

RUNNING = (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.TESTS)
"""Kinds by which a source runs its target, or lets it be run."""

_OWNING = (*TYPE_KINDS, SymbolKind.MODULE, SymbolKind.NAMESPACE)
_CALLABLE = np.array(sorted(CALLABLE_KINDS), dtype=np.uint8)
_ENDS = np.array(
    sorted({SymbolKind.DOC_SECTION, SymbolKind.ENV_VAR, SymbolKind.PROCESS, SymbolKind.OWNER}),
    dtype=np.uint8,
)
_WRAPPED = 0.7
"""How sure it is that a decorator's inner function calls what it decorates."""
_MANY = 20_000
"""Of symbols reached at one level; beyond this a list is of no use to anyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A symbol that is affected, and the edge that says so."""

    symbol: int
    depth: int
    confidence: float
    row: int
    """The edge by which it was reached."""
    target: int
    """The symbol reached before it, to which the edge leads unless `dispatched`."""
    dispatched: bool = False
    """The edge leads to a method that `target` overrides."""


def seeds_of(view: View, symbol: int) -> list[int]:
    """The symbol with its overloads and, of a type or module, all that it contains."""
    table = view.symbols
    if int(table.file[symbol]) < 0:
        return [symbol]
    seeds = [symbol, *_overloads(view, symbol)]
    if SymbolKind(int(table.kind[symbol])) in _OWNING:
        inner = np.array(seeds, dtype=np.int64)
        while len(inner):
            inner = np.flatnonzero(np.isin(table.owner, inner))
            inner = inner[~np.isin(inner, seeds)]
            seeds += inner.tolist()
    return seeds


def _overloads(view: View, symbol: int) -> list[int]:
    """Other definitions of the same name in the same file."""
    table = view.symbols
    same = np.flatnonzero(
        (table.file == table.file[symbol])
        & (table.owner == table.owner[symbol])
        & (table.kind == table.kind[symbol])
    )
    chain = table.chain[symbol]
    return [row for row in same.tolist() if row != symbol and chain and table.chain[row] == chain]


def reach(
    view: View,
    seeds: Iterable[int],
    depth: int,
    *,
    guesses: bool = False,
    kinds: Sequence[EdgeKind] = AFFECTING,
) -> list[Reached]:
    """All that is affected within `depth` steps, nearest and surest first; seeds are left out."""
    walk = _Walk(view, guesses, kinds)
    level = dict.fromkeys(seeds, 1.0)
    known = set(level)
    found: list[Reached] = []
    for step in range(1, depth + 1):
        best: dict[int, Reached] = {}
        for symbol, confidence in level.items():
            walk.look(symbol, confidence, step, known, best)
            if step == 1 and EdgeKind.CALLS in kinds:
                walk.wrappers(symbol, best)
        if not best:
            break
        fresh = sorted(best.values(), key=lambda item: (-item.confidence, item.symbol))[:_MANY]
        found += fresh
        known.update(item.symbol for item in fresh)
        level = {item.symbol: item.confidence for item in fresh if not walk.is_end(item)}
        walk.leave_out(EdgeKind.DOCUMENTS)
    return found


class _Walk:
    """One step of the walk."""

    def __init__(self, view: View, guesses: bool, kinds: Sequence[EdgeKind]) -> None:
        self._view = view
        self._guesses = guesses
        self._kinds = np.zeros(256, dtype=bool)
        self._kinds[[int(kind) for kind in kinds]] = True
        self._decorates = EdgeKind.CALLS in kinds

    def leave_out(self, kind: EdgeKind) -> None:
        """Prose about a symbol tells nothing about those that it uses."""
        self._kinds[kind] = False

    def look(
        self,
        symbol: int,
        confidence: float,
        depth: int,
        known: set[int],
        best: dict[int, Reached],
    ) -> None:
        """Notes for each symbol that is new the surest edge by which it is affected."""
        edges = self._view.edges
        for rows, ends, limit, dispatched in self._ways(symbol):
            sure = np.minimum(edges.confidence[rows], min(limit, confidence))
            for row, end, certainty in zip(
                rows.tolist(), ends.tolist(), sure.tolist(), strict=True
            ):
                if end in known:
                    continue
                before = best.get(end)
                if before is None or certainty > before.confidence:
                    best[end] = Reached(
                        symbol=end,
                        depth=depth,
                        confidence=certainty,
                        row=row,
                        target=symbol,
                        dispatched=dispatched,
                    )

    def _ways(self, symbol: int) -> Iterable[tuple[Ints, Ids, float, bool]]:
        """Edges, the symbols they affect, an upper bound of their confidence; dispatched or not."""
        edges = self._view.edges
        rows = self._into(symbol)
        yield rows, edges.source[rows], 1.0, False
        if self._decorates:
            out = self._view.edges_from(symbol)
            out = out[edges.kind[out] == EdgeKind.DECORATES]
            yield out, edges.target[out], 1.0, False
        for base, confidence in overridden(self._view, symbol):
            rows = self._view.edges_to(base)
            ran = np.isin(edges.kind[rows], (EdgeKind.CALLS, EdgeKind.REFERENCES))
            rows = rows[self._sure(rows) & ran]
            yield rows, edges.source[rows], confidence, True

    def wrappers(self, symbol: int, best: dict[int, Reached]) -> None:
        """Notes the functions that a decorator puts in the place of what it decorates."""
        view = self._view
        rows = view.edges_to(symbol)
        for row in rows[view.edges.kind[rows] == EdgeKind.DECORATES].tolist():
            for wrapper in _innermost(view, int(view.edges.source[row])):
                best.setdefault(
                    wrapper,
                    Reached(
                        symbol=wrapper,
                        depth=1,
                        confidence=min(_WRAPPED, float(view.edges.confidence[row])),
                        row=row,
                        target=symbol,
                    ),
                )

    def _into(self, symbol: int) -> Ints:
        """Edges to a symbol whose sources are affected by it."""
        edges = self._view.edges
        rows = self._view.edges_to(symbol)
        kinds = edges.kind[rows]
        # What stands in a function is part of what the function does.
        inside = (kinds == EdgeKind.CONTAINS) & np.isin(
            self._view.symbols.kind[edges.source[rows]], _CALLABLE
        )
        chosen: Ints = rows[(self._kinds[kinds] | inside) & self._sure(rows)]
        return chosen

    def _sure(self, rows: Ints) -> Mask:
        origins = self._view.edges.origin[rows]
        return np.ones(len(rows), dtype=bool) if self._guesses else origins != Origin.HEURISTIC

    def is_end(self, item: Reached) -> bool:
        """Whether nobody is affected through a symbol: prose, tests, a file that only imports."""
        table, edges = self._view.symbols, self._view.edges
        if int(table.flags[item.symbol]) & SymbolFlag.TEST_CASE:
            return True
        kind = EdgeKind(int(edges.kind[item.row]))
        if kind is EdgeKind.DECORATES and int(edges.target[item.row]) == item.target:
            return True
        if kind in (EdgeKind.IMPORTS, EdgeKind.INHERITS, EdgeKind.DOCUMENTS, EdgeKind.TESTS):
            return True
        return bool(np.isin(table.kind[item.symbol], _ENDS))


def _innermost(view: View, function: int) -> list[int]:
    """The functions defined inside a function that have no further ones inside them."""
    table = view.symbols
    found: list[int] = []
    pending = [function]
    while pending:
        outer = pending.pop()
        rows = view.edges_from(outer)
        inner = view.edges.target[rows[view.edges.kind[rows] == EdgeKind.CONTAINS]]
        nested = inner[np.isin(table.kind[inner], _CALLABLE)].tolist()
        pending += nested
        if not nested and outer != function:
            found.append(outer)
    return sorted(found)


def overridden(view: View, symbol: int) -> list[tuple[int, float]]:
    """The methods that a method overrides, directly or not, and how sure that is."""
    found: dict[int, float] = {}
    pending = [(symbol, 1.0)]
    while pending:
        method, confidence = pending.pop()
        rows = view.edges_from(method)
        rows = rows[view.edges.kind[rows] == EdgeKind.OVERRIDES]
        for row in rows.tolist():
            base = int(view.edges.target[row])
            certainty = min(confidence, float(view.edges.confidence[row]))
            if base != symbol and certainty > found.get(base, 0.0):
                found[base] = certainty
                pending.append((base, certainty))
    return sorted(found.items())

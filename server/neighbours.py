"""Who uses a symbol and what is next to it, from its edges alone: quick enough for every hover."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knowing.graph import View
from knowing.graph.keys import Ints
from knowing.model import TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.retrieve import DEFAULT

_CALLS = (EdgeKind.CALLS, EdgeKind.DECORATES, EdgeKind.HANDLES_ROUTE, EdgeKind.REFERENCES)
"""Whoever hands a function on has it called: to say that nobody calls it would be wrong."""
_USES = (
    *_CALLS,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.THROWS,
    EdgeKind.ACCESSES_FIELD,
)
_NOT_RELATED = (EdgeKind.CONTAINS, EdgeKind.MEMBER_OF)
_CLOSENESS = {
    kind: getattr(DEFAULT.closeness, kind.label)
    for kind in EdgeKind
    if hasattr(DEFAULT.closeness, kind.label)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many symbols have to do with one, and how."""

    users: int
    """Symbols that surely call it, or use it if it is a type; tests are not among them."""
    guesses: int
    """Further ones that may do so."""
    tests: int
    related: int
    noun: str

    def __str__(self) -> str:
        users = f"{self.users} {self.noun}{'' if self.users == 1 else 's'}"
        possible = f" (+{self.guesses} possible)" if self.guesses else ""
        tests = f"{self.tests} test{'' if self.tests == 1 else 's'}"
        return f"{users}{possible} · {self.related} related · {tests}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A symbol one edge away, and how it is joined, in words."""

    symbol: int
    reason: str


def warm(view: View) -> None:
    """Makes what is looked up below, which a view does on first use."""
    if len(view.symbols):
        view.edges_from(0)
        view.edges_to(0)


def counts(view: View, symbol: int) -> Counts:
    """Looks at the edges of a symbol only."""
    edges, flags = view.edges, view.symbols.flags
    rows = view.edges_to(symbol)
    is_type = SymbolKind(int(view.symbols.kind[symbol])) in TYPE_KINDS
    uses = rows[_of_kinds(view, rows, _USES if is_type else _CALLS)]
    guessed = edges.origin[uses] == Origin.HEURISTIC
    users = _others(edges.source[uses[~guessed]], symbol)
    guesses = np.setdiff1d(_others(edges.source[uses[guessed]], symbol), users)
    testing = _others(edges.source[rows[edges.kind[rows] == EdgeKind.TESTS]], symbol)
    is_test = (flags[users] & int(SymbolFlag.TEST)) != 0
    return Counts(
        users=int(np.count_nonzero(~is_test)),
        guesses=int(np.count_nonzero((flags[guesses] & int(SymbolFlag.TEST)) == 0)),
        tests=len(np.union1d(users[is_test], testing)),
        related=_related(view, symbol),
        noun="use" if is_type else "caller",
    )


def _of_kinds(view: View, rows: Ints, kinds: tuple[EdgeKind, ...]) -> npt.NDArray[np.bool_]:
    return np.isin(view.edges.kind[rows], [int(kind) for kind in kinds])


def _others(symbols: Ints, symbol: int) -> Ints:
    found: Ints = np.unique(symbols)
    kept: Ints = found[found != symbol]
    return kept


def _related(view: View, symbol: int) -> int:
    """Symbols one edge away that are not merely its owner or its members."""
    edges = view.edges
    leaving, coming = view.edges_from(symbol), view.edges_to(symbol)
    leaving = leaving[~_of_kinds(view, leaving, _NOT_RELATED)]
    coming = coming[~_of_kinds(view, coming, _NOT_RELATED)]
    return len(_others(np.concatenate([edges.target[leaving], edges.source[coming]]), symbol))


def closest(view: View, symbol: int, limit: int) -> list[Neighbour]:
    """The symbols that are joined to one most closely, those of the project before its tests."""
    edges, table = view.edges, view.symbols
    leaving, coming = view.edges_from(symbol), view.edges_to(symbol)
    rows = np.concatenate([leaving, coming])
    ends = np.concatenate([edges.target[leaving], edges.source[coming]])
    closeness = np.zeros(max(EdgeKind) + 1, dtype=np.float32)
    for kind, value in _CLOSENESS.items():
        closeness[kind] = value
    weights = closeness[edges.kind[rows]] * edges.confidence[rows]
    weights = weights * np.where(
        table.flags[ends] & int(SymbolFlag.TEST), DEFAULT.closeness.in_tests, 1.0
    )
    shown = (weights > 0) & (ends != symbol) & (table.file[ends] >= 0)
    found, place = np.unique(ends[shown], return_inverse=True)
    total = np.bincount(place, weights=weights[shown], minlength=len(found))
    order = np.lexsort((found, -total))[:limit]
    return [
        Neighbour(symbol=other, reason=_joined(view, symbol, other))
        for other in found[order].tolist()
    ]


def _joined(view: View, symbol: int, other: int) -> str:
    """How another symbol is joined to one, in words."""
    edges = view.edges
    coming, leaving = view.edges_to(symbol), view.edges_from(symbol)
    here = coming[edges.source[coming] == other]
    there = leaving[edges.target[leaving] == other]
    rows, words = (here, "{} it") if len(here) else (there, "it {} this")
    surest = rows[int(np.argmax(edges.confidence[rows]))]
    label = EdgeKind(int(edges.kind[surest])).label.replace("_", " ")
    return words.format(label)

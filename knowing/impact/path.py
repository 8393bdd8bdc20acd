"""How two symbols hang together: the shortest and surest ways from one to the other."""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from knowing.graph import View
from knowing.impact.blast import Site, site_of
from knowing.impact.reach import seeds_of
from knowing.model import EdgeKind, Origin

DEPTH = 6
LIMIT = 5
_MAX_NODES = 60_000
_MAX_STEPS = 40_000
_FOLLOWED = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.INHERITS,
    EdgeKind.OVERRIDES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.DECORATES,
    EdgeKind.THROWS,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.TESTS,
    EdgeKind.HANDLES_ROUTE,
    EdgeKind.READS_ENV,
    EdgeKind.EXECUTES_PROCESS,
    EdgeKind.CONSUMES_ENDPOINT,
    EdgeKind.IMPORTS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge of a way."""

    source: int
    target: int
    edge: EdgeKind
    origin: Origin
    confidence: float
    site: Site
    dispatched: bool = False
    """The edge is walked against its direction: a call of the overridden may run the overrider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A way from one symbol to another, as sure as its least sure step."""

    steps: tuple[Step, ...]

    @property
    def confidence(self) -> float:
        return min(step.confidence for step in self.steps)

    @property
    def symbols(self) -> tuple[int, ...]:
        return (self.steps[0].source, *(step.target for step in self.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Ways between two symbols, in the direction in which there are any."""

    start: int
    end: int
    found: tuple[Route, ...]
    reversed: bool
    """Whether the ways lead from the second symbol to the first."""
    depth: int


def routes_between(
    view: View, first: int, second: int, *, depth: int = DEPTH, limit: int = LIMIT
) -> Routes:
    """Up to `limit` ways of at most `depth` steps: from first to second, else the other way.

    Ways over edges that are known come before ways over guesses, which are only given where there
    are no others.
    """
    for guesses in (False, True):
        for start, end in ((first, second), (second, first)):
            found = _Search(view, end, depth, guesses).ways(start, limit)
            if found:
                return Routes(
                    start=start,
                    end=end,
                    found=tuple(found),
                    reversed=start != first,
                    depth=depth,
                )
    return Routes(start=first, end=second, found=(), reversed=False, depth=depth)


class _Search:
    """Best-first search that knows how far each symbol is from the end."""

    def __init__(self, view: View, end: int, depth: int, guesses: bool) -> None:
        self._view = view
        self._kinds = np.zeros(256, dtype=bool)
        self._kinds[[int(kind) for kind in _FOLLOWED]] = True
        self._guesses = guesses
        self._depth = depth
        self._ends = frozenset(seeds_of(view, end))
        self._distance = self._distances()

    def ways(self, start: int, limit: int) -> list[Route]:
        """The cheapest ways; each step costs one and its doubt."""
        begin = [seed for seed in seeds_of(self._view, start) if seed not in self._ends]
        heap: list[tuple[float, int, tuple[int, ...], tuple[tuple[int, bool], ...]]] = []
        heap += [
            (float(self._distance[seed]), 0, (seed,), ())
            for seed in begin
            if seed in self._distance
        ]
        heapq.heapify(heap)
        taken: dict[int, int] = {}
        found: list[Route] = []
        for _ in range(_MAX_STEPS):
            if not heap or len(found) >= limit:
                break
            cost, length, visited, edges = heapq.heappop(heap)
            at = visited[-1]
            if at in self._ends:
                found.append(self._route(visited, edges))
                continue
            taken[at] = taken.get(at, 0) + 1
            if taken[at] > limit:
                continue
            spent = cost - self._distance[at]
            for row, target, dispatched in self._steps(at):
                left = self._distance.get(target)
                if left is None or target in visited or length + 1 + left > self._depth:
                    continue
                doubt = 1.0 - float(self._view.edges.confidence[row])
                heapq.heappush(
                    heap,
                    (
                        spent + 1.0 + doubt + left,
                        length + 1,
                        (*visited, target),
                        (*edges, (row, dispatched)),
                    ),
                )
        return found

    def _steps(self, symbol: int) -> Iterator[tuple[int, int, bool]]:
        """One edge, the surest, to each symbol that a symbol leads to."""
        view, edges = self._view, self._view.edges
        out = self._kept(view.edges_from(symbol))
        back = self._dispatches(view.edges_to(symbol))
        best: dict[int, tuple[int, bool]] = {}
        for row in out:
            target = int(edges.target[row])
            before = best.get(target)
            if before is None or edges.confidence[row] > edges.confidence[before[0]]:
                best[target] = (row, False)
        for row in back:
            best.setdefault(int(edges.source[row]), (row, True))
        for target, (row, dispatched) in sorted(best.items()):
            yield row, target, dispatched

    def _distances(self) -> dict[int, int]:
        """How many steps each symbol is away from the end, as far as that matters."""
        view, edges = self._view, self._view.edges
        distance = dict.fromkeys(sorted(self._ends), 0)
        level: Iterable[int] = list(distance)
        for step in range(1, self._depth + 1):
            fresh: dict[int, None] = {}
            for symbol in level:
                into = edges.source[self._kept(view.edges_to(symbol))].tolist()
                into += edges.target[self._dispatches(view.edges_from(symbol))].tolist()
                fresh.update((other, None) for other in into if other not in distance)
            if not fresh or len(distance) > _MAX_NODES:
                break
            distance.update(dict.fromkeys(fresh, step))
            level = list(fresh)
        return distance

    def _kept(self, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        edges = self._view.edges
        kept = self._kinds[edges.kind[rows]]
        if not self._guesses:
            kept = kept & (edges.origin[rows] != Origin.HEURISTIC)
        chosen: list[int] = rows[kept].tolist()
        return chosen

    def _dispatches(self, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        chosen: list[int] = rows[self._view.edges.kind[rows] == EdgeKind.OVERRIDES].tolist()
        return chosen

    def _route(self, visited: tuple[int, ...], rows: tuple[tuple[int, bool], ...]) -> Route:
        edges = self._view.edges
        return Route(
            steps=tuple(
                Step(
                    source=source,
                    target=target,
                    edge=EdgeKind(int(edges.kind[row])),
                    origin=Origin(int(edges.origin[row])),
                    confidence=round(float(edges.confidence[row]), 3),
                    site=site_of(self._view, row),
                    dispatched=dispatched,
                )
                for source, target, (row, dispatched) in zip(
                    visited, visited[1:], rows, strict=False
                )
            )
        )

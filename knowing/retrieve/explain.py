"""Why a symbol is where it is in a ranking or not in it, read off the ranking's trace."""

from dataclasses import dataclass

import numpy as np

from knowing.graph.keys import Ints
from knowing.model import EdgeKind
from knowing.retrieve.parts import DESCRIPTIONS, Part, parts_of
from knowing.retrieve.ranking import Ranking
from knowing.retrieve.score import CHANNELS

_FURTHEST = 4
_WIDEST = 4000
_SHOWN_LACKS = 3
_STRONG = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A symbol's value in one channel and its place among all symbols."""

    channel: str
    rank: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A symbol on a way through the graph; `edge` is the one that leads to it."""

    symbol: int
    edge: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """All there is to say of one symbol in one ranking."""

    rank: int | None
    score: float
    parts: tuple[Part, ...]
    places: tuple[Place, ...]
    path: tuple[Step, ...]
    verdict: str


def account(ranking: Ranking, symbol: int) -> Account:
    """The account of any symbol, returned or not."""
    hit = ranking.by_symbol.get(symbol)
    parts = (
        hit.parts
        if hit
        else parts_of(ranking.scene, ranking.evidence, symbol, learned=ranking.learned)
    )
    score = sum(part.value for part in parts)
    return Account(
        rank=hit.rank if hit else None,
        score=score,
        parts=parts,
        places=_places(ranking, symbol),
        path=_path(ranking, symbol),
        verdict=_verdict(ranking, symbol, score),
    )


def _places(ranking: Ranking, symbol: int) -> tuple[Place, ...]:
    places = []
    for channel in CHANNELS:
        values = ranking.evidence[channel]
        value = float(values[symbol])
        if value > 0:
            rank = int((values > values[symbol]).sum()) + 1
            places.append(Place(channel=channel, rank=rank, value=value))
    return tuple(places)


def _path(ranking: Ranking, symbol: int) -> tuple[Step, ...]:
    """The shortest way from one of the best first matches, if it is short."""
    first = ranking.evidence["first"]
    count = min(ranking.scene.tuning.seed.count, len(first))
    seeds = np.argsort(-first, kind="stable")[:count]
    seeds = seeds[first[seeds] > 0]
    came_from: dict[int, tuple[int, int]] = {int(seed): (-1, -1) for seed in seeds.tolist()}
    if symbol in came_from:
        return (Step(symbol=symbol, edge="match"),)
    here: Ints = seeds
    for _ in range(_FURTHEST):
        here = _further(ranking, here, came_from)
        if symbol in came_from:
            return _traced(ranking, symbol, came_from)
        if not len(here) or len(came_from) > _WIDEST:
            break
    return ()


def _further(ranking: Ranking, here: Ints, came_from: dict[int, tuple[int, int]]) -> Ints:
    """One step along every edge, in both directions; notes how each symbol was reached."""
    view, reached = ranking.view, []
    for symbol in here.tolist():
        for row in (*view.edges_from(symbol).tolist(), *view.edges_to(symbol).tolist()):
            source, target = int(view.edges.source[row]), int(view.edges.target[row])
            other = target if source == symbol else source
            if other not in came_from and view.symbols.file[other] >= 0:
                came_from[other] = (symbol, row)
                reached.append(other)
        if len(came_from) > _WIDEST:
            break
    return np.array(reached, dtype=np.int64)


def _traced(
    ranking: Ranking, symbol: int, came_from: dict[int, tuple[int, int]]
) -> tuple[Step, ...]:
    edges, steps = ranking.view.edges, []
    while symbol >= 0:
        before, row = came_from[symbol]
        label = "match"
        if row >= 0:
            label = EdgeKind(int(edges.kind[row])).label
            label = label if int(edges.target[row]) == symbol else f"{label} (backwards)"
        steps.append(Step(symbol=symbol, edge=label))
        symbol = before
    return tuple(reversed(steps))


def _verdict(ranking: Ranking, symbol: int, score: float) -> str:
    hit = ranking.by_symbol.get(symbol)
    if hit:
        best = max(hit.parts, key=lambda part: part.value)
        return f"rank {hit.rank} of {len(ranking.hits)}: above all, {best.detail}"
    if not ranking.hits:
        return "nothing was returned: no word of the task is known in this workspace"
    last = ranking.hits[-1]
    evidence = ranking.evidence
    if ranking.learned is not None and symbol in ranking.learned.banned:
        return "not returned: you banned it"
    if not evidence["standing"][symbol]:
        return "not returned: it is no code of the workspace, and only such is returned"
    lacks = [
        DESCRIPTIONS[channel]
        for channel in (
            "text",
            "coverage",
            "identifier",
            "place",
            "walk",
            "tests",
            "sections",
            "commits",
        )
        if float(evidence[channel][symbol]) == 0 and float(evidence[channel].max()) > 0
    ]
    reason = f"not returned: its score {score:.3f} is below {last.score:.3f}, that of the last one"
    if float(evidence["standing"][symbol]) < _STRONG:
        reason += f"; held down because it is {DESCRIPTIONS['standing']}"
    if score >= last.score:
        reason = "not returned: others of the same name or type took its place"
    if lacks:
        reason += f"; it would rise if {', or '.join(lacks[:_SHOWN_LACKS])}"
    return reason

"""Where the syntax was read wrongly: what to look at to make the resolver better."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from knowing.enrich.answers import FileAnswers
from knowing.enrich.links import Links, link
from knowing.graph import Graph
from knowing.graph.places import EXTERNAL
from knowing.model import qualified_name
from knowing.parse.facts import RefColumn, SymbolColumn


class Verdict(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    """Bound to another symbol of the workspace."""
    NOT_OURS = "not ours"
    """Bound to a symbol of the workspace although it is a dependency's."""
    OURS = "ours"
    """Taken for a dependency's although it is a symbol of the workspace."""
    MISSED = "missed"
    """Left open although it is a symbol of the workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One reference that a server explains otherwise."""

    path: str
    line: int
    column: int
    name: str
    verdict: Verdict
    thought: str
    """What the syntax seemed to say; empty if nothing."""
    said: tuple[str, ...]
    """What the server says."""
    inferred: bool
    """The syntax only suggested it."""


def disagreements(graph: Graph, answers: Iterable[FileAnswers]) -> list[Disagreement]:
    """All references at which a server and the syntax differ, in the order of the files."""
    links = link(graph, answers)
    return [
        _disagreement(graph, links, ref, low, high, verdict)
        for ref, low, high, verdict in _judged(graph, links)
        if verdict is not Verdict.RIGHT
    ]


def tally(graph: Graph, answers: Iterable[FileAnswers]) -> dict[Verdict, int]:
    """How often the syntax was right, and how often it was wrong in which way."""
    counts = dict.fromkeys(Verdict, 0)
    for _, _, _, verdict in _judged(graph, link(graph, answers)):
        counts[verdict] += 1
    return counts


def _judged(graph: Graph, links: Links) -> Iterator[tuple[int, int, int, Verdict]]:
    """Each answered reference with its links and what is thought of it."""
    refs, starts = np.unique(links.ref, return_index=True)
    bounds = [*starts.tolist(), len(links.ref)]
    targets, count = links.target.tolist(), graph.members.count
    for index, ref in enumerate(refs.tolist()):
        low, high = bounds[index], bounds[index + 1]
        thought = int(graph.resolution.target[ref])
        said = targets[low:high]
        yield ref, low, high, _verdict(thought if thought < count else -1, said)


def _verdict(thought: int, said: list[int]) -> Verdict:
    inside = [target for target in said if target >= 0]
    if thought == EXTERNAL:
        return Verdict.RIGHT if len(inside) < len(said) else Verdict.OURS
    if thought < 0:
        return Verdict.MISSED if inside else Verdict.RIGHT
    if thought in inside:
        return Verdict.RIGHT
    return Verdict.WRONG if inside else Verdict.NOT_OURS


def _disagreement(
    graph: Graph, links: Links, ref: int, low: int, high: int, verdict: Verdict
) -> Disagreement:
    row = graph.corpus.refs[ref]
    thought = int(graph.resolution.target[ref])
    return Disagreement(
        path=graph.corpus.paths[int(graph.corpus.ref_file[ref])],
        line=int(row[RefColumn.LINE]),
        column=int(row[RefColumn.COLUMN]),
        name=graph.corpus.names.texts[int(row[RefColumn.NAME])],
        verdict=verdict,
        thought=_identity(graph, thought) if 0 <= thought < graph.members.count else "",
        said=tuple(
            _identity(graph, target) if target >= 0 else links.outside[-1 - target].identity
            for target in links.target[low:high].tolist()
        ),
        inferred=bool(graph.resolution.inferred[ref]),
    )


def _identity(graph: Graph, symbol: int) -> str:
    corpus = graph.corpus
    file = int(corpus.symbol_file[symbol])
    if symbol == int(corpus.symbol_base[file]):
        return corpus.paths[file]
    row = corpus.symbols[symbol]
    name = corpus.names.texts[int(row[SymbolColumn.CHAIN])]
    return qualified_name(corpus.paths[file], name, int(row[SymbolColumn.OVERLOAD]))

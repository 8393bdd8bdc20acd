"""Which files are asked about, and in what order: those somebody is looking at come first."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

import numpy as np

from knowing.enrich.answers import FileAnswers
from knowing.enrich.links import outdated
from knowing.graph import Graph
from knowing.model import SymbolFlag
from knowing.parse.facts import SymbolColumn


class Tier(IntEnum):
    """Why a file's turn comes when it does."""

    FOCUS = 0
    NEIGHBOUR = 1
    CHANGED = 2
    SOURCE = 3
    TEST = 4
    EXAMPLE = 5


def order(graph: Graph, focus: Sequence[str] = (), changed: Iterable[str] = ()) -> dict[str, Tier]:
    """All files with their tiers, in the order in which to ask about them.

    `focus` is what an editor or a question is at; what its files are joined with follows.
    """
    tiers: dict[str, Tier] = {}
    near, edited = neighbours(graph, focus), frozenset(changed)
    for entry in graph.files:
        if entry.path in focus:
            tiers[entry.path] = Tier.FOCUS
        elif entry.path in near:
            tiers[entry.path] = Tier.NEIGHBOUR
        elif entry.path in edited:
            tiers[entry.path] = Tier.CHANGED
        else:
            flags = int(entry.facts.symbols[0, SymbolColumn.FLAGS])
            tiers[entry.path] = _tier(SymbolFlag(flags))
    return dict(sorted(tiers.items(), key=lambda item: (item[1], item[0])))


def _tier(flags: SymbolFlag) -> Tier:
    if flags & (SymbolFlag.EXAMPLE | SymbolFlag.GENERATED | SymbolFlag.VENDORED):
        return Tier.EXAMPLE
    return Tier.TEST if flags & SymbolFlag.TEST else Tier.SOURCE


def neighbours(graph: Graph, focus: Sequence[str]) -> frozenset[str]:
    """Files that an edge joins with those of `focus`."""
    paths = graph.corpus.paths
    chosen = np.array([path in focus for path in paths], dtype=bool)
    if not chosen.any():
        return frozenset()
    count = len(graph.corpus.symbols)
    edges = graph.edges
    inside = (edges.source < count) & (edges.target < count)
    source = graph.corpus.symbol_file[edges.source[inside]]
    target = graph.corpus.symbol_file[edges.target[inside]]
    joined = np.concatenate((target[chosen[source]], source[chosen[target]]))
    return frozenset(paths[file] for file in np.unique(joined).tolist()) - frozenset(focus)


def to_ask(
    graph: Graph,
    known: Iterable[FileAnswers],
    digests: Mapping[str, bytes],
    keys: Mapping[str, tuple[str, str]],
) -> set[str]:
    """Files of which nothing is known that still holds.

    `keys` gives for each language the server and the environment whose answers would hold.
    """
    answers = {answer.path: answer for answer in known}
    again = outdated(graph, answers.values(), digests)
    for entry in graph.files:
        key = keys.get(entry.language)
        if key is None:
            continue
        answer = answers.get(entry.path)
        if answer is None or (answer.server, answer.environment) != key:
            again.add(entry.path)
    return {path for path in again if path in digests}

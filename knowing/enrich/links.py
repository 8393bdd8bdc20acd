"""Answers brought together with a graph: which reference leads to which symbol of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from knowing.enrich.answers import External, FileAnswers, Inside
from knowing.graph import Graph
from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand
from knowing.parse.facts import RefColumn, Role, SymbolColumn
from knowing.parse.rows import EXTENSION

_COLUMN_BITS = 20
_OVERLOAD_BITS = 12
_LONGEST_LINE = (1 << _COLUMN_BITS) - 1
_MOST_OVERLOADS = (1 << _OVERLOAD_BITS) - 1


class Identities:
    """Numbers of symbols by their identities."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._files = {path: number for number, path in enumerate(corpus.paths)}
        symbols = corpus.symbols
        rows = np.flatnonzero(symbols[:, SymbolColumn.KIND] != EXTENSION)
        chain = symbols[rows, SymbolColumn.CHAIN].astype(np.int64)
        overload = np.minimum(symbols[rows, SymbolColumn.OVERLOAD], _MOST_OVERLOADS)
        keys = _identity_key(corpus.symbol_file[rows].astype(np.int64), chain, overload)
        self._table = KeyTable.first_wins(keys, rows.astype(np.int32))

    def find(self, target: Inside) -> int:
        """The symbol with this identity, -1 if there is none any more."""
        file = self._files.get(target.path, -1)
        if file < 0:
            return -1
        if not target.name:
            return int(self._corpus.symbol_base[file])
        chain = self._corpus.names.get(target.name, -1)
        if chain < 0:
            return -1
        overload = min(target.overload, _MOST_OVERLOADS)
        return self._table.get((file << 44) | (chain << _OVERLOAD_BITS) | overload)

    def file(self, path: str) -> int:
        return self._files.get(path, -1)


def _identity_key(file: Ints, chain: Ints, overload: Ids) -> Ints:
    return (file << 44) | (chain << _OVERLOAD_BITS) | overload.astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """References that were answered, with what each means; in the order of the references."""

    ref: Ints
    target: Ids
    """A symbol, or `-1 - index` of `outside`."""
    origin: Ids
    several: Mask
    """The reference has more than one target."""
    outside: tuple[External, ...]
    implements: tuple[tuple[int, int, int], ...]
    """Who implements, what, and in which file the answer was given."""
    files: Mask
    """The files that there are answers for."""

    def take(self, rows: Mask) -> Self:
        """Some of the links."""
        columns = ("ref", "target", "origin", "several")
        taken: dict[str, Any] = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **taken)


def link(graph: Graph, answers: Iterable[FileAnswers]) -> Links:
    """What the answers mean in this graph; those for files and symbols it lacks are left out."""
    corpus = graph.corpus
    identities = Identities(corpus)
    outside: dict[External, int] = {}
    parts: list[tuple[Ints, Ids, int]] = []
    implements: set[tuple[int, int, int]] = set()
    files = np.zeros(len(corpus.paths), dtype=bool)
    for answer in answers:
        file = identities.file(answer.path)
        if file < 0:
            continue
        files[file] = True
        inner = np.array([identities.find(item) for item in answer.inside_targets()], np.int32)
        outer = [-1 - outside.setdefault(x, len(outside)) for x in answer.outside_targets()]
        parts += _of_file(corpus, file, answer, inner, np.array(outer, np.int32))
        for abstract, concrete in answer.implements.tolist():
            if inner[abstract] >= 0 and inner[concrete] >= 0:
                implements.add((int(inner[concrete]), int(inner[abstract]), file))
    links = _links(
        [_nearest(graph, *part) for part in parts],
        tuple(outside),
        tuple(sorted(implements)),
        files,
    )
    return links.take(~_says_less(graph, links))


def _nearest(graph: Graph, ref: Ints, target: Ids, origin: int) -> tuple[Ints, Ids, int]:
    """Of several definitions of one name, the one that the syntax shows to hold at the place.

    Servers give all of them where a name is defined anew, and answers keep the first.
    """
    thought = graph.resolution.target[ref]
    known = (thought >= 0) & (thought < graph.members.count) & (target >= 0)
    one, other = np.where(known, thought, 0), np.where(known, target, 0)
    file, chain = graph.corpus.symbol_file, graph.corpus.symbols[:, SymbolColumn.CHAIN]
    same = known & (file[one] == file[other]) & (chain[one] == chain[other])
    return ref, np.where(same, thought, target).astype(np.int32), origin


def _says_less(graph: Graph, links: Links) -> Mask:
    """Calls of variables for which the server names the variable and the syntax what it holds."""
    members, resolution = graph.members, graph.resolution
    role = graph.corpus.refs[links.ref, RefColumn.CODE] >> 4
    runs = members.is_callable | members.is_type | (resolution.symbol_value >= 0)
    before = resolution.target[links.ref]
    known = (before >= 0) & (before < members.count)
    known &= runs[np.where(known, before, 0)]
    idle = (links.target >= 0) & ~runs[np.maximum(links.target, 0)]
    less: Mask = ((role & Role.CALL) != 0) & known & idle & ~links.several
    return less


_NO_TARGET = np.iinfo(np.int32).min


def _of_file(
    corpus: Corpus, file: int, answer: FileAnswers, inner: Ids, outer: Ids
) -> list[tuple[Ints, Ids, int]]:
    """The references at the places of one file's answers, with their targets."""
    if not len(answer.links):
        return []
    low, high = int(corpus.ref_base[file]), int(corpus.ref_base[file + 1])
    keys = _place(corpus.refs[low:high, RefColumn.LINE], corpus.refs[low:high, RefColumn.COLUMN])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    sites = _place(answer.sites[:, 0], answer.sites[:, 1])
    site, link = answer.links[:, 0], answer.links[:, 1]
    inside = link >= 0
    target = np.full(len(link), _NO_TARGET, dtype=np.int32)
    if len(inner):
        found = inner[np.where(inside, link, 0)]
        target = np.where(inside & (found >= 0), found, target)
    if len(outer):
        target = np.where(inside, target, outer[np.where(inside, 0, -1 - link)])
    known = target != _NO_TARGET
    site, target = site[known], target[known].astype(np.int32)
    start = np.searchsorted(keys, sites[site], side="left")
    count = np.searchsorted(keys, sites[site], side="right") - start
    which, at = expand(start, count)
    return [(low + order[at], target[which], int(answer.origin))]


def _place(line: Ids, column: Ids) -> Ints:
    """A position as one number."""
    within = np.minimum(column, _LONGEST_LINE).astype(np.int64)
    return (line.astype(np.int64) << _COLUMN_BITS) | within


def _links(
    parts: list[tuple[Ints, Ids, int]],
    outside: tuple[External, ...],
    implements: tuple[tuple[int, int, int], ...],
    files: Mask,
) -> Links:
    none = np.empty(0, np.int64)
    ref = np.concatenate([none, *(part[0] for part in parts)])
    target = np.concatenate([none, *(part[1] for part in parts)]).astype(np.int32)
    origin = np.concatenate([none, *(np.full(len(part[0]), part[2]) for part in parts)])
    # The surest origin stands first where a server and an index say the same.
    order = np.lexsort((origin, target, ref))
    ref, target, origin = ref[order], target[order], origin[order]
    fresh = np.ones(len(ref), dtype=bool)
    fresh[1:] = (ref[1:] != ref[:-1]) | (target[1:] != target[:-1])
    ref, target, origin = ref[fresh], target[fresh], origin[fresh]
    _, back, count = np.unique(ref, return_inverse=True, return_counts=True)
    return Links(
        ref=ref,
        target=target,
        origin=origin.astype(np.int32),
        several=count[back] > 1,
        outside=outside,
        implements=implements,
        files=files,
    )


def outdated(
    graph: Graph, answers: Iterable[FileAnswers], digests: Mapping[str, bytes]
) -> set[str]:
    """Files to ask about again: those that changed, and those whose targets are gone.

    A target that merely moved within its file keeps its identity, so nothing needs to be asked.
    """
    identities = Identities(graph.corpus)
    return {
        answer.path
        for answer in answers
        if digests.get(answer.path) != answer.digest
        or any(identities.find(target) < 0 for target in answer.inside_targets())
    }

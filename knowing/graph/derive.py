"""Edges that follow from other edges: membership, inheritance, overriding, tests, documents."""

import numpy as np

from knowing.graph.edges import EdgeTable
from knowing.graph.keys import Ids, Ints, KeyTable, Mask, pair
from knowing.graph.members import Hierarchy, Members
from knowing.graph.resolution import rows_of
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.parse.facts import How, RefColumn, SymbolColumn
from knowing.parse.rows import EXTENSION

_INHERITED_CONFIDENCE = 0.9
_STRUCTURAL_CONFIDENCE = 0.7
_TEST_CONFIDENCE = 0.7
_CO_TEST_LIMIT = 20
_CO_TEST_CONFIDENCE = 0.6
_MAX_MENTIONED = 6
_MENTION_CONFIDENCE = 0.9
_SHARED_BY_FEW = 20


def membership(members: Members, files: Mask) -> list[EdgeTable]:
    """`contains` from owner to member and `member_of` back, for the members in `files`."""
    corpus = members.corpus
    chosen = files[corpus.symbol_file] & (members.owner >= 0) & (members.kind != EXTENSION)
    rows = np.flatnonzero(chosen)
    owner, file = members.owner[rows], corpus.symbol_file[rows]
    line = corpus.symbols[rows, SymbolColumn.LINE]
    return [
        EdgeTable.of(owner, rows, EdgeKind.CONTAINS, Origin.STRUCTURAL, file=file, line=line),
        EdgeTable.of(rows, owner, EdgeKind.MEMBER_OF, Origin.STRUCTURAL, file=file, line=line),
    ]


def inheritance(members: Members, types: Ids) -> list[EdgeTable]:
    """`inherits` from each of `types` to ancestors' members it does not redefine; `overrides`.

    What test classes inherit from their framework says nothing about the code under test, so they
    get no `inherits`.
    """
    callable_ = members.is_callable
    in_test = (members.flags & SymbolFlag.TEST) != 0
    inheriting = types[~in_test[types]]
    which, ancestors = members.hierarchy.of(inheriting)
    by_owner = members.by_owner
    at, inherited = by_owner.of(ancestors)
    child = inheriting[which[at]]
    kept = callable_[inherited] & (members.kind[inherited] != SymbolKind.CONSTRUCTOR)
    child, inherited = child[kept], inherited[kept]
    keys = pair(child, members.name[inherited])
    nearest = KeyTable.first_wins(keys, inherited)
    free = members.direct.find(nearest.keys) < 0
    _, methods = by_owner.of(types)
    methods = methods[callable_[methods] & (members.kind[methods] != SymbolKind.CONSTRUCTOR)]
    owners = members.owner[methods]
    hidden = members.find(members.super_of(owners), members.name[methods])
    over = (hidden >= 0) & callable_[np.maximum(hidden, 0)]
    return [
        EdgeTable.of(
            (nearest.keys[free] >> 32).astype(np.int32),
            nearest.values[free],
            EdgeKind.INHERITS,
            Origin.DERIVED,
            confidence=_INHERITED_CONFIDENCE,
        ),
        EdgeTable.of(
            methods[over],
            hidden[over],
            EdgeKind.OVERRIDES,
            Origin.DERIVED,
            confidence=_INHERITED_CONFIDENCE,
        ),
    ]


def structural_interfaces(members: Members) -> Hierarchy:
    """Types that have all methods of an interface, where that is what implementing means."""
    structural = np.array([lang.structural_interfaces for lang in members.languages], dtype=bool)
    empty = np.empty(0, dtype=np.int32)
    if not structural.any():
        return Hierarchy(types=empty, ancestors=empty)
    chosen = structural[members.corpus.symbol_file] & members.is_callable & (members.owner >= 0)
    rows = np.flatnonzero(chosen)
    owners = members.owner[rows]
    on_interface = members.kind[owners] == SymbolKind.INTERFACE
    wanted: dict[int, list[int]] = {}
    for row, owner in zip(rows[on_interface].tolist(), owners[on_interface].tolist(), strict=True):
        wanted.setdefault(owner, []).append(int(members.name[row]))
    having: dict[int, set[int]] = {}
    concrete = ~on_interface & np.isin(members.kind[owners], [int(kind) for kind in TYPE_KINDS])
    for row, owner in zip(rows[concrete].tolist(), owners[concrete].tolist(), strict=True):
        having.setdefault(int(members.name[row]), set()).add(owner)
    pairs: list[tuple[int, int]] = []
    for interface, names in wanted.items():
        sets = [having.get(name, set()) for name in set(names)]
        common = set.intersection(*sets)
        if len(sets) > 1 or len(common) <= _SHARED_BY_FEW:
            pairs += ((owner, interface) for owner in common)
    flat = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    return Hierarchy(types=flat[:, 0], ancestors=flat[:, 1])


def structural_edges(members: Members, found: Hierarchy) -> list[EdgeTable]:
    """`implements` and `overrides` for types that match an interface by their methods."""
    methods = np.flatnonzero(members.is_callable & (members.owner >= 0))
    order = np.argsort(members.owner[methods], kind="stable")
    methods = methods[order]
    owners = members.owner[methods]
    start = np.searchsorted(owners, found.ancestors, side="left")
    count = np.searchsorted(owners, found.ancestors, side="right") - start
    which = np.repeat(np.arange(len(count)), count)
    within = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    abstract = methods[start[which] + within]
    concrete = members.direct.find(pair(found.types[which], members.name[abstract]))
    has = concrete >= 0
    return [
        EdgeTable.of(
            found.types,
            found.ancestors,
            EdgeKind.IMPLEMENTS,
            Origin.DERIVED,
            confidence=_STRUCTURAL_CONFIDENCE,
        ),
        EdgeTable.of(
            concrete[has],
            abstract[has],
            EdgeKind.OVERRIDES,
            Origin.DERIVED,
            confidence=_STRUCTURAL_CONFIDENCE,
        ),
    ]


def tests(members: Members, calls: EdgeTable) -> list[EdgeTable]:
    """`tests` from a test to what it calls, and `co_tested_with` among what a test file calls."""
    flags = members.flags
    in_test = (flags & SymbolFlag.TEST) != 0
    case = _inside_test_case(members)
    used = np.isin(calls.kind, (EdgeKind.CALLS, EdgeKind.REFERENCES))
    crossing = used & ~in_test[calls.target] & (calls.origin != Origin.HEURISTIC)
    crossing &= np.isin(members.kind[calls.target], [int(k) for k in CALLABLE_KINDS | TYPE_KINDS])
    by_case = np.flatnonzero(crossing & (case[calls.source] >= 0))
    tested = EdgeTable.of(
        case[calls.source[by_case]],
        calls.target[by_case],
        EdgeKind.TESTS,
        Origin.DERIVED,
        confidence=_TEST_CONFIDENCE,
        file=calls.file[by_case],
        line=calls.line[by_case],
    )
    from_tests = np.flatnonzero(crossing & in_test[calls.source])
    return [tested, _co_tested(calls.file[from_tests], calls.target[from_tests])]


def _inside_test_case(members: Members) -> Ids:
    """For each symbol the test case it is or stands in, -1 where there is none."""
    is_case = (members.flags & SymbolFlag.TEST_CASE) != 0
    case = np.where(is_case, np.arange(members.count), -1).astype(np.int32)
    outer = members.owner
    for _ in range(4):
        lookup = np.maximum(outer, 0)
        case = np.where((case < 0) & (outer >= 0), case[lookup], case)
    return case


def _co_tested(files: Ids, targets: Ids) -> EdgeTable:
    """Pairs among the first targets of each test file, each file giving a bounded number."""
    pairs: list[tuple[int, int, int]] = []
    order = np.argsort(files, kind="stable")
    files, targets = files[order], targets[order]
    bounds = np.flatnonzero(np.diff(files)) + 1
    starts = [0, *bounds.tolist()]
    for start, group in zip(starts, np.split(targets, bounds), strict=True):
        file = int(files[start]) if len(group) else -1
        distinct = list(dict.fromkeys(group.tolist()))[:_CO_TEST_LIMIT]
        found = [
            (min(left, right), max(left, right), file)
            for index, left in enumerate(distinct)
            for right in distinct[index + 1 :]
        ]
        pairs += found[:_CO_TEST_LIMIT]
    flat = np.array(sorted(set(pairs)), dtype=np.int32).reshape(-1, 3)
    return EdgeTable.of(
        flat[:, 0],
        flat[:, 1],
        EdgeKind.CO_TESTED_WITH,
        Origin.DERIVED,
        confidence=_CO_TEST_CONFIDENCE,
        file=flat[:, 2],
    )


def documents(members: Members, files: Mask) -> EdgeTable:
    """`documents` from a section of prose to the few symbols that a name in it can mean."""
    corpus = members.corpus
    refs = corpus.refs
    rows = rows_of(corpus.ref_base, files)
    rows = rows[(refs[rows, RefColumn.CODE] & 15) == How.MENTION]
    useful = (
        (members.owner >= 0)
        & ((members.flags & (SymbolFlag.TEST | SymbolFlag.EXAMPLE)) == 0)
        & ~np.isin(members.kind, (SymbolKind.DOC_SECTION, SymbolKind.MODULE, EXTENSION))
    )
    candidates = np.flatnonzero(useful)
    order = np.argsort(members.name[candidates], kind="stable")
    candidates = candidates[order]
    names = members.name[candidates]
    start = np.searchsorted(names, refs[rows, RefColumn.NAME], side="left")
    end = np.searchsorted(names, refs[rows, RefColumn.NAME], side="right")
    source: list[int] = []
    target: list[int] = []
    share: list[float] = []
    site: list[int] = []
    owners = refs[rows, RefColumn.RECV].tolist()
    for row, low, high, owner in zip(
        rows.tolist(), start.tolist(), end.tolist(), owners, strict=True
    ):
        if low == high:
            continue
        meant = _meant(members, candidates[low:high], owner)
        if 0 < len(meant) <= _MAX_MENTIONED:
            source += [int(refs[row, RefColumn.SCOPE])] * len(meant)
            target += meant
            share += [_MENTION_CONFIDENCE / len(meant)] * len(meant)
            site += [row] * len(meant)
    at = np.array(site, dtype=np.int64)
    return EdgeTable.of(
        np.array(source, dtype=np.int32),
        np.array(target, dtype=np.int32),
        EdgeKind.DOCUMENTS,
        Origin.DERIVED,
        confidence=np.array(share, dtype=np.float32),
        file=corpus.ref_file[at],
        line=refs[at, RefColumn.LINE],
    )


def _meant(members: Members, candidates: Ints, owner: int) -> list[int]:
    """Of the symbols with the mentioned name those whose owner or file the mention names."""
    if owner < 0:
        return candidates.tolist() if len(candidates) <= _MAX_MENTIONED else []
    last = members.corpus.names.texts[owner].rsplit(".", 1)[-1]
    number = members.corpus.names.get(last, -1)
    owned = [row for row in candidates.tolist() if members.name[members.owner[row]] == number]
    if owned:
        return owned
    paths = members.corpus.paths
    files = members.corpus.symbol_file
    return [row for row in candidates.tolist() if f"/{last}" in f"/{paths[files[row]]}"]


def _callable(members: Members) -> Mask:
    return np.isin(members.kind, [int(kind) for kind in CALLABLE_KINDS])

"""Edges that follow from other edges: membership, inheritance, overriding, tests, documents."""

from itertools import combinations, islice

import numpy as np

from knowing.graph.keys import Ids, Ints, KeyTable, Mask, pair
from knowing.graph.members import Hierarchy, Members
from knowing.graph.refs import Chosen
from knowing.graph.resolution import rows_of
from knowing.graph.table import EdgeTable
from knowing.graph.traits import kind_set
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.parse.facts import How, SymbolColumn
from knowing.parse.rows import EXTENSION

_INHERITED_CONFIDENCE = 0.9
_STRUCTURAL_CONFIDENCE = 0.7
_TEST_CONFIDENCE = 0.7
_CO_TEST_LIMIT = 20
_CO_TEST_CONFIDENCE = 0.6
_MAX_MENTIONED = 12
_MENTION_CONFIDENCE = 0.9
_SHARED_BY_FEW = 20
_NESTING = 5
"""How many symbols outwards, itself included, a test case is looked for."""
_TESTED = kind_set(CALLABLE_KINDS | TYPE_KINDS)
_UNDOCUMENTED = kind_set((SymbolKind.DOC_SECTION, SymbolKind.MODULE, EXTENSION))


def membership(members: Members, files: Mask) -> list[EdgeTable]:
    """`contains` from owner to member and `member_of` back, for the members in `files`."""
    corpus = members.corpus
    rows = rows_of(corpus.symbol_base, files)
    rows = rows[(members.owner[rows] >= 0) & (members.kind[rows] != EXTENSION)]
    owner, file = members.owner[rows], corpus.symbol_file[rows]
    line = corpus.symbols[rows, SymbolColumn.LINE]
    return [
        EdgeTable.of(owner, rows, EdgeKind.CONTAINS, Origin.STRUCTURAL, file=file, line=line),
        EdgeTable.of(rows, owner, EdgeKind.MEMBER_OF, Origin.STRUCTURAL, file=file, line=line),
    ]


def inheritance(members: Members, types: Ids) -> list[EdgeTable]:
    """`inherits` from each of `types` to ancestors' members it does not redefine; `overrides`.

    A type has one `inherits` for each name, to the nearest ancestor that offers it. A type that is
    written in several parts counts as its first part, both as the one that inherits and as the one
    that is inherited from. Every descendant has its own edges, so their number is that of types
    times what they inherit: large where many types extend one that mixes much in.
    What test classes inherit from their framework says nothing about the code under test, so they
    get no `inherits`.
    """
    callable_ = members.is_callable
    inheriting = types[(members.flags[types] & SymbolFlag.TEST) == 0]
    which, ancestors = members.hierarchy.of(inheriting)
    by_owner = members.owned(np.concatenate((ancestors, types)))
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
    structural = members.places.marked_files(lambda language: language.structural_interfaces)
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
    used = np.flatnonzero((calls.kind == EdgeKind.CALLS) | (calls.kind == EdgeKind.REFERENCES))
    used = used[calls.origin[used] != Origin.HEURISTIC]
    used = used[(members.flags[calls.target[used]] & SymbolFlag.TEST) == 0]
    crossing = used[_TESTED[members.kind[calls.target[used]]]]
    case = _inside_test_case(members, calls.source[crossing])
    by_case = crossing[case >= 0]
    tested = EdgeTable.of(
        case[case >= 0],
        calls.target[by_case],
        EdgeKind.TESTS,
        Origin.DERIVED,
        confidence=_TEST_CONFIDENCE,
        file=calls.file[by_case],
        line=calls.line[by_case],
    )
    from_tests = crossing[(members.flags[calls.source[crossing]] & SymbolFlag.TEST) != 0]
    return [tested, _co_tested(calls.file[from_tests], calls.target[from_tests])]


def _inside_test_case(members: Members, symbols: Ids) -> Ids:
    """For each of `symbols` the test case it is or stands in, -1 where there is none."""
    case = np.full(len(symbols), -1, dtype=np.int32)
    outer = symbols
    for _ in range(_NESTING):
        is_case = (outer >= 0) & ((members.flags[outer] & SymbolFlag.TEST_CASE) != 0)
        case = np.where((case < 0) & is_case, outer, case)
        outer = np.where(outer >= 0, members.owner[outer], outer)
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
        found = islice(combinations(distinct, 2), _CO_TEST_LIMIT)
        pairs += ((min(left, right), max(left, right), file) for left, right in found)
    flat = np.array(sorted(set(pairs)), dtype=np.int32).reshape(-1, 3)
    return EdgeTable.of(
        flat[:, 0],
        flat[:, 1],
        EdgeKind.CO_TESTED_WITH,
        Origin.DERIVED,
        confidence=_CO_TEST_CONFIDENCE,
        file=flat[:, 2],
    )


def documents(members: Members, files: Mask, chosen: Chosen | None = None) -> EdgeTable:
    """`documents` from a section of prose to the few symbols that a name in it can mean."""
    corpus = members.corpus
    refs = chosen or corpus.references.of(files)
    rows = np.flatnonzero(refs.how == How.MENTION)
    asked = np.zeros(len(corpus.names), dtype=bool)
    asked[refs.name[rows]] = True
    candidates = np.flatnonzero(asked[members.name]) if len(rows) else rows
    useful = (members.owner[candidates] >= 0) & ~_UNDOCUMENTED[members.kind[candidates]]
    useful &= (members.flags[candidates] & (SymbolFlag.TEST | SymbolFlag.EXAMPLE)) == 0
    candidates = candidates[useful]
    order = np.argsort(members.name[candidates], kind="stable")
    candidates = candidates[order]
    names = members.name[candidates]
    start = np.searchsorted(names, refs.name[rows], side="left")
    end = np.searchsorted(names, refs.name[rows], side="right")
    source: list[int] = []
    target: list[int] = []
    share: list[float] = []
    site: list[int] = []
    owners = refs.recv[rows].tolist()
    known: dict[tuple[int, int], list[int]] = {}
    types = frozenset(members.name[members.is_type].tolist() if len(rows) else ())
    for row, low, high, owner in zip(
        rows.tolist(), start.tolist(), end.tolist(), owners, strict=True
    ):
        if low == high:
            continue
        if (low, owner) not in known:
            known[low, owner] = _meant(members, candidates[low:high], owner, types)
        meant = known[low, owner]
        if 0 < len(meant) <= _MAX_MENTIONED:
            source += [int(refs.scope[row])] * len(meant)
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
        file=refs.file[at],
        line=refs.line[at],
    )


def _meant(members: Members, candidates: Ints, owner: int, types: frozenset[int]) -> list[int]:
    """Of the symbols with the mentioned name those whose owner or file the mention names.

    A member that its type does not define itself is inherited, so any few of that name will do.
    """
    if owner < 0:
        return candidates.tolist() if len(candidates) <= _MAX_MENTIONED else []
    last = members.corpus.names.texts[owner].rsplit(".", 1)[-1]
    number = members.corpus.names.get(last, -1)
    owned = [row for row in candidates.tolist() if members.name[members.owner[row]] == number]
    if owned:
        return owned
    paths = members.corpus.paths
    files = members.corpus.symbol_file
    near = [row for row in candidates.tolist() if f"/{last}" in f"/{paths[files[row]]}"]
    return near or (candidates.tolist() if number in types else [])

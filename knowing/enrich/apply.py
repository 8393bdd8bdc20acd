"""Lays answers over a graph: guesses give way, right edges become sure, new ones are added.

A reference that was answered makes edges to what the server named and to nothing else. One that
was not answered, or answered with nothing, keeps what the syntax gave. What follows from
references, such as `tests` and `inherits`, follows from the outcome.
"""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from knowing.enrich.answers import FileAnswers
from knowing.enrich.externals import is_everywhere
from knowing.enrich.labels import called, written_names
from knowing.enrich.links import Links, link
from knowing.graph import Graph, View, derive
from knowing.graph.build import by_hierarchy
from knowing.graph.edges import EdgeTable, ReferenceEdges, guesses
from knowing.graph.keys import Ints, Mask
from knowing.graph.members import Members, linearise
from knowing.graph.number import number_columns, shown_edges, view_numbers
from knowing.graph.outside import Node
from knowing.graph.resolution import Bases, Resolution, rows_of
from knowing.graph.view import StringColumn, SymbolTable
from knowing.model import ORIGIN_CONFIDENCE, EdgeKind, Origin, SymbolKind
from knowing.parse.facts import RefColumn, Role
from knowing.parse.rows import EXTENSION

_SEVERAL_CONFIDENCE = 0.7
"""A reference with several targets leads to each of them on some runs only."""
_BY_REFERENCE = [
    int(kind)
    for kind in (
        EdgeKind.CALLS,
        EdgeKind.REFERENCES,
        EdgeKind.EXTENDS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.TYPE_HINT_OF,
        EdgeKind.DECORATES,
        EdgeKind.THROWS,
        EdgeKind.ACCESSES_FIELD,
        EdgeKind.TESTS,
        EdgeKind.CO_TESTED_WITH,
    )
]
_BY_HIERARCHY = [int(EdgeKind.INHERITS), int(EdgeKind.OVERRIDES)]
_NO_EDGE = -1
_EXTERNAL = int(SymbolKind.EXTERNAL)
_EXTERNAL_KINDS = (
    (Role.BASE, EdgeKind.EXTENDS),
    (Role.IMPLEMENTS, EdgeKind.IMPLEMENTS),
    (Role.THROW, EdgeKind.THROWS),
    (Role.CALL, EdgeKind.CALLS),
    (Role.TYPE, EdgeKind.TYPE_HINT_OF),
    (Role.DECORATOR, EdgeKind.DECORATES),
)
_KIND_OF_ROLES = [
    next((int(kind) for role, kind in _EXTERNAL_KINDS if roles & int(role)), _NO_EDGE)
    for roles in range(256)
]
"""The edge that a use of an outside name gives; mere passing through gives none."""
_CODE, _SCOPE, _LINE = int(RefColumn.CODE), int(RefColumn.SCOPE), int(RefColumn.LINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """A graph's edges and nodes with answers laid over them, and the view of it."""

    edges: EdgeTable
    """In the numbers of the graph's corpus, then `nodes`; canonical."""
    nodes: tuple[Node, ...]
    view: View


def apply(graph: Graph, answers: Iterable[FileAnswers]) -> Enriched:
    """The graph with answers laid over it; `graph` itself stays as it is."""
    links = link(graph, answers)
    if not len(links.ref) and not links.implements:
        return Enriched(edges=graph.edges, nodes=graph.nodes, view=graph.view)
    work = _Work(graph, links)
    edges, nodes, described = work.run()
    return Enriched(edges=edges, nodes=nodes, view=_view(graph, edges, nodes, described))


class _Work:
    """One application."""

    def __init__(self, graph: Graph, links: Links) -> None:
        self._graph = graph
        self._links = links
        self._count = graph.members.count
        self._answered: Mask = np.zeros(len(graph.corpus.refs), dtype=bool)
        self._answered[links.ref] = True
        self._bases = self._new_bases()
        self._members = self._with_hierarchy()

    def run(self) -> tuple[EdgeTable, tuple[Node, ...], dict[str, str]]:
        graph, links = self._graph, self._links
        members, files = self._members, links.files
        rest = self._without_answered()
        direct = [*self._sure(), *_without_imports(members, rest, files)]
        joined = EdgeTable.concatenate(direct)
        outside, labels, described = self._outside()
        tables = [
            joined,
            guesses(members, rest, files),
            *derive.tests(members, joined),
            self._implementers(),
            *(by_hierarchy(members) if members is not graph.members else []),
        ]
        kept = graph.edges.take(self._kept(labels))
        return self._joined([*tables, kept], outside, described)

    # -- references ----------------------------------------------------------------------------

    def _without_answered(self) -> Resolution:
        """What the syntax says of references that nobody answered."""
        before = self._graph.resolution
        return replace(
            before,
            target=np.where(self._answered, -1, before.target).astype(np.int32),
            known_receiver=before.known_receiver | self._answered,
        )

    def _sure(self) -> list[EdgeTable]:
        """Edges of answered references to symbols of the workspace, the surest origin first."""
        links = self._links
        inside = links.target >= 0
        tables: list[EdgeTable] = []
        for origin in sorted({int(number) for number in links.origin.tolist()}):
            own = inside & (links.origin == origin)
            tables += self._layer(np.flatnonzero(own & ~links.several), Origin(origin), None)
            rows = np.flatnonzero(own & links.several)
            while len(rows):
                # One target of each reference at a time: a resolution has room for one.
                _, first = np.unique(links.ref[rows], return_index=True)
                tables += self._layer(rows[first], Origin(origin), _SEVERAL_CONFIDENCE)
                rows = np.delete(rows, first)
        return tables

    def _layer(self, rows: Ints, origin: Origin, confidence: float | None) -> list[EdgeTable]:
        before, links = self._graph.resolution, self._links
        target = np.full(len(before.target), -1, dtype=np.int32)
        target[links.ref[rows]] = links.target[rows]
        named = replace(before, target=target, inferred=np.zeros(len(target), dtype=bool))
        files = np.zeros(len(links.files), dtype=bool)
        files[self._graph.corpus.ref_file[links.ref[rows]]] = True
        value = ORIGIN_CONFIDENCE[origin] if confidence is None else confidence
        return [
            _promoted(table, origin, value)
            for table in _without_imports(self._members, named, files)
        ]

    def _implementers(self) -> EdgeTable:
        """Who a server says implements an interface, or a method of one."""
        pairs = np.array(self._links.implements, dtype=np.int32).reshape(-1, 3)
        types = self._members.is_type[pairs[:, 1]]
        kind = np.where(types, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES).astype(np.uint8)
        return EdgeTable.of(pairs[:, 0], pairs[:, 1], kind, Origin.LSP_RESOLVED, file=pairs[:, 2])

    # -- hierarchy -----------------------------------------------------------------------------

    def _new_bases(self) -> Bases:
        """Direct bases, with those that answers name in place of those that the syntax named."""
        members, links, old = self._graph.members, self._links, self._graph.resolution.bases
        refs = self._graph.corpus.refs
        role = refs[links.ref, RefColumn.CODE] >> 4
        chosen = ((role & (Role.BASE | Role.IMPLEMENTS)) != 0) & (links.target >= 0)
        ref, base = links.ref[chosen], links.target[chosen]
        child = members.stands_for[refs[ref, RefColumn.SCOPE]]
        usable = members.is_type | (members.kind == SymbolKind.NAMESPACE)
        good = usable[base] & usable[child]
        kept = ~self._answered[old.ref]
        refs_ = np.concatenate((old.ref[kept], ref[good]))
        order = np.argsort(refs_, kind="stable")
        return Bases(
            ref=refs_[order],
            child=np.concatenate((old.child[kept], child[good]))[order].astype(np.int32),
            base=np.concatenate((old.base[kept], base[good]))[order].astype(np.int32),
        )

    def _with_hierarchy(self) -> Members:
        """Members under the new bases; the graph's own if nothing has changed."""
        members, old, new = self._graph.members, self._graph.resolution.bases, self._bases
        if np.array_equal(old.child, new.child) and np.array_equal(old.base, new.base):
            return members
        changed = copy.copy(members)
        changed.hierarchy = linearise(members.one[new.child], members.one[new.base])
        return changed

    # -- outside -------------------------------------------------------------------------------

    def _outside(self) -> tuple[list[tuple[int, str, int, int, int, int]], Mask, dict[str, str]]:
        """Edges to what is outside, old nodes' edges that they replace, and descriptions.

        An edge is source, name, kind, file, line and origin.
        """
        graph, links = self._graph, self._links
        rows = rows_of(graph.corpus.ref_base, links.files)
        written = written_names(graph, rows)
        names = called(links, written)
        silent = [is_everywhere(external) for external in links.outside]
        edges: dict[tuple[int, str, int], tuple[int, str, int, int, int, int]] = {}
        far = np.flatnonzero(links.target < 0)
        scope = graph.members.stands_for[graph.corpus.refs[links.ref[far], _SCOPE]].tolist()
        files = graph.corpus.ref_file[links.ref[far]].tolist()
        targets, origins = links.target[far].tolist(), links.origin[far].tolist()
        refs = graph.corpus.refs[links.ref[far]].tolist()
        for row, source, file, target, origin in zip(
            refs, scope, files, targets, origins, strict=True
        ):
            index = -1 - target
            kind = _KIND_OF_ROLES[row[_CODE] >> 4]
            if kind != _NO_EDGE and not silent[index]:
                edge = (source, names[index], kind, file, row[_LINE], origin)
                edges.setdefault(edge[:3], edge)
        described: dict[str, str] = {}
        for name, external in zip(names, links.outside, strict=True):
            described.setdefault(name, external.description)
        return list(edges.values()), self._replaced_outside(written), described

    def _replaced_outside(self, written: dict[int, str]) -> Mask:
        """Edges to outside names all of whose references were answered."""
        graph = self._graph
        stands_for, refs = graph.members.stands_for, graph.corpus.refs
        done: set[tuple[int, int, int]] = set()
        open_: set[tuple[int, int, int]] = set()
        number = {node: self._count + index for index, node in enumerate(graph.nodes)}
        rows = np.fromiter(written, dtype=np.int64, count=len(written))
        scope = stands_for[refs[rows, _SCOPE]].tolist()
        codes, answered = refs[rows, _CODE].tolist(), self._answered[rows].tolist()
        for name, source, code, known in zip(written.values(), scope, codes, answered, strict=True):
            kind = _KIND_OF_ROLES[code >> 4]
            node = number.get((_EXTERNAL, name))
            if kind != _NO_EDGE and node is not None:
                (done if known else open_).add((source, node, kind))
        gone = np.zeros(len(graph.edges), dtype=bool)
        far = np.flatnonzero(graph.edges.target >= self._count)
        columns = (graph.edges.source[far], graph.edges.target[far], graph.edges.kind[far])
        keys = zip(*(column.tolist() for column in columns), strict=True)
        gone[far] = [key in done and key not in open_ for key in keys]
        return gone

    # -- all of it -----------------------------------------------------------------------------

    def _kept(self, replaced: Mask) -> Mask:
        """The edges of the graph that are not made anew."""
        edges = self._graph.edges
        near = (edges.source < self._count) & (edges.target < self._count)
        own = (edges.file >= 0) & self._links.files[np.maximum(edges.file, 0)]
        gone = replaced | (own & near & np.isin(edges.kind, _BY_REFERENCE))
        if self._members is not self._graph.members:
            gone |= np.isin(edges.kind, _BY_HIERARCHY)
            gone |= (edges.kind == EdgeKind.IMPLEMENTS) & (edges.origin == Origin.DERIVED)
        return ~gone

    def _joined(
        self,
        tables: list[EdgeTable],
        outside: list[tuple[int, str, int, int, int, int]],
        described: dict[str, str],
    ) -> tuple[EdgeTable, tuple[Node, ...], dict[str, str]]:
        """All edges in canonical order; nodes that nothing reaches are dropped."""
        count, old = self._count, self._graph.nodes
        near = EdgeTable.concatenate(tables)
        used = np.unique(np.maximum(near.source, near.target))
        alive = [old[index] for index in (used[used >= count] - count).tolist()]
        fresh = [(_EXTERNAL, edge[1]) for edge in outside]
        nodes = sorted({*alive, *fresh})
        place = {node: count + index for index, node in enumerate(nodes)}
        numbers = np.arange(count + len(old), dtype=np.int32)
        numbers[count:] = [place.get(node, -1) for node in old]
        far = np.array([(e[0], e[2], e[3], e[4], e[5]) for e in outside], np.int32).reshape(-1, 5)
        added = EdgeTable.of(
            far[:, 0],
            np.array([place[node] for node in fresh], dtype=np.int32),
            far[:, 1].astype(np.uint8),
            far[:, 4].astype(np.uint8),
            file=far[:, 2],
            line=far[:, 3],
        )
        edges = EdgeTable.concatenate([near.renumbered(numbers), added]).canonical()
        return edges, tuple(nodes), described


def _without_imports(members: Members, resolution: Resolution, files: Mask) -> list[EdgeTable]:
    nothing = np.full(len(resolution.import_target), -1, dtype=np.int32)
    return ReferenceEdges(members, replace(resolution, import_target=nothing), files).all()


def _promoted(table: EdgeTable, origin: Origin, confidence: float) -> EdgeTable:
    """Edges as the server's; those that go on through a variable's value are still inferred."""
    own = table.origin == Origin.AST_RESOLVED
    return replace(
        table,
        origin=np.where(own, origin, table.origin).astype(np.uint8),
        confidence=np.where(own, confidence, table.confidence).astype(np.float32),
    )


def _view(
    graph: Graph, edges: EdgeTable, nodes: tuple[Node, ...], described: dict[str, str]
) -> View:
    """The view of other edges and nodes over the same symbols."""
    numbers = view_numbers(graph.members, len(nodes))
    table = graph.view.symbols
    last = int((graph.members.kind != EXTENSION).sum())
    names = [name.encode("utf-8", "replace") for _, name in nodes]
    words = [
        described.get(name, "").encode("utf-8", "replace") if kind == SymbolKind.EXTERNAL else b""
        for kind, name in nodes
    ]
    symbols = SymbolTable(
        name=_retailed(table.name, last, names),
        chain=_retailed(table.chain, last, names),
        signature=_retailed(table.signature, last, words),
        doc=_retailed(table.doc, last, [b""] * len(nodes)),
        **number_columns(graph.corpus, graph.members, nodes, numbers),
    )
    return View(
        paths=graph.view.paths,
        languages=graph.view.languages,
        symbols=symbols,
        edges=shown_edges(edges, numbers),
    )


def _retailed(column: StringColumn, last: int, tail: list[bytes]) -> StringColumn:
    """The first `last` strings of a column, then others."""
    end = int(column.bounds[last])
    more = StringColumn.of(tail)
    bounds: Ints = np.concatenate((column.bounds[: last + 1], more.bounds[1:] + end))
    return StringColumn(np.concatenate((column.data[:end], more.data)), bounds)

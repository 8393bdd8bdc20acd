"""The next graph from the one before, when one file's content has changed.

The outcome equals a rebuild. Files are produced anew that the change can reach: the file itself,
those that use a name it gained, lost or changed, and, in turn, those that use a symbol whose type
came to mean something else. Where the change reaches further (files come or go, types get other
bases, a package is renamed) the graph is built from scratch.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from knowing.graph.build import Graph, Setting, build_graph, by_hierarchy, produce
from knowing.graph.carry import Carried
from knowing.graph.corpus import Corpus, FileEntry
from knowing.graph.derive import inheritance
from knowing.graph.differences import Room, concerned, imports, interface
from knowing.graph.keys import Ids, Ints, Mask, expand, pieces
from knowing.graph.members import Hierarchy, Members
from knowing.graph.merge import Numbering, replaced
from knowing.graph.moves import Moves
from knowing.graph.outside import Node
from knowing.graph.renumber import next_view
from knowing.graph.resolution import Bases, Resolution
from knowing.graph.resolve import Resolver
from knowing.graph.similar import similar
from knowing.graph.splice import replace_file
from knowing.graph.table import EdgeTable
from knowing.graph.traits import kind_set
from knowing.model import TYPE_KINDS, EdgeKind, Origin, SymbolKind
from knowing.parse.facts import FileFacts, How, ImportColumn, SymbolColumn

_TOO_MANY = 0.25
"""Share of all files beyond which producing them anew is no quicker than building."""
_SHARED_KINDS = TYPE_KINDS | {SymbolKind.NAMESPACE}
_HIERARCHY = kind_set((EdgeKind.INHERITS, EdgeKind.OVERRIDES))


def advance(graph: Graph, changed: Mapping[str, FileEntry | None]) -> Graph:
    """The graph after `changed` files: new facts for each path, None for one that is gone."""
    for path, entry in sorted(changed.items()):
        graph = _advance_one(graph, path, entry)
    return graph


def _advance_one(graph: Graph, path: str, entry: FileEntry | None) -> Graph:
    paths = graph.corpus.paths
    file = bisect_left(paths, path)
    known = file < len(paths) and paths[file] == path
    if entry is not None and known and entry.language == graph.corpus.languages[file]:
        if _same_facts(entry.facts, graph.files[file].facts):
            return graph
        if entry.facts.package == graph.files[file].facts.package:
            step = _Step(graph, file, entry)
            done = step.run()
            if done is not None:
                return done
    elif entry is None and not known:
        return graph
    files = {item.path: item for item in graph.files}
    files.pop(path, None)
    if entry is not None:
        files[path] = entry
    return build_graph([files[name] for name in sorted(files)], graph.setting)


def _same_facts(left: FileFacts, right: FileFacts) -> bool:
    """Whether the facts are equal, as their encoded forms would be."""
    pairs = ((getattr(left, item.name), getattr(right, item.name)) for item in fields(left))
    return all(
        np.array_equal(mine, other) if isinstance(mine, np.ndarray) else mine == other
        for mine, other in pairs
    )


class _Step:
    """One file's change, carried through."""

    def __init__(self, graph: Graph, file: int, entry: FileEntry) -> None:
        self._graph = graph
        self._file = file
        self._entry = entry
        self._setting: Setting = graph.setting
        self._corpus: Corpus = replace_file(graph.corpus, file, entry)
        places = graph.members.places.rebased(self._corpus)
        self._moves = Moves(graph.corpus, self._corpus, file, graph.members.package_count)
        carried = Carried(graph.members, file, self._moves)
        self._members = Members(self._corpus, places, carried)
        self._names = self._changed_names()

    def run(self) -> Graph | None:
        """The next graph; None if it has to be built from scratch."""
        members = self._members
        if self._corpus.names.get("default", -1) in self._names:
            # Whoever uses a module as a whole means its default export, under any name.
            return None
        if self._reopens:
            # What other parts of the type offer may come or go with this one.
            return None
        members.hierarchy = self._moved_hierarchy()
        chosen = self._reached()
        before = self._moved_resolution()
        limit = max(8, int(_TOO_MANY * len(self._corpus.paths)))
        while True:
            if int(chosen.sum()) > limit:
                return None
            held = before.symbol_container.copy(), before.symbol_value.copy()
            resolution = Resolver(self._corpus, members, before, chosen).run()
            if not self._same_bases(resolution):
                return None
            changed = held[0] != resolution.symbol_container
            changed |= held[1] != resolution.symbol_value
            further = self._users_of(changed, resolution)
            further &= ~chosen
            if not further.any():
                break
            chosen |= further
            before = resolution
        return self._assemble(resolution, chosen)

    # -- what moved ----------------------------------------------------------------------------

    def _changed_names(self) -> Ints:
        """Names of symbols and imports that the file gained, lost or changed."""
        old, new = self._graph.corpus, self._corpus
        names: set[int] = set()
        before, after = interface(old, self._file), interface(new, self._file)
        language = self._members.languages[self._file]
        self._reopens = False
        self._types_changed = False
        for row in before.symmetric_difference(after):
            names.add(row[0])
            self._reopens |= language.reopened_types and row[2] in _SHARED_KINDS
            self._types_changed |= row[2] in TYPE_KINDS
            if row[2] == SymbolKind.CONSTRUCTOR:
                names |= self._type_names(row[1])
        before_imports = imports(old, self._file)
        names |= {row[-1] for row in before_imports.symmetric_difference(imports(new, self._file))}
        return np.array(sorted(names), dtype=np.int64)

    def _type_names(self, chain: int) -> set[int]:
        """A type whose constructor changed, and its descendants: calls of them lead elsewhere."""
        text = self._corpus.names.texts[chain].rpartition(".")[0]
        wanted = self._corpus.names.get(text, -1)
        found: set[int] = set()
        for members in (self._graph.members, self._members):
            symbols = members.corpus.symbols
            own = np.flatnonzero(
                (symbols[:, SymbolColumn.CHAIN] == wanted)
                & (members.corpus.symbol_file == self._file)
            )
            family = members.hierarchy if members is self._graph.members else None
            if family is not None:
                below = family.types[np.isin(family.ancestors, own)]
                found |= set(members.name[below].tolist())
            found |= set(members.name[own].tolist())
        return found

    def _reached(self) -> Mask:
        """Files that use a changed name, in the old text or the new one."""
        corpus = self._corpus
        chosen = np.zeros(len(corpus.paths), dtype=bool)
        chosen[self._file] = True
        if not len(self._names):
            return chosen
        lookup = np.zeros(len(corpus.names), dtype=bool)
        lookup[self._names] = True
        chosen |= corpus.references.using(lookup)
        imports = corpus.imports
        named = lookup[np.maximum(imports[:, ImportColumn.NAME], 0)]
        modules = imports[:, ImportColumn.MODULE]
        named |= self._spelling(np.unique(modules))[modules]
        chosen[corpus.import_file[named]] = True
        chosen[corpus.symbol_file[self._owners_with_changed_part()]] = True
        chosen |= self._calling_super(lookup)
        if self._types_changed:
            chosen |= self._mentioning_owners()
        return chosen

    def _mentioning_owners(self) -> Mask:
        """Files of prose that name a member of a type of a changed name."""
        corpus = self._corpus
        prose = self._members.places.marked_files(lambda language: not language.grammar)
        refs = corpus.references.of(prose)
        owners = np.where(refs.how == How.MENTION, refs.recv, -1)
        chosen = np.zeros(len(corpus.paths), dtype=bool)
        chosen[refs.file[self._spelling(np.unique(owners))[owners]]] = True
        return chosen

    def _owners_with_changed_part(self) -> Ints:
        """Symbols whose owner's text spells one of the changed names."""
        corpus = self._corpus
        owners = corpus.symbols[:, SymbolColumn.OWNER]
        return np.flatnonzero(self._spelling(np.unique(owners))[owners])

    def _calling_super(self, lookup: Mask) -> Mask:
        """Files in which a method of a changed name calls the one it overrides, by no name."""
        corpus = self._corpus
        chosen = np.zeros(len(corpus.paths), dtype=bool)
        nameless = self._members.places.marked_files(lambda lang: lang.super_call == "method")
        if nameless.any():
            named = lookup[self._members.name]
            having = np.zeros(len(corpus.paths), dtype=bool)
            having[corpus.symbol_file[named]] = True
            refs = corpus.references.of(having & nameless)
            chosen[refs.file[(refs.how == How.SUPER) & named[refs.scope]]] = True
        return chosen

    def _spelling(self, numbers: Ids) -> Mask:
        """Which of these texts spell one of the changed names: `a.b.Type`; -1 does not."""
        texts = self._corpus.names.texts
        marked = np.zeros(len(texts) + 1, dtype=bool)
        changed = {texts[number] for number in self._names.tolist()} - {""}
        mine = [(number, texts[number]) for number in numbers.tolist() if number >= 0]
        together = "\0".join(text for _, text in mine)
        for name in sorted(changed):
            if name in together:
                marked[[number for number, text in mine if name in text]] = True
        return marked

    def _users_of(self, changed: Mask, resolution: Resolution) -> Mask:
        """Files with references to symbols whose values came to mean something else."""
        chosen = np.zeros(len(self._corpus.paths), dtype=bool)
        if changed.any():
            target = resolution.target
            inside = (target >= 0) & (target < len(changed))
            users = inside & changed[np.where(inside, target, 0)]
            chosen[self._corpus.references.files_of(np.flatnonzero(users))] = True
        return chosen

    # -- what is kept --------------------------------------------------------------------------

    def _moved_resolution(self) -> Resolution:
        """What was known, in new numbers, with room for the file's own rows."""
        old, before, new = self._graph.corpus, self._graph.resolution, self._corpus
        refs = Room(old.ref_base, new.ref_base, self._file)
        imports = Room(old.import_base, new.import_base, self._file)
        symbols = Room(old.symbol_base, new.symbol_base, self._file)
        return Resolution(
            target=self._moved_targets(before.target, refs),
            inferred=refs.flags(before.inferred),
            known_receiver=refs.flags(before.known_receiver),
            import_target=self._moved_targets(before.import_target, imports),
            symbol_container=self._moved_containers(before.symbol_container, symbols),
            symbol_value=self._moved_containers(before.symbol_value, symbols),
            bases=self._moved_bases(),
        )

    def _moved_targets(self, column: Ids, room: Room) -> Ids:
        moved = room.numbers(column)
        self._moves.shift(moved)
        return moved

    def _moved_bases(self) -> Bases:
        """Known bases in new numbers; those that the file's own text names are left out."""
        old, bases = self._graph.corpus, self._graph.resolution.bases
        low, high = (int(old.ref_base[self._file + at]) for at in (0, 1))
        distance = len(self._corpus.references) - len(old.references)
        kept = (bases.ref < low) | (bases.ref >= high)
        ref = bases.ref[kept]
        return Bases(
            ref=np.where(ref >= high, ref + distance, ref),
            child=self._moves.of(bases.child[kept]),
            base=self._moves.of(bases.base[kept]),
        )

    def _moved_containers(self, column: Ids, room: Room) -> Ids:
        """What is known of symbols' values; the file's own stays with symbols of one identity."""
        moves = self._moves
        moved = moves.of_containers(column)
        result = room.numbers(moved)
        alive = np.flatnonzero(moves.own >= 0)
        result[moves.own[alive]] = moved[moves.start + alive]
        return result

    def _moved_hierarchy(self) -> Hierarchy:
        old, moves = self._graph.members.hierarchy, self._moves
        if moves.is_still:
            return old
        types, ancestors = moves.of(old.types), moves.of(old.ancestors)
        if not moves.is_rising:
            order = np.argsort(types, kind="stable")
            types, ancestors = types[order], ancestors[order]
        alive = (types >= 0) & (ancestors >= 0)
        return Hierarchy(types=types[alive], ancestors=ancestors[alive])

    def _same_bases(self, resolution: Resolution) -> bool:
        """Whether every type still has the bases it had."""
        before, after = self._graph.resolution.bases, resolution.bases
        child, base = self._moves.of(before.child), self._moves.of(before.base)
        return np.array_equal(child, after.child) and np.array_equal(base, after.base)

    # -- the next graph ------------------------------------------------------------------------

    def _assemble(self, resolution: Resolution, chosen: Mask) -> Graph:
        members = self._members
        files = list(self._graph.files)
        files[self._file] = self._entry
        produced, fresh_nodes = produce(members, resolution, chosen, self._setting)
        added = [produced]
        folder = str(self._members.places.folders[self._file])
        interface_changed = len(self._names) > 0
        if interface_changed and self._structural:
            added += by_hierarchy(members)
        elif interface_changed:
            added += inheritance(members, concerned(members, self._file))
        added.append(similar(members, files, folder))
        gone = self._gone(chosen, folder, interface_changed)
        edges, nodes = self._merge(gone, EdgeTable.concatenate(added), fresh_nodes)
        graph = replace(
            self._graph,
            files=tuple(files),
            corpus=self._corpus,
            members=members,
            resolution=resolution,
            edges=edges,
            nodes=nodes,
        )
        return replace(graph, view=next_view(self._graph, graph, self._file))

    def _gone(self, chosen: Mask, folder: str, interface_changed: bool) -> Mask:
        """Which of the old edges are produced anew, or not at all."""
        edges = self._graph.edges
        gone = np.zeros(len(edges), dtype=bool)
        # What has no site has -1, which is the last entry.
        at_site = np.append(chosen, False)
        for part, sites in zip(pieces(gone), pieces(edges.file), strict=True):
            part[:] = at_site[sites]
        if interface_changed and self._structural:
            gone |= _HIERARCHY[edges.kind]
            gone |= (edges.kind == EdgeKind.IMPLEMENTS) & (edges.origin == Origin.DERIVED)
        elif interface_changed:
            gone[self._inherited_by(concerned(self._graph.members, self._file))] = True
        base = self._graph.corpus.symbol_base
        homes = np.flatnonzero(self._members.places.folders == folder)
        nearby = self._rows_from(base[homes], base[homes + 1])
        gone[nearby[edges.kind[nearby] == EdgeKind.SIMILAR_TO]] = True
        return gone

    def _rows_from(self, low: Ints | Ids, high: Ints | Ids) -> Ints:
        """The old edges whose sources lie in these ranges of symbols."""
        source = self._graph.edges.source
        begin = np.searchsorted(source, low.astype(np.int32))
        return expand(begin, np.searchsorted(source, high.astype(np.int32)) - begin)[1]

    def _inherited_by(self, types: Ids) -> Ints:
        """The old edges by which these types inherit, or their members override."""
        kind = self._graph.edges.kind
        inherits = self._rows_from(types, types + 1)
        methods = self._graph.members.owned(types).values
        overrides = self._rows_from(methods, methods + 1)
        return np.concatenate(
            (
                inherits[kind[inherits] == EdgeKind.INHERITS],
                overrides[kind[overrides] == EdgeKind.OVERRIDES],
            )
        )

    @property
    def _structural(self) -> bool:
        return self._members.languages[self._file].structural_interfaces

    def _merge(
        self, gone: Mask, added: EdgeTable, fresh_nodes: list[Node]
    ) -> tuple[EdgeTable, tuple[Node, ...]]:
        """Both in new numbers and canonical order; nodes that nothing reaches are dropped."""
        old_count, count = len(self._graph.corpus.symbols), len(self._corpus.symbols)
        old_nodes = self._graph.nodes
        used = self._used_nodes(gone)
        known = set(old_nodes)
        if used.all() and known.issuperset(fresh_nodes):
            nodes = old_nodes
        else:
            kept = [node for node, use in zip(old_nodes, used.tolist(), strict=True) if use]
            nodes = tuple(sorted({*kept, *fresh_nodes}))
        fresh = np.arange(count + len(fresh_nodes), dtype=np.int32)
        fresh[count:] = [count + bisect_left(nodes, node) for node in fresh_nodes]
        if nodes is old_nodes:
            places = np.arange(count, count + len(nodes), dtype=np.int32)
        else:
            found = [count + bisect_left(nodes, node) for node in old_nodes]
            places = np.array(found, dtype=np.int32)
        numbering = Numbering(self._moves, old_count, places)
        return replaced(
            self._graph.edges, gone, numbering, added.renumbered(fresh).canonical()
        ), nodes

    def _used_nodes(self, gone: Mask) -> Mask:
        """Nodes outside the code that an edge still reaches."""
        edges, count = self._graph.edges, len(self._graph.corpus.symbols)
        used: Mask = np.zeros(len(self._graph.nodes), dtype=bool)
        first = int(np.searchsorted(edges.source, np.int32(count)))
        rows = np.flatnonzero(edges.target >= count)
        used[edges.target[rows[~gone[rows]]] - count] = True
        used[edges.source[first:][~gone[first:]] - count] = True
        return used

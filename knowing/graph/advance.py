"""The next graph from the one before, when one file's content has changed.

The outcome equals a rebuild. Files are produced anew that the change can reach: the file itself,
those that use a name it gained, lost or changed, and, in turn, those that use a symbol whose type
came to mean something else. Where the change reaches further (files come or go, types get other
bases, a package is renamed) the graph is built from scratch.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from knowing.graph.build import Graph, Setting, build_graph, by_hierarchy, produce
from knowing.graph.corpus import Corpus, FileEntry
from knowing.graph.derive import inheritance
from knowing.graph.differences import Room, concerned, identities, imports, interface
from knowing.graph.edges import EdgeTable
from knowing.graph.keys import Ids, Ints, Mask
from knowing.graph.members import Hierarchy, Members
from knowing.graph.outside import Node
from knowing.graph.renumber import next_view
from knowing.graph.resolution import Bases, Resolution
from knowing.graph.resolve import Resolver
from knowing.graph.similar import similar
from knowing.graph.splice import replace_file
from knowing.model import TYPE_KINDS, EdgeKind, Origin, SymbolKind
from knowing.parse.facts import ImportColumn, RefColumn, SymbolColumn

_TOO_MANY = 0.25
"""Share of all files beyond which producing them anew is no quicker than building."""
_SHARED_KINDS = TYPE_KINDS | {SymbolKind.NAMESPACE}
_HIERARCHY = (EdgeKind.INHERITS, EdgeKind.OVERRIDES)


def advance(graph: Graph, changed: Mapping[str, FileEntry | None]) -> Graph:
    """The graph after `changed` files: new facts for each path, None for one that is gone."""
    for path, entry in sorted(changed.items()):
        graph = _advance_one(graph, path, entry)
    return graph


def _advance_one(graph: Graph, path: str, entry: FileEntry | None) -> Graph:
    paths = graph.corpus.paths
    file = int(np.searchsorted(np.array(paths), path)) if paths else 0
    known = file < len(paths) and paths[file] == path
    if entry is not None and known and entry.language == graph.corpus.languages[file]:
        if entry.facts.encode() == graph.files[file].facts.encode():
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


class _Step:
    """One file's change, carried through."""

    def __init__(self, graph: Graph, file: int, entry: FileEntry) -> None:
        self._graph = graph
        self._file = file
        self._entry = entry
        self._setting: Setting = graph.setting
        self._corpus: Corpus = replace_file(graph.corpus, file, entry)
        places = graph.members.places.rebased(self._corpus)
        self._members = Members(self._corpus, places)
        self._old_to_new = self._number_map()
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

    def _number_map(self) -> Ids:
        """Old symbol number -> new one; within the file by identity, -1 where it is gone."""
        old, new = self._graph.corpus, self._corpus
        start, end = (int(old.symbol_base[self._file + at]) for at in (0, 1))
        size = int(new.symbol_base[self._file + 1]) - start
        numbers = np.arange(len(old.symbols), dtype=np.int32)
        numbers[end:] += size - (end - start)
        numbers[start:end] = -1
        fresh = {
            key: start + index
            for index, key in enumerate(identities(new.symbols[start : start + size]))
        }
        for index, key in enumerate(identities(old.symbols[start:end])):
            numbers[start + index] = fresh.get(key, -1)
        return numbers

    def _changed_names(self) -> Ints:
        """Names of symbols and imports that the file gained, lost or changed."""
        old, new = self._graph.corpus, self._corpus
        names: set[int] = set()
        before, after = interface(old, self._file), interface(new, self._file)
        language = self._members.languages[self._file]
        self._reopens = False
        for row in before.symmetric_difference(after):
            names.add(row[0])
            self._reopens |= language.reopened_types and row[2] in _SHARED_KINDS
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
        chosen[corpus.ref_file[lookup[corpus.refs[:, RefColumn.NAME]]]] = True
        imports = corpus.imports
        named = lookup[np.maximum(imports[:, ImportColumn.NAME], 0)]
        named |= self._modules_with_changed_part()[np.maximum(imports[:, ImportColumn.MODULE], 0)]
        chosen[corpus.import_file[named]] = True
        owners = corpus.symbols[:, SymbolColumn.OWNER]
        owned = np.flatnonzero(owners >= 0)
        texts, changed = corpus.names.texts, {corpus.names.texts[n] for n in self._names.tolist()}
        for row in owned.tolist():
            if any(name in texts[owners[row]] for name in changed):
                chosen[corpus.symbol_file[row]] = True
        return chosen

    def _modules_with_changed_part(self) -> Mask:
        """Module texts that spell one of the changed names: `a.b.Type`."""
        corpus = self._corpus
        marked = np.zeros(len(corpus.names), dtype=bool)
        changed = {corpus.names.texts[n] for n in self._names.tolist()} - {""}
        for number in np.unique(corpus.imports[:, ImportColumn.MODULE]).tolist():
            if number >= 0:
                text = corpus.names.texts[number]
                marked[number] = any(name in text for name in changed)
        return marked

    def _users_of(self, changed: Mask, resolution: Resolution) -> Mask:
        """Files with references to symbols whose values came to mean something else."""
        chosen = np.zeros(len(self._corpus.paths), dtype=bool)
        if changed.any():
            target = resolution.target
            inside = (target >= 0) & (target < len(changed))
            users = inside & changed[np.where(inside, target, 0)]
            chosen[self._corpus.ref_file[users]] = True
        return chosen

    # -- what is kept --------------------------------------------------------------------------

    def _moved_targets(self, targets: Ids) -> Ids:
        """Symbols, packages and marks in new numbers; what is gone becomes open."""
        old_count = len(self._graph.corpus.symbols)
        delta = len(self._corpus.symbols) - old_count
        inside = (targets >= 0) & (targets < old_count)
        moved = np.where(targets >= old_count, targets + delta, targets)
        # Containers for bases of types lie behind symbols and packages and move twice.
        bases = targets - old_count - self._members.package_count
        above = bases >= 0
        moved[above] = (
            self._old_to_new[bases[above]] + self._members.count + self._members.package_count
        )
        moved[inside] = self._old_to_new[targets[inside]]
        return moved.astype(np.int32)

    def _moved_resolution(self) -> Resolution:
        """What was known, in new numbers, with room for the file's own rows."""
        old, before, new = self._graph.corpus, self._graph.resolution, self._corpus
        refs = Room(old.ref_base, new.ref_base, self._file)
        imports = Room(old.import_base, new.import_base, self._file)
        symbols = Room(old.symbol_base, new.symbol_base, self._file)
        return Resolution(
            target=refs.numbers(self._moved_targets(before.target)),
            inferred=refs.flags(before.inferred),
            known_receiver=refs.flags(before.known_receiver),
            import_target=imports.numbers(self._moved_targets(before.import_target)),
            symbol_container=self._moved_containers(before.symbol_container, symbols),
            symbol_value=self._moved_containers(before.symbol_value, symbols),
            bases=self._moved_bases(),
        )

    def _moved_bases(self) -> Bases:
        """Known bases in new numbers; those that the file's own text names are left out."""
        old, bases = self._graph.corpus, self._graph.resolution.bases
        low, high = (int(old.ref_base[self._file + at]) for at in (0, 1))
        distance = len(self._corpus.refs) - len(old.refs)
        kept = (bases.ref < low) | (bases.ref >= high)
        ref = bases.ref[kept]
        return Bases(
            ref=np.where(ref >= high, ref + distance, ref),
            child=self._old_to_new[bases.child[kept]],
            base=self._old_to_new[bases.base[kept]],
        )

    def _moved_containers(self, column: Ids, room: Room) -> Ids:
        """What is known of symbols' values; the file's own stays with symbols of one identity."""
        moved = self._moved_targets(column)
        result = room.numbers(moved)
        start, end = (int(self._graph.corpus.symbol_base[self._file + at]) for at in (0, 1))
        own = self._old_to_new[start:end]
        alive = own >= 0
        result[own[alive]] = moved[start:end][alive]
        return result

    def _moved_hierarchy(self) -> Hierarchy:
        old = self._graph.members.hierarchy
        types, ancestors = self._old_to_new[old.types], self._old_to_new[old.ancestors]
        order = np.argsort(types, kind="stable")
        alive = (types[order] >= 0) & (ancestors[order] >= 0)
        return Hierarchy(types=types[order][alive], ancestors=ancestors[order][alive])

    def _same_bases(self, resolution: Resolution) -> bool:
        """Whether every type still has the bases it had."""
        before, after = self._graph.resolution.bases, resolution.bases
        child, base = self._old_to_new[before.child], self._old_to_new[before.base]
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
        kept = self._kept(chosen, folder, interface_changed)
        edges, nodes = self._merge(kept, EdgeTable.concatenate(added), fresh_nodes)
        graph = replace(
            self._graph,
            files=tuple(files),
            corpus=self._corpus,
            members=members,
            resolution=resolution,
            edges=edges,
            nodes=tuple(nodes),
        )
        return replace(graph, view=next_view(self._graph, graph, self._file))

    def _kept(self, chosen: Mask, folder: str, interface_changed: bool) -> Mask:
        """Which of the old edges are not produced anew."""
        edges = self._graph.edges
        site = np.maximum(edges.file, 0)
        gone = (edges.file >= 0) & chosen[site]
        if interface_changed and self._structural:
            gone |= np.isin(edges.kind, _HIERARCHY)
            gone |= (edges.kind == EdgeKind.IMPLEMENTS) & (edges.origin == Origin.DERIVED)
        elif interface_changed:
            gone |= self._inherited_by(concerned(self._graph.members, self._file))
        inside = self._members.places.folders == folder
        alike = np.flatnonzero(edges.kind == EdgeKind.SIMILAR_TO)
        home = self._graph.corpus.symbol_file[edges.source[alike]]
        gone[alike[inside[home]]] = True
        return ~gone

    def _inherited_by(self, types: Ids) -> Mask:
        """The old edges by which these types inherit, or their members override."""
        edges, members = self._graph.edges, self._graph.members
        concerned = np.zeros(members.count, dtype=bool)
        concerned[types] = True
        rows = np.flatnonzero(np.isin(edges.kind, _HIERARCHY))
        source = edges.source[rows]
        owner = np.where(edges.kind[rows] == EdgeKind.OVERRIDES, members.owner[source], source)
        found = np.zeros(len(edges), dtype=bool)
        found[rows] = concerned[owner]
        return found

    @property
    def _structural(self) -> bool:
        return self._members.languages[self._file].structural_interfaces

    def _merge(
        self, kept: Mask, added: EdgeTable, fresh_nodes: list[Node]
    ) -> tuple[EdgeTable, list[Node]]:
        """Both in new numbers and canonical order; nodes that nothing reaches are dropped."""
        edges = self._graph.edges
        old_count, count = len(self._graph.corpus.symbols), len(self._corpus.symbols)
        outside = kept & ((edges.source >= old_count) | (edges.target >= old_count))
        used = np.unique(np.maximum(edges.source[outside], edges.target[outside])) - old_count
        old_nodes = [self._graph.nodes[index] for index in used.tolist()]
        nodes = sorted({*old_nodes, *fresh_nodes})
        place = {node: count + index for index, node in enumerate(nodes)}
        numbers = np.full(old_count + len(self._graph.nodes), -1, dtype=np.int32)
        numbers[:old_count] = self._old_to_new
        numbers[old_count + used] = [place[node] for node in old_nodes]
        fresh = np.arange(count + len(fresh_nodes), dtype=np.int32)
        fresh[count:] = [place[node] for node in fresh_nodes]
        fresh_edges = added.renumbered(fresh).canonical()
        return edges.replaced(kept, numbers, fresh_edges), nodes

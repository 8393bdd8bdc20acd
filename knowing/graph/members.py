"""Who owns whom, and what a container has under a name.

A container is a number: a symbol (file, namespace, type), a package (`N + package`), or what the
bases of a type offer (`N + P + type`), with N symbols and P packages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand, pair
from knowing.graph.places import Places
from knowing.languages import Language
from knowing.languages.language import CallNames
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION

_VALUE_KINDS = (SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT)
_MEMBER_KINDS = (SymbolKind.METHOD, SymbolKind.PROPERTY, SymbolKind.FIELD)
_LAST_CHOICE = int(SymbolFlag.OVERLOAD | SymbolFlag.ABSTRACT)
_MAX_ANCESTORS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """Values by key, keys sorted."""

    keys: Ids
    values: Ids

    def of(self, keys: Ids | Ints) -> tuple[Ints, Ids]:
        """For each value of each of `keys`: the position in `keys`, and the value."""
        start = np.searchsorted(self.keys, keys, side="left").astype(np.int64)
        count = np.searchsorted(self.keys, keys, side="right") - start
        which, at = expand(start, count)
        return which, self.values[at]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """Every type with each of its ancestors, nearest first; sorted by type."""

    types: Ids
    ancestors: Ids

    def of(self, types: Ids | Ints) -> tuple[Ints, Ids]:
        """For each ancestor of each of `types`: the position in `types`, and the ancestor."""
        return Grouped(keys=self.types, values=self.ancestors).of(types)


NO_HIERARCHY = Hierarchy(types=np.empty(0, np.int32), ancestors=np.empty(0, np.int32))


class Members:
    """Owners of symbols and look-up of members; hierarchy comes in a second step."""

    def __init__(self, corpus: Corpus, places: Places) -> None:
        self.corpus = corpus
        self.places = places
        self.languages: list[Language] = places.languages
        symbols = corpus.symbols
        self.count = len(symbols)
        self.package_count = len(places.package_names)
        self.kind: Ids = symbols[:, SymbolColumn.KIND]
        self.name: Ids = symbols[:, SymbolColumn.NAME]
        self.flags: Ids = symbols[:, SymbolColumn.FLAGS]
        self.is_type: Mask = np.isin(self.kind, [int(kind) for kind in TYPE_KINDS])
        self.is_callable: Mask = np.isin(self.kind, [int(kind) for kind in CALLABLE_KINDS])
        self.is_outer: Mask = np.isin(self.kind, (SymbolKind.MODULE, SymbolKind.NAMESPACE))
        self.package: Ids = np.array(places.package_of_file, dtype=np.int32)[corpus.symbol_file]
        families = sorted({language.family or language.name for language in self.languages})
        number = {family: index for index, family in enumerate(families)}
        of_file = [number[language.family or language.name] for language in self.languages]
        self.family_of_file: Ids = np.array(of_file, dtype=np.int32)
        self.is_holder: Mask = self._holders()
        self.owner: Ids = self._owners()
        self.top_level: Mask = self._top_level()
        self.one: Ids = self._reopened()
        """For each part of a type or namespace that is written in several places, the first."""
        self.direct = self._direct_table(self._is_member)
        self.functions = self._direct_table(self._is_member & self._called_apart)
        self.hierarchy = NO_HIERARCHY
        """Given once the bases of all types are known; until then only own members are found."""

    def super_of(self, types: Ids) -> Ids:
        """The containers that stand for the bases of `types`."""
        return (self.count + self.package_count + types).astype(np.int32)

    # -- owners --------------------------------------------------------------------------------

    def _holders(self) -> Mask:
        """Variables whose value has members of its own: `const api = { get() {} }`."""
        holder: Mask = np.zeros(self.count, dtype=bool)
        members = np.isin(self.kind, _MEMBER_KINDS)
        holder[self.corpus.symbols[members, SymbolColumn.PARENT]] = True
        return holder & np.isin(self.kind, _VALUE_KINDS)

    def _owners(self) -> Ids:
        """The symbol that each symbol belongs to; extensions and named owners looked through."""
        symbols = self.corpus.symbols
        owner: Ids = symbols[:, SymbolColumn.PARENT].copy()
        named = np.flatnonzero(symbols[:, SymbolColumn.OWNER] >= 0)
        types = self._find_owner_types(named)
        extension = np.flatnonzero(self.kind == EXTENSION)
        stands_for = np.arange(self.count, dtype=np.int32)
        found = types >= 0
        self.is_holder[types[found]] |= ~self.is_type[types[found]]
        outside = found & (self.kind[named] != EXTENSION)
        owner[named[outside]] = types[outside]
        inside = found & (self.kind[named] == EXTENSION)
        stands_for[named[inside]] = types[inside]
        self.stands_for = stands_for
        valid = owner >= 0
        owner[valid] = stands_for[owner[valid]]
        owner[extension] = symbols[extension, SymbolColumn.PARENT]
        return owner

    def _find_owner_types(self, named: Ints) -> Ids:
        """The type that each named owner means: in the file, the package, the whole family."""
        files = self.corpus.symbol_file
        texts = self.corpus.names.texts
        owner_names = self.corpus.symbols[named, SymbolColumn.OWNER]
        distinct, back = np.unique(owner_names, return_inverse=True)
        last = np.array(
            [self.corpus.names.get(_last_part(texts[number]), -1) for number in distinct],
            dtype=np.int64,
        )
        wanted = last[back]
        types = np.flatnonzero(self.is_type)
        parent = self.corpus.symbols[:, SymbolColumn.PARENT]
        made = np.isin(self.kind, (SymbolKind.FUNCTION, *_VALUE_KINDS))
        # `Shelf.prototype.fill = ...`: a function or an object of the same file.
        others = np.flatnonzero(made & (parent == self.corpus.symbol_base[files]))
        result = np.full(len(named), -1, dtype=np.int32)
        scopes: list[tuple[Ints, Ids, Ids, bool]] = [
            (types, files[types], files[named], False),
            (others, files[others], files[named], False),
            (types, self.package[types], self.package[named], False),
            (types, self.family_of_file[files[types]], self.family_of_file[files[named]], True),
        ]
        for types, of_types, of_named, alone in scopes:
            keys = pair(of_types, self.name[types])
            make = KeyTable.unique_only if alone else KeyTable.first_wins
            usable = of_types >= 0
            table = make(keys[usable], types[usable].astype(np.int32))
            open_ = (result < 0) & (of_named >= 0) & (wanted >= 0)
            result[open_] = table.find(pair(of_named[open_], wanted[open_]))
        return result

    def _top_level(self) -> Mask:
        """Symbols that no type or function encloses: they are visible by bare name."""
        parent = self.corpus.symbols[:, SymbolColumn.PARENT]
        safe = np.maximum(parent, 0)
        named = self.corpus.symbols[:, SymbolColumn.OWNER] >= 0
        outer: Mask = self.is_outer[safe]
        listed = np.array([language.open_enums for language in self.languages], dtype=bool)
        if listed.any():
            member = (self.kind == SymbolKind.ENUM_MEMBER) & listed[self.corpus.symbol_file]
            outer = outer | (member & self.is_outer[np.maximum(parent[safe], 0)])
        top: Mask = (parent >= 0) & outer & ~named & (self.kind != EXTENSION)
        return top

    def _reopened(self) -> Ids:
        one = np.arange(self.count, dtype=np.int32)
        open_ = np.array([language.reopened_types for language in self.languages], dtype=bool)
        if not open_.any():
            return one
        files = self.corpus.symbol_file
        shared = open_[files] & (self.is_type | (self.kind == SymbolKind.NAMESPACE))
        rows = np.flatnonzero(shared)
        keys = pair(self.family_of_file[files[rows]], self.corpus.symbols[rows, SymbolColumn.CHAIN])
        table = KeyTable.first_wins(keys, rows.astype(np.int32))
        one[rows] = table.find(keys)
        return one

    # -- tables --------------------------------------------------------------------------------

    def _direct_table(self, among: Mask) -> KeyTable:
        """Members by (owner, name), and top-level symbols by (package, name)."""
        late = (self.flags & _LAST_CHOICE) != 0
        rows = np.flatnonzero(among)
        rows = np.concatenate((rows[~late[rows]], rows[late[rows]]))
        packaged = rows[self.top_level[rows] & (self.package[rows] >= 0)]
        keys = np.concatenate(
            (
                pair(self.one[self.owner[rows]], self.name[rows]),
                pair(self.count + self.package[packaged].astype(np.int64), self.name[packaged]),
            )
        )
        return KeyTable.first_wins(keys, np.concatenate((rows, packaged)).astype(np.int32))

    @cached_property
    def _is_member(self) -> Mask:
        """What a container offers under its name; a constructor named like its type is not."""
        safe = np.maximum(self.owner, 0)
        unnamed = (self.kind == SymbolKind.CONSTRUCTOR) & (self.name == self.name[safe])
        member: Mask = (self.owner >= 0) & (self.kind != EXTENSION) & ~unnamed
        return member

    @cached_property
    def _called_apart(self) -> Mask:
        """Functions of languages in which a variable of the same name may stand beside them."""
        apart = [language.call_names != CallNames.SHARED for language in self.languages]
        of_symbol: Mask = np.array(apart, dtype=bool)[self.corpus.symbol_file]
        found: Mask = of_symbol & self.is_callable & (self.kind != SymbolKind.PROPERTY)
        return found

    @cached_property
    def by_owner(self) -> "Grouped":
        """The members of each owner, in the order in which they stand in their files."""
        rows = np.flatnonzero((self.owner >= 0) & (self.kind != EXTENSION))
        order = np.argsort(self.owner[rows], kind="stable")
        return Grouped(keys=self.owner[rows][order], values=rows[order].astype(np.int32))

    @cached_property
    def by_family(self) -> KeyTable:
        """Top-level symbols whose name is unique among the files of a family."""
        rows = np.flatnonzero(self.top_level & (self.one == np.arange(self.count)))
        family = self.family_of_file[self.corpus.symbol_file[rows]]
        strong = (self.flags[rows] & _LAST_CHOICE) == 0
        keys = pair(family, self.name[rows])
        sure = KeyTable.unique_only(keys[strong], rows[strong].astype(np.int32))
        weak = KeyTable.first_wins(keys[~strong], rows[~strong].astype(np.int32))
        missing = np.isin(weak.keys, keys[strong], invert=True)
        merged = np.concatenate((sure.keys, weak.keys[missing]))
        values = np.concatenate((sure.values, weak.values[missing]))
        return KeyTable.first_wins(merged, values)

    def find(self, containers: Ids, names: Ids, called: Mask | None = None) -> Ids:
        """The member of each container under each name: its own, else the nearest inherited.

        What is `called` is a function although a field of the same name may stand beside it.
        """
        found = self._search(self.direct, containers, names)
        if called is not None and len(self.functions.keys):
            rows = np.flatnonzero(called)
            functions = self._search(self.functions, containers[rows], names[rows])
            found[rows] = np.where(functions >= 0, functions, found[rows])
        return found

    def _search(self, table: KeyTable, containers: Ids, names: Ids) -> Ids:
        bases = containers - (self.count + self.package_count)
        inside = (containers >= 0) & (containers < self.count)
        containers = np.where(inside, self.one[np.where(inside, containers, 0)], containers)
        found = table.find(pair(containers, names))
        types = np.where(bases >= 0, self.one[np.maximum(bases, 0)], containers)
        open_ = np.flatnonzero((found < 0) & (types < self.count) & (types >= 0))
        which, ancestors = self.hierarchy.of(types[open_])
        if len(which):
            hits = table.find(pair(ancestors, names[open_[which]]))
            good = np.flatnonzero(hits >= 0)
            # Ancestors stand nearest first, so the first hit of each is the one.
            first, at = np.unique(which[good], return_index=True)
            found[open_[first]] = hits[good[at]]
        return found


def linearise(types: Ids, bases: Ids) -> Hierarchy:
    """Ancestors of every type, depth first from left to right, each once, nearest first."""
    parents: dict[int, list[int]] = {}
    for child, base in zip(types.tolist(), bases.tolist(), strict=True):
        if child != base and base not in parents.setdefault(child, []):
            parents[child].append(base)
    rows: list[tuple[int, int]] = []
    for child in sorted(parents):
        rows += ((child, ancestor) for ancestor in _ancestors(child, parents))
    flat = np.array(rows, dtype=np.int32).reshape(-1, 2)
    return Hierarchy(types=flat[:, 0], ancestors=flat[:, 1])


def _ancestors(child: int, parents: dict[int, list[int]]) -> Sequence[int]:
    found: dict[int, None] = {}
    stack = list(reversed(parents[child]))
    while stack and len(found) < _MAX_ANCESTORS:
        base = stack.pop()
        if base != child and base not in found:
            found[base] = None
            stack += reversed(parents.get(base, ()))
    return list(found)


def _last_part(text: str) -> str:
    bare = text.partition("<")[0].partition("[")[0].strip("*& ")
    for separator in ("::", ".", "\\"):
        bare = bare.rsplit(separator, 1)[-1]
    return bare

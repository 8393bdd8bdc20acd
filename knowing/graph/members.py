"""What a container has under a name, its own or inherited.

A container is a number: a symbol (file, namespace, type), a package (`N + package`), or what the
bases of a type offer (`N + P + type`), with N symbols and P packages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand, pair
from knowing.graph.offers import Offers
from knowing.graph.owners import Owners, find_owners
from knowing.graph.places import Places
from knowing.graph.traits import Traits
from knowing.languages.language import CallNames
from knowing.model import SymbolFlag, SymbolKind
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION

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


class Source(Protocol):
    """Where the tables of `Members` come from: made afresh, or carried over from the last ones."""

    def owners(self, traits: Traits) -> Owners: ...

    def first_parts(self, traits: Traits) -> Ids: ...

    def direct(self, members: "Members") -> Offers: ...

    def functions(self, members: "Members") -> Offers: ...


class Afresh:
    """All tables made from the corpus."""

    def owners(self, traits: Traits) -> Owners:
        return find_owners(traits, 0, traits.count)

    def first_parts(self, traits: Traits) -> Ids:
        return first_parts(traits)

    def direct(self, members: "Members") -> Offers:
        return members.offered(np.arange(members.count))

    def functions(self, members: "Members") -> Offers:
        return members.offered(np.arange(members.count), called_apart=True)


class Members(Traits):
    """Owners of symbols and look-up of members; hierarchy comes in a second step."""

    def __init__(self, corpus: Corpus, places: Places, source: Source | None = None) -> None:
        super().__init__(corpus, places)
        source = source or Afresh()
        self.owners = source.owners(self)
        self.owner: Ids = self.owners.owner
        self.stands_for: Ids = self.owners.stands_for
        self.is_holder: Mask = self.owners.is_holder
        self.top_level: Mask = self.owners.top_level
        self.one: Ids = source.first_parts(self)
        """For each part of a type or namespace that is written in several places, the first."""
        self.offers = source.direct(self)
        """Members by owner and name, and top-level symbols by package and name."""
        self.function_offers = source.functions(self)
        """The same for functions of languages that have other names for them than for variables."""
        self.direct: KeyTable = self.offers.table
        self.functions: KeyTable = self.function_offers.table
        self.hierarchy = NO_HIERARCHY
        """Given once the bases of all types are known; until then only own members are found."""

    def super_of(self, types: Ids) -> Ids:
        """The containers that stand for the bases of `types`."""
        return (self.count + self.package_count + types).astype(np.int32)

    # -- tables --------------------------------------------------------------------------------

    def offered(self, rows: Ints, called_apart: bool = False) -> Offers:
        """What containers offer of the symbols `rows`, which rise."""
        rows = rows[self._is_member(rows)]
        if called_apart:
            rows = rows[self._called_apart(rows)]
        late = self.is_late(rows)
        rows = np.concatenate((rows[~late], rows[late]))
        packaged = rows[self.top_level[rows] & (self.package[rows] >= 0)]
        keys = np.concatenate(
            (
                pair(self.one[self.owner[rows]], self.name[rows]),
                pair(self.count + self.package[packaged].astype(np.int64), self.name[packaged]),
            )
        )
        return Offers.of(keys, np.concatenate((rows, packaged)).astype(np.int32))

    def is_late(self, rows: Ints | Ids) -> Mask:
        """Symbols that one of the same name is preferred to."""
        late: Mask = (self.flags[rows] & _LAST_CHOICE) != 0
        return late

    def _is_member(self, rows: Ints) -> Mask:
        """What a container offers under its name; a constructor named like its type is not."""
        owner, kind = self.owner[rows], self.kind[rows]
        unnamed = (kind == SymbolKind.CONSTRUCTOR) & (
            self.name[rows] == self.name[np.maximum(owner, 0)]
        )
        member: Mask = (owner >= 0) & (kind != EXTENSION) & ~unnamed
        return member

    def _called_apart(self, rows: Ints) -> Mask:
        """Functions of languages in which a variable of the same name may stand beside them."""
        apart = self.places.marked_files(lambda lang: lang.call_names != CallNames.SHARED)
        found: Mask = apart[self.corpus.symbol_file[rows]]
        found &= self.is_callable[rows] & (self.kind[rows] != SymbolKind.PROPERTY)
        return found

    def owned(self, owners: Ids) -> Grouped:
        """The members of each of `owners`, in the order in which they stand in their files."""
        asked = np.zeros(self.count + 1, dtype=bool)
        asked[owners] = True
        # What has no owner has -1, which is the last entry.
        rows = np.flatnonzero(asked[self.owner])
        rows = rows[self.kind[rows] != EXTENSION]
        order = np.argsort(self.owner[rows], kind="stable")
        return Grouped(keys=self.owner[rows][order], values=rows[order].astype(np.int32))

    # -- look-up -------------------------------------------------------------------------------

    def find_in_family(self, families: Ids, names: Ids) -> Ids:
        """The top-level symbol of each name, if it is the only one among the files of a family."""
        if not len(names):
            return np.empty(0, dtype=np.int32)
        asked = np.zeros(len(self.corpus.names), dtype=bool)
        asked[names] = True
        rows = np.flatnonzero(self.top_level & asked[self.name])
        rows = rows[self.one[rows] == rows]
        weak = self.is_late(rows)
        keys = pair(self.family_of_file[self.corpus.symbol_file[rows]], self.name[rows])
        sure = KeyTable.unique_only(keys[~weak], rows[~weak].astype(np.int32))
        unsure = KeyTable.first_wins(keys[weak], rows[weak].astype(np.int32))
        missing = np.isin(unsure.keys, keys[~weak], invert=True)
        merged = np.concatenate((sure.keys, unsure.keys[missing]))
        values = np.concatenate((sure.values, unsure.values[missing]))
        return KeyTable.first_wins(merged, values).find(pair(families, names))

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
        if not len(self.hierarchy.types):
            return found
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


def first_parts(traits: Traits) -> Ids:
    """For each symbol itself; for a part of a reopened type or namespace its first part."""
    one = np.arange(traits.count, dtype=np.int32)
    open_ = traits.places.marked_files(lambda language: language.reopened_types)
    if not open_.any():
        return one
    files = traits.corpus.symbol_file
    shared = open_[files] & (traits.is_type | (traits.kind == SymbolKind.NAMESPACE))
    rows = np.flatnonzero(shared)
    family = traits.family_of_file[files[rows]]
    keys = pair(family, traits.corpus.symbols[rows, SymbolColumn.CHAIN])
    table = KeyTable.first_wins(keys, rows.astype(np.int32))
    one[rows] = table.find(keys)
    return one


def linearise(types: Ids, bases: Ids) -> Hierarchy:
    """Ancestors of every type, depth first from left to right, each once, nearest first."""
    parents: dict[int, list[int]] = {}
    for child, base in zip(types.tolist(), bases.tolist(), strict=True):
        if child != base and base not in parents.setdefault(child, []):
            parents[child].append(base)
    found: list[int] = []
    counts: list[int] = []
    children = sorted(parents)
    for child in children:
        ancestors = _ancestors(child, parents)
        found += ancestors
        counts.append(len(ancestors))
    return Hierarchy(
        types=np.repeat(np.array(children, dtype=np.int32), counts),
        ancestors=np.array(found, dtype=np.int32),
    )


def _ancestors(child: int, parents: dict[int, list[int]]) -> Sequence[int]:
    found: dict[int, None] = {}
    stack = parents[child][::-1]
    while stack and len(found) < _MAX_ANCESTORS:
        base = stack.pop()
        if base != child and base not in found:
            found[base] = None
            if base in parents:
                stack += reversed(parents[base])
    return list(found)

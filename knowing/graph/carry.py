"""The tables of members carried over to a corpus in which one file was replaced.

Only the symbols of the file and those of other files that belong to them are looked at again.
"""

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Ints, Mask
from knowing.graph.members import Members, first_parts
from knowing.graph.moves import Moves
from knowing.graph.offers import Offers
from knowing.graph.owners import Owners, find_owners, find_types
from knowing.graph.traits import Traits
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION


class Carried:
    """Tables taken from the members `before`, as far as they still hold."""

    def __init__(self, before: Members, file: int, moves: Moves) -> None:
        self._before = before
        self._file = file
        self._moves = moves
        self._end = moves.start + moves.size
        self._redone: tuple[Mask, Ints] | None = None

    def owners(self, traits: Traits) -> Owners:
        moves, old = self._moves, self._before.owners
        own = find_owners(traits, moves.start, self._end)
        owner = self._joined(moves.of(old.owner), own.owner)
        stands_for = self._joined(moves.of(old.stands_for), own.stands_for)
        owner_name = self._joined(old.owner_name, own.owner_name)
        rows = self._named_anew(traits, owner_name)
        if len(rows):
            types = find_types(traits, rows, owner_name[rows])
            self._rename_owners(traits, rows, types, owner, stands_for)
        return Owners(
            owner=owner,
            stands_for=stands_for,
            is_holder=self._joined_flags(old.is_holder, own.is_holder),
            top_level=self._joined_flags(old.top_level, own.top_level),
            owner_name=owner_name,
        )

    def _joined(self, column: Ids, own: Ids) -> Ids:
        moves = self._moves
        return np.concatenate((column[: moves.start], own, column[moves.end :]))

    def _joined_flags(self, column: Mask, own: Mask) -> Mask:
        moves = self._moves
        return np.concatenate((column[: moves.start], own, column[moves.end :]))

    def _named_anew(self, traits: Traits, owner_name: Ids) -> Ints:
        """Symbols of other files whose named owner may be another one than before."""
        old = _types_of_file(self._before, self._file)
        new = _types_of_file(traits, self._file)
        if old == new:
            return np.empty(0, dtype=np.int64)
        named = np.zeros(len(traits.corpus.names) + 1, dtype=bool)
        named[[row[0] for row in (*old, *new)]] = True
        # What names no owner has -1, which is the last entry.
        rows = np.flatnonzero(named[owner_name])
        return rows[(rows < self._moves.start) | (rows >= self._end)]

    def _rename_owners(
        self, traits: Traits, rows: Ints, types: Ids, owner: Ids, stands_for: Ids
    ) -> None:
        """Gives the symbols `rows` of other files the owners that their text names."""
        parent = traits.corpus.symbols[:, SymbolColumn.PARENT]
        extension = traits.kind[rows] == EXTENSION
        stands_for[rows[extension]] = np.where(
            types[extension] >= 0, types[extension], rows[extension]
        )
        plain, of_plain = rows[~extension], types[~extension]
        enclosing = parent[plain]
        around = np.where(enclosing >= 0, stands_for[np.maximum(enclosing, 0)], enclosing)
        owner[plain] = np.where(of_plain >= 0, of_plain, around)
        if not extension.any():
            return
        extended = np.zeros(traits.count + 1, dtype=bool)
        extended[rows[extension]] = True
        inner = np.flatnonzero(extended[parent])
        inner = inner[(traits.kind[inner] != EXTENSION) & (self._unnamed(traits)[inner])]
        owner[inner] = stands_for[parent[inner]]

    def _unnamed(self, traits: Traits) -> Mask:
        unnamed: Mask = traits.corpus.symbols[:, SymbolColumn.OWNER] < 0
        return unnamed

    def first_parts(self, traits: Traits) -> Ids:
        if traits.languages[self._file].reopened_types:
            return first_parts(traits)
        own = np.arange(self._moves.start, self._end, dtype=np.int32)
        return self._joined(self._moves.of(self._before.one), own)

    # -- offers --------------------------------------------------------------------------------

    def direct(self, members: Members) -> Offers:
        return self._spliced(members, self._before.offers, called_apart=False)

    def functions(self, members: Members) -> Offers:
        return self._spliced(members, self._before.function_offers, called_apart=True)

    def _spliced(self, members: Members, old: Offers, called_apart: bool) -> Offers:
        redone, rows = self._to_redo(members)
        added = members.offered(rows, called_apart)
        if not len(old.keys):
            return added
        late = members.is_late(np.arange(members.count))
        return old.spliced(redone, self._moves, added, late)

    def _to_redo(self, members: Members) -> tuple[Mask, Ints]:
        """The file's symbols and those of others that belong to it, or to another than before.

        As a mask over the old symbols, and as the new symbols in order.
        """
        if self._redone is None:
            moves = self._moves
            before, after = self._outside(_homes(self._before)), _homes(members)
            after = np.concatenate((after[: moves.start], after[self._end :]))
            lost = moves.of(before) != after
            lost |= (before >= moves.start) & (before < moves.end)
            own = np.ones(moves.end - moves.start, dtype=bool)
            old = np.concatenate((lost[: moves.start], own, lost[moves.start :]))
            others = np.flatnonzero(lost)
            others[others >= moves.start] += moves.size
            rows = np.concatenate((np.arange(moves.start, self._end), others))
            self._redone = old, np.sort(rows)
        return self._redone

    def _outside(self, column: Ids) -> Ids:
        return np.concatenate((column[: self._moves.start], column[self._moves.end :]))


def _homes(members: Members) -> Ids:
    """The container that each symbol is a member of, -1 where there is none."""
    owner = members.owner
    return np.where(owner >= 0, members.one[np.maximum(owner, 0)], owner).astype(np.int32)


def _types_of_file(traits: Traits, file: int) -> list[tuple[int, ...]]:
    """What the types of a file are found by when they are named as owners, in order."""
    corpus: Corpus = traits.corpus
    low, high = (int(corpus.symbol_base[file + at]) for at in (0, 1))
    rows = low + np.flatnonzero(traits.is_type[low:high])
    columns = (
        SymbolColumn.NAME,
        SymbolColumn.CHAIN,
        SymbolColumn.KIND,
        SymbolColumn.OVERLOAD,
    )
    return [tuple(row) for row in corpus.symbols[rows][:, columns].tolist()]

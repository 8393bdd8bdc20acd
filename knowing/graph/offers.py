"""What containers offer under a name, kept so that single symbols can be taken out and put in."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand
from knowing.graph.moves import Moves


@dataclass(frozen=True, eq=False)
class Offers:
    """Keys of a container and a name, sorted, each beside a symbol; the preferred one first."""

    keys: Ints
    rows: Ids

    @classmethod
    def of(cls, keys: Ints, rows: Ids) -> Self:
        """From pairs in which the preferred of equal keys stands first."""
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], rows[order])

    @cached_property
    def table(self) -> KeyTable:
        """The preferred symbol of each key."""
        fresh = np.ones(len(self.keys), dtype=bool)
        np.not_equal(self.keys[1:], self.keys[:-1], out=fresh[1:])
        if fresh.all():
            return KeyTable(self.keys, self.rows)
        return KeyTable(self.keys[fresh], self.rows[fresh])

    def spliced(self, redone: Mask, moves: Moves, added: Self, late: Mask) -> Self:
        """Without the `redone` old symbols, the others moved, and with `added` ones.

        The containers of those that stay lie outside the changed file. `late` marks new symbols
        that others are preferred to.
        """
        kept = np.flatnonzero(~redone[self.rows])
        keys, rows = self.keys[kept], moves.of(self.rows[kept])
        keys = keys + (keys >= moves.end << 32) * np.int64(moves.distance << 32)
        if not len(added.keys):
            return type(self)(keys, rows)
        place = np.searchsorted(keys, added.keys, side="right") + np.arange(len(added.keys))
        taken = np.zeros(len(keys) + len(added.keys), dtype=bool)
        taken[place] = True
        all_keys, all_rows = np.empty(len(taken), np.int64), np.empty(len(taken), np.int32)
        all_keys[place], all_rows[place] = added.keys, added.rows
        np.logical_not(taken, out=taken)
        all_keys[taken], all_rows[taken] = keys, rows
        distinct = np.unique(added.keys)
        start = np.searchsorted(all_keys, distinct, side="left")
        count = np.searchsorted(all_keys, distinct, side="right") - start
        several = count > 1
        _, ties = expand(start[several], count[several])
        tied = all_rows[ties]
        all_rows[ties] = tied[np.lexsort((tied, late[tied], all_keys[ties]))]
        return type(self)(all_keys, all_rows)

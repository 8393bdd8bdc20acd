"""Look-up of many composite keys at once: a sorted array instead of a dictionary."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Number = TypeVar("Number", bound=np.generic)

_PIECE = 1 << 15


@dataclass(frozen=True, slots=True)
class KeyTable:
    """Distinct keys in order, and one value for each."""

    keys: Ints
    values: Ids

    @classmethod
    def first_wins(cls, keys: Ints, values: Ids) -> Self:
        """Of equal keys the one that comes first is kept."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        fresh = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
        return cls(keys[fresh], values[order][fresh].astype(np.int32))

    @classmethod
    def unique_only(cls, keys: Ints, values: Ids) -> Self:
        """Only keys that occur once are kept: an ambiguous name answers nothing."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        alone = np.ones(len(keys), dtype=bool)
        same = keys[1:] == keys[:-1]
        alone[1:] &= ~same
        alone[:-1] &= ~same
        return cls(keys[alone], values[order][alone].astype(np.int32))

    def find(self, wanted: Ints) -> Ids:
        """The value of each wanted key, -1 where there is none."""
        if not len(self.keys):
            return np.full(len(wanted), -1, dtype=np.int32)
        at = np.searchsorted(self.keys, wanted)
        at[at == len(self.keys)] = 0
        return np.where(self.keys[at] == wanted, self.values[at], -1).astype(np.int32)

    def get(self, key: int) -> int:
        at = int(np.searchsorted(self.keys, key))
        return int(self.values[at]) if at < len(self.keys) and self.keys[at] == key else -1


def pair(high: Ids | Ints, low: Ids | Ints) -> Ints:
    """Two numbers as one key."""
    return (high.astype(np.int64) << 32) | low.astype(np.int64)


def expand(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """For ranges `starts[i] .. starts[i] + counts[i]`: each element's range, and the element."""
    owner = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    ends = np.cumsum(counts)
    within = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    within -= np.repeat(ends - counts, counts)
    return owner, starts[owner] + within


def pieces(column: npt.NDArray[Number]) -> Iterator[npt.NDArray[Number]]:
    """Parts of a column that are small enough to stay in the cache."""
    return (column[at : at + _PIECE] for at in range(0, len(column), _PIECE))

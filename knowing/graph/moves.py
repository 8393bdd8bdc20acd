"""Where the symbols of a corpus have gone after one file was replaced."""

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, pieces
from knowing.parse.facts import SymbolColumn


class Moves:
    """Old symbol numbers to new ones.

    What stands before the file stays, what stands behind it moves by one distance, and the file's
    own symbols are found again by their identity.
    """

    def __init__(self, old: Corpus, new: Corpus, file: int, packages: int) -> None:
        self.start, self.end = (int(old.symbol_base[file + at]) for at in (0, 1))
        """The file's symbols in the old corpus."""
        self.size = int(new.symbol_base[file + 1]) - self.start
        """How many it has in the new one."""
        self.distance = self.size - (self.end - self.start)
        self._bases = len(old.symbols) + packages, len(new.symbols) + packages
        """Where containers for the bases of types begin, old and new."""
        fresh = {
            key: self.start + index
            for index, key in enumerate(
                _identities(new.symbols[self.start : self.start + self.size])
            )
        }
        own = [fresh.get(key, -1) for key in _identities(old.symbols[self.start : self.end])]
        self.own: Ids = np.array(own, dtype=np.int32)
        """For each of the file's old symbols the new one, -1 where it is gone."""
        alive = self.own[self.own >= 0]
        self.is_rising = bool((alive[1:] > alive[:-1]).all())
        """Whether the order of symbols is kept."""
        standing = np.arange(self.start, self.end, dtype=np.int32)
        self.is_still = self.distance == 0 and np.array_equal(self.own, standing)
        """Whether every symbol keeps its number."""

    def of(self, numbers: Ids) -> Ids:
        """Symbols, packages and marks in new numbers; a symbol that is gone becomes -1."""
        if self.is_still:
            return numbers
        moved: Ids = np.array(numbers)
        self.shift(moved)
        return moved

    def shift(self, numbers: Ids) -> None:
        """The same in place. Piece by piece, as fresh memory costs more than the sums."""
        if self.is_still:
            return
        for part in pieces(numbers):
            behind = part >= self.end
            inside = np.flatnonzero((part >= self.start) & ~behind)
            own = self.own[part[inside] - self.start]
            np.add(part, behind * np.int32(self.distance), out=part)
            part[inside] = own

    def of_containers(self, numbers: Ids) -> Ids:
        """The same for numbers among which are containers for the bases of types."""
        moved = self.of(numbers)
        if not self.is_still:
            # They lie behind symbols and packages, so they move with both.
            above = np.flatnonzero(numbers >= np.int32(self._bases[0]))
            moved[above] = self.of(numbers[above] - np.int32(self._bases[0])) + self._bases[1]
        return moved


def _identities(symbols: Ids) -> list[tuple[int, int, int, int]]:
    """What makes a symbol of a file the same symbol after an edit."""
    seen: dict[tuple[int, int, int], int] = {}
    identities: list[tuple[int, int, int, int]] = []
    columns = (SymbolColumn.CHAIN, SymbolColumn.OVERLOAD, SymbolColumn.KIND)
    for chain, overload, kind in symbols[:, columns].tolist():
        key = (chain, overload, kind)
        repeat = seen.get(key, 0)
        seen[key] = repeat + 1
        identities.append((*key, repeat))
    return identities

"""Which tests speak of a symbol: by the words of their names and of what they name.

A test often runs code that no edge leads to, through a framework or a value of unknown type. Its
name and the names it uses tell what it is about nevertheless.
"""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from knowing.graph import View
from knowing.graph.keys import Ids
from knowing.model import TYPE_KINDS, EdgeKind, SymbolFlag, SymbolKind
from knowing.text import split_identifier

_NAMING = (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.ACCESSES_FIELD, EdgeKind.TESTS)
_EVERYWHERE = frozenset({"test", "tests", "spec", "it", "should", "init", "self", "py"})
"""Words that say that something is a test, or nothing at all."""
_NESTING = 6
_OF_NAME, _OF_OWNER, _OF_FILE = 3.0, 2.0, 1.0


class Wording:
    """The words of all tests, looked at once."""

    def __init__(self, view: View) -> None:
        self._view = view

    def ranked(self, symbol: int) -> list[tuple[int, float]]:
        """Tests that share words with a symbol, most and rarest words first."""
        scores: dict[int, float] = {}
        for word, weight in self._own(symbol).items():
            bearers = self._bearers.get(word, Counter[int]())
            rarity = math.log((self.count + 1) / (len(bearers) + 0.5))
            for test, count in bearers.items():
                scores[test] = scores.get(test, 0.0) + weight * rarity * math.log1p(count)
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

    def _own(self, symbol: int) -> dict[str, float]:
        table = self._view.symbols
        found: dict[str, float] = {}
        owner = int(table.owner[symbol])
        parts = [(table.name[symbol], _OF_NAME)]
        if owner >= 0 and table.kind[owner] != SymbolKind.MODULE:
            parts.append((table.name[owner], _OF_OWNER))
        if int(table.file[symbol]) >= 0:
            parts.append((_stem(self._view.paths[int(table.file[symbol])]), _OF_FILE))
        for text, weight in parts:
            for word in _words(text):
                found[word] = found.get(word, 0.0) + weight
        return found

    @cached_property
    def _roots(self) -> Ids:
        """For each symbol the test that it is or stands in, -1 for none."""
        table = self._view.symbols
        types = np.isin(table.kind, [int(kind) for kind in TYPE_KINDS])
        case = ((table.flags & int(SymbolFlag.TEST_CASE)) != 0) & ~types
        root = np.where(case, np.arange(len(table)), -1)
        for _ in range(_NESTING):
            inherited = np.where(table.owner >= 0, root[table.owner], -1)
            # The outermost test counts: cases may be grouped inside others.
            root = np.where(inherited >= 0, inherited, root)
        return root.astype(np.int32)

    @cached_property
    def count(self) -> int:
        """Of all tests."""
        return len(np.unique(self._roots[self._roots >= 0]))

    @cached_property
    def _bearers(self) -> dict[str, Counter[int]]:
        """Word -> the tests that have it, and how often."""
        table = self._view.symbols
        found: dict[str, Counter[int]] = {}
        split: dict[int, list[str]] = {}
        for test, named in self._named():
            if named not in split:
                split[named] = list(_words(table.name[named]))
            for word in split[named]:
                found.setdefault(word, Counter())[test] += 1
        for test in np.unique(self._roots[self._roots >= 0]).tolist():
            stem = _stem(self._view.paths[int(table.file[test])])
            for word in (*_words(table.chain[test]), *_words(table.chain[test]), *_words(stem)):
                found.setdefault(word, Counter())[test] += 1
        return found

    def _named(self) -> Iterator[tuple[int, int]]:
        """Each test with every symbol that it names."""
        edges = self._view.edges
        source = self._roots[edges.source]
        rows = np.flatnonzero((source >= 0) & np.isin(edges.kind, [int(kind) for kind in _NAMING]))
        pairs = source[rows].astype(np.int64) << 32 | edges.target[rows]
        for pair in np.unique(pairs).tolist():
            yield pair >> 32, pair & 0xFFFFFFFF


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _words(text: str) -> Iterator[str]:
    for part in split_identifier(text):
        word = part.lower()
        word = word[:-1] if len(word) > 3 and word.endswith("s") else word
        if len(word) > 1 and word.isalpha() and word not in _EVERYWHERE:
            yield word

"""Where learned things meet the code as it is: which of them still holds, and of which symbol."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from knowing.graph.keys import Ints
from knowing.graph.view import View
from knowing.learn.topics import Rarity, weights_of
from knowing.retrieve.text_index import TextIndex

NOWHERE = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """One view with the hashes of its packages; remembers what it has looked up."""

    view: View
    text: TextIndex
    packages: Mapping[str, str]
    """Folder -> hash of its content."""
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _vectors: dict[str, dict[str, float]] = field(default_factory=dict)
    _rarities: dict[str, float] = field(default_factory=dict)

    def package(self, path: str) -> str:
        """The hash of the package that a file is in, empty if there is no such."""
        return self.packages.get(path.rpartition("/")[0], "")

    def number(self, symbol: str, path: str) -> int:
        """The number of a symbol, `NOWHERE` if it is gone."""
        found = self._numbers.get(path)
        if found is None:
            found = self._numbers[path] = self._in_file(path)
        return found.get(symbol, NOWHERE)

    def held(self, symbol: str, package: str, path: str) -> int:
        """The number of a symbol of which something was learned, unless that has expired."""
        return self.number(symbol, path) if package == self.package(path) else NOWHERE

    def vector(self, topic: str) -> dict[str, float]:
        """A topic's terms as a vector of length one."""
        found = self._vectors.get(topic)
        if found is None:
            found = self._vectors[topic] = weights_of(topic, self.rarity)
        return found

    @property
    def rarity(self) -> Rarity:
        return self._rarity

    def _rarity(self, term: str) -> float:
        """Of a term; one that the workspace does not know is as rare as can be."""
        found = self._rarities.get(term)
        if found is None:
            number = self.text.term(term)
            rarest = float(self.text.rarity.max(initial=1.0)) if number < 0 else 0.0
            found = float(self.text.rarity[number]) if number >= 0 else rarest
            self._rarities[term] = found
        return found

    @cached_property
    def _files(self) -> dict[str, int]:
        return {path: number for number, path in enumerate(self.view.paths)}

    @cached_property
    def _by_file(self) -> tuple[Ints, Ints]:
        """Symbols in the order of their files, and where each file begins."""
        order = np.argsort(self.view.symbols.file, kind="stable")
        starts = np.arange(len(self.view.paths) + 1)
        return order, np.searchsorted(self.view.symbols.file[order], starts)

    def _in_file(self, path: str) -> dict[str, int]:
        file = self._files.get(path)
        if file is None:
            return {}
        order, bounds = self._by_file
        rows = order[bounds[file] : bounds[file + 1]].tolist()
        return {self.view.identity(row): row for row in rows}

    @cached_property
    def folders(self) -> Ints:
        """A number for the folder of each file."""
        numbers: dict[str, int] = {}
        found = [
            numbers.setdefault(path.rpartition("/")[0], len(numbers)) for path in self.view.paths
        ]
        return np.array(found, dtype=np.int64)

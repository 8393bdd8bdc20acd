"""The graph of one generation: immutable columns, quick to load, made to be asked.

Everything downstream reads a `View` and nothing else. Numbers of symbols are local to it. Its
arrays may be memory-mapped files, so making one costs no more than opening them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints
from knowing.graph.outside import PREFIX
from knowing.graph.table import EdgeTable
from knowing.model import Edge, EdgeKind, Origin, Symbol, SymbolFlag, SymbolKind, qualified_name

Octets = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class StringColumn(Sequence[str]):
    """Many strings in one array of bytes; read one at a time."""

    data: Octets
    bounds: Ints

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> "StringColumn":
        parts = list(texts)
        bounds = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part) for part in parts], out=bounds[1:])
        return cls(np.frombuffer(b"".join(parts), dtype=np.uint8), bounds)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        low, high = int(self.bounds[index]), int(self.bounds[index + 1])
        return self.data[low:high].tobytes().decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SymbolTable:
    """Columns of all symbols; those outside the code come last and have no file."""

    name: StringColumn
    chain: StringColumn
    signature: StringColumn
    doc: StringColumn
    file: Ids
    kind: Octets
    flags: Ids
    owner: Ids
    """The symbol that contains this one, -1 for files and what is outside the code."""
    start: Ids
    end: Ids
    line: Ids
    end_line: Ids
    name_line: Ids
    name_column: Ids
    overload: Ids

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """Symbols and edges of one generation. Edges are sorted by source, then target, then kind."""

    paths: StringColumn
    languages: StringColumn
    """The language of each file."""
    symbols: SymbolTable
    edges: EdgeTable

    @cached_property
    def out_bounds(self) -> Ints:
        """Edges of source `i` are rows `out_bounds[i]` to `out_bounds[i + 1]`."""
        return np.searchsorted(self.edges.source, np.arange(len(self.symbols) + 1))

    @cached_property
    def _incoming(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.edges.target, kind="stable")
        bounds = np.searchsorted(self.edges.target[order], np.arange(len(self.symbols) + 1))
        return order, bounds

    def edges_from(self, symbol: int) -> Ints:
        """Rows of the edges that leave a symbol."""
        return np.arange(self.out_bounds[symbol], self.out_bounds[symbol + 1])

    def edges_to(self, symbol: int) -> Ints:
        """Rows of the edges that reach a symbol."""
        order, bounds = self._incoming
        return order[bounds[symbol] : bounds[symbol + 1]]

    def identity(self, index: int) -> str:
        """The stable, readable name of a symbol: `path::Owner.name`, or `env://HOME`."""
        table = self.symbols
        file = int(table.file[index])
        if file < 0:
            return PREFIX[SymbolKind(int(table.kind[index]))] + table.chain[index]
        return qualified_name(self.paths[file], table.chain[index], int(table.overload[index]))

    def symbol(self, index: int) -> Symbol:
        table = self.symbols
        file = int(table.file[index])
        return Symbol(
            name=table.chain[index],
            path=self.paths[file] if file >= 0 else "",
            kind=SymbolKind(int(table.kind[index])),
            line=int(table.line[index]),
            end_line=int(table.end_line[index]),
            name_line=int(table.name_line[index]),
            name_column=int(table.name_column[index]),
            signature=table.signature[index],
            doc=table.doc[index],
            flags=SymbolFlag(int(table.flags[index])),
            overload=int(table.overload[index]),
        )

    def edge(self, row: int) -> Edge:
        edges = self.edges
        file = int(edges.file[row])
        return Edge(
            source=self.identity(int(edges.source[row])),
            target=self.identity(int(edges.target[row])),
            kind=EdgeKind(int(edges.kind[row])),
            origin=Origin(int(edges.origin[row])),
            confidence=round(float(edges.confidence[row]), 4),
            path=self.paths[file] if file >= 0 else "",
            line=int(edges.line[row]),
        )

    def all_symbols(self) -> Iterator[Symbol]:
        return (self.symbol(index) for index in range(len(self.symbols)))

    def all_edges(self) -> Iterator[Edge]:
        return (self.edge(row) for row in range(len(self.edges)))

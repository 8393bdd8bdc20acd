"""Nodes for what lies outside the code: routes, variables, processes, owners, dependencies."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Mask
from knowing.graph.members import Members
from knowing.graph.places import EXTERNAL
from knowing.graph.refs import Chosen
from knowing.graph.resolution import Resolution, rows_of
from knowing.graph.table import EdgeTable
from knowing.model import EdgeKind, Origin, SymbolKind
from knowing.parse.facts import How, Mode, Role, ServiceColumn

_KINDS = {
    EdgeKind.HANDLES_ROUTE: SymbolKind.ROUTE,
    EdgeKind.READS_ENV: SymbolKind.ENV_VAR,
    EdgeKind.EXECUTES_PROCESS: SymbolKind.PROCESS,
    EdgeKind.CONSUMES_ENDPOINT: SymbolKind.ENDPOINT,
}
_CONFIDENCE = {
    EdgeKind.HANDLES_ROUTE: 0.7,
    EdgeKind.READS_ENV: 0.9,
    EdgeKind.EXECUTES_PROCESS: 0.9,
    EdgeKind.CONSUMES_ENDPOINT: 0.6,
}
PREFIX = {
    SymbolKind.ROUTE: "route://",
    SymbolKind.ENV_VAR: "env://",
    SymbolKind.PROCESS: "process://",
    SymbolKind.ENDPOINT: "endpoint://",
    SymbolKind.OWNER: "owner://",
    SymbolKind.EXTERNAL: "external:",
}

Node = tuple[int, str]
"""Kind and name."""


@dataclass(slots=True)
class _Row:
    node: Node
    symbol: int
    node_first: bool
    kind: EdgeKind
    confidence: float
    file: int
    line: int


class Outside:
    """Collects nodes and edges; nodes are numbered after the symbols, by kind and name."""

    def __init__(
        self, members: Members, resolution: Resolution, chosen: Mask, refs: Chosen
    ) -> None:
        self._chosen = chosen
        self._refs = refs
        self._members = members
        self._corpus: Corpus = members.corpus
        self._resolution = resolution
        self._rows: list[_Row] = []

    def collect(self, owners_of: Callable[[str], tuple[str, ...]]) -> tuple[list[Node], EdgeTable]:
        self._services()
        self._owners(owners_of)
        self._externals()
        nodes = sorted({row.node for row in self._rows})
        number = {node: self._members.count + index for index, node in enumerate(nodes)}
        rows = self._rows
        ends = [(number[row.node], row.symbol) for row in rows]
        flipped = [
            pair if row.node_first else pair[::-1] for pair, row in zip(ends, rows, strict=True)
        ]
        flat = np.array(flipped, dtype=np.int32).reshape(-1, 2)
        return nodes, EdgeTable.of(
            flat[:, 0],
            flat[:, 1],
            np.array([row.kind for row in rows], dtype=np.uint8),
            Origin.AST_RESOLVED,
            confidence=np.array([row.confidence for row in rows], dtype=np.float32),
            file=np.array([row.file for row in rows], dtype=np.int32),
            line=np.array([row.line for row in rows], dtype=np.int32),
        )

    def _services(self) -> None:
        texts, target = self._corpus.names.texts, self._resolution.target
        chosen = rows_of(self._corpus.service_base, self._chosen)
        files = self._corpus.service_file[chosen].tolist()
        for row, file in zip(self._corpus.services[chosen].tolist(), files, strict=True):
            edge = EdgeKind(row[ServiceColumn.EDGE])
            node = (int(_KINDS[edge]), texts[row[ServiceColumn.TEXT]])
            symbol, handler = row[ServiceColumn.SCOPE], row[ServiceColumn.HANDLER]
            route = edge == EdgeKind.HANDLES_ROUTE
            if route:
                symbol = handler if handler >= 0 else int(target[-2 - handler])
            if 0 <= symbol < self._members.count:
                symbol = int(self._members.stands_for[symbol])
                line = row[ServiceColumn.LINE]
                self._rows.append(_Row(node, symbol, route, edge, _CONFIDENCE[edge], file, line))

    def _owners(self, owners_of: Callable[[str], tuple[str, ...]]) -> None:
        for file in np.flatnonzero(self._chosen).tolist():
            for owner in owners_of(self._corpus.paths[file]):
                module = int(self._corpus.symbol_base[file])
                node = (int(SymbolKind.OWNER), owner)
                self._rows.append(_Row(node, module, False, EdgeKind.OWNED_BY, 1.0, file, 1))

    def _externals(self) -> None:
        """Dependencies by the names under which they are imported and used."""
        names = self._external_names()
        refs, texts = self._refs, self._corpus.names.texts
        rows = np.flatnonzero(self._resolution.target[refs.refs] == EXTERNAL)
        how = refs.how[rows]
        rows = rows[(how == How.IMPORT) | (how == How.MEMBER)]
        columns = (refs.how, refs.recv, refs.name, refs.role, refs.scope, refs.file, refs.line)
        label: dict[int, str] = {}
        seen: set[tuple[str, int, int]] = set()
        stands_for = self._members.stands_for
        for ref, how_, recv, text, roles, scope, file, line in zip(
            rows.tolist(), *(column[rows].tolist() for column in columns), strict=True
        ):
            if how_ == How.IMPORT:
                name = names.get(recv, "")
            elif recv % 3 == Mode.SAME and recv // 3 in label:
                name = f"{label[recv // 3]}.{texts[text]}"
            else:
                continue
            if not name:
                continue
            label[ref] = name
            kind = _external_kind(roles)
            if kind is None:
                continue
            symbol = int(stands_for[scope])
            if (name, symbol, kind) not in seen:
                seen.add((name, symbol, kind))
                node = (int(SymbolKind.EXTERNAL), name)
                self._rows.append(_Row(node, symbol, False, kind, 0.85, file, line))

    def _external_names(self) -> dict[int, str]:
        """Import -> dotted name of what it takes from outside."""
        found: dict[int, str] = {}
        texts = self._corpus.names.texts
        rows = rows_of(self._corpus.import_base, self._chosen)
        outside = rows[self._resolution.import_target[rows] == EXTERNAL]
        for row in outside.tolist():
            module, name, alias, *_ = self._corpus.imports[row].tolist()
            language = self._members.languages[int(self._corpus.import_file[row])]
            text = texts[module] if module >= 0 else ""
            if name == 0 and alias == 0 and language.imports == "dotted":
                text = text.split(".")[0]
            parts = [text, texts[name] if name > 0 else ""]
            found[row] = ".".join(part for part in parts if part)
            self._import_edge(row, found[row])
        return found

    def _import_edge(self, row: int, name: str) -> None:
        if not name:
            return
        _, _, _, scope, line, _ = self._corpus.imports[row].tolist()
        node = (int(SymbolKind.EXTERNAL), name)
        file = int(self._corpus.import_file[row])
        self._rows.append(_Row(node, scope, False, EdgeKind.IMPORTS, 0.85, file, line))


_EXTERNAL_KINDS = tuple(
    (int(role), kind)
    for role, kind in (
        (Role.BASE, EdgeKind.EXTENDS),
        (Role.IMPLEMENTS, EdgeKind.IMPLEMENTS),
        (Role.THROW, EdgeKind.THROWS),
        (Role.CALL, EdgeKind.CALLS),
        (Role.TYPE, EdgeKind.TYPE_HINT_OF),
        (Role.DECORATOR, EdgeKind.DECORATES),
    )
)


def _external_kind(roles: int) -> EdgeKind | None:
    """The edge that a use of an outside name gives; mere passing through gives none."""
    for role, kind in _EXTERNAL_KINDS:
        if roles & role:
            return kind
    return None

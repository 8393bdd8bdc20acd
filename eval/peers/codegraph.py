"""codegraph: a graph in SQLite behind a command line, from npm."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval import measure
from eval.failure import EvalError
from eval.peers import base
from eval.rankers import Answer
from eval.results import Preparation

PACKAGE = "@colbymchenry/codegraph@1.6.1"
NOT_SYMBOLS = frozenset({"file", "import", "module"})


@dataclass(frozen=True, slots=True)
class Codegraph:
    """`query` ranks symbols; `context` takes entry points and what lies around them."""

    name: str = "codegraph-context"
    command: str = "context"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["CodegraphRanker"]:
        program = str(base.node_program("codegraph", PACKAGE, "codegraph"))
        with base.workplace(root, folder) as (copy, symbols):
            base.run([program, "telemetry", "off"])
            usage = measure.run([program, "init", "-i", str(copy)], base.INDEX_SECONDS, copy)
            yield CodegraphRanker(
                program,
                self.command,
                copy,
                symbols,
                base.preparation(usage, copy / ".codegraph"),
            )


@dataclass(frozen=True, slots=True)
class CodegraphRanker:
    """An indexed copy."""

    program: str
    command: str
    copy: Path
    symbols: base.Symbols
    preparation: Preparation

    def rank(self, description: str, limit: int) -> Answer:
        where = ["--path", str(self.copy)]
        if self.command == "query":
            options = ["--json", "--limit", str(limit)]
            text = base.run([self.program, "query", *where, *options, description])
            rows: Any = base.parsed(text, self.name)
            nodes = [{**row["node"], "score": row.get("score", 0.0)} for row in rows]
        else:
            options = ["--format", "json", "--no-code", "--max-nodes", str(limit)]
            text = base.run([self.program, "context", *where, *options, description])
            found: Any = base.parsed(text, self.name)
            nodes = [*found.get("entryPoints", ()), *found.get("relatedSymbols", ()), *_more(found)]
        return self.symbols.answer((_place(node) for node in nodes if _is_symbol(node)), limit)

    @property
    def name(self) -> str:
        return f"codegraph {self.command}"


def _more(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Nodes that `context` lists besides its entry points."""
    nodes = found.get("nodes", ())
    return list(nodes.values()) if isinstance(nodes, dict) else list(nodes)


def _is_symbol(node: dict[str, Any]) -> bool:
    return node.get("kind") not in NOT_SYMBOLS


def _place(node: dict[str, Any]) -> base.Place:
    try:
        return base.Place(
            path=str(node["filePath"]),
            line=int(node["startLine"]),
            name=str(node.get("qualifiedName") or node["name"]).replace("::", "."),
            score=float(node.get("score") or 0.0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise EvalError(f"codegraph returned something else than expected: {error}") from error


PEERS = (Codegraph(), Codegraph("codegraph-query", "query"))

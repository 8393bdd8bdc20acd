"""The Go program that this project follows, if its binary is given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval import measure
from eval.failure import EvalError
from eval.metrics import Row
from eval.peers import base
from eval.rankers import Answer
from eval.results import Preparation

NAME_KEYS = ("qualified_name", "qualifiedName", "name", "symbol")
PATH_KEYS = ("file_path", "filePath", "file", "path")
LINE_KEYS = ("start_line", "startLine", "line")


@dataclass(frozen=True, slots=True)
class Predecessor:
    """`index -db` and `context -task`, one process each."""

    binary: Path

    @property
    def name(self) -> str:
        return "predecessor"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["PredecessorRanker"]:
        if not self.binary.is_file():
            raise EvalError(f"no such program: {self.binary}")
        program = str(self.binary.resolve())
        with base.workplace(root, folder) as (copy, _):
            database = folder / "predecessor" / "knowing.db"
            database.parent.mkdir(parents=True, exist_ok=True)
            where = ["-db", str(database), "-url", f"local/{root.name}", str(copy)]
            usage = measure.run([program, "index", *where], base.INDEX_SECONDS, copy)
            cost = base.preparation(usage, database.parent)
            yield PredecessorRanker(program, database, copy, cost)


@dataclass(frozen=True, slots=True)
class PredecessorRanker:
    """A database that can be asked."""

    program: str
    database: Path
    copy: Path
    preparation: Preparation

    def rank(self, description: str, limit: int) -> Answer:
        options = ["-db", str(self.database), "-format", "json", "-task", description]
        found = base.parsed(base.run([self.program, "context", *options], folder=self.copy), "it")
        rows = (_row(entry) for entry in listed(found))
        return Answer(rows=tuple(row for row in rows if row.name)[:limit])


def listed(found: object) -> list[dict[str, Any]]:
    """The first list of named things in an answer, whatever it is called there."""
    if isinstance(found, list):
        named = [each for each in found if isinstance(each, dict) and _first(each, NAME_KEYS)]
        if named:
            return named
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return next((rows for each in inner if (rows := listed(each))), [])


def _row(entry: dict[str, Any]) -> Row:
    """Names are `repository://path.Symbol`: what stands before the symbol is no part of it."""
    name = str(_first(entry, NAME_KEYS)).rpartition("/")[2]
    return Row(
        name=name,
        path=str(_first(entry, PATH_KEYS) or ""),
        line=int(_first(entry, LINE_KEYS) or 0),
        score=float(entry.get("score") or 0.0),
    )


def _first(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((entry[key] for key in keys if entry.get(key)), None)

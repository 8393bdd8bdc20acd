"""What an index claims, read through the command line as any user can read it."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.failure import EvalError
from eval.process import finished

GUESS = "heuristic"
"""Origin of edges that the index itself calls guesses."""

INDEX_SECONDS = 3600

PROJECT = Path(__file__).resolve().parent.parent
"""Commands run here, so that they run the engine that lies beside this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One line of `knowing dump symbols`."""

    name: str
    qualified_name: str
    kind: str
    path: str
    line: int
    end_line: int

    @property
    def plain(self) -> str:
        """Last component of the name."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One line of `knowing dump edges`; source and target are qualified names."""

    source: str
    target: str
    kind: str
    origin: str
    path: str
    line: int


def symbol(row: dict[str, object]) -> Symbol:
    return Symbol(
        name=str(row["name"]),
        qualified_name=str(row["qualified_name"]),
        kind=str(row["kind"]),
        path=str(row["path"]),
        line=int(str(row["line"])),
        end_line=int(str(row["end_line"])),
    )


def edge(row: dict[str, object]) -> Edge:
    return Edge(
        source=str(row["source"]),
        target=str(row["target"]),
        kind=str(row["kind"]),
        origin=str(row["origin"]),
        path=str(row["path"]),
        line=int(str(row["line"])),
    )


def json_lines(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """Decode JSON lines, skipping blank ones."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise EvalError(f"line {number} is not JSON: {line[:80]!r}") from error


def command(*arguments: str) -> list[str]:
    """The engine's command line, run by the interpreter that runs us."""
    return [sys.executable, "-m", "knowing", *arguments]


@dataclass(frozen=True, slots=True)
class Index:
    """An index of one workspace in a directory of its own."""

    root: Path
    folder: Path

    def symbols(self) -> list[Symbol]:
        return [symbol(row) for row in self._dump("symbols")]

    def edges(self) -> list[Edge]:
        return [edge(row) for row in self._dump("edges")]

    def _dump(self, what: str) -> Iterator[dict[str, object]]:
        return json_lines(self.run("dump", what).splitlines())

    def run(self, *arguments: str) -> str:
        """Run one command against this index and return what it prints."""
        where = ("--root", str(self.root), "--index-dir", str(self.folder))
        done = finished(command(*arguments, *where), seconds=INDEX_SECONDS, folder=PROJECT)
        if done.returncode:
            said = done.stderr.strip()[-2000:]
            raise EvalError(f"knowing {' '.join(arguments)} failed on {self.root}: {said}")
        return done.stdout


@contextmanager
def indexed(root: Path) -> Iterator[Index]:
    """A fresh index of a workspace, without history, gone afterwards."""
    if not root.is_dir():
        raise EvalError(f"no such folder: {root}")
    with TemporaryDirectory(prefix="knowing-index-") as folder:
        index = Index(root.resolve(), Path(folder))
        index.run("index", "--no-history", "--json")
        yield index

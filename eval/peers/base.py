"""What all adapters need: a copy to work on, and the symbols that places stand for."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval.baselines import rankable, symbols_of
from eval.failure import EvalError
from eval.index import PROJECT
from eval.measure import Usage, folder_size
from eval.metrics import Row
from eval.process import finished
from eval.rankers import Answer
from eval.results import Preparation
from knowing.graph import View

ENVIRONMENTS = PROJECT / "build" / "eval-peers"
"""Where peers are installed; git ignores it."""

INDEX_SECONDS = 1800
INSTALL_SECONDS = 1200
QUERY_SECONDS = 120
Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a tool returned."""

    path: str
    line: int
    name: str
    score: float = 0.0


class Symbols:
    """The symbols of a repository by file and line."""

    def __init__(self, view: View) -> None:
        self._spans: dict[str, list[Span]] = {}
        table = view.symbols
        for number in rankable(view, tests=True):
            span = (int(table.line[number]), int(table.end_line[number]), table.chain[number])
            self._spans.setdefault(view.paths[int(table.file[number])], []).append(span)

    def at(self, place: Place) -> str:
        """Name of the symbol that is meant: of that name around the line, or the innermost."""
        around = [
            span for span in self._spans.get(place.path, ()) if span[0] <= place.line <= span[1]
        ]
        last = place.name.rpartition(".")[2]
        named = [span for span in around if span[2].rpartition(".")[2] == last]
        if not (named or around):
            return place.name
        return max(named or around, key=lambda span: (span[0], -span[1]))[2]

    def answer(self, places: Iterable[Place], limit: int) -> Answer:
        """Places as rows, each symbol once."""
        rows: dict[tuple[str, str], Row] = {}
        for place in places:
            name = self.at(place)
            if name:
                row = Row(name=name, path=place.path, line=place.line, score=place.score)
                rows.setdefault((place.path, name), row)
        return Answer(rows=tuple(rows.values())[:limit])


@contextmanager
def workplace(root: Path, folder: Path) -> Iterator[tuple[Path, Symbols]]:
    """A copy of a repository's files to work on, and the symbols of the original."""
    copy = folder / "copy" / root.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    # Tools that look for the root of a project find it by this.
    run(["git", "init", "--quiet", str(copy)])
    with symbols_of(root, folder / "symbols") as view:
        symbols = Symbols(view)
    yield copy, symbols


def preparation(usage: Usage, stored: Path) -> Preparation:
    """What a tool's own indexing cost."""
    return Preparation(
        cpu=usage.cpu, wall=usage.wall, peak=usage.peak_process, disk=folder_size(stored)
    )


def run(command: Sequence[str], seconds: float = QUERY_SECONDS, folder: Path | None = None) -> str:
    """What a program prints; an error if it fails."""
    done = finished(command, seconds=seconds, folder=folder)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise EvalError(f"{Path(command[0]).name} exited with {done.returncode}: {said}")
    return done.stdout


def parsed(text: str, tool: str) -> object:
    """The JSON that a tool printed."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise EvalError(f"{tool} printed no JSON: {text[:200]!r}") from error


def python_environment(name: str, requirement: str) -> Path:
    """The interpreter of a private environment that holds a package, made on first use."""
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    if not stamp.is_file() or stamp.read_text("utf-8") != requirement:
        run([sys.executable, "-m", "venv", str(folder)], INSTALL_SECONDS)
        run([str(python), "-m", "pip", "install", "--quiet", requirement], INSTALL_SECONDS)
        stamp.write_text(requirement, encoding="utf-8")
    return python


def node_program(name: str, requirement: str, program: str) -> Path:
    """A program of an npm package in a private folder, installed on first use."""
    folder = ENVIRONMENTS / name
    stamp = folder / "installed"
    if not stamp.is_file() or stamp.read_text("utf-8") != requirement:
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--no-audit", "--no-fund", "--prefix", str(folder)]
        run(["npm", "install", *options, requirement], INSTALL_SECONDS)
        stamp.write_text(requirement, encoding="utf-8")
    return folder / "node_modules" / ".bin" / program

"""`python -m eval replay REPO`: how well the tool would have helped with a repository's own past.

Each commit that can stand as a task (`eval.commits` says which) is asked for with its message, and
what it changed is what is wanted. The question is put to the state right before the commit: a
clone in a temporary folder is moved from parent to parent, oldest first, and its index follows. The
history that the clone can see ends at the parent, so a commit and all that came later are hidden.

Wanted are the innermost symbols of the parent whose lines were changed, tests and examples left
out; where lines were put in, the symbol around them. What a commit adds anew cannot be found
before it is there and is not wanted.
"""

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.baselines import rankable, symbols_of
from eval.commits import Change, Commit, changes, git, replayable
from eval.failure import EvalError
from eval.metrics import Row
from eval.overrides import Overrides
from eval.rank import OWN, chosen_system
from eval.rankers import System
from eval.report import table
from eval.results import write_text
from knowing.graph import View
from knowing.languages import load_languages

DEPTHS = (10, 20)
MOST_SYMBOLS = 20
"""A commit that changes more symbols than a list can hold is no task."""

ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|testsuite|specs?|testdata|examples?|benches|docs?)/"
    r"|(?:^|/)test_|[._-](?:test|spec)s?\.\w+$|Tests?\.\w+$"
)
"""Paths that look like tests and examples. Only spares commits that have nothing else from being
looked at; what counts as a test is known from the index."""

Place = tuple[str, str]
"""Path and name of a symbol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One commit as a task, and how it went."""

    commit: str
    description: str
    wanted: tuple[Place, ...]
    symbols: dict[int, float]
    """Depth -> share of the changed symbols that are there."""
    files: dict[int, float]
    first: int
    """Rank of the first changed symbol, 0 if none came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All commits of one repository."""

    repo: str
    looked_at: int
    without_truth: int
    """Commits that change no known symbol of product code, or too many."""
    tasks: tuple[Replayed, ...]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("replay", help="ask a repository for its own past commits")
    parser.add_argument("repository", type=Path, metavar="REPO", help="never written to")
    parser.add_argument("--commits", type=int, default=50, help="how many commits are replayed")
    parser.add_argument("--system", default=OWN, help="what ranks; by default this engine")
    parser.add_argument("--no-history", action="store_true", help="read no git history")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes")
    parser.add_argument("--seconds", type=float, default=3600, help="start no commit after this")
    parser.add_argument("--output", type=Path, help="file to write every commit's figures to")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Replay and print a summary."""
    repository: Path = options.repository.resolve()
    if not repository.is_dir():
        raise EvalError(f"no such folder: {repository}")
    outcome = replay(
        repository,
        chosen_system(options),
        options.commits,
        overrides=Overrides(tuple(options.changes)),
        seconds=options.seconds,
    )
    if options.output:
        rows = [asdict(task) for task in outcome.tasks]
        write_text(options.output, json.dumps(rows, indent=1) + "\n")
    print(json.dumps(as_json(outcome)) if options.json else as_text(outcome))
    return 0


def replay(
    repository: Path,
    system: System,
    count: int,
    *,
    overrides: Overrides | None = None,
    seconds: float = 3600,
) -> Outcome:
    """Put each commit's message to its parent's state."""
    registry = load_languages()

    def is_code(path: str) -> bool:
        language = registry.for_path(path)
        return language is not None and bool(language.grammar) and not ASIDE.search(path)

    commits = replayable(repository, count, is_code)
    if not commits:
        raise EvalError(f"no commit of {repository} can stand as a task")
    tasks = []
    looked_at = 0
    deadline = time.monotonic() + seconds
    with _clone(repository) as (root, folder):
        for commit in commits:
            if time.monotonic() > deadline:
                print(f"stopped after {seconds:.0f} s", file=sys.stderr)
                break
            looked_at += 1
            task = _asked(root, folder, commit, system, overrides or Overrides())
            if task is not None:
                tasks.append(task)
    return Outcome(
        repo=repository.name,
        looked_at=looked_at,
        without_truth=looked_at - len(tasks),
        tasks=tuple(tasks),
    )


@contextmanager
def _clone(repository: Path) -> Iterator[tuple[Path, Path]]:
    """A clone that borrows the repository's objects, and a folder for its index."""
    with TemporaryDirectory(prefix="knowing-replay-") as temporary:
        base = Path(temporary).resolve()
        # The clone bears the repository's name, because the name is part of what ranking sees.
        root = base / "clone" / repository.name
        git(repository, "clone", "--quiet", "--shared", "--no-checkout", ".", str(root))
        yield root, base / "index"


def _asked(
    root: Path, folder: Path, commit: Commit, system: System, overrides: Overrides
) -> Replayed | None:
    """One commit as a task; None if it changes nothing that could be wanted."""
    git(root, "checkout", "--quiet", "--force", "--detach", commit.parent)
    folder.mkdir(exist_ok=True)
    with symbols_of(root, folder, overrides.settings(root)) as view:
        wanted = touched(view, changes(root, commit))
    if not 0 < len(wanted) <= MOST_SYMBOLS:
        return None
    with system.open(root, folder) as ranker:
        rows = ranker.rank(commit.description, max(DEPTHS)).rows
    return judged(commit, wanted, rows)


def touched(view: View, hunks: Sequence[Change]) -> list[Place]:
    """The innermost symbols of product code that own changed lines, in order of appearance."""
    by_path: dict[str, list[tuple[int, int, str]]] = {change.path: [] for change in hunks}
    table = view.symbols
    for number in rankable(view, tests=False):
        path = view.paths[int(table.file[number])]
        if path in by_path:
            span = (int(table.line[number]), int(table.end_line[number]), table.chain[number])
            by_path[path].append(span)
    found: dict[Place, None] = {}
    for change in hunks:
        for name in _owners(by_path[change.path], change):
            found[(change.path, name)] = None
    return list(found)


def _owners(spans: Sequence[tuple[int, int, str]], change: Change) -> Iterator[str]:
    if change.last < change.first:
        around = [span for span in spans if span[0] < change.first <= span[1]]
        yield from _innermost(around)
        return
    for line in range(change.first, change.last + 1):
        yield from _innermost([span for span in spans if span[0] <= line <= span[1]])


def _innermost(spans: Sequence[tuple[int, int, str]]) -> Iterator[str]:
    if spans:
        yield max(spans, key=lambda span: (span[0], -span[1]))[2]


def judged(commit: Commit, wanted: Sequence[Place], rows: Sequence[Row]) -> Replayed:
    """How much of what is wanted came."""
    came = [(row.path, row.name) for row in rows]
    files = sorted({path for path, _ in wanted})
    ranks = [came.index(place) + 1 for place in wanted if place in came]
    return Replayed(
        commit=commit.id,
        description=commit.description,
        wanted=tuple(wanted),
        symbols={
            depth: sum(place in came[:depth] for place in wanted) / len(wanted) for depth in DEPTHS
        },
        files={
            depth: sum(file in {path for path, _ in came[:depth]} for file in files) / len(files)
            for depth in DEPTHS
        },
        first=min(ranks, default=0),
    )


def as_json(outcome: Outcome) -> dict[str, object]:
    """The means, unrounded."""
    return {
        "repo": outcome.repo,
        "commits": outcome.looked_at,
        "without_truth": outcome.without_truth,
        "tasks": len(outcome.tasks),
        **_means(outcome),
    }


def _means(outcome: Outcome) -> dict[str, float]:
    tasks = outcome.tasks
    if not tasks:
        return {}
    means = {}
    for depth in DEPTHS:
        means[f"file recall@{depth}"] = statistics.mean(task.files[depth] for task in tasks)
        means[f"symbol recall@{depth}"] = statistics.mean(task.symbols[depth] for task in tasks)
        means[f"a changed file@{depth}"] = statistics.mean(task.files[depth] > 0 for task in tasks)
    means["MRR"] = statistics.mean(1 / task.first if task.first else 0.0 for task in tasks)
    return {name: float(value) for name, value in means.items()}


def as_text(outcome: Outcome) -> str:
    """A summary in words, then the figures."""
    tasks = outcome.tasks
    dropped = f"{outcome.without_truth} changed no symbol of product code that existed, or too many"
    head = f"{outcome.repo}: {outcome.looked_at} commits replayed, {dropped}."
    if not tasks:
        return f"{head}\nNothing could be asked."
    hit = sum(task.files[DEPTHS[0]] > 0 for task in tasks)
    said = (
        f"In {hit} of {len(tasks)} tasks, one of the first {DEPTHS[0]} results lay in a file that "
        "had to be changed."
    )
    rows = [[name, f"{value:.3f}"] for name, value in _means(outcome).items()]
    return f"{head}\n{said}\n\n{table(['figure', 'mean'], rows)}"

"""`python -m eval coverage`: how many of the names that tasks want exist as symbols at all."""

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.failure import EvalError
from eval.index import Symbol, indexed
from eval.matchers import Names

NOT_CODE = frozenset(
    {"external", "doc_section", "route", "env_var", "process", "endpoint", "owner"}
)
"""Kinds that do not make a name exist: a heading `Routing` is no class `Routing`."""
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The wanted names of one repository, and those that no symbol bears."""

    repo: str
    wanted: int
    missing: Mapping[str, Sequence[str]]
    """Name -> the tasks that want it."""

    @property
    def found(self) -> int:
        return self.wanted - len(self.missing)

    @property
    def share(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0


def wanted_names(tasks: Iterable[Mapping[str, object]]) -> dict[str, dict[str, list[str]]]:
    """Repository -> wanted name -> tasks that want it; each name counts once a repository."""
    wanted: dict[str, dict[str, list[str]]] = {}
    for task in tasks:
        truth = task["ground_truth"]
        if not isinstance(truth, list):
            raise EvalError(f"task {task['id']} has no list of names as ground truth")
        names = wanted.setdefault(str(task["repo"]), {})
        for name in truth:
            names.setdefault(str(name), []).append(str(task["id"]))
    return wanted


def cover(repo: str, wanted: Mapping[str, Sequence[str]], symbols: Iterable[Symbol]) -> Coverage:
    """Which wanted names are borne by a symbol, by the strict matcher.

    Symbols are named without type arguments, so `Map<'a>.insert` is looked up as `Map.insert`.
    """
    names = Names(symbol.name for symbol in symbols if symbol.kind not in NOT_CODE)
    missing = {
        name: tasks
        for name, tasks in sorted(wanted.items())
        if not names.has(_TYPE_ARGUMENTS.sub("", name))
    }
    return Coverage(repo=repo, wanted=len(wanted), missing=missing)


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("coverage", help="wanted names that exist as symbols")
    parser.add_argument("--tasks", type=Path, required=True, help="JSON list of tasks")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Index each repository of the tasks and print what is missing."""
    wanted = wanted_names(_tasks(options.tasks))
    results = []
    for repo in sorted(wanted):
        if options.repo and repo not in options.repo:
            continue
        with indexed(options.corpus / repo) as index:
            results.append(cover(repo, wanted[repo], index.symbols()))
        if not options.json:
            print(_lines(results[-1]), flush=True)
    if options.json:
        print(json.dumps({result.repo: _as_json(result) for result in results}))
    return 0


def _tasks(file: Path) -> list[dict[str, object]]:
    try:
        tasks = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EvalError(f"cannot read tasks from {file}: {error}") from error
    if not isinstance(tasks, list):
        raise EvalError(f"{file} is not a JSON list of tasks")
    return tasks


def _lines(result: Coverage) -> str:
    head = f"{result.repo}: n {result.wanted}, found {result.found}, {result.share:.1%}"
    missing = [f"MISSING {name} ({', '.join(tasks)})" for name, tasks in result.missing.items()]
    return "\n".join([head, *missing])


def _as_json(result: Coverage) -> dict[str, object]:
    return {
        "n": result.wanted,
        "found": result.found,
        "share": round(result.share, 4),
        "missing": {name: list(tasks) for name, tasks in result.missing.items()},
    }

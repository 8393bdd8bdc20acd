"""`python -m eval ratchet`: fail when a fixture is ranked worse than what is committed.

`ranks.json` holds, for every task about a pinned package, the rank of each wanted symbol. A task
has moved down when its strict nDCG@10 is lower than with the committed ranks. This project's own
sources change under their tasks, so for these only the mean is held, with a margin.

A change that makes some tasks worse for the good of others is accepted with `--update`: the
difference of the file then shows the price to whoever reviews it.
"""

import argparse
import json
import math
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval import packages
from eval.failure import EvalError
from eval.fixtures import HERE
from eval.metrics import DEPTH, Row, strict_hits
from eval.rank import OWN, chosen_system
from eval.rankers import System, rank_all
from eval.results import write_text
from eval.tasks import Question, Task, read_json, read_tasks

RANKS = Path(__file__).resolve().parent / "ranks.json"
LIMIT = 50
MARGIN = 0.05
"""How far the mean of this project's own tasks may fall as its code changes."""

Ranks = list[int]
"""Rank of each wanted symbol from 1; 0 if it did not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is held: ranks of tasks, and means of repositories that change."""

    tasks: dict[str, Ranks]
    floors: dict[str, float]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("ratchet", help="fail if a fixture is ranked worse than before")
    parser.add_argument("--update", action="store_true", help="hold what is ranked now")
    parser.add_argument("--tasks", type=Path, default=HERE, help="file or folder of tasks")
    parser.add_argument("--corpus", type=Path, help="folder of the repositories; else packages")
    parser.add_argument("--ranks", type=Path, default=RANKS, help="file that is held")
    parser.add_argument("--system", default=OWN, help="what ranks; by default this engine")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes")
    parser.set_defaults(run=run, no_history=True)


def run(options: argparse.Namespace) -> int:
    """Rank the fixtures and compare, or hold what came."""
    corpus = options.corpus or provided()
    tasks = read_tasks(options.tasks)
    now = state(tasks, ranked(chosen_system(options), tasks, corpus))
    if options.update:
        write_state(options.ranks, now)
        print(f"{len(now.tasks)} tasks are held in {options.ranks}")
        return 0
    return report(read_state(options.ranks), now)


def provided() -> Path:
    """The folder of packages, filled."""
    for line in packages.provide(packages.PLACE):
        print(line, file=sys.stderr)
    return packages.PLACE


def ranked(system: System, tasks: Sequence[Task], corpus: Path) -> Mapping[str, Sequence[Row]]:
    """What a system ranks for tasks; it sees the questions only."""
    asked = [Question(id=task.id, repo=task.repo, description=task.description) for task in tasks]
    return rank_all(system, asked, corpus, limit=LIMIT)[0]


def state(tasks: Sequence[Task], rankings: Mapping[str, Sequence[Row]]) -> State:
    """What rankings would be held as."""
    found = {task.id: ranks_of(task, rankings[task.id]) for task in tasks}
    own = [gain(found[task.id]) for task in tasks if task.repo == packages.SELF]
    return State(
        tasks={task.id: found[task.id] for task in tasks if task.repo != packages.SELF},
        floors={packages.SELF: round(statistics.mean(own), 4)} if own else {},
    )


def ranks_of(task: Task, rows: Sequence[Row]) -> Ranks:
    """Where each wanted symbol came."""
    found, _ = strict_hits(task.truth, [row.name for row in rows])
    return [found[number] + 1 if number in found else 0 for number in range(len(task.truth))]


def gain(ranks: Ranks) -> float:
    """Strict nDCG@10."""
    hits = sorted(rank for rank in ranks if 0 < rank <= DEPTH)
    ideal = range(1, min(DEPTH, len(ranks)) + 1)
    worth = [sum(1 / math.log2(rank + 1) for rank in some) for some in (hits, ideal)]
    return worth[0] / worth[1]


def moves(held: State, now: State) -> tuple[list[str], list[str]]:
    """What moved down and what moved up, a line each."""
    down: list[str] = []
    up: list[str] = []
    for name, before in held.tasks.items():
        after = now.tasks.get(name)
        if after is None:
            down.append(f"{name}: is gone")
            continue
        change = gain(after) - gain(before)
        line = f"{name}: {change:+.3f}, ranks {before} -> {after}"
        if abs(change) > 1e-9:
            (down if change < 0 else up).append(line)
    for repo, floor in held.floors.items():
        mean = now.floors.get(repo, 0.0)
        if mean < floor - MARGIN:
            down.append(f"{repo}: mean strict nDCG@10 {floor:.3f} -> {mean:.3f}")
    return down, up


def report(held: State, now: State) -> int:
    """Print what moved; 1 if anything moved down."""
    down, up = moves(held, now)
    new = [name for name in now.tasks if name not in held.tasks]
    for line in down:
        print(f"DOWN {line}")
    for line in up:
        print(f"up   {line}")
    if new or up:
        print(f"{len(new)} new, {len(up)} better: hold them with `python -m eval ratchet --update`")
    print(f"{len(down)} of {len(held.tasks)} tasks are ranked worse than what is held")
    return 1 if down else 0


def read_state(file: Path) -> State:
    content: Any = read_json(file)
    try:
        return State(tasks=dict(content["tasks"]), floors=dict(content["floors"]))
    except (KeyError, TypeError, ValueError) as error:
        raise EvalError(f"{file} holds no ranks: {error}") from error


def write_state(file: Path, held: State) -> None:
    """Write one task a line, so that a difference shows what moved."""
    lines = ",\n".join(f"  {json.dumps(name)}: {ranks}" for name, ranks in held.tasks.items())
    write_text(file, f'{{"floors": {json.dumps(held.floors)},\n "tasks": {{\n{lines}\n }}\n}}\n')

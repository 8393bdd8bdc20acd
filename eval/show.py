"""`python -m eval show TASK`: what was wanted, what came, and where each wanted symbol is."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from eval.failure import EvalError
from eval.matchers import published
from eval.metrics import DEPTH, METRICS, Row, score_task, strict_hits
from eval.results import read_rankings
from eval.tasks import Task, read_tasks

STRICT, GENEROUS = "=", "~"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("show", help="one task: what was wanted and what came")
    parser.add_argument("task", metavar="TASK", help="its id, or a part of it that is unique")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--ranking", type=Path, required=True, help="file that `rank` wrote")
    parser.add_argument("--results", type=int, default=20, help="how many results are shown")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print one task."""
    task = find(read_tasks(options.tasks), options.task)
    rankings = read_rankings(options.ranking)
    if task.id not in rankings:
        raise EvalError(f"{options.ranking} has no ranking of {task.id}")
    print(shown(task, rankings[task.id], options.results))
    return 0


def find(tasks: Sequence[Task], name: str) -> Task:
    """The task of this id, or the only one whose id has this in it."""
    exact = [task for task in tasks if task.id == name]
    near = exact or [task for task in tasks if name in task.id]
    if len(near) != 1:
        names = ", ".join(task.id for task in near[:10]) or "none"
        raise EvalError(f"which task is {name}? it could be: {names}")
    return near[0]


def shown(task: Task, rows: Sequence[Row], results: int = 20) -> str:
    """A page about one task."""
    scores = score_task(task, rows)
    figures = ", ".join(f"{m.title} {scores[m.key]:.3f}" for m in METRICS if m.key in scores)
    lines = [
        f"{task.id} ({task.repo}, {task.tier}, {task.source})",
        task.description,
        "",
        "wanted, with the rank at which it is found (strict, generous):",
        *(f"  {strict:>4} {generous:>4}  {name}" for name, strict, generous in ranks(task, rows)),
        "",
        f"came ({STRICT} strict hit, {GENEROUS} generous hit; line after {DEPTH}):",
        *_results(task, rows[:results]),
        "",
        figures,
    ]
    return "\n".join(lines)


def ranks(task: Task, rows: Sequence[Row]) -> list[tuple[str, str, str]]:
    """Each wanted name with its ranks from 1, strict and generous; - if it did not come."""
    names = [row.name for row in rows]
    found, _ = strict_hits(task.truth, names)
    table = []
    for number, wanted in enumerate(task.truth):
        near = next((i for i, name in enumerate(names) if published(name, wanted)), None)
        table.append((wanted, _rank(found.get(number)), _rank(near)))
    return table


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank + 1)


def _results(task: Task, rows: Sequence[Row]) -> list[str]:
    _, new = strict_hits(task.truth, [row.name for row in rows])
    lines = []
    for rank, (row, is_new) in enumerate(zip(rows, new, strict=True), 1):
        near = any(published(row.name, wanted) for wanted in task.truth)
        mark = STRICT if is_new else GENEROUS if near else " "
        lines.append(f"  {rank:>4} {mark} {row.score:8.4f}  {row.name}  {row.path}:{row.line}")
        if rank == DEPTH and len(rows) > DEPTH:
            lines.append("  " + "-" * 40)
    return lines or ["  nothing"]

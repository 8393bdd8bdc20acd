"""`python -m eval compare A B`: whether ranking B is better than ranking A, task by task."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from eval.corpus import languages
from eval.failure import EvalError
from eval.metrics import METRICS, Metric, Scores
from eval.paired import Difference, difference
from eval.report import ALL, CLEAN, LEAKING, score_all, table
from eval.results import read_rankings
from eval.tasks import Task, chosen, read_tasks

SHOWN = ("P@10", "R@10", "nDCG", "MRR", "sR@10", "snDCG", "zero", "szero")
BY_REPO = ("P@10", "sR@10", "snDCG")
"""Metrics that are also compared within each repository."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("compare", help="compare two rankings of the same tasks")
    parser.add_argument("a", type=Path, metavar="A", help="file that `rank` wrote")
    parser.add_argument("b", type=Path, metavar="B", help="another one")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--moved", action="store_true", help="list tasks whose strict R@10 moved")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare and print."""
    tasks = chosen(read_tasks(options.tasks, languages()), options.repo)
    a, b = (score_all(tasks, read_rankings(file)).scores for file in (options.a, options.b))
    common = [task for task in tasks if task.id in a and task.id in b]
    if not common:
        raise EvalError("the two rankings have no task of this file in common")
    found = compare(common, a, b)
    if options.json:
        rows = {name: {k: asdict(d) for k, d in part.items()} for name, part in found.items()}
        print(json.dumps(rows))
        return 0
    print(as_markdown(found))
    if options.moved:
        print("\n" + moved(common, a, b))
    return 0


def compare(
    tasks: Sequence[Task], a: Mapping[str, Scores], b: Mapping[str, Scores]
) -> dict[str, dict[str, Difference]]:
    """Group -> metric -> difference; groups are all tasks and each repository."""
    metrics = [metric for metric in METRICS if metric.key in SHOWN]
    few = [metric for metric in metrics if metric.key in BY_REPO]
    found = {ALL: _differences(tasks, a, b, metrics)}
    clean = [task for task in tasks if task.source != LEAKING]
    if 0 < len(clean) < len(tasks):
        found[CLEAN] = _differences(clean, a, b, few)
    for repo in sorted({task.repo for task in tasks}):
        found[repo] = _differences([task for task in tasks if task.repo == repo], a, b, few)
    return found


def _differences(
    tasks: Sequence[Task],
    a: Mapping[str, Scores],
    b: Mapping[str, Scores],
    metrics: Sequence[Metric],
) -> dict[str, Difference]:
    return {
        metric.key: difference(
            [a[task.id][metric.key] for task in tasks], [b[task.id][metric.key] for task in tasks]
        )
        for metric in metrics
    }


def as_markdown(found: Mapping[str, Mapping[str, Difference]]) -> str:
    """One row for each group and metric."""
    head = ["", "tasks", "metric", "A", "B", "B - A", "95 %", "up", "down", "p", "effect"]
    titles = {metric.key: metric.title for metric in METRICS}
    rows = [
        [name, str(d.tasks), titles[key], *_cells(d)]
        for name, part in found.items()
        for key, d in part.items()
    ]
    return table(head, rows)


def _cells(d: Difference) -> list[str]:
    return [
        f"{d.a:.3f}",
        f"{d.b:.3f}",
        f"{d.gain:+.4f}",
        f"{d.low:+.3f} to {d.high:+.3f}",
        str(d.better),
        str(d.worse),
        f"{d.p:.4f}",
        f"{d.effect:+.2f}",
    ]


def moved(tasks: Sequence[Task], a: Mapping[str, Scores], b: Mapping[str, Scores]) -> str:
    """Tasks whose strict figures changed, the largest loss first."""
    rows = [[name, f"{recall:+.3f}", f"{gain:+.3f}"] for recall, gain, name in _moves(tasks, a, b)]
    return table(["task", "strict R@10", "strict nDCG@10"], rows)


def _moves(
    tasks: Sequence[Task], a: Mapping[str, Scores], b: Mapping[str, Scores]
) -> list[tuple[float, float, str]]:
    changes = [
        (b[task.id]["sR@10"] - a[task.id]["sR@10"], b[task.id]["snDCG"] - a[task.id]["snDCG"])
        for task in tasks
    ]
    return sorted(
        (recall, gain, task.id)
        for task, (recall, gain) in zip(tasks, changes, strict=True)
        if abs(gain) > 1e-9
    )

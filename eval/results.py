"""Files of rankings and of what they cost, read and written.

A ranking file is `{task id: [{name, path, line, score}, ...]}`, best first. Costs stand in a file
of their own, because they differ from run to run and rankings do not.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from eval.failure import EvalError
from eval.metrics import Cost, Row
from eval.tasks import read_json

Rankings = dict[str, list[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What it cost to make a repository ready to be asked."""

    cpu: float = 0.0
    """Processor seconds, of this process and its children."""
    wall: float = 0.0
    peak: int = 0
    """Bytes resident in the largest process; 0 if it was not measured."""
    disk: int = 0


@dataclass(slots=True)
class Costs:
    """What a run cost: each repository's preparation, each task's answer."""

    repos: dict[str, Preparation] = field(default_factory=dict)
    tasks: dict[str, Cost] = field(default_factory=dict)


def read_rankings(file: Path) -> Rankings:
    """Task -> results, best first."""
    content = read_json(file)
    if not isinstance(content, dict):
        raise EvalError(f"{file} is not a JSON object of rankings")
    return {str(task): [_row(row, file, task) for row in rows] for task, rows in content.items()}


def _row(row: Any, file: Path, task: str) -> Row:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise EvalError(f"{file}: task {task} has a result without a name")
    return Row(
        name=row["name"],
        path=str(row.get("path", "")),
        line=int(row.get("line", 0)),
        score=float(row.get("score", 0.0)),
    )


def write_rankings(file: Path, rankings: Mapping[str, Sequence[Row]]) -> None:
    """Write one task a line, so that two files can be compared by eye."""
    lines = [
        f"{json.dumps(task)}: {json.dumps([asdict(row) for row in rows])}"
        for task, rows in rankings.items()
    ]
    write_text(file, "{\n" + ",\n".join(lines) + "\n}\n")


def read_costs(file: Path) -> Costs:
    content = read_json(file)
    try:
        return Costs(
            repos={name: Preparation(**row) for name, row in content["repos"].items()},
            tasks={
                name: Cost(milliseconds=row["milliseconds"], sizes=tuple(row["sizes"]))
                for name, row in content["tasks"].items()
            },
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise EvalError(f"{file} is not a file of costs: {error}") from error


def write_costs(file: Path, costs: Costs) -> None:
    content = {
        "repos": {name: asdict(cost) for name, cost in costs.repos.items()},
        "tasks": {name: asdict(cost) for name, cost in costs.tasks.items()},
    }
    write_text(file, json.dumps(content, indent=1) + "\n")


def write_text(file: Path, text: str) -> None:
    """Write a file, making its folder."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise EvalError(f"cannot write {file}: {error}") from error

"""Tasks: what somebody wants to do in a repository, and the symbols that they need for it.

A file of tasks is a JSON list of objects. `id`, `repo` and `description` are asked,
`ground_truth` (a list of names) is what an answer is scored against; `tier`, `source`,
`language`, `kind`, `tags` and `files` are for grouping and may be missing. A folder, or a file
that ends in `.toml`, holds fixtures of our own (see `eval.fixtures`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.failure import EvalError
from eval.fixtures import read_fixtures

UNKNOWN = "?"
"""Group of tasks that do not say where they belong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The part of a task that a ranker may see."""

    id: str
    repo: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question with what its answer is scored against."""

    id: str
    repo: str
    description: str
    truth: tuple[str, ...]
    """Wanted names, as written."""
    tier: str = UNKNOWN
    source: str = UNKNOWN
    language: str = UNKNOWN
    kind: str = UNKNOWN
    files: tuple[str, ...] = ()

    def group(self, by: str) -> str:
        """The group this task belongs to, by the name of a field."""
        return str(getattr(self, by))


def read_questions(file: Path) -> list[Question]:
    """What is to be asked; ground truth is not looked at."""
    return [_question(row, file) for row in read_rows(file)]


def read_tasks(file: Path, languages: Mapping[str, str] | None = None) -> list[Task]:
    """Tasks with their ground truth; `languages` says which language a repository is in."""
    tasks = [_task(row, file, languages or {}) for row in read_rows(file)]
    _refuse_repeated(task.id for task in tasks)
    return tasks


def read_rows(file: Path) -> list[dict[str, Any]]:
    """The tasks of a file or a folder, as they are written."""
    if file.is_dir() or file.suffix == ".toml":
        return read_fixtures(file)
    rows = read_json(file)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise EvalError(f"{file} is not a JSON list of tasks")
    return rows


def read_json(file: Path) -> Any:
    """The content of a JSON file."""
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EvalError(f"cannot read {file}: {error}") from error


def chosen(tasks: Sequence[Task], repos: Sequence[str] | None) -> list[Task]:
    """The tasks of some repositories, or all."""
    return [task for task in tasks if not repos or task.repo in repos]


def _question(row: Mapping[str, Any], file: Path) -> Question:
    texts = {}
    for key in ("id", "repo", "description"):
        value = row.get(key)
        if not isinstance(value, str) or not value:
            raise EvalError(f"{file}: task {row.get('id', '?')} has no {key}")
        texts[key] = value
    return Question(**texts)


def _task(row: Mapping[str, Any], file: Path, languages: Mapping[str, str]) -> Task:
    question = _question(row, file)
    truth = row.get("ground_truth")
    if not isinstance(truth, list) or not truth or not all(isinstance(name, str) for name in truth):
        raise EvalError(f"{file}: task {question.id} has no list of names as ground truth")
    return Task(
        id=question.id,
        repo=question.repo,
        description=question.description,
        truth=tuple(truth),
        tier=str(row.get("tier", UNKNOWN)),
        source=str(row.get("source", UNKNOWN)),
        language=str(row.get("language", languages.get(question.repo, UNKNOWN))),
        kind=str(row.get("kind", UNKNOWN)),
        files=tuple(str(name) for name in row.get("files", ())),
    )


def _refuse_repeated(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise EvalError(f"two tasks are called {name}")
        seen.add(name)

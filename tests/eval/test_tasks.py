import json
from pathlib import Path

import pytest

from eval.failure import EvalError
from eval.fixtures import HERE
from eval.packages import SELF, packages
from eval.tasks import Question, read_questions, read_tasks

ROW = {"id": "t1", "repo": "shop", "description": "pay an order", "ground_truth": ["Order.pay"]}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "tasks.json"
    file.write_text(json.dumps(list(rows)), encoding="utf-8")
    return file


def test_a_question_does_not_need_ground_truth(tmp_path: Path) -> None:
    row = {**ROW, "ground_truth": 7}
    assert read_questions(write(tmp_path, row)) == [
        Question(id="t1", repo="shop", description="pay an order")
    ]


def test_a_task_knows_its_groups(tmp_path: Path) -> None:
    file = write(tmp_path, {**ROW, "tier": "easy", "source": "manual", "tags": ["x"]})
    (task,) = read_tasks(file, {"shop": "python"})
    assert [task.group(by) for by in ("tier", "source", "language", "repo", "kind")] == [
        "easy",
        "manual",
        "python",
        "shop",
        "?",
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{**ROW, "ground_truth": []}], "t1 has no list of names"),
        ([{**ROW, "ground_truth": [1]}], "t1 has no list of names"),
        ([{**ROW, "description": ""}], "t1 has no description"),
        ([{"repo": "shop"}], "no id"),
        ([ROW, ROW], "two tasks are called t1"),
        (["t1"], "not a JSON list"),
    ],
)
def test_bad_tasks_are_refused(rows: list[object], said: str, tmp_path: Path) -> None:
    with pytest.raises(EvalError, match=said):
        read_tasks(write(tmp_path, *rows))


def test_fixtures_share_what_their_file_says(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'repo = "shop"\nlanguage = "go"\n[[task]]\nid = "a"\ndescription = "x"\n'
        'ground_truth = ["A"]\n[[task]]\nid = "b"\ndescription = "y"\nground_truth = ["B"]\n',
        encoding="utf-8",
    )
    tasks = read_tasks(tmp_path)
    assert [(task.id, task.repo, task.language) for task in tasks] == [
        ("a", "shop", "go"),
        ("b", "shop", "go"),
    ]
    (tmp_path / "b.toml").write_text("[[task", encoding="utf-8")
    with pytest.raises(EvalError, match=r"b\.toml"):
        read_tasks(tmp_path)


def test_our_fixtures_are_many_and_varied() -> None:
    tasks = read_tasks(HERE)
    assert len(tasks) >= 60
    assert {task.repo for task in tasks} == {SELF, *(package.name for package in packages())}
    assert {task.tier for task in tasks} == {"easy", "medium", "hard"}
    assert {task.kind for task in tasks} == {"exact", "concept", "multi-hop"}
    assert {"python", "typescript", "go", "rust"} <= {task.language for task in tasks}

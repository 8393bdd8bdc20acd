"""What a task finds, how the score is made up, and that the answer is always the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowing.engine import Engine
from knowing.engine_answers import Extent
from knowing.retrieve import DEFAULT
from knowing.retrieve.parts import DESCRIPTIONS
from knowing.retrieve.score import CHANNELS

ROOT = Path(__file__).resolve().parents[2]
TASKS = (
    "Where are the ignore rules of git applied when files are discovered?",
    "Fix `Shelf.start_afresh` so that a damaged database is kept",
    "The snapshot is not replaced atomically when the disk is full",
    "how are references resolved in rounds",
    "KeyTable.first_wins",
)


def names(engine: Engine, task: str, limit: int = 10) -> list[str]:
    ranking = engine.rank(task, limit=limit)
    return [ranking.view.symbols.chain[hit.symbol] for hit in ranking.hits]


def test_a_name_in_the_task_comes_first(engine: Engine) -> None:
    assert names(engine, "KeyTable.first_wins")[0] == "KeyTable.first_wins"
    assert "EdgeTable" in names(engine, "Add a column to the `EdgeTable`")[:3]


def test_words_find_what_they_are_about(engine: Engine) -> None:
    found = names(engine, "apply the rules of nested gitignore files", 15)
    ranking = engine.rank("apply the rules of nested gitignore files", limit=15)
    paths = [ranking.view.paths[int(ranking.view.symbols.file[h.symbol])] for h in ranking.hits]
    assert found
    assert any(path.endswith("files/ignore.py") for path in paths[:5])


@pytest.mark.parametrize("task", TASKS)
def test_the_parts_of_every_score_add_up(engine: Engine, task: str) -> None:
    ranking = engine.rank(task, limit=50)
    assert ranking.hits
    for hit in ranking.hits:
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score, abs=1e-6)
        told = engine.why(task, ranking.view.identity(hit.symbol))
        assert told.rank == hit.rank
        assert sum(part.value for part in told.parts) == pytest.approx(told.score, abs=1e-6)


@pytest.mark.parametrize("task", TASKS)
def test_scores_fall_and_agree_with_the_ranking(engine: Engine, task: str) -> None:
    ranking = engine.rank(task, limit=50)
    scores = ranking.evidence["score"]
    for hit in ranking.hits:
        variety = sum(part.value for part in hit.parts if part.name == "variety")
        assert hit.score - variety == pytest.approx(float(scores[hit.symbol]), rel=1e-4)
    assert [hit.rank for hit in ranking.hits] == list(range(1, len(ranking.hits) + 1))


def test_every_part_has_a_meaning() -> None:
    assert set(CHANNELS) <= set(DESCRIPTIONS)


def test_each_hit_says_why(engine: Engine) -> None:
    for hit in engine.rank(TASKS[0], limit=10).hits:
        assert hit.why


def test_tests_are_held_down_unless_the_task_wants_them(engine: Engine) -> None:
    def place(task: str) -> int:
        found = names(engine, task, 50)
        return found.index("test_gitignore_patterns") if "test_gitignore_patterns" in found else 99

    assert place("add a test for gitignore patterns") < place("change the gitignore patterns")


def test_what_is_not_returned_says_what_kept_it_out(engine: Engine) -> None:
    told = engine.why("gitignore patterns", "SnapshotInfo")
    assert told.rank is None
    assert told.verdict.startswith("not returned")


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("", "the task is empty"),
        ("   \n", "the task is empty"),
        ("the of and", "no word that says what it is about"),
        ("zzyzx qwrtp", "uses none of these words"),
        ("🦀", "uses none of these words"),
        ("修复文件扫描", "uses none of these words"),
    ],
)
def test_nothing_found_has_a_reason(engine: Engine, task: str, said: str) -> None:
    answer = engine.context(task)
    assert answer.symbols == ()
    assert any(said in note for note in answer.notes)


@pytest.mark.parametrize(
    "task",
    [
        "word " * 10_000,
        'Traceback (most recent call last):\n  File "knowing/store/shelf.py", line 3, in mend\n'
        "    self.start_afresh()\nDamagedError: the index is damaged",
        "SELECT path, digest FROM files WHERE path = ?",
        "@@ -1,4 +1,4 @@\n-def scan(root):\n+def scan(root, rules):",
        "\x00\x01 `",
        "'" * 5000,
    ],
)
def test_strange_tasks_are_answered(engine: Engine, task: str) -> None:
    answer = engine.context(task, Extent(budget=500))
    assert answer.used <= 500
    assert answer.symbols or answer.notes


words = st.sampled_from(
    [
        "file",
        "ignore",
        "snapshot",
        "graph",
        "edge",
        "resolve",
        "import",
        "scan",
        "git",
        "rule",
        "write",
        "lock",
        "damaged",
        "view",
        "member",
        "the",
        "of",
        "in",
        "how",
        "fix",
        "add",
        "where",
        "`View`",
        "KeyTable.find",
        "shelf.py",
        "42",
        "(",
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    task=st.lists(words, min_size=1, max_size=12).map(" ".join),
    budget=st.integers(min_value=200, max_value=50_000),
)
def test_an_answer_never_exceeds_its_budget(engine: Engine, task: str, budget: int) -> None:
    answer = engine.context(task, Extent(budget=budget))
    assert answer.used <= budget


def test_the_same_question_has_the_same_answer_in_every_process(engine: Engine) -> None:
    command = [sys.executable, "-m", "knowing", "context", TASKS[0], "--json"]
    command += ["--root", str(engine.root), "--index-dir", str(engine.folder.parent)]
    answers = set()
    for seed in range(5):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        found = json.loads(done.stdout)
        answers.add(json.dumps([found["symbols"], found["text"]]))
    assert len(answers) == 1


def test_numbers_can_be_replaced_for_a_trial(engine: Engine) -> None:
    without = DEFAULT.with_values({"score.walk": 0.0, "score.text": 0.0})
    assert names(engine, TASKS[0]) != [
        engine.view().symbols.chain[hit.symbol]
        for hit in engine.rank(TASKS[0], limit=10, tuning=without).hits
    ]

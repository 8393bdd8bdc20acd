"""The ratchet and the findings over this project's own sources, with rankers that are sabotaged."""

import json
from pathlib import Path

import pytest

from eval import packages, ratchet
from eval.__main__ import main
from eval.baselines import BASELINES, Grep
from eval.fixtures import HERE
from eval.rankers import EngineSystem, System
from eval.report import ALL, score_all
from eval.results import Rankings
from eval.tasks import Task, read_tasks
from tests.eval.toys import Reversed

SOURCES = ("knowing/files", "knowing/store", "knowing/settings_schema.py", "knowing/text.py")
TASKS = """\
repo = "pinned"
language = "python"
task = [
  {id = "a", description = "split an identifier into words", ground_truth = ["split_identifier"]},
  {id = "b", description = "a byte offset to line and column", ground_truth = [
    "LineIndex.position", "LineIndex.line_at"]},
  {id = "c", description = "two processes must not write at once", ground_truth = [
    "writer_lock", "Shelf.writing"]},
  {id = "d", description = "a time stamp too fresh to be trusted", ground_truth = [
    "Stamp.is_racy", "stamp_of"]},
  {id = "e", description = "which ignore rule decides about a path", ground_truth = [
    "RuleSet.deciding", "RuleStack.deciding"]},
  {id = "f", description = "decode UTF-16 text without a byte order mark", ground_truth = [
    "to_utf8", "_from_unmarked_utf16"]},
  {id = "g", description = "where a link leads", ground_truth = ["Links.target", "LinkTarget"]},
  {id = "h", description = "forget files that were removed", ground_truth = [
    "Database.remove_files", "Database.forget"]},
]
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of our own sources as a repository that does not change."""
    folder = tmp_path_factory.mktemp("corpus")
    packages.copy_own(folder / "pinned", SOURCES)
    return folder


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tasks") / "pinned.toml"
    file.write_text(TASKS, encoding="utf-8")
    return file


def strict(tasks: list[Task], rankings: Rankings) -> tuple[float, float]:
    means = score_all(tasks, rankings).overall[ALL].means
    return means["sR@10"], means["snDCG"]


def measured(system: System, tasks: list[Task], corpus: Path) -> tuple[Rankings, ratchet.State]:
    rankings = dict(ratchet.ranked(system, tasks, corpus))
    return {k: list(v) for k, v in rankings.items()}, ratchet.state(tasks, rankings)


def test_sabotage_lowers_the_strict_metrics_and_fails_the_ratchet(
    corpus: Path, tasks: Path
) -> None:
    fixtures = read_tasks(tasks)
    engine = EngineSystem(history=False)
    classes = next(s for s in BASELINES if isinstance(s, Grep) and s.name == "classes")
    good, held = measured(engine, fixtures, corpus)
    recall, gain = strict(fixtures, good)
    for sabotaged in (Reversed(engine), classes):
        rankings, now = measured(sabotaged, fixtures, corpus)
        worse_recall, worse_gain = strict(fixtures, rankings)
        assert worse_recall < recall - 0.1
        assert worse_gain < gain - 0.1
        down, _ = ratchet.moves(held, now)
        assert len(down) >= 3
    assert ratchet.moves(held, held) == ([], [])


def test_leaving_out_a_channel_fails_the_ratchet(
    corpus: Path, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ranks = tmp_path / "ranks.json"
    arguments = ["ratchet", "--tasks", str(tasks), "--corpus", str(corpus), "--ranks", str(ranks)]
    assert main([*arguments, "--update"]) == 0
    assert main(arguments) == 0
    assert "0 of 8 tasks are ranked worse" in capsys.readouterr().out
    silent = [f"--set=score.{name}=0" for name in ("text", "coverage", "compound")]
    assert main([*arguments, *silent]) == 1
    assert "DOWN " in capsys.readouterr().out


def test_moves() -> None:
    held = ratchet.State(tasks={"a": [1, 0], "b": [2], "c": [5], "d": [1]}, floors={"own": 0.5})
    now = ratchet.State(tasks={"a": [2, 0], "b": [1], "c": [5]}, floors={"own": 0.44})
    down, up = ratchet.moves(held, now)
    assert [line.partition(":")[0] for line in down] == ["a", "d", "own"]
    assert [line.partition(":")[0] for line in up] == ["b"]
    near = ratchet.State(tasks=held.tasks, floors={"own": 0.46})
    assert ratchet.moves(held, near) == ([], [])


def test_the_gain_of_ranks() -> None:
    assert ratchet.gain([1, 2]) == pytest.approx(1.0)
    assert ratchet.gain([2, 1]) == pytest.approx(1.0)
    assert ratchet.gain([0, 11]) == 0.0
    assert 0 < ratchet.gain([0, 3]) < ratchet.gain([0, 1]) < 1


def test_what_is_held_is_committed_and_complete() -> None:
    held = ratchet.read_state(ratchet.RANKS)
    wanted = {task.id: len(task.truth) for task in read_tasks(HERE) if task.repo != packages.SELF}
    assert {name: len(ranks) for name, ranks in held.tasks.items()} == wanted
    assert held.floors.keys() == {packages.SELF}


def test_findings_are_written_again_to_the_letter(
    corpus: Path, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    group = {"tasks": 3, "sR@10": 0.25, "snDCG": 0.2, "none": {}}
    whole = {
        "overall": {"all": group},
        "groups": {"tier": {"easy": group}},
        "tasks": {"secret": {}},
    }
    report.write_text(json.dumps(whole), encoding="utf-8")
    ranks = tmp_path / "ranks.json"
    files = ("FINDINGS.md", "plots/quality.svg", "plots/baselines.svg", "development.json")
    for name in ("one", "two"):
        where = ["--tasks", str(tasks), "--corpus", str(corpus), "--to", str(tmp_path / name)]
        more = ["--ranks", str(ranks), "--development", str(report)]
        assert main(["findings", *where, *more]) == 0
    texts = [
        [(tmp_path / name / file).read_text("utf-8") for file in files] for name in ("one", "two")
    ]
    assert texts[0] == texts[1]
    assert "| easy | 3 | 0.250 | 0.200 |" in texts[0][0]
    assert "secret" not in "".join(texts[0])
    assert "<svg" in texts[0][1]

"""The commands: feedback, learned, tune, and learning across processes."""

import json
import subprocess
from pathlib import Path

import pytest

from knowing.learn.calibrate import Case as Tried
from knowing.learn.calibrate import calibrate
from tests.cli.running import Case
from tests.learn.shops import TASK, shop


@pytest.fixture
def case(tmp_path: Path) -> Case:
    found = Case(shop(tmp_path / "work"), tmp_path / "index")
    assert found.call("index", "--json").code == 0
    return found


def first(case: Case, *options: str) -> str:
    ran = case.call("context", TASK, "--json", *options)
    assert ran.code == 0, ran.err
    name: str = ran.json["symbols"][0]["name"]
    return name


def test_a_pin_holds_over_runs_and_can_be_taken_back(case: Case) -> None:
    plain = first(case)
    assert case.call("feedback", "pin", "ship").code == 0
    assert first(case) == "ship"
    assert first(case, "--set", "learn.enabled=false") == plain
    assert case.call("feedback", "unpin", "ship", "--json").json["accepted"]
    assert first(case) == plain


def test_a_use_after_an_answer_of_another_process_is_learned(case: Case) -> None:
    first(case)
    assert case.call("feedback", "used", "Ledger.post", "--json").json["accepted"]
    report = case.call("learned", "--json").json
    assert report["topics"] == 1
    assert report["opinions"][0]["symbol"] == "billing/ledger.py::Ledger.post"
    why = case.call("why", TASK, "--symbol", "Ledger.post", "--json").json
    assert sum(part["value"] for part in why["parts"]) == pytest.approx(why["score"])
    assert "feedback" in {part["name"] for part in why["parts"]}
    assert "Ledger.post" in case.call("learned").out


def test_what_was_learned_is_exported_cleared_and_imported(case: Case, tmp_path: Path) -> None:
    first(case)
    case.call("feedback", "used", "Ledger.post")
    case.call("feedback", "ban", "bill_customer", "--task", TASK)
    before = case.call("learned", "--json").json
    file = tmp_path / "learned.jsonl"
    assert case.call("learned", "--export", str(file)).code == 0
    assert case.call("learned", "--import", str(file), "--json").json == {"added": 0}
    assert case.call("learned", "--clear", "--json").json["removed"] > 0
    assert case.call("learned", "--json").json["events"] == 0
    assert first(case) == "bill_customer"
    assert case.call("learned", "--clear").code == 0
    assert case.call("learned", "--import", str(file)).code == 0
    assert case.call("learned", "--json").json["opinions"] == before["opinions"]
    assert first(case) != "bill_customer"


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format": "knowing-learned", "version": 1}\n{"a": 1}']
)
def test_a_file_that_is_none_of_ours_is_refused(case: Case, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other"
    file.write_text(text, "utf-8")
    ran = case.call("learned", "--import", str(file))
    assert ran.code == 1
    assert "knowing learned --export" in ran.err
    assert case.call("learned", "--import", str(tmp_path / "none")).code == 1


def test_clear_keeps_what_was_learned_unless_told(case: Case) -> None:
    plain = first(case)
    case.call("feedback", "pin", "ship")
    assert "--learned removes it" in case.call("clear").out
    assert first(case) == "ship"
    removed = Path(case.call("clear", "--learned", "--json").json["learned"])
    assert not removed.exists()
    assert first(case) == plain


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def test_tuning_with_few_commits_changes_nothing_and_says_so(case: Case) -> None:
    git(case.root, "init")
    git(case.root, "add", ".")
    git(case.root, "commit", "-m", "Bill customers for what they order")
    ran = case.call("tune", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["applied"] is False
    assert "are needed" in ran.json["verdict"]
    assert case.call("learned", "--json").json["tuning"] == {}


def test_tuning_replays_commits_and_can_be_taken_back(case: Case) -> None:
    git(case.root, "init")
    path = case.root / "billing/invoice.py"
    text = path.read_text("utf-8")
    for number in range(26):
        text = text.replace("return total(order)", "return total(order) + 0", 1)
        text = text.replace("+ 0 + 0", "- 0", 1)
        path.write_text(text + f"\nROUND = {number}\n", "utf-8")
        git(case.root, "add", ".")
        git(case.root, "commit", "-m", f"Round the bill of customer kind{number} for every order")
    ran = case.call("tune", "--json")
    assert ran.code == 0, ran.err
    found = ran.json
    assert found["commits"] + found["held_out"] >= 24
    assert found["applied"] == (bool(found["chosen"]) and found["low"] > 0)
    assert case.call("learned", "--json").json["tuning"] == (
        found["chosen"] if found["applied"] else {}
    )
    assert case.call("tune", "--reset").code == 0
    assert case.call("learned", "--json").json["tuning"] == {}


def tried(good: int, bad: int) -> Tried:
    """A commit whose symbol the first channel finds and the second misleads from."""
    import numpy as np

    channels = np.zeros((2, 30))
    channels[0, good] = 1.0
    channels[1, bad : bad + 12] = 3.0
    wanted = np.zeros(30, dtype=bool)
    wanted[good] = True
    return Tried(channels=channels, factor=np.ones(30), wanted=wanted, total=1)


def test_weights_are_changed_only_if_commits_that_had_no_part_in_it_agree() -> None:
    helpful = [tried(number % 10, 15) for number in range(20)]
    shipped = {"a": 1.0, "b": 1.0}
    found = calibrate(("a", "b"), shipped, helpful, helpful)
    assert found.is_better
    assert found.changed
    assert found.after > found.before
    contrary = [tried(number % 10, 15) for number in range(20)]
    swapped = [
        Tried(channels=item.channels[::-1], factor=item.factor, wanted=item.wanted, total=1)
        for item in contrary
    ]
    assert not calibrate(("a", "b"), shipped, helpful, swapped).is_better


def test_an_export_holds_words_and_names_but_no_code(case: Case, tmp_path: Path) -> None:
    first(case)
    case.call("feedback", "used", "Ledger.post")
    file = tmp_path / "learned.jsonl"
    case.call("learned", "--export", str(file))
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert rows[0]["format"] == "knowing-learned"
    assert {row["topic"] for row in rows[1:]} == {"billed customer order"}
    assert "def " not in file.read_text("utf-8")

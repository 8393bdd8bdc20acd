"""Simulated users of a small workspace."""

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from tests.learn.shops import OTHER, TASK, shop

TASKS = [
    {"id": "1", "repo": "work", "description": TASK, "ground_truth": ["Ledger.post"]},
    {"id": "2", "repo": "work", "description": OTHER, "ground_truth": ["Parcel.weigh"]},
    {"id": "3", "repo": "work", "description": "ship a parcel", "ground_truth": ["ship"]},
]


def test_a_careful_user_gains_on_what_is_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(tmp_path / "work")
    (tmp_path / "tasks.json").write_text(json.dumps(TASKS), "utf-8")
    where = ("--tasks", str(tmp_path / "tasks.json"), "--corpus", str(tmp_path))
    made = ("--output", str(tmp_path / "all.json"), "--plot", str(tmp_path / "all.svg"))
    assert main(["simulate", *where, *made, "--rounds", "3", "--seeds", "2"]) == 0
    careful, chance = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert (careful["user"], chance["user"]) == ("careful", "random")
    assert len(careful["same"]) == len(careful["other"]) == 4
    assert careful["same"][0] == careful["other"][0] == chance["same"][0] < 1
    assert careful["same"][-1] > careful["same"][0]
    assert (tmp_path / "all.svg").read_text("utf-8").startswith("<svg")
    shown = capsys.readouterr().out
    assert "| careful | same | work (3) |" in shown
    assert main(["simulate", *where, *made, "--rounds", "3", "--seeds", "2"]) == 0
    assert json.loads((tmp_path / "all.json").read_text("utf-8")) == [careful, chance]

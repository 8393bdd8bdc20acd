import argparse
import json
from pathlib import Path

import pytest

from eval import blast

SOURCE = """\
def inner():
    return 1

def outer():
    return inner()

def hidden(name):
    return globals()[name]()
"""


def call(line: int, caller: str, columns: tuple[int, int]) -> dict[str, object]:
    return {
        "caller_path": "pkg/a.py",
        "line": line,
        "col": columns[0],
        "end_line": line,
        "end_col": columns[1],
        "name_line": line,
        "called": "inner",
        "context": "call",
        "caller": caller,
        "inside": "",
        "owner": "",
        "callee_path": "pkg/a.py",
        "callee": "inner",
        "callee_line": 1,
        "internal": True,
        "also": [],
    }


def test_recorded_callers_are_compared_with_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "repo/pkg").mkdir(parents=True)
    (tmp_path / "repo/pkg/a.py").write_text(SOURCE, encoding="utf-8")
    recorded = tmp_path / "calls.jsonl"
    sites = [call(5, "outer", (11, 18)), {**call(8, "hidden", (11, 28)), "called": ""}]
    recorded.write_text("\n".join(map(json.dumps, sites)), encoding="utf-8")
    parser = argparse.ArgumentParser()
    blast.add_parser(parser.add_subparsers())
    given = ["blast", "--repo", str(tmp_path / "repo"), "--truth", str(recorded), "--json"]
    options = parser.parse_args(given)
    assert options.run(options) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["functions"], figures["callers"]) == (1, 2)
    assert figures["recall"] == 0.5
    assert figures["precision"] == 1.0
    assert figures["missing"] == {"pkg/a.py::inner": ["pkg/a.py:8 hidden"]}
    assert figures["complete"] == len(figures["falsely_complete"]) == 1

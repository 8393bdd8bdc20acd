"""Several windows and the command line on one workspace."""

import json
import subprocess
import sys
from pathlib import Path

from tests.server.conftest import Connect
from tests.server.talking import PATIENCE, WATCHING, environment
from tests.server.workspaces import repository

ROUNDS = 4


def _knowing(root: Path, index_dir: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "knowing", *arguments),
            *("--root", str(root), "--index-dir", str(index_dir)),
        ],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=index_dir.parent,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_two_windows_and_the_command_line_share_one_index(tmp_path: Path, connect: Connect) -> None:
    root = repository(tmp_path / "work")
    windows = [connect(), connect()]
    for window in windows:
        window.start(root, capabilities=WATCHING)
    for window in windows:
        window.fresh(root)
    for number in range(ROUNDS):
        made = root / f"made_{number}.py"
        made.write_text(
            f"from shop import place_order\n\n\ndef made_{number}():\n    place_order({number})\n",
            "utf-8",
        )
        for window in windows:
            window.watched(made, kind=1)
        if number % 3 == 1:
            assert json.loads(_knowing(root, tmp_path / "index", "index", "--json"))["files"] > 3
        windows[number % 2].run("knowing.reindex")
        for window in windows:
            blast = window.ask("knowing/blastRadius", {"symbol": "place_order"})
            assert f"made_{number}" in {item["name"] for item in blast["direct"]}
    for window in windows:
        assert window.end() == 0
        assert "Traceback" not in window.log.read_text("utf-8")
    assert _knowing(root, tmp_path / "index", "check")
    shared = _knowing(root, tmp_path / "index", "dump", "edges")
    (tmp_path / "other").mkdir()
    assert shared == _knowing(root, tmp_path / "other", "dump", "edges")
    assert "made_3" in shared

"""No room for the index: one clear line, the last good index stays, and room again is enough."""

import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import PATIENCE, Case, Ran, environment
from tests.cli.workspaces import module, small
from tests.graph.views import assert_same, facts_of

NO_ROOM = "error: there is no room left on the disk for the index"


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    attempt = ["unshare", "-rm", "mount", "-t", "tmpfs", "disk", "/mnt"]
    return subprocess.run(attempt, capture_output=True, check=False).returncode == 0


def test_a_disk_that_is_full_at_whatever_point(tmp_path: Path) -> None:
    if not can_mount():
        pytest.skip("a small disk cannot be mounted here")
    for name in ("folder", "disk"):
        (tmp_path / name).mkdir()
    told = subprocess.run(
        ["unshare", "-rm", sys.executable, "-m", "tests.store.small_disk", "folder", "disk"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE,
    )
    assert told.returncode == 0, told.stderr
    outcome = json.loads(told.stdout)
    story = {name: Ran(*ran) for name, ran in outcome["story"].items()}

    failed = [ran for name, ran in story.items() if name.startswith(("on", "index ")) and ran.code]
    assert len(failed) > 3
    for ran in failed:
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.splitlines()[0] == NO_ROOM
        assert "--index-dir" in ran.err.splitlines()[1]
    assert all(outcome["unchanged"])

    standing = [ran.json for name, ran in story.items() if name.startswith("status")]
    # Neither facts had room, nor, once these had, the snapshot.
    assert {item["pending"] > 0 for item in standing if item["state"] == "stale"} == {True, False}
    assert {item["generation"] for item in standing[:-1]} == {1}
    for ran in (ran for name, ran in story.items() if name.startswith("dump")):
        assert ran.code == 0
        assert "this is the last complete index" in ran.err

    assert standing[-1]["state"] == "fresh"
    assert story["check"].code == 0
    assert outcome["same"]


def limit(kilobytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    case = Case(small(tmp_path / "work"), tmp_path / "index")
    assert case.call("index").code == 0
    before = facts_of(case.view())
    for number in range(60):
        module(case.root, number, 60, parts=4)
    ran = case.run("index", preexec_fn=lambda: limit(100))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the index cannot be ")
    assert "--index-dir" in ran.err
    assert facts_of(case.view()) == before
    assert case.call("index").code == 0
    assert_same(case.view(), case.rebuilt(tmp_path / "fresh"))

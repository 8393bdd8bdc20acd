"""Incremental mining: nothing is read twice, nothing is lost, what is gone is dropped."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowing.history import Limits, Mined

Repo = Any
CODE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def subjects(mined: Mined) -> list[str]:
    return [commit.subject for commit in mined.commits]


def edit(repo: Repo, number: int) -> str:
    made: str = repo.commit(f"c{number}", {f"m{number % 3}.py": f"x = {number}\n{CODE}"})
    return made


def test_only_new_commits_are_read(repo: Repo) -> None:
    for number in range(3):
        edit(repo, number)
    first = repo.mine()
    for number in range(3, 5):
        edit(repo, number)
    second = repo.mine(since=first.since, known=first.order)
    assert subjects(second) == ["c4", "c3"]
    assert second.order == repo.mine().order


def test_nothing_new_is_nothing(repo: Repo) -> None:
    edit(repo, 0)
    first = repo.mine()
    second = repo.mine(since=first.since, known=first.order)
    assert second.commits == ()
    assert (second.order, second.since) == (first.order, first.since)


def test_an_amended_commit_takes_the_place_of_the_old_one(repo: Repo) -> None:
    edit(repo, 0)
    old = edit(repo, 1)
    first = repo.mine()
    repo.clock += 60
    repo.git("commit", "-q", "--amend", "-m", "better words")
    second = repo.mine(since=first.since, known=first.order)
    assert subjects(second) == ["better words"]
    assert old in first.order
    assert old not in second.order
    assert second.order == repo.mine().order


def test_a_rebased_branch_keeps_what_it_shares(repo: Repo) -> None:
    edit(repo, 0)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("topic", {"topic.py": CODE})
    first = repo.mine()
    repo.git("checkout", "-q", "main")
    repo.commit("main moves", {"main.py": CODE})
    repo.git("checkout", "-q", "topic")
    repo.clock += 60
    repo.git("rebase", "-q", "main")
    second = repo.mine(since=first.since, known=first.order)
    assert subjects(second) == ["topic", "main moves"]
    assert second.order == repo.mine().order


def test_switching_to_another_branch_and_back(repo: Repo) -> None:
    edit(repo, 0)
    repo.git("branch", "old")
    edit(repo, 1)
    on_main = repo.mine()
    repo.git("checkout", "-q", "old")
    edit(repo, 2)
    on_old = repo.mine(since=on_main.since, known=on_main.order)
    assert subjects(on_old) == ["c2"]
    assert on_old.order == repo.mine().order
    repo.git("checkout", "-q", "main")
    back = repo.mine(since=on_old.since, known=on_old.order)
    assert subjects(back) == ["c1"]
    assert back.order == on_main.order


def test_a_last_commit_that_no_longer_exists(repo: Repo) -> None:
    edit(repo, 0)
    edit(repo, 1)
    known = repo.mine().order
    mined = repo.mine(since="f" * 40, known=known)
    assert (mined.commits, mined.order) == ((), known)


def test_a_merge_brings_the_commits_of_its_branch(repo: Repo) -> None:
    edit(repo, 0)
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"side.py": CODE})
    repo.git("checkout", "-q", "main")
    edit(repo, 1)
    first = repo.mine()
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    second = repo.mine(since=first.since, known=first.order)
    assert [commit.hash for commit in second.commits] == [side]
    assert sorted(second.order) == sorted(repo.mine().order)


def test_without_time_nothing_is_read_and_nothing_is_lost(repo: Repo) -> None:
    edit(repo, 0)
    known = repo.mine().order
    edit(repo, 1)
    mined = repo.mine(limits=Limits(max_seconds=0.0), known=known)
    assert mined.since is None
    assert mined.problems == ("history is not read to its end: out of time",)
    assert mined.order == known


@pytest.mark.parametrize("patience", range(0, 8, 2))
def test_cancelled_at_any_moment_it_is_a_part_of_the_whole(repo: Repo, patience: int) -> None:
    for number in range(12):
        edit(repo, number)
    whole = repo.mine()
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > patience

    part = repo.mine(limits=Limits(cancelled=cancelled))
    assert set(part.commits) <= set(whole.commits)
    assert set(part.order) == {commit.hash for commit in part.commits}
    if part.since is None:
        assert "history is not read to its end: cancelled" in part.problems
    rest = repo.mine(since=part.since, known=part.order)
    assert not set(rest.commits) & set(part.commits)
    assert {*part.commits, *rest.commits} == set(whole.commits)
    assert rest.order == whole.order


@pytest.mark.skipif(os.name != "posix", reason="a script stands in for git")
def test_what_git_said_before_it_was_stopped_is_kept(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wrapper writes half of the patches, leaves a mark and hangs until it is killed."""
    for number in range(12):
        edit(repo, number)
    whole = repo.mine()
    mark = tmp_path / "mark"
    hang(tmp_path / "bin", mark)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    part = repo.mine(limits=Limits(cancelled=mark.exists))
    assert 4 <= len(part.commits) <= 6
    assert part.commits == whole.commits[: len(part.commits)]
    assert part.since is None
    monkeypatch.undo()
    rest = repo.mine(known=part.order)
    assert (*part.commits, *rest.commits) == whole.commits


def hang(folder: Path, mark: Path) -> None:
    real = shutil.which("git")
    folder.mkdir()
    wrapper = folder / "git"
    wrapper.write_text(
        f"""#!{sys.executable}
import pathlib, subprocess, sys, time
done = subprocess.run([{real!r}, *sys.argv[1:]], stdout=subprocess.PIPE)
long = "--patch" in sys.argv
sys.stdout.buffer.write(done.stdout[: len(done.stdout) // 2] if long else done.stdout)
sys.stdout.flush()
if long:
    pathlib.Path({str(mark)!r}).touch()
    time.sleep(600)
sys.exit(done.returncode)
""",
        encoding="utf-8",
    )
    wrapper.chmod(0o755)


def test_the_git_that_is_stopped_is_gone(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    psutil = pytest.importorskip("psutil")
    if os.name != "posix":
        pytest.skip("a script stands in for git")
    edit(repo, 0)
    mark = tmp_path / "mark"
    hang(tmp_path / "bin", mark)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    repo.mine(limits=Limits(cancelled=mark.exists))
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


def test_two_runs_say_the_same(repo: Repo, new_repo: Callable[[str], Repo]) -> None:
    for number in range(5):
        edit(repo, number)
    assert repo.mine() == repo.mine()
    other = new_repo("other")
    for number in range(5):
        edit(other, number)
    assert other.mine() == repo.mine()

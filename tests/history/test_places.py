"""Roots of every sort: none, empty, foreign, shallow, partial, worktree, folder, damaged."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowing.history import git, mine

Repo = Any
CODE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def subjects(mined: Any) -> list[str]:
    return [commit.subject for commit in mined.commits]


def three_commits(repo: Repo) -> list[str]:
    return [
        repo.commit("first", {"a.py": CODE}),
        repo.commit("second", {"a.py": CODE.replace("return 2", "return 22")}),
        repo.commit("third", {"a.py": CODE.replace("return 1", "return 11")}),
    ]


def remove_object(repo: Repo, name: str) -> None:
    path = repo.root / ".git" / "objects" / name[:2] / name[2:]
    path.chmod(stat.S_IWRITE | stat.S_IREAD)
    path.unlink()


def test_a_folder_without_git_has_no_history_and_says_so(tmp_path: Path) -> None:
    mined = mine(tmp_path, [".py"], known=["0" * 40])
    assert (mined.commits, mined.order, mined.head) == ((), (), None)
    assert mined.reason == "not a git repository"


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    assert "is not a folder" in mine(tmp_path / "gone", [".py"]).reason


def test_a_repository_without_commits_says_so(repo: Repo) -> None:
    assert repo.mine().reason == "the branch has no commits yet"


def test_without_git_on_the_path_it_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    known = three_commits(repo)
    monkeypatch.setenv("PATH", str(repo.root))
    assert "git is not installed" in repo.mine().reason
    # Not being able to look does not make the commits go away.
    assert repo.mine(known=known).order == tuple(known)
    monkeypatch.undo()
    assert len(repo.mine().commits) == 3


def test_a_repository_of_another_user_says_what_to_do(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    three_commits(repo)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    reason = repo.mine().reason
    assert "belongs to another user" in reason
    assert f"safe.directory {repo.root}" in reason


def test_a_folder_of_a_repository_sees_only_itself(repo: Repo) -> None:
    repo.commit("both", {"sub/in/a.py": CODE, "out.py": CODE})
    repo.commit("outside", {"out.py": "x = 1\n"})
    repo.commit("inside", {"sub/in/a.py": CODE + "x = 1\n"})
    mined = repo.mine(root=repo.root / "sub")
    assert subjects(mined) == ["inside", "both"]
    assert [commit.files for commit in mined.commits] == [("in/a.py",), ("in/a.py",)]
    assert {touch.path for touch in mined.commits[1].touches} == {"in/a.py"}


def test_a_folder_with_signs_of_a_pattern_in_its_name(repo: Repo) -> None:
    repo.commit("inside", {"[ab]*/a.py": CODE})
    repo.commit("beside", {"a/a.py": CODE})
    assert subjects(repo.mine(root=repo.root / "[ab]*")) == ["inside"]


def test_a_worktree_shows_its_own_branch(repo: Repo, tmp_path: Path) -> None:
    three_commits(repo)
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"), "HEAD~1")
    assert subjects(repo.mine(root=tmp_path / "tree")) == ["second", "first"]


def test_a_bare_repository_can_be_read(repo: Repo, clone: Callable[..., Repo]) -> None:
    three_commits(repo)
    bare = clone(repo, "bare.git", "--bare")
    assert subjects(bare.mine()) == ["third", "second", "first"]
    assert bare.mine().commits[0].touches[0].name == "one"


def test_a_detached_head_is_a_head(repo: Repo) -> None:
    hashes = three_commits(repo)
    repo.git("checkout", "-q", "--detach", hashes[1])
    assert repo.mine().head == hashes[1]


def test_the_oldest_commit_of_a_shallow_clone_does_not_count(
    repo: Repo, clone: Callable[..., Repo]
) -> None:
    three_commits(repo)
    shallow = clone(repo, "shallow", "--depth=2")
    mined = shallow.mine()
    assert subjects(mined) == ["third"]
    assert any("shallow" in problem for problem in mined.problems)
    # There is more to come once the clone is deepened, so it is not done.
    assert mined.since is None
    shallow.git("-c", "protocol.file.allow=always", "fetch", "-q", "--unshallow")
    more = shallow.mine(since=mined.since, known=mined.order)
    assert subjects(more) == ["second", "first"]
    assert more.order == repo.mine().order
    assert more.since == more.head


def test_a_partial_clone_is_read_without_fetching(repo: Repo, clone: Callable[..., Repo]) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    three_commits(repo)
    repo.git("mv", "a.py", "b.py")
    repo.commit("move", {"b.py": CODE.replace("return 1", "return 12")})
    repo.commit("fourth", {"b.py": "x = 1\n"})
    partial = clone(repo, "partial", "--filter=blob:none")

    def absent() -> list[str]:
        listing = partial.git("rev-list", "--objects", "--all", "--missing=print")
        return sorted(line for line in listing.splitlines() if line.startswith("?"))

    before = absent()
    assert len(before) >= 3
    mined = partial.mine()
    assert absent() == before
    assert subjects(mined) == ["fourth", "move", "third", "second", "first"]
    assert any("not in this clone" in problem for problem in mined.problems)
    assert mined.since == mined.head


def test_git_is_kept_from_fetching_by_its_settings_alone(
    repo: Repo, clone: Callable[..., Repo]
) -> None:
    """Where the child's environment cannot be set, the command line has to do."""
    repo.git("config", "uploadpack.allowFilter", "true")
    three_commits(repo)
    partial = clone(repo, "partial", "--filter=blob:none")
    line = git.command("show", "HEAD~1:a.py")
    bare = line[line.index("--no-pager") - 1 :]
    done = subprocess.run(bare, cwd=partial.root, capture_output=True, check=False)
    assert done.returncode != 0
    assert b"not allowed" in done.stderr or b"lazy fetching disabled" in done.stderr
    assert partial.git("show", "HEAD~1:a.py")


def test_a_commit_whose_contents_are_absent_is_linked_to_files_only(repo: Repo) -> None:
    repo.commit("before", {"a.py": CODE})
    repo.commit("hole", {"hole.py": CODE + "hole = 1\n", "b.py": CODE + "b = 1\n"})
    repo.commit("after", {"a.py": CODE + "x = 1\n"})
    remove_object(repo, repo.git("rev-parse", "HEAD:hole.py"))
    mined = repo.mine()
    assert subjects(mined) == ["after", "hole", "before"]
    assert [bool(commit.touches) for commit in mined.commits] == [True, False, True]
    assert mined.commits[1].files == ("b.py", "hole.py")
    assert mined.problems == (
        "1 commits are linked to files only: their contents are not in this clone",
    )


def test_a_hole_in_the_history_ends_it_there(repo: Repo) -> None:
    hashes = three_commits(repo)
    for number in range(5):
        repo.commit(f"later {number}", {"a.py": f"x = {number}\n"})
    whole = repo.mine()
    remove_object(repo, hashes[0])
    mined = repo.mine()
    # The commit before the hole cannot be told from one that is cut off.
    assert subjects(mined)[:5] == [f"later {number}" for number in (4, 3, 2, 1, 0)]
    assert mined.commits == whole.commits[: len(mined.commits)]
    assert mined.since is None
    assert "stopped early" in mined.problems[0]


def test_a_lost_head_is_damage_and_not_a_new_repository(repo: Repo) -> None:
    hashes = three_commits(repo)
    remove_object(repo, hashes[2])
    assert "cannot be read" in repo.mine().reason


def test_a_garbled_branch_is_damage_and_not_a_new_repository(repo: Repo) -> None:
    three_commits(repo)
    (repo.root / ".git" / "refs" / "heads" / "main").write_bytes(b"\0" * 41)
    assert "cannot be read" in repo.mine().reason


def test_a_garbled_pack_is_told_and_not_raised(repo: Repo) -> None:
    for number in range(30):
        repo.commit(f"c{number}", {"a.py": f"x = {number}\n"})
    repo.git("gc", "--quiet", "--prune=now")
    [pack] = (repo.root / ".git" / "objects" / "pack").glob("*.pack")
    pack.chmod(0o644)
    data = bytearray(pack.read_bytes())
    data[200:-20] = b"\xff" * (len(data) - 220)
    pack.write_bytes(bytes(data))
    mined = repo.mine()
    assert mined.reason or mined.problems
    assert mined.since is None


@pytest.mark.skipif(os.name != "posix", reason="a script stands in for git")
def test_a_git_that_dies_in_the_middle_leaves_what_it_said(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wrapper passes the beginning of the log on and then fails."""
    for number in range(4):
        repo.commit(f"c{number}", {f"m{n}.py": f"x = {number}\n" for n in range(4)})
    whole = repo.mine()
    real = shutil.which("git")
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(
        f"""#!{sys.executable}
import pathlib, subprocess, sys
done = subprocess.run([{real!r}, *sys.argv[1:]], stdout=subprocess.PIPE)
long = "--raw" in sys.argv
end = int(pathlib.Path(sys.argv[0]).with_name("end").read_text()) if long else None
sys.stdout.buffer.write(done.stdout[:end])
sys.stdout.flush()
if long:
    sys.stderr.write("fatal: lost the disk\\n")
sys.exit(3 if long else done.returncode)
""",
        encoding="utf-8",
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(wrapper.parent), prepend=os.pathsep)
    lengths = set()
    for end in (0, 150, 200, 260, 300, 340, 500, 700, 900):
        (tmp_path / "bin" / "end").write_text(str(end), encoding="utf-8")
        mined = repo.mine()
        lengths.add(len(mined.commits))
        assert mined.commits == whole.commits[: len(mined.commits)]
        assert mined.problems == ("git log stopped early: lost the disk",)
        assert mined.since is None
    assert {0, 1, 2} <= lengths

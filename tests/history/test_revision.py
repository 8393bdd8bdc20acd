import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowing.errors import HistoryError, NotFoundError
from knowing.history.revision import ChangeKind, Changes, Hunk, changes, fork_point, head, resolve

Repo = Any
TEXT = "".join(f"line {number}\n" for number in range(1, 21))


def edited(*numbers: int) -> str:
    lines = TEXT.splitlines(keepends=True)
    for number in numbers:
        lines[number - 1] = f"edited {number}\n"
    return "".join(lines)


def summary(found: Changes) -> dict[str, tuple[ChangeKind, str | None]]:
    return {change.path: (change.kind, change.old_path) for change in found.files}


def test_head_and_branch(repo: Repo, tmp_path: Path) -> None:
    assert head(repo.root) is None
    made = repo.commit("start", {"a.py": TEXT})
    found = head(repo.root)
    assert found is not None
    assert (found.commit, found.branch) == (made, "main")
    repo.git("checkout", "-q", "-b", "topic/ünï")
    assert getattr(head(repo.root), "branch", None) == "topic/ünï"
    repo.git("checkout", "-q", "--detach")
    assert getattr(head(repo.root), "branch", "") is None
    assert head(tmp_path) is None


def test_every_kind_of_change(repo: Repo) -> None:
    base = repo.commit(
        "start",
        {
            "changed.py": TEXT,
            "deleted.py": TEXT + "deleted\n",
            "moved.py": TEXT + "moved\n",
            "staged.py": TEXT + "staged\n",
            "same.py": TEXT,
            ".gitignore": "ignored.py\n",
        },
    )
    made = repo.commit("later", {"committed.py": "x = 1\n"})
    repo.git("mv", "moved.py", "new name.py")
    repo.write({"staged.py": edited(3) + "staged\n"})
    repo.git("add", "staged.py")
    (repo.root / "deleted.py").unlink()
    repo.write({"changed.py": edited(2, 10), "new.py": "a\nb\nc", "ignored.py": "x\n"})
    found = changes(repo.root, base)
    assert (found.base, found.head, found.problems) == (base, made, ())
    assert summary(found) == {
        "changed.py": (ChangeKind.MODIFIED, "changed.py"),
        "committed.py": (ChangeKind.ADDED, None),
        "deleted.py": (ChangeKind.DELETED, "deleted.py"),
        "new name.py": (ChangeKind.RENAMED, "moved.py"),
        "new.py": (ChangeKind.UNTRACKED, None),
        "staged.py": (ChangeKind.MODIFIED, "staged.py"),
    }
    hunks = {change.path: change.hunks for change in found.files}
    assert hunks["changed.py"] == (one(2, 1, 2, 1), one(10, 1, 10, 1))
    assert hunks["committed.py"] == (one(0, 0, 1, 1),)
    assert hunks["deleted.py"] == (one(1, 21, 0, 0),)
    assert hunks["new name.py"] == ()
    assert hunks["new.py"] == (one(0, 0, 1, 3),)
    assert hunks["staged.py"] == (one(3, 1, 3, 1),)


def one(old_start: int, old_count: int, new_start: int, new_count: int) -> Hunk:
    return Hunk(old_start=old_start, old_count=old_count, new_start=new_start, new_count=new_count)


def test_lines_put_in_and_taken_out(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    repo.write({"a.py": TEXT.replace("line 5\n", "line 5\nput\nin\n").replace("line 9\n", "")})
    [change] = changes(repo.root, "HEAD").files
    assert change.hunks == (one(5, 0, 6, 2), one(9, 1, 10, 0))


def test_a_clean_tree_has_no_changes(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    assert changes(repo.root, "HEAD").files == ()


def test_a_moved_and_edited_file_has_the_hunks_of_the_edit(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    repo.git("mv", "a.py", "b.py")
    repo.write({"b.py": edited(7)})
    [change] = changes(repo.root, "HEAD").files
    assert (change.old_path, change.kind) == ("a.py", ChangeKind.RENAMED)
    assert change.hunks == (one(7, 1, 7, 1),)


@pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed there")
def test_odd_names(repo: Repo) -> None:
    names = ['qu"ote.py', "new\nline.py", "tab\t.py", "ünïcode.py", "back\\slash.py", "sp ace.py"]
    repo.commit("start", dict.fromkeys(names, TEXT))
    repo.write(dict.fromkeys(names, edited(4)))
    repo.write({"un\ntracked.py": "x\n"})
    found = changes(repo.root, "HEAD")
    assert sorted(summary(found)) == sorted([*names, "un\ntracked.py"])
    assert all(change.hunks == (one(4, 1, 4, 1),) for change in found.files if change.path in names)


def test_binary_and_empty_files_have_no_hunks(repo: Repo) -> None:
    repo.commit("start", {"a.bin": "\0a", "b.py": ""})
    repo.write({"a.bin": "\0b", "c.bin": "\0c\n", "d.py": ""})
    assert [(c.path, c.hunks) for c in changes(repo.root, "HEAD").files] == [
        ("a.bin", ()),
        ("c.bin", ()),
        ("d.py", ()),
    ]


def test_a_folder_shows_its_own_changes(repo: Repo) -> None:
    repo.commit("start", {"sub/a.py": TEXT, "b.py": TEXT})
    repo.write({"sub/a.py": edited(1), "b.py": edited(1), "sub/n.py": "x\n", "n.py": "x\n"})
    assert sorted(summary(changes(repo.root / "sub", "HEAD"))) == ["a.py", "n.py"]


def test_a_file_in_conflict_is_a_changed_file(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"a.py": edited(1)})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"a.py": TEXT.replace("line 1\n", "other\n")})
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "side")
    [change] = changes(repo.root, "HEAD").files
    assert (change.path, change.kind) == ("a.py", ChangeKind.MODIFIED)
    assert change.hunks


def test_the_index_is_not_written_to(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    os.utime(repo.root / "a.py", ns=(1, 1))
    index = repo.root / ".git" / "index"
    before = index.read_bytes()
    assert changes(repo.root, "HEAD").files == ()
    assert index.read_bytes() == before


@pytest.mark.parametrize("name", ["nowhere", "", "  ", "--help", "-p", "HEAD~99", "f" * 40, "a.py"])
def test_a_bad_revision_says_what_to_give(repo: Repo, name: str) -> None:
    repo.commit("start", {"a.py": TEXT})
    for ask in (changes, resolve, fork_point):
        with pytest.raises(NotFoundError, match="no revision") as raised:
            ask(repo.root, name)
        assert "branch" in raised.value.hint


def test_revisions_by_every_name(repo: Repo) -> None:
    made = repo.commit("start", {"a.py": TEXT})
    repo.git("tag", "-a", "v1", "-m", "one")
    for name in ("HEAD", "main", "v1", made, made[:8], "HEAD^0", " main "):
        assert resolve(repo.root, name) == made


def test_the_fork_point_leaves_out_what_others_did(repo: Repo) -> None:
    start = repo.commit("start", {"a.py": TEXT, "b.py": TEXT})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("mine", {"a.py": edited(1)})
    repo.git("checkout", "-q", "main")
    repo.commit("theirs", {"b.py": edited(1)})
    repo.git("checkout", "-q", "topic")
    assert fork_point(repo.root, "main") == start
    assert sorted(summary(changes(repo.root, "main"))) == ["a.py", "b.py"]
    assert sorted(summary(changes(repo.root, fork_point(repo.root, "main")))) == ["a.py"]


def test_histories_without_a_common_commit(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("alone", {"b.py": TEXT})
    with pytest.raises(NotFoundError, match="no commit in common"):
        fork_point(repo.root, "main")


def test_outside_a_repository_it_says_so(tmp_path: Path, new_repo: Callable[[str], Repo]) -> None:
    with pytest.raises(HistoryError, match="not a git repository") as raised:
        changes(tmp_path, "HEAD")
    assert raised.value.hint
    with pytest.raises(HistoryError, match="no commits yet"):
        changes(new_repo("empty").root, "HEAD")


def test_a_file_that_was_only_saved_again_has_not_changed(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT, "b.py": TEXT})
    repo.write({"a.py": TEXT, "b.py": edited(1)})
    os.utime(repo.root / "a.py", ns=(1, 1))
    assert list(summary(changes(repo.root, "HEAD"))) == ["b.py"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_file_whose_mode_alone_changed_has_no_hunks(repo: Repo) -> None:
    repo.commit("start", {"a.py": TEXT})
    (repo.root / "a.py").chmod(0o755)
    [change] = changes(repo.root, "HEAD").files
    assert (change.kind, change.hunks) == (ChangeKind.MODIFIED, ())

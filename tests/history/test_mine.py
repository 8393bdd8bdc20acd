import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowing.history import Limits
from knowing.history.log import MAX_BODY_CHARS
from knowing.history.mine import MAX_FILES_WITH_TOUCHES

Repo = Any
CODE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def subjects(mined: Any) -> list[str]:
    return [commit.subject for commit in mined.commits]


def test_a_commit_is_read_with_its_message_people_files_and_definitions(repo: Repo) -> None:
    repo.commit("start", {"a.py": CODE, "b.py": "x = 1\n"})
    made = repo.commit(
        "Make two bigger\n\nBecause one is not\nenough.\n",
        {"a.py": CODE.replace("return 2", "return 3")},
        who="Grace",
    )
    mined = repo.mine()
    newest = mined.commits[0]
    assert newest.hash == made == mined.head == mined.since
    assert (newest.author, newest.email) == ("Grace", "grace@example.org")
    assert newest.subject == "Make two bigger"
    assert newest.body == "Because one is not\nenough."
    assert newest.time == repo.clock
    assert newest.files == ("a.py",)
    assert [tuple(touch) for touch in newest.touches] == [("a.py", "two", "", 6, 1.0)]
    assert mined.commits[1].file_count == 2
    assert {t.name for t in mined.commits[1].touches} == {"one", "two", "x"}
    assert mined.order == tuple(commit.hash for commit in mined.commits)
    assert (mined.reason, mined.problems) == ("", ())


def test_people_are_named_by_the_mailmap(repo: Repo) -> None:
    repo.commit("start", {"a.py": CODE, ".mailmap": "Grace Hopper <gh@navy.mil> Grace\n"}, "Ada")
    repo.write({".mailmap": "Grace Hopper <gh@navy.mil> <grace@example.org>\n"})
    repo.commit("more", {"a.py": CODE + "x = 1\n"}, who="Grace")
    assert (repo.mine().commits[0].author, repo.mine().commits[0].email) == (
        "Grace Hopper",
        "gh@navy.mil",
    )


def test_only_files_of_interest_count(repo: Repo) -> None:
    repo.commit("code and notes", {"a.py": CODE, "notes.md": "# Hi\n"})
    repo.commit("notes only", {"notes.md": "# Ho\n"})
    mined = repo.mine()
    assert subjects(mined) == ["code and notes"]
    assert mined.commits[0].files == ("a.py",)
    assert mined.since == mined.head


def test_names_and_messages_of_all_scripts(repo: Repo) -> None:
    files = {"grüße/привет мир.py": "def größe():\n    pass\n"}
    if sys.platform != "win32":
        files['od"d\\na\nme\t.py'] = "def odd():\n    pass\n"
    repo.commit("日本語の件名 — naïve", files, who="Žofie")
    commit = repo.mine().commits[0]
    assert commit.subject == "日本語の件名 — naïve"
    assert commit.author == "Žofie"
    assert set(commit.files) == set(files)
    assert {(t.path, t.name) for t in commit.touches} == {
        (path, text[4 : text.index("(")]) for path, text in files.items()
    }


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes")
def test_a_path_that_is_not_utf8_is_named_as_the_file_system_names_it(repo: Repo) -> None:
    (repo.root / os.fsdecode(b"caf\xe9.py")).write_text(CODE, encoding="utf-8")
    repo.commit("odd bytes")
    [commit] = repo.mine().commits
    assert commit.files == (os.fsdecode(b"caf\xe9.py"),)
    assert {touch.path for touch in commit.touches} == set(commit.files)


def test_a_message_in_latin1_is_read_in_its_encoding(repo: Repo, tmp_path: Path) -> None:
    repo.write({"a.py": CODE})
    repo.git("add", "--all")
    message = tmp_path / "message"
    message.write_bytes("Grüße".encode("latin-1"))
    repo.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-F", str(message))
    assert subjects(repo.mine()) == ["Grüße"]


def test_a_message_that_lies_about_its_encoding_is_read_as_far_as_it_goes(
    repo: Repo, tmp_path: Path
) -> None:
    repo.write({"a.py": CODE})
    repo.git("add", "--all")
    message = tmp_path / "message"
    message.write_bytes(b"Gr\xfc\xdfe an alle")
    repo.git("commit", "-q", "-F", str(message))
    assert subjects(repo.mine())[0].endswith("an alle")


def test_a_message_that_looks_like_a_patch_is_a_message(repo: Repo) -> None:
    repo.commit("start", {"a.py": CODE})
    body = "diff --git a/a.py b/a.py\n@@ -1 +1 @@ def fake():\n:100644 100644 M\n\x01abc"
    made = repo.commit(f"odd\n\n{body}", {"a.py": CODE + "y = 1\n"})
    newest, first = repo.mine().commits
    assert (newest.hash, newest.body) == (made, body)
    assert {touch.name for touch in newest.touches} == {"y"}
    assert first.subject == "start"


def test_a_long_body_is_cut(repo: Repo) -> None:
    repo.commit("s\n\n" + "word " * 3_000, {"a.py": CODE})
    assert len(repo.mine().commits[0].body) == MAX_BODY_CHARS


def test_a_sweep_keeps_its_files_but_says_nothing_of_definitions(repo: Repo) -> None:
    count = MAX_FILES_WITH_TOUCHES + 1
    repo.commit("sweep", {f"m{n:03}.py": CODE for n in range(count)})
    repo.commit("just enough", {f"m{n:03}.py": CODE + "x = 1\n" for n in range(count - 1)})
    small, sweep = repo.mine().commits
    assert (sweep.file_count, len(sweep.files), sweep.touches) == (count, count, ())
    assert len(small.touches) == count - 1


def test_merges_are_left_out_and_their_branches_are_not(repo: Repo) -> None:
    repo.commit("start", {"a.py": CODE})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("on the side", {"b.py": CODE})
    repo.git("checkout", "-q", "main")
    repo.commit("on main", {"c.py": CODE})
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-m", "merge it", "side")
    assert subjects(repo.mine()) == ["on main", "on the side", "start"]


def test_no_more_commits_than_wanted(repo: Repo) -> None:
    for number in range(6):
        repo.commit(f"c{number}", {"a.py": f"x = {number}\n"})
    mined = repo.mine(limits=Limits(max_commits=4))
    assert subjects(mined) == ["c5", "c4", "c3", "c2"]
    assert mined.since == mined.head
    repo.commit("c6", {"a.py": "x = 6\n"})
    more = repo.mine(limits=Limits(max_commits=4), since=mined.since, known=mined.order)
    assert subjects(more) == ["c6"]
    assert more.order == (more.commits[0].hash, *mined.order[:3])


def test_an_empty_commit_does_not_confuse_its_neighbours(repo: Repo) -> None:
    repo.commit("empty at the start")
    repo.commit("one", {"a.py": CODE})
    repo.commit("empty")
    repo.commit("two", {"a.py": CODE + "x = 1\n"})
    repo.commit("empty at the end")
    assert subjects(repo.mine()) == ["two", "one"]


def test_a_link_that_becomes_a_file_is_one_file(repo: Repo) -> None:
    (repo.root / "b.py").symlink_to("a.py")
    repo.commit("link", {"a.py": CODE})
    (repo.root / "b.py").unlink()
    repo.commit("file", {"b.py": CODE})
    newest = repo.mine().commits[0]
    assert newest.files == ("b.py",)
    assert {touch.name for touch in newest.touches} == {"one", "two"}


def test_very_large_files_are_linked_without_definitions(repo: Repo) -> None:
    repo.commit("big", {"big.py": CODE + "# filler\n" * 300_000, "a.py": CODE})
    [commit] = repo.mine().commits
    assert commit.files == ("a.py", "big.py")
    assert {touch.path for touch in commit.touches} == {"a.py"}


def test_the_repository_is_not_written_to(repo: Repo) -> None:
    repo.commit("start", {"a.py": CODE})
    repo.commit("more", {"a.py": CODE + "x = 1\n"})

    def state() -> dict[str, tuple[int, int]]:
        found = sorted(repo.root.rglob("*"))
        return {str(p): (p.lstat().st_size, p.lstat().st_mtime_ns) for p in found}

    os.utime(repo.root / "a.py")
    before = state()
    assert len(repo.mine().commits) == 2
    assert state() == before


HOSTILE = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "false",
    "diff.renames": "false",
    "diff.context": "9",
    "diff.interHunkContext": "20",
    "diff.algorithm": "histogram",
    "diff.wordRegex": ".",
    "diff.submodule": "log",
    "diff.python.textconv": "false",
    "diff.python.command": "false",
    "color.ui": "always",
    "color.diff": "always",
    "core.quotepath": "true",
    "core.pager": "false",
    "core.fsmonitor": "false-program",
    "format.pretty": "raw",
    "log.showSignature": "true",
    "log.showRoot": "false",
    "log.date": "relative",
    "log.decorate": "full",
    "log.follow": "true",
    "i18n.logOutputEncoding": "latin-1",
}


def test_a_users_configuration_changes_nothing(repo: Repo) -> None:
    repo.commit("start ü", {"ä.py": CODE})
    repo.git("mv", "ä.py", "ö.py")
    repo.commit("move", {"ö.py": CODE.replace("return 1", "return 11")})
    repo.commit("more", {"ö.py": CODE.replace("return 1", "return 12").replace("2\n", "3\n")})
    plain = repo.mine()
    for name, value in HOSTILE.items():
        repo.git("config", name, value)
    assert repo.mine() == plain
    assert [len(commit.renames) for commit in plain.commits] == [0, 1, 0]


@pytest.mark.skipif(os.name != "posix", reason="the child's environment is set on POSIX")
def test_variables_of_a_running_hook_change_nothing(
    repo: Repo, new_repo: Callable[[str], Repo], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("start", {"a.py": CODE})
    repo.commit("more", {"a.py": CODE.replace("return 2", "return 3")})
    other = new_repo("other")
    other.commit("other", {"o.py": CODE})
    plain = repo.mine()
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=9")
    assert repo.mine() == plain
    assert subjects(plain) == ["more", "start"]

"""What changed since the index was made, judged by stamps and, in doubt, by content."""

import os
import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from knowing.files import Changes, SourceText, Stamp, compare, read, stamp_of
from knowing.model import SourceFile
from tests.files.workspace import Workspace

SECOND = 1_000_000_000
OLD = 1_600_000_000 * SECOND


def remembered(workspace: Workspace, seen_ns: int | None = None) -> dict[str, Stamp]:
    seen = time.time_ns() if seen_ns is None else seen_ns
    return {file.path: stamp_of(file, seen) for file in workspace.scan().files}


def changes(workspace: Workspace, known: dict[str, Stamp]) -> Changes:
    return compare(known, workspace.scan().files)


def names(files: tuple[SourceFile, ...]) -> list[str]:
    return [file.path for file in files]


def age(path: Path, mtime_ns: int = OLD) -> None:
    os.utime(path, ns=(mtime_ns, mtime_ns))


def settled(workspace: Workspace, *paths: str) -> dict[str, Stamp]:
    """Files that were written long before they were read."""
    workspace.touch(*paths)
    for path in paths:
        age(workspace.root / path)
    return remembered(workspace)


def test_each_sort_of_change(workspace: Workspace) -> None:
    known = settled(
        workspace, "same.py", "grown.py", "later.py", "earlier.py", "gone.py", "moved.py"
    )
    (workspace.root / "grown.py").write_text("x = 1\ny = 2\n")
    age(workspace.root / "grown.py")
    age(workspace.root / "later.py", OLD + 1)
    age(workspace.root / "earlier.py", OLD - SECOND)
    (workspace.root / "gone.py").unlink()
    (workspace.root / "moved.py").rename(workspace.root / "new.py")
    seen = changes(workspace, known)
    assert names(seen.unchanged) == ["same.py"]
    assert names(seen.modified) == ["earlier.py", "grown.py", "later.py"]
    assert names(seen.added) == ["new.py"]
    assert seen.removed == ("gone.py", "moved.py")
    assert names(seen.to_read) == ["earlier.py", "grown.py", "later.py", "new.py"]
    assert not seen.is_empty


def test_nothing_changed(workspace: Workspace) -> None:
    seen = changes(workspace, settled(workspace, "a.py", "sub/b.py"))
    assert seen.is_empty
    assert seen.to_read == ()


def test_an_edit_in_the_same_tick_is_noticed_by_content(workspace: Workspace) -> None:
    """Same size, same time: only the time of reading tells that the stamp proves nothing."""
    workspace.write({"a.py": "x = 1\n"})
    age(workspace.root / "a.py")
    known = remembered(workspace, seen_ns=OLD)
    before = read(workspace.root, "a.py", 1000)
    workspace.write({"a.py": "x = 2\n"})
    age(workspace.root / "a.py")
    seen = changes(workspace, known)
    assert names(seen.doubtful) == names(seen.to_read) == ["a.py"]
    after = read(workspace.root, "a.py", 1000)
    assert isinstance(before, SourceText)
    assert isinstance(after, SourceText)
    assert before.digest != after.digest


def test_a_file_just_written_is_in_doubt_until_read_again(workspace: Workspace) -> None:
    workspace.touch("a.py")
    mtime = workspace.file("a.py").mtime_ns
    assert names(changes(workspace, remembered(workspace, seen_ns=mtime)).doubtful) == ["a.py"]
    later = remembered(workspace, seen_ns=mtime + 10 * SECOND)
    assert changes(workspace, later).is_empty


def test_a_time_in_the_future_proves_nothing(workspace: Workspace) -> None:
    workspace.touch("a.py")
    age(workspace.root / "a.py", time.time_ns() + 3600 * SECOND)
    assert names(changes(workspace, remembered(workspace)).doubtful) == ["a.py"]


def test_a_new_ignore_rule_removes_files(workspace: Workspace) -> None:
    known = settled(workspace, "a.py", "b.py")
    workspace.write({".gitignore": "b.py\n"})
    assert changes(workspace, known).removed == ("b.py",)
    (workspace.root / ".gitignore").unlink()
    assert changes(workspace, known).is_empty


stamps = st.builds(
    Stamp, size=st.integers(0, 2), mtime_ns=st.integers(0, 2), seen_ns=st.sampled_from([0, OLD])
)
files = st.builds(
    SourceFile,
    path=st.sampled_from("abcdef"),
    language=st.just("python"),
    size=st.integers(0, 2),
    mtime_ns=st.integers(0, 2),
)


@given(known=st.dictionaries(st.sampled_from("abcdef"), stamps), found=st.lists(files))
def test_every_path_has_one_fate(known: dict[str, Stamp], found: list[SourceFile]) -> None:
    found = list({file.path: file for file in found}.values())
    seen = compare(known, found)
    fates = [
        *names(seen.added),
        *names(seen.modified),
        *names(seen.doubtful),
        *names(seen.unchanged),
        *seen.removed,
    ]
    assert sorted(fates) == sorted({*known, *(file.path for file in found)})
    assert seen.is_empty is (set(fates) == set(names(seen.unchanged)))

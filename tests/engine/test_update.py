"""`update`: what was edited, made, removed, renamed or hidden is in the next view, and stored."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.errors import StoreError
from knowing.graph import View
from knowing.indexer import Progress
from tests.cli.workspaces import module, small
from tests.graph.views import assert_same, facts_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small(tmp_path / "work")


@pytest.fixture
def engine(root: Path, tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(root, index_dir=tmp_path / "index") as opened:
        opened.index(history=False)
        yield opened


def names(view: View) -> set[str]:
    return {view.symbol(number).qualified_name for number in range(len(view.symbols))}


def check_against_rebuild(engine: Engine, tmp_path: Path) -> None:
    """The view is what a new index says; so is what is stored, for those who open it later."""
    with Engine.open(engine.root, index_dir=tmp_path / "fresh") as fresh:
        fresh.index(history=False)
        assert_same(engine.view(), fresh.view())
        engine.index(history=False)
        assert_same(engine.view(), fresh.view())


def test_an_edited_file(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "module_1.py").write_text("class Changed: pass\n")
    view = engine.update(["module_1.py"])
    assert "module_1.py::Changed" in names(view)
    assert "module_1.py::Step1" not in names(view)
    check_against_rebuild(engine, tmp_path)


def test_a_new_file(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "new.py").write_text("import module_0\nmodule_0.helper_0(1)\n")
    view = engine.update([root / "deep" / "er" / "new.py"])
    assert "deep/er/new.py" in names(view)
    check_against_rebuild(engine, tmp_path)


def test_a_removed_file(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "module_2.py").unlink()
    view = engine.update(["module_2.py"])
    assert not [name for name in names(view) if name.startswith("module_2.py")]
    check_against_rebuild(engine, tmp_path)


def test_a_renamed_file(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "module_2.py").rename(root / "renamed.py")
    view = engine.update(["module_2.py", "renamed.py"])
    assert "renamed.py::Step2.go" in names(view)
    assert "module_2.py::Step2.go" not in names(view)
    check_against_rebuild(engine, tmp_path)


def test_a_renamed_folder(engine: Engine, root: Path, tmp_path: Path) -> None:
    """Some watchers name only the folder, both where it was and where it is."""
    small(root / "old")
    engine.index(history=False)
    (root / "old").rename(root / "new")
    view = engine.update(["old", "new"])
    assert "new/module_0.py" in names(view)
    assert "old/module_0.py" not in names(view)
    check_against_rebuild(engine, tmp_path)


def test_a_file_that_is_ignored_does_not_come_in(engine: Engine, root: Path) -> None:
    (root / ".gitignore").write_text("secret.py\n")
    engine.update([".gitignore"])
    (root / "secret.py").write_text("class Secret: pass\n")
    assert "secret.py::Secret" not in names(engine.update(["secret.py"]))


def test_a_changed_ignore_file_concerns_all(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / ".gitignore").write_text("module_1.py\n")
    assert "module_1.py" not in names(engine.update([root / ".gitignore"]))
    (root / ".gitignore").write_text("")
    assert "module_1.py" in names(engine.update([root / ".gitignore"]))
    check_against_rebuild(engine, tmp_path)


def test_a_file_that_turned_binary(engine: Engine, root: Path, tmp_path: Path) -> None:
    (root / "module_1.py").write_bytes(b"\0\1\2\3" * 100)
    assert "module_1.py" not in names(engine.update(["module_1.py"]))
    report = engine.index(history=False)
    assert [item.path for item in report.skipped] == ["module_1.py"]
    module(root, 1, 6)
    assert "module_1.py::Step1" in names(engine.update(["module_1.py"]))
    check_against_rebuild(engine, tmp_path)


def test_a_path_outside_the_workspace_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    before = facts_of(engine.view())
    (tmp_path / "outside.py").write_text("class Outside: pass\n")
    assert facts_of(engine.update([tmp_path / "outside.py", "../outside.py"])) == before


def test_a_path_by_way_of_a_link_is_understood(engine: Engine, root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    (root / "module_0.py").write_text("class Changed: pass\n")
    assert "module_0.py::Changed" in names(engine.update([tmp_path / "link" / "module_0.py"]))


def test_a_view_taken_before_stays_as_it_was(engine: Engine, root: Path) -> None:
    before = engine.view()
    said = facts_of(before)
    for number in range(3):
        (root / f"module_{number}.py").write_text("class Changed: pass\n")
        engine.update([f"module_{number}.py"])
        engine.index(history=False)
    assert facts_of(before) == said
    assert facts_of(engine.view()) != said


def test_what_another_process_keeps_from_being_stored_is_stored_later(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    with Engine.open(root, index_dir=tmp_path / "index") as other, other._store.writing():
        (root / "module_1.py").write_text("class Changed: pass\n")
        assert "module_1.py::Changed" in names(engine.update(["module_1.py"]))
        assert "module_1.py::Changed" in names(engine.view())
    (root / "module_2.py").write_text("class Changed: pass\n")
    engine.update(["module_2.py"])
    with Engine.open(root, index_dir=tmp_path / "index") as reader:
        assert reader.status().pending == 0


def test_there_is_nothing_to_update_before_the_first_index(root: Path, tmp_path: Path) -> None:
    with Engine.open(root, index_dir=tmp_path / "index") as engine:
        with pytest.raises(StoreError, match="not indexed yet"):
            engine.update(["module_0.py"])
        with pytest.raises(StoreError, match="not indexed yet"):
            engine.view()
        assert not (tmp_path / "index").exists()


# -- what a whole run notices ------------------------------------------------------------------


def test_an_edit_that_leaves_size_and_time_is_noticed(engine: Engine, root: Path) -> None:
    path = root / "module_1.py"
    path.write_text("class Aaaa: pass\n")
    engine.index(history=False)
    status = path.stat()
    path.write_text("class Bbbb: pass\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    engine.index(history=False)
    assert "module_1.py::Bbbb" in names(engine.view())


def test_a_touched_file_is_read_but_changes_nothing(engine: Engine, root: Path) -> None:
    generation = engine.index(history=False).generation
    os.utime(root / "module_1.py", ns=(1, 1))
    assert engine.status().pending == 1
    assert engine.index(history=False).generation == generation
    assert engine.status().state == "fresh"


def test_files_that_vanish_between_scan_and_reading_are_told(engine: Engine, root: Path) -> None:
    for number in range(9):
        module(root, number, 9, parts=1)

    def vanish(progress: Progress) -> None:
        if progress.stage == "reading":
            (root / "module_8.py").unlink(missing_ok=True)

    report = engine.index(history=False, report=vanish)
    assert report.files == 8
    assert [(item.path, item.reason) for item in report.skipped] == [
        ("module_8.py", "vanished while it was being read")
    ]
    assert engine.index(history=False).skipped == ()


def test_the_state_of_the_index_is_known(root: Path, tmp_path: Path) -> None:
    with Engine.open(root, index_dir=tmp_path / "index") as engine:
        assert engine.status().state == "missing"
        engine.index(history=False)
        assert (engine.status().state, engine.status().pending) == ("fresh", 0)
        (root / "module_0.py").unlink()
        (root / "new.py").write_text("X = 1\n")
        os.utime(root / "module_1.py", ns=(1, 1))
        assert (engine.status().state, engine.status().pending) == ("stale", 3)
        engine.index(history=False)
        assert engine.status().state == "fresh"
        assert engine.status().unsupported == {".xyz": 1}


def test_each_folder_has_a_hash_of_its_own(engine: Engine, root: Path) -> None:
    small(root / "part")
    engine.index(history=False)
    before = engine.package_hashes()
    (root / "part" / "module_0.py").write_text("X = 1\n")
    engine.update(["part/module_0.py"])
    after = engine.package_hashes()
    assert before[""] == after[""]
    assert before["part"] != after["part"]

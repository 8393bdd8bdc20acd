"""Unsaved text is in the view as long as it lies over a file, and never stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.graph import View
from tests.cli.workspaces import small
from tests.graph.views import assert_same

UNSAVED = "class Unsaved:\n    pass\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    root = small(tmp_path / "work")
    with Engine.open(root, index_dir=tmp_path / "index") as opened:
        opened.index(history=False)
        yield opened


def shows(view: View, name: str) -> bool:
    return any(view.symbol(n).qualified_name == name for n in range(len(view.symbols)))


def stored(engine: Engine) -> View:
    """What another process finds."""
    with Engine.open(engine.root, index_dir=engine.folder.parent) as other:
        return other.view()


def test_an_overlay_hides_the_file_until_it_is_taken_away(engine: Engine) -> None:
    before = engine.view()
    view = engine.overlay("module_1.py", UNSAVED)
    assert shows(view, "module_1.py::Unsaved")
    assert not shows(view, "module_1.py::Step1")
    assert not shows(before, "module_1.py::Unsaved")
    assert_same(engine.overlay("module_1.py", None), before)
    assert_same(engine.view(), before)


def test_an_overlay_is_the_same_as_saving_it(engine: Engine, tmp_path: Path) -> None:
    covered = engine.overlay("module_1.py", UNSAVED)
    (engine.root / "module_1.py").write_text(UNSAVED)
    with Engine.open(engine.root, index_dir=tmp_path / "fresh") as fresh:
        fresh.index(history=False)
        assert_same(covered, fresh.view())


def test_an_overlay_is_never_stored(engine: Engine) -> None:
    before = stored(engine)
    engine.overlay("module_1.py", UNSAVED)
    (engine.root / "module_2.py").write_text("class Saved: pass\n")
    engine.update(["module_1.py", "module_2.py"])
    engine.index(history=False)
    found = stored(engine)
    assert shows(found, "module_1.py::Step1")
    assert shows(found, "module_2.py::Saved")
    assert not shows(found, "module_1.py::Unsaved")
    assert before is not found
    assert b"Unsaved" not in b"".join(
        path.read_bytes() for path in engine.folder.rglob("*") if path.is_file()
    )


def test_an_overlay_survives_updates_and_runs(engine: Engine) -> None:
    engine.overlay("module_1.py", UNSAVED)
    (engine.root / "module_1.py").write_text("class OnDisk: pass\n")
    assert shows(engine.update(["module_1.py"]), "module_1.py::Unsaved")
    report = engine.index(history=False)
    assert report.symbols == len(stored(engine).symbols)
    assert shows(engine.view(), "module_1.py::Unsaved")
    (engine.root / ".gitignore").write_text("nothing\n")
    assert shows(engine.update([".gitignore"]), "module_1.py::Unsaved")
    assert shows(engine.overlay("module_1.py", None), "module_1.py::OnDisk")


def test_a_file_that_is_not_on_disk_yet(engine: Engine) -> None:
    before = engine.view()
    assert shows(engine.overlay("new.py", UNSAVED), "new.py::Unsaved")
    assert_same(engine.overlay("new.py", None), before)


def test_a_file_that_is_removed_below_its_overlay(engine: Engine) -> None:
    engine.overlay("module_1.py", UNSAVED)
    (engine.root / "module_1.py").unlink()
    assert shows(engine.update(["module_1.py"]), "module_1.py::Unsaved")
    assert not shows(engine.overlay("module_1.py", None), "module_1.py")


@pytest.mark.parametrize("path", ["notes.xyz", "../outside.py", "ignored.py"])
def test_what_is_not_indexed_is_not_shown_unsaved_either(engine: Engine, path: str) -> None:
    (engine.root / ".gitignore").write_text("ignored.py\n")
    (engine.root / "ignored.py").write_text("X = 1\n")
    engine.index(history=False)
    before = engine.view()
    (engine.root.parent / "outside.py").write_text("X = 1\n")
    assert_same(engine.overlay(path, UNSAVED), before)


def test_text_that_is_no_valid_unicode_does_no_harm(engine: Engine) -> None:
    assert shows(engine.overlay("module_1.py", UNSAVED + "x = '\ud800'\n"), "module_1.py::Unsaved")

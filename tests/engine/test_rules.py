"""What was read by other rules is read again when the rules change."""

import shutil
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.graph import View
from knowing.languages import load_languages
from knowing.settings_sources import load


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    """A folder outside the package with a language that can be edited."""
    folder = tmp_path / "languages"
    shutil.copytree(Path(load_languages()["ruby"].folder), folder / "ruby")
    return folder


def opened(tmp_path: Path, *assignments: str) -> Engine:
    loaded = load(tmp_path / "work", assignments=assignments)
    assert not loaded.problems
    load_languages.cache_clear()
    return Engine.open(tmp_path / "work", loaded.settings, tmp_path / "index")


def kinds(view: View) -> set[str]:
    return {view.symbol(number).kind.label for number in range(len(view.symbols))}


def test_a_language_that_was_changed_is_read_again(tmp_path: Path, languages: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.rb").write_text("class Shop\n  def open\n    1\n  end\nend\n")
    (work / "b.py").write_text("class Shop: pass\n")
    with opened(tmp_path, f"index.languages_dir={languages}") as engine:
        engine.index(history=False)
        assert "method" in kinds(engine.view())
    (languages / "ruby" / "tags.scm").write_text("(class name: (_) @name) @def.class\n")
    with opened(tmp_path, f"index.languages_dir={languages}") as engine:
        report = engine.index(history=False)
        assert report.files == 2
        assert "method" not in kinds(engine.view())
        assert engine.status().state == "fresh"
    with opened(tmp_path) as engine:
        engine.index(history=False)
        assert "method" in kinds(engine.view())
    load_languages.cache_clear()


def test_files_that_took_too_long_are_tried_again_with_more_time(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "big.py").write_text("def f():\n    return g(1)(2)(3)\n" * 20_000)
    with opened(tmp_path, "index.parse_timeout_ms=10") as engine:
        report = engine.index(history=False)
        assert [item.path for item in report.skipped] == ["big.py"]
        assert [item.path for item in engine.index(history=False).skipped] == ["big.py"]
    with opened(tmp_path, "index.parse_timeout_ms=60000") as engine:
        assert engine.index(history=False).skipped == ()

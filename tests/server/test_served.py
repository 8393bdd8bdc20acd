"""The engine that never lets a question wait, without a process around it."""

import os
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.errors import CancelledError, StoreError
from knowing.indexer import Progress
from server.neighbours import closest, counts
from server.served import ServedEngine
from tests.server.workspaces import large, shop


def _names(engine: ServedEngine, task: str) -> list[str]:
    return [shown.item.name for shown in engine.context(task).symbols]


def test_what_a_first_run_has_read_so_far_can_be_asked(tmp_path: Path) -> None:
    root, index_dir = large(tmp_path / "work", files=900, functions=1), tmp_path / "index"
    served = ServedEngine.open(root, index_dir=index_dir)
    served.take_partial()
    assert not served.has_view
    with pytest.raises(StoreError, match="not indexed yet"):
        served.context("fill")
    read = 0

    def count(progress: Progress) -> None:
        nonlocal read
        read = progress.done

    with Engine.open(root, index_dir=index_dir) as own, pytest.raises(CancelledError):
        own.index(history=False, report=count, cancelled=lambda: read > 500)
    served.take_partial()
    assert served.is_partial
    assert not served.is_whole
    assert 400 <= len(served.view().paths) < 903
    assert served.context("filler").symbols
    with Engine.open(root, index_dir=index_dir) as own:
        own.index(history=False)
    assert served.take_stored()
    assert served.is_whole
    assert len(served.view().paths) == 903
    served.take_partial()
    assert served.is_whole
    served.close()


def test_an_edit_shows_at_once_and_ranks_when_it_is_looked_up(tmp_path: Path) -> None:
    root, index_dir = shop(tmp_path / "work"), tmp_path / "index"
    with Engine.open(root, index_dir=index_dir) as own:
        own.index(history=False)
    served = ServedEngine.open(root, index_dir=index_dir)
    served.take_stored()
    before = served.view()
    text = (root / "shop.py").read_text("utf-8")
    new = text.replace("def place_order", "def refund():\n    pass\n\n\ndef place_order", 1)
    served.edit({"shop.py": new}, [])
    assert served.view() is not before
    assert "refund" in list(served.view().symbols.name)
    # Ranking is behind, says so, and shows no text that is no longer there.
    found = served.context("place an order")
    assert found.index.state == "stale"
    assert found.index.pending == 1
    assert "refund" not in [shown.item.name for shown in found.symbols]
    order = next(shown for shown in found.symbols if shown.item.name == "place_order")
    assert order.detail != "body"
    with served.pinned() as pinned:
        served.make_lookup()
        assert served.view() is pinned is before
    assert served.has_current_lookup
    assert _names(served, "refund")[0] == "refund"
    found = served.context("place an order")
    assert found.index.state == "fresh"
    order = next(shown for shown in found.symbols if shown.item.name == "place_order")
    assert order.text.startswith("def place_order") or "def place_order" in found.text
    served.edit({"shop.py": None}, [])
    served.make_lookup()
    assert "refund" not in _names(served, "refund an order")
    served.close()


def test_files_that_differ_from_the_index_are_found_without_reading_them(tmp_path: Path) -> None:
    root, index_dir = shop(tmp_path / "work"), tmp_path / "index"
    for path in root.rglob("*.py"):
        # A file that was written a moment ago may be written again in the same moment.
        os.utime(path, (1_000_000_000, 1_000_000_000))
    served = ServedEngine.open(root, index_dir=index_dir)
    with Engine.open(root, index_dir=index_dir) as own:
        own.index(history=False)
    assert served.differing() == []
    (root / "new.py").write_text("x = 1\n", "utf-8")
    (root / "store.py").unlink()
    (root / "shop.py").write_text("y = 1\n", "utf-8")
    assert sorted(served.differing()) == ["new.py", "shop.py", "store.py"]
    served.close()


def test_users_tests_and_neighbours_of_a_symbol(tmp_path: Path) -> None:
    root = shop(tmp_path / "work")
    with Engine.open(root, index_dir=tmp_path / "index") as engine:
        engine.index(history=False)
        view = engine.view()
    by_name = {view.symbols.chain[row]: row for row in range(len(view.symbols))}
    assert str(counts(view, by_name["place_order"])).startswith("1 caller · ")
    assert counts(view, by_name["place_order"]).tests == 1
    assert str(counts(view, by_name["OrderStore"])).startswith("1 use · ")
    assert str(counts(view, by_name["cancel_order"])).startswith("0 callers · ")
    near = closest(view, by_name["place_order"], 3)
    reasons = {view.symbols.chain[item.symbol]: item.reason for item in near}
    assert reasons["cancel_order"] == "calls it"
    assert reasons["OrderStore.save_order"] == "it calls this"


def test_changes_to_what_is_ignored_do_not_matter(tmp_path: Path) -> None:
    root, index_dir = shop(tmp_path / "work"), tmp_path / "index"
    for folder in ("made/deep", "kept", "node_modules/thing"):
        (root / folder).mkdir(parents=True)
        (root / folder / "code.py").write_text("x = 1\n", "utf-8")
        (root / folder / ".gitignore").write_text("y\n", "utf-8")
    (root / ".gitignore").write_text("made/\n*.log\n", "utf-8")
    (root / "noise.log").write_text("x\n", "utf-8")
    with Engine.open(root, index_dir=index_dir) as own:
        own.index(history=False)
    served = ServedEngine.open(root, index_dir=index_dir)
    served.take_stored()
    (root / "store.py").unlink()
    (root / "new.py").write_text("x = 1\n", "utf-8")
    matter = ["shop.py", "store.py", "new.py", "kept", "kept/code.py", ".gitignore", "tests"]
    assert [path for path in matter if not served.matters(path)] == []
    ignored = [
        *("made/deep/code.py", "made/deep", "made", "noise.log", "gone.py", "gone/deep"),
        *("made/deep/.gitignore", "node_modules/thing", "node_modules/thing/code.py"),
        *("../elsewhere.py", "node_modules/thing/.gitignore"),
    ]
    assert [path for path in ignored if served.matters(path)] == []
    served.close()

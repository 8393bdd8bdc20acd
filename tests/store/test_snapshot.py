"""A snapshot is complete or is not there; one that has changed since is noticed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.graph import View
from knowing.store import DamagedError, SnapshotInfo, snapshot
from tests.cli.workspaces import small
from tests.graph.views import assert_same, facts_of


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    folder = tmp_path_factory.mktemp("snapshot")
    with Engine.open(small(folder / "work"), index_dir=folder / "index") as engine:
        engine.index(history=False)
        return engine.view()


def info(view: View, generation: int = 1) -> SnapshotInfo:
    return SnapshotInfo(
        generation=generation,
        content="c",
        files=len(view.paths),
        symbols=len(view.symbols),
        edges=len(view.edges),
    )


def test_what_was_saved_is_loaded(tmp_path: Path, view: View) -> None:
    assert snapshot.load(tmp_path) is None
    assert snapshot.info(tmp_path) is None
    snapshot.save(tmp_path, info(view), view=view)
    loaded = snapshot.load(tmp_path)
    assert loaded is not None
    assert_same(loaded[0], view)
    assert loaded[1] == info(view) == snapshot.info(tmp_path)
    assert snapshot.flaw(tmp_path) == ""


def test_whoever_reads_an_old_one_keeps_it(tmp_path: Path, view: View) -> None:
    snapshot.save(tmp_path, info(view, 1), view=view)
    loaded = snapshot.load(tmp_path)
    assert loaded is not None
    marks = {snapshot.mark(tmp_path)}
    for generation in range(2, 6):
        snapshot.save(tmp_path, info(view, generation), view=view)
        marks.add(snapshot.mark(tmp_path))
    assert len(marks) == 5
    assert not (tmp_path / "00000001").exists()
    assert facts_of(loaded[0]) == facts_of(view)


def test_what_killed_writers_left_is_removed(tmp_path: Path, view: View) -> None:
    snapshot.save(tmp_path, info(view, 1), view=view)
    (tmp_path / ".00000002.4711").mkdir()
    (tmp_path / ".00000002.4711" / "edges_kind.npy").write_bytes(b"half")
    (tmp_path / "00000009").mkdir()
    (tmp_path / ".current.json.4711").write_text("{")
    snapshot.save(tmp_path, info(view, 2), view=view)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "00000001",
        "00000002",
        "current.json",
    ]


def arrays(folder: Path) -> list[Path]:
    return sorted((folder / "00000001").glob("*.npy"))


def test_every_array_is_watched(tmp_path: Path, view: View) -> None:
    snapshot.save(tmp_path, info(view), view=view)
    assert arrays(tmp_path)
    for path in arrays(tmp_path):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert path.stem in snapshot.flaw(tmp_path)
        path.write_bytes(whole)
    assert snapshot.flaw(tmp_path) == ""


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:60]),
        lambda path: path.write_bytes(path.read_bytes()[:-3]),
        lambda path: path.write_bytes(b"\xff" * path.stat().st_size),
    ],
    ids=["removed", "emptied", "cut in its head", "cut", "overwritten"],
)
@pytest.mark.parametrize(
    "name", ["view_edges_target", "view_symbols_name_bounds", "view_paths_data"]
)
def test_an_array_that_cannot_be_read_is_damage(
    tmp_path: Path, view: View, name: str, damage: Callable[[Path], None]
) -> None:
    snapshot.save(tmp_path, info(view), view=view)
    damage(tmp_path / "00000001" / f"{name}.npy")
    assert name in snapshot.flaw(tmp_path)
    with pytest.raises(DamagedError, match="snapshot 00000001"):
        snapshot.load(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "\x00\x01",
        '{"version": "0.0"}',
        '{"version": "2.1", "folder": "00000001"}',
    ],
)
def test_a_description_that_says_nothing_counts_as_none(
    tmp_path: Path, view: View, text: str
) -> None:
    snapshot.save(tmp_path, info(view), view=view)
    (tmp_path / "current.json").write_text(text)
    assert snapshot.info(tmp_path) is None
    assert snapshot.load(tmp_path) is None
    assert "description" in snapshot.flaw(tmp_path)


def test_a_description_that_leads_nowhere_is_damage(tmp_path: Path, view: View) -> None:
    snapshot.save(tmp_path, info(view), view=view)
    current = tmp_path / "current.json"
    current.write_text(current.read_text().replace('"00000001"', '"00000077"'))
    assert "00000077" in snapshot.flaw(tmp_path)
    with pytest.raises(DamagedError, match="00000077"):
        snapshot.load(tmp_path)


def test_a_description_of_something_else_is_damage(tmp_path: Path, view: View) -> None:
    snapshot.save(tmp_path, info(view), view=view)
    current = tmp_path / "current.json"
    edges = len(view.edges)
    current.write_text(current.read_text().replace(f'"edges": {edges}', f'"edges": {edges + 1}'))
    with pytest.raises(DamagedError, match="does not hold what it should"):
        snapshot.load(tmp_path)

"""The file of what was learned: several writers, damage, other versions, rebuilt indexes."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.errors import StoreError
from knowing.learn import Memory, folded
from knowing.model_events import Deed, Event
from knowing.store.ledger import VERSION, Ledger, ledger_path
from tests.learn.shops import TASK, names, opened, parts, shop


def event(number: int, deed: Deed = Deed.OPENED, **values: object) -> Event:
    given = {"time": float(number), "deed": deed, "symbol": f"a.py::f{number}", "path": "a.py"}
    return Event(**{**given, **values})  # type: ignore[arg-type]


def stored(path: Path) -> list[Event]:
    ledger = Ledger(path)
    try:
        return [found for _, found in ledger.since((0, 0))[1]]
    finally:
        ledger.close()


def write_many(path: Path, first: int) -> None:
    ledger = Ledger(path)
    for number in range(first, first + 40):
        ledger.add([event(number), event(number, Deed.SHOWN)], request=True)
    ledger.close()


def test_nothing_is_made_by_reading(tmp_path: Path) -> None:
    assert stored(tmp_path / "none.db") == []
    assert list(tmp_path.iterdir()) == []


def test_processes_and_threads_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "learned.db"
    with get_context("spawn").Pool(2) as pool, ThreadPoolExecutor(2) as threads:
        work = pool.starmap_async(write_many, [(path, 0), (path, 1000)])
        list(threads.map(write_many, [path, path], [2000, 3000]))
        work.get(timeout=60)
    found = stored(path)
    assert len(found) == 4 * 40 * 2
    assert len({item.symbol for item in found}) == 160
    assert sorted({item.request for item in found}) == list(range(1, 161))


def test_a_reader_sees_what_others_add_and_take_away(tmp_path: Path) -> None:
    one, other = Ledger(tmp_path / "a.db"), Ledger(tmp_path / "a.db")
    one.add([event(1)])
    mark, rows, follows = other.since((0, 0))
    assert [found.symbol for _, found in rows] == ["a.py::f1"]
    one.add([event(2)])
    mark, rows, follows = other.since(mark)
    assert follows
    assert [found.symbol for _, found in rows] == ["a.py::f2"]
    one.rewrite(lambda events: events[1:])
    mark, rows, follows = other.since(mark)
    assert not follows
    assert [found.symbol for _, found in rows] == ["a.py::f2"]
    assert other.since(mark)[1] == []
    one.close()
    other.close()


@pytest.mark.parametrize("damage", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_moved_aside_and_answers_go_on(tmp_path: Path, damage: bytes) -> None:
    root, index = shop(tmp_path / "work"), tmp_path / "index"
    with opened(root, index) as engine:
        plain = names(engine)
        engine.feedback(Deed.PINNED, ["ship"])
        path = ledger_path(engine.folder)
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(damage)
    with opened(root, index) as engine:
        assert names(engine) == plain
        engine.context(TASK)
        assert engine.feedback(Deed.PINNED, ["ship"]).accepted
        assert names(engine)[0] == "ship"
        (note,) = engine.learned_report().notes
    aside = path.with_name(path.name + ".damaged")
    assert str(aside) in note
    assert aside.read_bytes() == damage


def test_a_later_version_is_left_alone(tmp_path: Path) -> None:
    root, index = shop(tmp_path / "work"), tmp_path / "index"
    with opened(root, index) as engine:
        plain = names(engine)
        engine.feedback(Deed.PINNED, ["ship"])
        path = ledger_path(engine.folder)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with opened(root, index) as engine:
        assert names(engine) == plain
        with pytest.raises(StoreError, match="later version"):
            engine.feedback(Deed.PINNED, ["ship"])
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    connection.close()


def pinned(root: Path, index: Path) -> Engine:
    with opened(root, index) as engine:
        engine.feedback(Deed.PINNED, ["ship"])
        engine.context(TASK)
        engine.feedback(Deed.OPENED, ["Ledger.post"])
        return engine


def test_it_survives_a_full_rebuild_clear_and_another_version_of_the_index(tmp_path: Path) -> None:
    root, index = shop(tmp_path / "work"), tmp_path / "index"
    folder = pinned(root, index).folder
    with Engine.open(root, index_dir=index) as engine:
        engine.index(full=True, history=False)
        assert names(engine)[0] == "ship"
    with sqlite3.connect(folder / "index.db") as connection:
        connection.execute("UPDATE meta SET value = '0.0' WHERE key = 'version'")
    connection.close()
    with opened(root, index) as engine:
        assert names(engine)[0] == "ship"
        assert "feedback" in parts(engine, "Ledger.post")
        engine.clear()
        assert not folder.exists()
    with opened(root, index) as engine:
        assert names(engine)[0] == "ship"


def test_it_lies_in_the_data_directory_unless_a_folder_is_chosen(tmp_path: Path) -> None:
    root = shop(tmp_path / "work")
    with Engine.open(root) as engine:
        kept = ledger_path(engine.folder)
        assert not kept.is_relative_to(engine.folder.parent)
        assert kept.parent.name == "knowing"
    with Engine.open(root, index_dir=tmp_path / "index") as engine:
        assert ledger_path(engine.folder).parent == tmp_path / "index"


def asked(request: int, used: int) -> list[Event]:
    """An answer of three symbols of which one was used."""
    shown = [
        event(n, Deed.SHOWN, time=float(request), topic="a b", request=request, rank=n)
        for n in (1, 2, 3)
    ]
    return [*shown, event(used, time=float(request), topic="a b", request=request, rank=used)]


def test_old_events_are_folded_without_changing_what_they_say() -> None:
    events = [item for request in range(1, 301) for item in asked(request, 1 + request % 2)]
    short = folded(events, 100)
    assert len(short) <= 200
    whole, less = Memory(), Memory()
    whole.take(events)
    less.take(short)
    for key, tally in whole.topics["a b"].items():
        other = less.topics["a b"][key]
        assert other.useful == tally.useful
        assert other.useless == pytest.approx(tally.useless, rel=0.01)
        assert other.times == tally.times


def test_folding_lets_the_oldest_go_but_no_wish() -> None:
    events = [event(0, Deed.PINNED), *(event(number) for number in range(1, 1000))]
    short = folded(events, 100)
    assert len(short) <= 200
    assert short[0] == event(0, Deed.PINNED)
    assert short[-1] == event(999)


def test_the_file_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowing.engine_learn.MOST_EVENTS", 60)
    monkeypatch.setattr("knowing.engine_learn.KEPT_EVENTS", 30)
    with opened(shop(tmp_path / "work"), tmp_path / "index") as engine:
        for _ in range(40):
            engine.context(TASK)
            engine.feedback(Deed.OPENED, ["Ledger.post"])
        assert len(stored(ledger_path(engine.folder))) < 90
        assert parts(engine, "Ledger.post")["feedback"] > 0
        assert engine.learned_report().by_deed["opened"] == 40

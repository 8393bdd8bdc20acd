"""Whatever is damaged in the index: it is told, nothing crashes, and `index` puts it right."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Case
from tests.cli.workspaces import module
from tests.graph.views import assert_same

Damage = Callable[[Path], None]


def cut(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])


def garble(path: Path, share: float, length: int = 3000) -> None:
    whole = bytearray(path.read_bytes())
    start = int(len(whole) * share)
    whole[start : start + length] = bytes(
        (37 * n) % 251 for n in range(len(whole[start:][:length]))
    )
    path.write_bytes(whole)


def execute(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def left_over_log(database: Path) -> None:
    """A write-ahead log of another database, as if one file had been restored from a backup."""
    other = sqlite3.connect(database.with_name("other.db"))
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("CREATE TABLE other (x)")
    other.executemany("INSERT INTO other VALUES (?)", [(n,) for n in range(2000)])
    other.commit()
    shutil.copy(database.with_name("other.db-wal"), database.with_name("index.db-wal"))
    other.close()
    for name in ("other.db", "other.db-wal", "other.db-shm"):
        database.with_name(name).unlink(missing_ok=True)


def array(folder: Path, name: str) -> Path:
    return next((folder / "snapshots").glob(f"0*/{name}.npy"))


def rewrite(path: Path, text: str) -> None:
    path.write_text(text)


def pointer(folder: Path) -> Path:
    return folder / "snapshots" / "current.json"


def lead_astray(folder: Path) -> None:
    said = json.loads(pointer(folder).read_text())
    rewrite(pointer(folder), json.dumps({**said, "folder": "00000099"}))


DAMAGES: dict[str, Damage] = {
    "database cut in half": lambda folder: cut(folder / "index.db", 0.5),
    "database cut in its head": lambda folder: cut(folder / "index.db", 0.001),
    "garbage in the database": lambda folder: garble(folder / "index.db", 0.4),
    "garbage at its end": lambda folder: garble(folder / "index.db", 0.8),
    "garbage at its start": lambda folder: garble(folder / "index.db", 0.0, 100),
    "empty database": lambda folder: rewrite(folder / "index.db", ""),
    "text for a database": lambda folder: rewrite(folder / "index.db", "hello\n" * 900),
    "changed facts": lambda folder: execute(
        folder / "index.db", "UPDATE files SET facts = x'0102' WHERE path = 'module_2.py'"
    ),
    "another version": lambda folder: execute(
        folder / "index.db", "UPDATE meta SET value = '99.9' WHERE key = 'version'"
    ),
    "a table is gone": lambda folder: execute(folder / "index.db", "DROP TABLE skipped"),
    "log of another database": lambda folder: left_over_log(folder / "index.db"),
    "array cut": lambda folder: cut(array(folder, "view_edges_source"), 0.7),
    "array removed": lambda folder: array(folder, "view_symbols_kind").unlink(),
    "array garbled": lambda folder: garble(array(folder, "view_edges_target"), 0.5, 50),
    "snapshot removed": lambda folder: shutil.rmtree(folder / "snapshots" / "00000001"),
    "description garbled": lambda folder: rewrite(pointer(folder), "{nonsense"),
    "description of another version": lambda folder: rewrite(pointer(folder), '{"version": "0.0"}'),
    "description leads nowhere": lead_astray,
}


@pytest.fixture(params=list(DAMAGES.values()), ids=list(DAMAGES))
def damaged(indexed: Case, request: pytest.FixtureRequest) -> Case:
    damage: Damage = request.param
    damage(indexed.folder)
    return indexed


def test_damage_is_told_and_put_right(damaged: Case, tmp_path: Path) -> None:
    status = damaged.call("status", "--json")
    assert status.code == 0, status.err
    checked = damaged.call("check", "--json")
    assert checked.code == 1
    assert not checked.json["sound"]
    assert checked.json["problems"]
    assert "knowing index" in checked.err

    done = damaged.call("index", "--json")
    assert (done.code, done.err) == (0, "")
    told = [note for note in done.json["notes"] if "anew" in note or "read again" in note]
    assert len(told) == 1
    assert_same(damaged.view(), damaged.rebuilt(tmp_path / "fresh"))
    assert damaged.call("check").code == 0
    assert damaged.call("status", "--json").json["state"] == "fresh"
    assert damaged.call("index", "--json").json["notes"] == ["not a git repository"]


@pytest.mark.parametrize(
    "name", ["database cut in half", "garbage in the database", "changed facts", "array garbled"]
)
def test_damage_that_comes_with_a_change_is_put_right_too(
    indexed: Case, tmp_path: Path, name: str
) -> None:
    DAMAGES[name](indexed.folder)
    module(indexed.root, 3, 4)
    dumped = indexed.call("dump", "symbols")
    assert dumped.code == 0
    assert dumped.err.startswith("note: ")
    assert "Traceback" not in dumped.err
    names = {json.loads(line)["qualified_name"] for line in dumped.out.splitlines()}
    assert "module_2.py::Step2.go" in names
    assert_same(indexed.view(), indexed.rebuilt(tmp_path / "fresh"))


def test_damage_that_shows_only_when_it_is_touched(indexed: Case, tmp_path: Path) -> None:
    execute(indexed.folder / "index.db", "UPDATE meta SET value = '{' WHERE key = 'languages'")
    done = indexed.call("index", "--json")
    assert (done.code, done.err) == (0, "")
    assert "it was made anew" in done.json["notes"][0]
    assert_same(indexed.view(), indexed.rebuilt(tmp_path / "fresh"))


def test_what_happened_is_told_in_words(indexed: Case) -> None:
    garble(indexed.folder / "index.db", 0.4)
    checked = indexed.run("check")
    assert checked.code == 1
    assert checked.out.startswith("the index is damaged: ")
    assert checked.err.splitlines()[0] == "error: the index is not sound"
    status = indexed.run("status")
    assert status.code == 0
    assert "note: the index is damaged" in status.out
    done = indexed.run("index")
    assert (done.code, done.err) == (0, "")
    assert "it was made anew" in done.out


def test_readers_leave_a_damaged_index_as_it_is(indexed: Case) -> None:
    """Only who holds the lock may replace anything: another process may be at it."""
    cut(indexed.folder / "index.db", 0.5)
    before = (indexed.folder / "index.db").read_bytes()
    indexed.call("status")
    indexed.call("check")
    assert (indexed.folder / "index.db").read_bytes() == before


def test_a_snapshot_that_is_gone_counts_as_missing(indexed: Case) -> None:
    array(indexed.folder, "view_symbols_kind").unlink()
    status = indexed.call("status", "--json").json
    assert status["state"] == "missing"
    assert "view_symbols_kind" in status["notes"][0]

"""What is written is there or is not; what has changed since is noticed."""

import sqlite3
from pathlib import Path

import pytest

from knowing.errors import BusyError, StoreError
from knowing.files import Stamp
from knowing.model import Skipped, SymbolFlag
from knowing.store import DamagedError, Database, FileRow

STAMP = Stamp(size=3, mtime_ns=10, seen_ns=20)


def row(path: str, facts: bytes = b"facts") -> FileRow:
    return FileRow(
        path=path,
        language="python",
        stamp=STAMP,
        digest=b"d" * 16,
        flags=SymbolFlag.TEST,
        facts=facts,
    )


def filled(path: Path) -> Database:
    database = Database.open(path)
    with database.transaction():
        database.write_files([row("a.py"), row("b.py")], 1)
        database.set_skipped([(Skipped(path="c.py", reason="binary"), STAMP)])
        database.set_meta({"generation": "1"})
    return database


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_was_written_is_read_again_by_others(tmp_path: Path) -> None:
    filled(tmp_path / "db").close()
    database = Database.existing(tmp_path / "db")
    assert database is not None
    assert database.stamps() == {"a.py": STAMP, "b.py": STAMP, "c.py": STAMP}
    assert database.digests()["a.py"] == (b"d" * 16, "python", int(SymbolFlag.TEST))
    assert sorted(database.facts()) == [("a.py", "python", b"facts"), ("b.py", "python", b"facts")]
    assert database.skipped() == [(Skipped(path="c.py", reason="binary"), STAMP)]
    assert database.generation == 1
    assert (database.flaws(), database.damaged()) == ([], [])
    database.close()


def test_there_is_nothing_to_read_where_nothing_was_written(tmp_path: Path) -> None:
    assert Database.existing(tmp_path / "db") is None
    assert not (tmp_path / "db").exists()


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    database = filled(tmp_path / "db")
    with pytest.raises(ZeroDivisionError), database.transaction():
        database.remove_files(["a.py"])
        raise ZeroDivisionError
    assert set(database.digests()) == {"a.py", "b.py"}
    with database.transaction():
        database.remove_files(["a.py"])
    assert set(database.digests()) == {"b.py"}
    database.close()


def test_a_commit_that_fails_leaves_the_database_usable(tmp_path: Path) -> None:
    """The page limit makes a full disk of a file."""
    database = filled(tmp_path / "db")
    connection = database._connection
    connection.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StoreError, match="no room left"), database.transaction():
        database.write_files([row("big.py", b"x" * 1_000_000)], 2)
    connection.execute("PRAGMA max_page_count = 100000")
    with database.transaction():
        database.write_files([row("big.py", b"x" * 1_000_000)], 2)
    assert set(database.digests()) == {"a.py", "b.py", "big.py"}
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE files SET facts = x'00' WHERE path = 'b.py'",
        "UPDATE files SET language = 'cobol' WHERE path = 'b.py'",
        "UPDATE files SET digest = x'00' WHERE path = 'b.py'",
        "UPDATE files SET flags = 0 WHERE path = 'b.py'",
        "UPDATE files SET checksum = 1 WHERE path = 'b.py'",
    ],
)
def test_a_row_that_was_changed_is_named_and_not_used(tmp_path: Path, statement: str) -> None:
    filled(tmp_path / "db").close()
    change(tmp_path / "db", statement)
    database = Database.open(tmp_path / "db")
    assert database.damaged() == ["b.py"]
    with pytest.raises(DamagedError, match=r"b\.py"):
        list(database.facts())
    database.close()


def test_another_version_is_not_read(tmp_path: Path) -> None:
    filled(tmp_path / "db").close()
    change(tmp_path / "db", "UPDATE meta SET value = '0.0' WHERE key = 'version'")
    for opened in (Database.open, Database.existing):
        with pytest.raises(DamagedError, match=r"of version 0\.0, this program needs"):
            opened(tmp_path / "db")


def test_a_generation_that_is_no_number_is_damage(tmp_path: Path) -> None:
    database = filled(tmp_path / "db")
    change(tmp_path / "db", "UPDATE meta SET value = 'many' WHERE key = 'generation'")
    with pytest.raises(DamagedError, match="many"):
        assert database.generation
    database.close()


@pytest.mark.parametrize("content", [b"", b"hello, this is a text\n" * 300, b"\0" * 8192])
def test_a_file_that_is_no_database_is_damage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "db").write_bytes(content)
    for opened in (Database.open, Database.existing):
        with pytest.raises(DamagedError) as caught:
            opened(tmp_path / "db")
        assert "knowing index" in caught.value.hint


def test_a_place_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Database.open(tmp_path / "db")
    assert not isinstance(caught.value, DamagedError)
    assert "--index-dir" in caught.value.hint


def test_a_writer_that_has_to_wait_too_long_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowing.store.database._BUSY_SECONDS", 0.01)
    first, second = filled(tmp_path / "db"), Database.open(tmp_path / "db")
    with first.transaction():
        assert set(second.digests()) == {"a.py", "b.py"}
        with pytest.raises(BusyError), second.transaction():
            pytest.fail("two writers")
    first.close()
    second.close()

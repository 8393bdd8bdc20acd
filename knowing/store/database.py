"""The database of one workspace: files with their facts, what was skipped, commits, meta.

One connection, used by one thread at a time. Readers of other processes are never blocked (WAL);
writers take the writer lock first (see `lock`).
"""

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Self

from knowing.files import Stamp
from knowing.model import Skipped, SymbolFlag
from knowing.parse.facts import FORMAT
from knowing.store.answers import AnswerTable
from knowing.store.failures import DamagedError, translated

SCHEMA_VERSION = 3
VERSION = f"{SCHEMA_VERSION}.{FORMAT}"
"""Of the tables and of the facts in them; another version's database is not read."""
SQLITE_VERSION = sqlite3.sqlite_version_info
_BUSY_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One file as it is stored; `facts` are encoded."""

    path: str
    language: str
    stamp: Stamp
    digest: bytes
    flags: SymbolFlag
    facts: bytes


class Database:
    """An open database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.answers = AnswerTable(connection)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens or makes the database; DamagedError if what is there cannot be used."""
        with translated():
            _expect_content(path)
            return cls(_connect(str(path), _prepare))

    @classmethod
    def existing(cls, path: Path) -> Self | None:
        """Opens the database to read from it; None if there is none."""
        with translated():
            if not path.exists():
                return None
            _expect_content(path)
            return cls(_connect(f"{path.absolute().as_uri()}?mode=rw", _expect_version))

    @classmethod
    def empty(cls) -> Self:
        """A database without any content, in memory, for those who can do without."""
        return cls(_connect(":memory:", _prepare))

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    # -- meta ----------------------------------------------------------------------------------

    def meta(self) -> dict[str, str]:
        with translated():
            return dict(self._connection.execute("SELECT key, value FROM meta"))

    def set_meta(self, values: Mapping[str, str]) -> None:
        self._connection.executemany(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            sorted(values.items()),
        )

    @property
    def generation(self) -> int:
        text = self.meta().get("generation", "0")
        if not text.isdecimal():
            raise DamagedError(f"the index is damaged: {text!r} is not a generation")
        return int(text)

    # -- files ---------------------------------------------------------------------------------

    def stamps(self) -> dict[str, Stamp]:
        """Stamps of all files that were read, whether they gave facts or were skipped."""
        query = (
            "SELECT path, size, mtime_ns, seen_ns FROM files "
            "UNION ALL SELECT path, size, mtime_ns, seen_ns FROM skipped WHERE seen_ns > 0"
        )
        with translated():
            return {
                path: Stamp(size=size, mtime_ns=mtime, seen_ns=seen)
                for path, size, mtime, seen in self._connection.execute(query)
            }

    def digests(self) -> dict[str, tuple[bytes, str, int]]:
        """Digest, language and flags of every file, in no order."""
        with translated():
            return {
                path: (digest, language, flags)
                for path, digest, language, flags in self._connection.execute(
                    "SELECT path, digest, language, flags FROM files"
                )
            }

    def write_files(self, rows: Iterable[FileRow], generation: int) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    row.path,
                    row.language,
                    row.stamp.size,
                    row.stamp.mtime_ns,
                    row.stamp.seen_ns,
                    row.digest,
                    int(row.flags),
                    generation,
                    row.facts,
                    _checksum(row.path, row.language, row.digest, int(row.flags), row.facts),
                )
                for row in rows
            ),
        )

    def touch(self, stamps: Mapping[str, Stamp]) -> None:
        """Renews the stamps of files whose content has not changed."""
        self._connection.executemany(
            "UPDATE files SET size = ?, mtime_ns = ?, seen_ns = ? WHERE path = ?",
            ((s.size, s.mtime_ns, s.seen_ns, path) for path, s in sorted(stamps.items())),
        )

    def remove_files(self, paths: Iterable[str]) -> None:
        self._connection.executemany("DELETE FROM files WHERE path = ?", ((p,) for p in paths))

    def forget(self, paths: Sequence[str]) -> None:
        """Drops files and what is noted about them, as if they had never been read."""
        self.remove_files(paths)
        self._connection.executemany("DELETE FROM skipped WHERE path = ?", ((p,) for p in paths))

    def facts(self) -> Iterator[tuple[str, str, bytes]]:
        """Path, language and encoded facts, in no order; DamagedError at a row that was changed."""
        for path, language, data, sound in self._checked():
            if not sound:
                raise DamagedError(f"the index is damaged: the facts of {path!r} have changed")
            yield path, language, data

    def damaged(self) -> list[str]:
        """Paths of the files whose rows are not as they were written."""
        return sorted(path for path, _, _, sound in self._checked() if not sound)

    def _checked(self) -> Iterator[tuple[str, str, bytes, bool]]:
        query = "SELECT path, language, digest, flags, facts, checksum FROM files"
        with translated():
            for path, language, digest, flags, data, wanted in self._connection.execute(query):
                sound = wanted == _checksum(path, language, digest, flags, data)
                yield path, language, data, sound

    # -- skipped -------------------------------------------------------------------------------

    def set_skipped(self, rows: Iterable[tuple[Skipped, Stamp | None]]) -> None:
        self._connection.execute("DELETE FROM skipped")
        self._connection.executemany(
            "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?, ?)",
            (
                (
                    item.path,
                    item.reason,
                    stamp.size if stamp else 0,
                    stamp.mtime_ns if stamp else 0,
                    stamp.seen_ns if stamp else 0,
                )
                for item, stamp in rows
            ),
        )

    def skipped(self) -> list[tuple[Skipped, Stamp | None]]:
        with translated():
            rows = self._connection.execute("SELECT * FROM skipped ORDER BY path").fetchall()
        return [
            (
                Skipped(path=path, reason=reason),
                Stamp(size=size, mtime_ns=mtime, seen_ns=seen) if seen else None,
            )
            for path, reason, size, mtime, seen in rows
        ]

    # -- commits -------------------------------------------------------------------------------

    def commits(self) -> dict[str, bytes]:
        """Encoded commits by hash."""
        with translated():
            return dict(self._connection.execute("SELECT hash, data FROM commits"))

    def add_commits(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO commits VALUES (?, ?, ?)", rows)

    def keep_commits(self, hashes: Iterable[str]) -> None:
        """Drops the commits that are no longer part of the history."""
        kept = set(hashes)
        stored = [row[0] for row in self._connection.execute("SELECT hash FROM commits")]
        self._connection.executemany(
            "DELETE FROM commits WHERE hash = ?", ((h,) for h in stored if h not in kept)
        )

    # -- integrity -----------------------------------------------------------------------------

    def flaws(self) -> list[str]:
        """What is wrong with the file as a database; DamagedError if rows cannot be read at all."""
        with translated():
            answers = [str(row[0]) for row in self._connection.execute("PRAGMA integrity_check")]
        lines = [line for answer in answers for line in answer.splitlines()]
        found = [line for line in lines if line != "ok" and not line.startswith("***")]
        if not found:
            for read in (self.meta, self.stamps, self.digests, self.skipped):
                read()
        return found


def _checksum(path: object, language: object, digest: object, flags: object, facts: object) -> int:
    """Of a row as it is written; what is read back may be of any type if it is damaged."""
    head = repr((path, language, digest, flags)).encode("utf-8", "backslashreplace")
    body = facts if isinstance(facts, bytes) else repr(facts).encode("utf-8", "backslashreplace")
    return zlib.crc32(body, zlib.crc32(head))


def remove(path: Path) -> None:
    """Removes a database with the files beside it; these first, lest they meet its successor."""
    with translated():
        for suffix in ("-wal", "-shm", "-journal", ""):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(name: str, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    with translated():
        connection = sqlite3.connect(
            name,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=name.startswith("file:"),
        )
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA mmap_size = 268435456")
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _expect_content(path: Path) -> None:
    """A database that is just being made has its tables in the file beside it."""
    beside = path.with_name(path.name + "-wal")
    if path.exists() and not path.stat().st_size and not beside.exists():
        raise DamagedError("the index is damaged: its database is empty")


def _expect_version(connection: sqlite3.Connection) -> None:
    found = _version(connection)
    if found != VERSION:
        raise DamagedError(f"the index is of version {found}, this program needs {VERSION}")


def _prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables if there are none."""
    connection.execute("PRAGMA journal_mode = WAL")
    if _version(connection) is None:
        connection.execute("BEGIN IMMEDIATE")
        schema = resources("knowing.store").joinpath("schema.sql").read_text("utf-8")
        for statement in schema.split(";"):
            if statement.strip():
                connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('version', ?)", (VERSION,))
        connection.execute("COMMIT")
    _expect_version(connection)


def _version(connection: sqlite3.Connection) -> str | None:
    """The version written in the database; None if there is nothing in it."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables:
        return None
    row = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    return str(row[0]) if row else "unknown"

"""The database of one workspace: files with their facts, what was skipped, commits, meta.

One connection, used by one thread at a time. Readers of other processes are never blocked (WAL);
writers take the writer lock first (see `lock`).
"""

import errno
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources import files as resources
from pathlib import Path
from typing import Self

from knowing.errors import BusyError, DiskFullError, StoreError
from knowing.files import Stamp
from knowing.model import Skipped, SymbolFlag
from knowing.parse.facts import FORMAT

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 1
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


class DamagedError(StoreError):
    """The database cannot be trusted and is to be made anew."""


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the database and the disk as errors that a user understands."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text or "disk I/O" in text:
            raise disk_full() from error
        if "locked" in text or "busy" in text:
            raise BusyError(
                "the index is in use by another process", "try again in a moment"
            ) from error
        raise DamagedError(f"the index cannot be used: {text}") from error
    except sqlite3.DatabaseError as error:
        raise DamagedError(f"the index is damaged: {error}") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full() from error
        raise StoreError(f"the index cannot be written: {error}") from error


def disk_full() -> DiskFullError:
    return DiskFullError(
        "there is no room left on the disk for the index",
        "free some space, or choose another folder with --index-dir; "
        "the last complete index is still in place",
    )


class Database:
    """An open database; `problem` says why its predecessor was thrown away, if it was."""

    def __init__(self, connection: sqlite3.Connection, problem: str) -> None:
        self._connection = connection
        self.problem = problem

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens or makes the database; one that is damaged or of another version is replaced."""
        problem = ""
        for _ in range(2):
            try:
                connection = _connect(path)
            except DamagedError as error:
                problem = str(error)
                logger.warning("%s: %s; it is made anew", path, problem)
                remove(path)
            else:
                return cls(connection, problem)
        raise StoreError(f"the index at {path} cannot be made anew: {problem}")

    @classmethod
    def replace(cls, path: Path) -> Self:
        """An empty database in the place of one that turned out to be damaged."""
        remove(path)
        return cls.open(path)

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

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
        return int(self.meta().get("generation", "0"))

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
        """Digest, language and flags of every file."""
        with translated():
            return {
                path: (digest, language, flags)
                for path, digest, language, flags in self._connection.execute(
                    "SELECT path, digest, language, flags FROM files ORDER BY path"
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
                    checksum(row.facts),
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

    def facts(self, paths: Iterable[str] | None = None) -> Iterator[tuple[str, str, bytes]]:
        """Path, language and encoded facts, by path; damaged rows are left out."""
        query = "SELECT path, language, facts, checksum FROM files ORDER BY path"
        rows: Iterable[tuple[str, str, bytes, bytes]]
        with translated():
            if paths is None:
                rows = self._connection.execute(query)
            else:
                one = "SELECT path, language, facts, checksum FROM files WHERE path = ?"
                rows = (row for p in paths for row in self._connection.execute(one, (p,)))
            for path, language, data, wanted in rows:
                if checksum(data) == wanted:
                    yield path, language, data
                else:
                    logger.warning("%s: its stored facts are damaged", path)

    def changed_since(self, generation: int) -> list[str]:
        with translated():
            rows = self._connection.execute(
                "SELECT path FROM files WHERE generation > ? ORDER BY path", (generation,)
            )
            return [path for (path,) in rows]

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

    def integrity(self) -> list[str]:
        """What is wrong with the database; nothing if all is well."""
        with translated():
            answers = [row[0] for row in self._connection.execute("PRAGMA integrity_check")]
            problems = [] if answers == ["ok"] else [f"database: {answer}" for answer in answers]
            query = "SELECT path, facts, checksum FROM files ORDER BY path"
            for path, data, wanted in self._connection.execute(query):
                if checksum(data) != wanted:
                    problems.append(f"{path}: its stored facts are damaged")
        return problems


def checksum(data: bytes) -> bytes:
    return blake2b(data, digest_size=8).digest()


def remove(path: Path) -> None:
    """Removes a database with the files beside it."""
    with translated():
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    with translated():
        connection = sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA mmap_size = 268435456")
    if _version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have made the tables while this one waited for its turn.
    found = _version(connection)
    if found is None:
        schema = resources("knowing.store").joinpath("schema.sql").read_text("utf-8")
        for statement in schema.split(";"):
            if statement.strip():
                connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('version', ?)", (VERSION,))
        connection.execute("COMMIT")
        return
    connection.execute("ROLLBACK")
    if found != VERSION:
        raise DamagedError(f"the index is of version {found}, this program needs {VERSION}")


def _version(connection: sqlite3.Connection) -> str | None:
    """The version written in the database; None if there is nothing in it."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables:
        return None
    row = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    return str(row[0]) if row else "unknown"

"""What was learned about one workspace: a small database that no rebuild touches.

It lies apart from the index, because it cannot be made again. Several processes write to it at
once, each in short transactions. A file that cannot be read is moved aside, never removed; one of
a later version is left alone. Rows are only ever added at the end, or all rewritten under a new
epoch, so that a reader knows what it has missed.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from knowing.errors import BusyError, StoreError
from knowing.model_events import Deed, Event, Source
from knowing.store.failures import DamagedError, translated

logger = logging.getLogger(__name__)

_MIGRATIONS = (
    """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, deed TEXT NOT NULL,
        symbol TEXT NOT NULL, path TEXT NOT NULL, package TEXT NOT NULL, topic TEXT NOT NULL,
        source TEXT NOT NULL, request INTEGER NOT NULL, rank INTEGER NOT NULL,
        count INTEGER NOT NULL
    );
    CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """,
)
"""The statements that lead from each version to the next; what is stored is carried along."""
VERSION = len(_MIGRATIONS)
_COLUMNS = "time, deed, symbol, path, package, topic, source, request, rank, count"
_EPOCH = "epoch"
_BUSY_SECONDS = 5.0

Rows = list[tuple[int, Event]]
Mark = tuple[int, int]
"""The epoch and the last number of what a reader has seen."""


def ledger_path(folder: Path) -> Path:
    """Where learned data of the workspace lies whose index is in `folder`.

    An index in the cache directory may vanish at any time; what was learned may not, so it lies
    in the data directory then. A folder that was chosen for the index holds both, side by side.
    """
    cache = user_cache_path("knowing", appauthor=False).resolve()
    if folder.parent == cache:
        return user_data_path("knowing", appauthor=False).resolve() / f"{folder.name}.db"
    return folder.parent / f"{folder.name}.learned.db"


class Ledger:
    """Events and notes of one workspace; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        """What was found damaged and what was done about it."""
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._opened = None, None

    # -- reading -------------------------------------------------------------------------------

    def since(self, seen: Mark) -> tuple[Mark, Rows, bool]:
        """Events after `seen`, and whether they follow it; if not, they are all there are."""
        with self._reading() as connection:
            if connection is None:
                return (0, 0), [], seen == (0, 0)
            connection.execute("BEGIN")
            try:
                epoch = _epoch(connection)
                follows = epoch == seen[0]
                query = f"SELECT id, {_COLUMNS} FROM events WHERE id > ? ORDER BY id"
                found = connection.execute(query, (seen[1] if follows else 0,)).fetchall()
            finally:
                connection.execute("COMMIT")
        last = found[-1][0] if found else seen[1] if follows else 0
        return (epoch, last), [row for item in found for row in _row(item)], follows

    def kept(self, key: str) -> str:
        """A note, empty if there is none."""
        with self._reading() as connection:
            return _kept(connection, key) if connection is not None else ""

    # -- writing -------------------------------------------------------------------------------

    def add(self, events: Sequence[Event], *, request: bool = False) -> int:
        """Adds events; with `request`, as one new answer, whose number is returned."""
        with self._writing() as connection:
            number = 0
            if request:
                number = int(_kept(connection, "request") or 0) + 1
                _keep(connection, "request", str(number))
            _insert(connection, events, number)
        return number

    def rewrite(self, change: Callable[[Sequence[Event]], Iterable[Event]]) -> int:
        """Puts what a function makes of all events in their place; how many fewer there are."""
        with self._writing() as connection:
            found = connection.execute(f"SELECT id, {_COLUMNS} FROM events ORDER BY id").fetchall()
            before = [event for item in found for _, event in _row(item)]
            after = list(change(before))
            if after != before:
                connection.execute("DELETE FROM events")
                _insert(connection, after, 0)
                _keep(connection, _EPOCH, str(_epoch(connection) + 1))
        return len(before) - len(after)

    def keep(self, values: Mapping[str, str]) -> None:
        """Writes notes; an empty one is removed."""
        with self._writing() as connection:
            for key, value in sorted(values.items()):
                _keep(connection, key, value)

    # -- the file ------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        try:
            with _named():
                yield self._current(make=False)
        except DamagedError as error:
            self._put_aside(error)
            raise

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with _named():
                connection = self._current(make=True)
                assert connection is not None
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        except DamagedError as error:
            self._put_aside(error)
            raise

    def _current(self, *, make: bool) -> sqlite3.Connection | None:
        """The connection to the file as it is there; another process may have put it aside."""
        identity = _identity(self.path)
        if self._connection is not None and identity == self._opened:
            return self._connection
        self.close()
        if identity is None and not make:
            return None
        if identity is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = _connect(self.path)
        self._opened = _identity(self.path)
        return self._connection

    def remove(self) -> None:
        """Removes the file and what lies beside it, a damaged one too."""
        self.close()
        with _named():
            for suffix in ("-wal", "-shm", ".damaged", ""):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _put_aside(self, error: DamagedError) -> None:
        """Keeps a damaged file under another name: a person may still save something from it."""
        self.close()
        aside = self.path.with_name(f"{self.path.name}.damaged")
        try:
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            os.replace(self.path, aside)
        except OSError as problem:
            logger.warning("%s cannot be moved aside: %s", self.path, problem)
            return
        logger.warning("%s: %s; it was moved to %s", self.path, error, aside)
        self.notes = [f"{error}; the file was moved to {aside}, and learning starts anew"]


@contextmanager
def _named() -> Iterator[None]:
    """Errors that say what they are about: the index is well."""
    try:
        with translated():
            yield
    except DamagedError as error:
        raise DamagedError(_renamed(error)) from error
    except BusyError as error:
        raise BusyError(_renamed(error), error.hint) from error
    except StoreError as error:
        raise type(error)(_renamed(error), error.hint) from error


def _renamed(error: StoreError) -> str:
    return str(error).replace("the index", "what was learned", 1)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if _version(connection) < VERSION:
            _migrate(connection)
        if _version(connection) > VERSION:
            raise StoreError(
                "the index was learned from by a later version of this program",
                "use that version; until then nothing is learned, and nothing is lost",
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables to this version; another process may just be doing the same."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection), VERSION):
            for statement in _MIGRATIONS[number].split(";"):
                if statement.strip():
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _kept(connection: sqlite3.Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def _keep(connection: sqlite3.Connection, key: str, value: str) -> None:
    if value:
        connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))
    else:
        connection.execute("DELETE FROM notes WHERE key = ?", (key,))


def _epoch(connection: sqlite3.Connection) -> int:
    text = _kept(connection, _EPOCH) or "1"
    if not text.isdecimal():
        raise DamagedError(f"the index is damaged: {text!r} is not an epoch")
    return int(text)


def _insert(connection: sqlite3.Connection, events: Iterable[Event], request: int) -> None:
    connection.executemany(
        f"INSERT INTO events ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                event.time,
                event.deed.value,
                event.symbol,
                event.path,
                event.package,
                event.topic,
                event.source.value,
                request or event.request,
                event.rank,
                event.count,
            )
            for event in events
        ],
    )


def _row(item: tuple[object, ...]) -> Rows:
    """An event as it was stored; none for what a later version may have added."""
    number, time, deed, symbol, path, package, topic, source, request, rank, count = item
    numbers = (number, request, rank, count)
    if not isinstance(time, float) or not all(isinstance(value, int) for value in numbers):
        raise DamagedError("the index is damaged: an event is not as it was written")
    try:
        event = Event(
            time=time,
            deed=Deed(str(deed)),
            symbol=str(symbol),
            path=str(path),
            package=str(package),
            topic=str(topic),
            source=Source(str(source)),
            request=int(str(request)),
            rank=int(str(rank)),
            count=int(str(count)),
        )
    except ValueError:
        return []
    return [(int(str(number)), event)]


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino

"""The folder of one workspace: its database, its snapshots and the right to write to them.

Whoever reads gets by with whatever is there: no database, or one that cannot be used, counts as an
empty one. Only a writer makes, mends or replaces anything, and only while it holds the lock.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from knowing.errors import BusyError, StoreError
from knowing.store import database, snapshot
from knowing.store.database import Database
from knowing.store.failures import MENDS, DamagedError, of_disk
from knowing.store.lock import writer_lock

logger = logging.getLogger(__name__)

_DATABASE = "index.db"
_SNAPSHOTS = "snapshots"
_LOCK = "writer.lock"
_SHOWN = 5
"""Problems of one kind that are named; more would only hide the others."""

Identity = tuple[int, int] | None


class Shelf:
    """Reads and writes what is stored about one workspace; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.snapshots = path / _SNAPSHOTS
        self.notes: list[str] = []
        """What was found damaged and what was done about it."""
        self._database: Database | None = None
        self._opened: Identity = None
        """The file that is open as the database; None for one that only stands in for it."""
        self._distrusted: Identity = None
        """A file that was found damaged and is not opened again to be read."""
        self._writing = False

    # -- the database --------------------------------------------------------------------------

    @property
    def database(self) -> Database:
        """The database as it is in the folder, or an empty one in its stead."""
        if self._database is None or (not self._writing and self._is_outdated()):
            self.close()
            self._database = self._readable()
        return self._database

    def _is_outdated(self) -> bool:
        """Whether another process has made, removed or replaced the file."""
        return self._opened is None or self._opened != _identity(self.path / _DATABASE)

    def _readable(self) -> Database:
        path = self.path / _DATABASE
        identity = _identity(path)
        if identity is not None and identity == self._distrusted:
            return Database.empty()
        try:
            found = Database.existing(path)
        except BusyError:
            raise
        except StoreError as error:
            self._note(f"{error}; {error.hint}")
            found = None
        self._opened = identity if found else None
        return found or Database.empty()

    def look_over(self) -> None:
        """Looks for damage before much is read; what is damaged counts as empty from then on."""
        if flaws := self._flaws():
            self._note(f"{flaws[0]}; {MENDS}")
            self._distrusted = self._opened
            self.close()

    def _flaws(self) -> list[str]:
        try:
            return [f"the index is damaged: {flaw}" for flaw in self.database.flaws()]
        except DamagedError as error:
            return [str(error)]

    @contextmanager
    def writing(self, wait: float = 0.0) -> Iterator[None]:
        """The right to write, and a database that is there; BusyError if another has it."""
        with writer_lock(self.path / _LOCK, wait):
            if self._database is None or self._is_outdated():
                self._open_to_write()
            self._writing = True
            try:
                yield
            finally:
                self._writing = False

    def _open_to_write(self) -> None:
        self.close()
        path = self.path / _DATABASE
        try:
            self._database = Database.open(path)
        except DamagedError as error:
            self.start_afresh(str(error))
        else:
            self._opened = _identity(path)

    def start_afresh(self, why: str) -> None:
        """An empty database in the place of one that cannot be used. Only while writing."""
        logger.warning("%s: %s; it is made anew", self.path, why)
        self.notes = [f"{why}; it was made anew"]
        self.close()
        path = self.path / _DATABASE
        database.remove(path)
        self._database = Database.open(path)
        self._opened = _identity(path)

    def mend(self) -> None:
        """Looks at all that is stored and drops what is damaged. Only while writing."""
        if flaws := self._flaws():
            self.start_afresh(flaws[0])
        try:
            damaged = self.database.damaged()
            spoiled = self.database.answers.damaged()
        except DamagedError as error:
            self.start_afresh(str(error))
            return
        if spoiled:
            with self.database.transaction():
                self.database.answers.drop(spoiled)
            self._note("stored answers of language servers were damaged; ask for them again")
        if damaged:
            with self.database.transaction():
                self.database.remove_files(damaged)
            self._note(f"stored facts were damaged; read again: {_some(damaged)}")

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # -- the whole -----------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """What is wrong with the stored data; nothing if all is well."""
        try:
            found = Database.existing(self.path / _DATABASE)
        except StoreError as error:
            return [str(error), *self._snapshot_problems()]
        if found is None:
            return ["there is no complete index"]
        try:
            problems = [f"the index is damaged: {flaw}" for flaw in found.flaws()[:_SHOWN]]
            # In a file with flaws, rows may be of any shape.
            if not problems and (damaged := found.damaged()):
                problems.append(f"the stored facts of {_some(damaged)} are damaged")
            if not problems and found.answers.damaged():
                problems.append("stored answers of language servers are damaged")
        except DamagedError as error:
            problems = [str(error)]
        finally:
            found.close()
        return problems + self._snapshot_problems()

    def _snapshot_problems(self) -> list[str]:
        if problem := snapshot.flaw(self.snapshots):
            return [problem]
        try:
            loaded = snapshot.load(self.snapshots)
        except DamagedError as error:
            return [str(error)]
        return [] if loaded else ["there is no complete index"]

    def size(self) -> int:
        """Bytes on disk; files may come and go meanwhile."""
        total = 0
        for folder, _, names in os.walk(self.path):
            for name in names:
                with suppress(OSError):
                    total += os.stat(os.path.join(folder, name)).st_size
        return total

    def clear(self, wait: float = 0.0) -> None:
        """Removes the folder."""
        if not self.path.exists():
            return
        with writer_lock(self.path / _LOCK, wait):
            self.close()
            try:
                # The lock goes last, so that nobody writes into what is being removed.
                for entry in sorted(self.path.iterdir()):
                    if entry.is_dir() and not entry.is_symlink():
                        shutil.rmtree(entry)
                    elif entry.name != _LOCK:
                        entry.unlink(missing_ok=True)
                shutil.rmtree(self.path)
            except OSError as error:
                raise of_disk(error) from error

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._opened = None, None


def _identity(path: Path) -> Identity:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _some(paths: list[str]) -> str:
    more = len(paths) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")

"""What goes wrong with a database or a disk, in words that a user can act on."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from knowing.errors import BusyError, DiskFullError, StoreError

_PRIMARY = 0xFF
"""The part of an extended result code that names its family."""
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_DAMAGED_FILE = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS})
_IN_USE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_NOT_ALLOWED = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
    }
)
MENDS = "run `knowing index`: it makes anew what is damaged"
_ELSEWHERE = "choose a folder that can be written with --index-dir"


class DamagedError(StoreError):
    """What is stored cannot be trusted and is to be made anew."""

    def __init__(self, message: str) -> None:
        super().__init__(message, MENDS)


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the database and the disk as errors that a user understands."""
    try:
        yield
    except sqlite3.ProgrammingError:
        # A mistake of the caller says nothing about what is stored.
        raise
    except sqlite3.DatabaseError as error:
        raise _of_database(error) from error
    except UnicodeDecodeError as error:
        # The database quotes what it found, and that is no text.
        raise DamagedError("the index is damaged: it holds what is no text") from error
    except OSError as error:
        raise of_disk(error) from error


def _of_database(error: sqlite3.DatabaseError) -> StoreError:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code in _NO_ROOM:
        return _disk_full()
    if code & _PRIMARY in _IN_USE:
        return BusyError("the index is in use by another process", "try again in a moment")
    if code & _PRIMARY in _NOT_ALLOWED and code not in _DAMAGED_FILE:
        return StoreError(f"the index cannot be used: {error}", _ELSEWHERE)
    return DamagedError(f"the index is damaged: {error}")


def of_disk(error: OSError) -> StoreError:
    """An error of the file system, whatever was to be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full()
    what = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
    return StoreError(f"the index cannot be written: {what}", _ELSEWHERE)


def _disk_full() -> DiskFullError:
    return DiskFullError(
        "there is no room left on the disk for the index",
        "free some space, or choose another folder with --index-dir; "
        "what was indexed before stays in place",
    )

"""One writer at a time, among all processes: an advisory lock on a file.

The lock belongs to the open file, so it is gone the moment its process is, however that ends.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knowing.errors import BusyError

if sys.platform == "win32":
    import msvcrt

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _acquire(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Holds the lock at `path`; BusyError if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _acquire(descriptor):
            raise BusyError(
                "another process is indexing this workspace",
                "wait for it to finish; its result is shared",
            )
        yield
    finally:
        os.close(descriptor)

"""One writer at a time, among all processes: an advisory lock on a file.

The lock belongs to the open file, so it is gone the moment its process is, however that ends.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from knowing.errors import BusyError
from knowing.store.failures import translated

_POLL_SECONDS = 0.05

if sys.platform == "win32":
    import msvcrt

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _acquire(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_held: set[int] = set()


def _let_go() -> None:
    """A forked process shares the open file and would keep the lock of a parent that is gone."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


@contextmanager
def writer_lock(path: Path, wait: float = 0.0) -> Iterator[None]:
    """Holds the lock at `path`; BusyError if another has it for longer than `wait` seconds."""
    descriptor = _taken(path, wait)
    _held.add(descriptor)
    try:
        yield
    finally:
        _held.discard(descriptor)
        with suppress(OSError):
            # Closing alone would leave it to a process that was forked a moment ago.
            _release(descriptor)
        os.close(descriptor)


def _taken(path: Path, wait: float) -> int:
    until = time.monotonic() + wait
    while True:
        descriptor = _opened(path)
        if _acquire(descriptor):
            if _is_at(path, descriptor):
                return descriptor
            # The folder was removed meanwhile; a lock on what is gone keeps nobody out.
            os.close(descriptor)
            continue
        os.close(descriptor)
        if time.monotonic() >= until:
            raise BusyError(
                "another process is indexing this workspace",
                "wait for it to finish; its result is shared",
            )
        time.sleep(_POLL_SECONDS)


def _opened(path: Path) -> int:
    with translated():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            # Another process removes the folder at this very moment.
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except OSError:
        return False

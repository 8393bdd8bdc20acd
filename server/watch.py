"""Ends the server when its editor is gone, however the editor ended."""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

_POLL_SECONDS = 2.0


def watch(process: int, gone: Callable[[], None]) -> threading.Thread:
    """Calls `gone` once a process no longer runs."""
    thread = threading.Thread(target=_watch, args=(process, gone), name="watch", daemon=True)
    thread.start()
    return thread


def _watch(process: int, gone: Callable[[], None]) -> None:
    while is_running(process):
        time.sleep(_POLL_SECONDS)
    logger.warning("the client, process %d, is gone", process)
    gone()


def is_running(process: int) -> bool:
    """Whether a process of this number exists and has not ended."""
    if process <= 0:
        return True
    if sys.platform == "win32":
        return _is_running_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return not _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """An editor that was killed stays in the table until its own parent looks at it."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except (OSError, IndexError):
        return False


def _is_running_on_windows(process: int) -> bool:
    import ctypes

    synchronize, timed_out = 0x00100000, 0x102
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - exists on Windows only
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)

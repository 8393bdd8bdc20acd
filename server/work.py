"""Runs requests in threads, so that none waits for another, and stops those nobody waits for."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import TypeVar

from knowing.errors import CancelledError

T = TypeVar("T")


class Cancel:
    """Whether the one who asked has lost interest."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __call__(self) -> bool:
        return self._event.is_set()

    def set(self) -> None:
        self._event.set()

    def check(self) -> None:
        """Ends the work if nobody waits for it."""
        if self._event.is_set():
            raise CancelledError("the request was cancelled")


class Lane(Enum):
    """How long a request may take; those of one lane never wait for those of another."""

    QUICK = 4
    """Asked for on every movement of the cursor."""
    SLOW = 8
    """Asked for by a person who waits."""


class Pool:
    """Threads for requests."""

    def __init__(self) -> None:
        self._lanes = {
            lane: ThreadPoolExecutor(lane.value, thread_name_prefix=lane.name.lower())
            for lane in Lane
        }
        self._running = 0
        self._counting = threading.Lock()

    async def run(self, job: Callable[[Cancel], T], lane: Lane = Lane.SLOW) -> T:
        """The outcome of a job; if the request is cancelled, so is the job."""
        cancel = Cancel()
        self._count(1)
        try:
            future = self._lanes[lane].submit(_unless_cancelled, job, cancel)
        except RuntimeError:
            self._count(-1)
            raise
        future.add_done_callback(lambda _: self._count(-1))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            cancel.set()
            future.cancel()
            raise

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._running > 0

    def _count(self, step: int) -> None:
        with self._counting:
            self._running += step

    def close(self) -> None:
        """Drops what has not begun and does not wait for what has."""
        for executor in self._lanes.values():
            executor.shutdown(wait=False, cancel_futures=True)


def _unless_cancelled(job: Callable[[Cancel], T], cancel: Cancel) -> T:
    cancel.check()
    return job(cancel)

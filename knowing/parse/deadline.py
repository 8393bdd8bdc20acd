"""A limit of processor time, so that a busy machine does not cut files short."""

import time

_SHORT = 0.01
"""Seconds at the beginning that count as used however little of them was."""


class Deadline:
    """Called, it says whether more processor time than allowed has gone since it was made.

    Asking for processor time takes a system call, asking for the time does not, and no more of the
    first than of the second can pass. So the dear question is asked once, and again only when the
    time that was left is over.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._started: float | None = None
        """Processor time of the beginning, once that matters."""
        self._ask_at = time.monotonic() + min(seconds, _SHORT)
        self._expired = False

    def __call__(self) -> bool:
        now = time.monotonic()
        if not self._expired and now > self._ask_at:
            used = time.thread_time()
            if self._started is None:
                self._started = used - min(self._seconds, _SHORT)
            left = self._started + self._seconds - used
            self._expired = left <= 0
            self._ask_at = now + left
        return self._expired

"""A limit of processor time, so that a busy machine does not cut files short."""

import time


class Deadline:
    """Called, it says whether more processor time than allowed has gone since it was made.

    Asking for processor time takes a system call, asking for the time does not, and no more of the
    first than of the second can pass. So the dear question is asked again only when the time that
    was left is over.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds
        self._ask_at = time.monotonic() + seconds
        self._expired = False

    def __call__(self) -> bool:
        now = time.monotonic()
        if not self._expired and now >= self._ask_at:
            left = self._end - time.thread_time()
            self._expired = left <= 0
            self._ask_at = now + left
        return self._expired

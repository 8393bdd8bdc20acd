"""Progress of an index run, shown only where a person is looking."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from knowing.indexer import Progress

_WIDTH = 24
_EVERY_SECONDS = 0.1
_USUAL_COLUMNS = 80


@contextmanager
def reporter(stream: TextIO) -> Iterator[Callable[[Progress], None]]:
    """Draws one line on a terminal and wipes it at the end; silent elsewhere."""
    if not stream.isatty():
        yield lambda _progress: None
        return
    line = _Line(stream)
    try:
        yield line.show
    finally:
        line.wipe()


class _Line:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown_at = 0.0
        self._stage = ""
        self._since = time.monotonic()

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.stage != self._stage:
            self._stage, self._since, self._shown_at = progress.stage, now, 0.0
        if now - self._shown_at < _EVERY_SECONDS:
            return
        self._shown_at = now
        # A line that wraps could not be wiped.
        shown = self._text(progress, now)[: self._columns() - 1]
        self._stream.write(f"\r\x1b[2K{shown}")
        self._stream.flush()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _USUAL_COLUMNS
        except OSError:
            return _USUAL_COLUMNS

    def _text(self, progress: Progress, now: float) -> str:
        if not progress.total:
            return progress.stage
        share = progress.done / progress.total
        filled = "#" * round(share * _WIDTH)
        rate = progress.done / max(now - self._since, 0.001)
        return (
            f"{progress.stage} [{filled:<{_WIDTH}}] {progress.done:,}/{progress.total:,} files, "
            f"{rate:,.0f} a second"
        )

    def wipe(self) -> None:
        if self._shown_at:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()

"""Work-done progress, for clients that show it."""

import asyncio
import logging
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp
from pygls.protocol import LanguageServerProtocol

from knowing.indexer import Progress

logger = logging.getLogger(__name__)

_INTERVAL_SECONDS = 0.2


class Indicator:
    """One piece of work as the editor shows it; used from the thread that does the work."""

    def __init__(
        self,
        wire: LanguageServerProtocol,
        loop: asyncio.AbstractEventLoop,
        title: str,
        cancel: Callable[[], None],
    ) -> None:
        self._wire = wire
        self._loop = loop
        self._title = title
        self._cancel = cancel
        self._token = f"knowing/{uuid.uuid4()}"
        self._lock = threading.Lock()
        self._shown = False
        self._ended = False
        self._last = 0.0
        self._percentage = 0
        loop.call_soon_threadsafe(self._create)

    @property
    def token(self) -> str:
        return self._token

    def _create(self) -> None:
        params = lsp.WorkDoneProgressCreateParams(token=self._token)
        future = self._wire.send_request(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        future.add_done_callback(self._created)

    def _created(self, future: "Future[Any]") -> None:
        """The client may refuse; then there is nothing to show."""
        if future.cancelled() or future.exception() is not None:
            return
        with self._lock:
            if self._ended:
                return
            begin = lsp.WorkDoneProgressBegin(
                title=self._title, cancellable=True, message="scanning", percentage=0
            )
            self._tell(begin)
            self._shown = True

    def cancelled(self, token: str | int) -> None:
        """The client wants the work of a token to stop."""
        if token == self._token:
            self._cancel()

    def report(self, progress: Progress) -> None:
        """Shows how far the work has come, not more often than anybody can read."""
        now = time.monotonic()
        if not self._shown or now - self._last < _INTERVAL_SECONDS:
            return
        self._last = now
        if progress.total:
            share = 100 * progress.done // progress.total
            self._percentage = max(self._percentage, min(100, share))
        count = f" {progress.done} of {progress.total}" if progress.total else ""
        self._tell(
            lsp.WorkDoneProgressReport(
                message=f"{progress.stage}{count}", percentage=self._percentage, cancellable=True
            )
        )

    def end(self, message: str) -> None:
        """Takes it away, whatever became of the work."""
        with self._lock:
            self._ended = True
            if self._shown:
                self._tell(lsp.WorkDoneProgressEnd(message=message))

    def _tell(self, value: Any) -> None:
        params = lsp.ProgressParams(token=self._token, value=value)
        self._loop.call_soon_threadsafe(self._wire.notify, lsp.PROGRESS, params)

"""Runs over a whole folder, one at a time, in a thread of its own.

They use an engine of their own, as another process would, and what they make is taken in when it
is complete.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from knowing.engine import Engine
from knowing.errors import BusyError, CancelledError, KnowingError
from knowing.files import ScanCancelled
from knowing.indexer import Progress
from knowing.reports import IndexState

if TYPE_CHECKING:
    from server.folder import Folder

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
_FIRST_PARTIAL_SECONDS = 3.0
"""After which a first run lets what it has read so far be asked."""
_AT_ONCE = threading.BoundedSemaphore(1)
"""Each run uses all cores, so folders take turns."""


class Shown(Protocol):
    """A run as the editor shows it."""

    def report(self, progress: Progress) -> None: ...

    def end(self, message: str) -> None: ...


Show = Callable[[str, Callable[[], None]], Shown | None]
"""Shows a title and a way to cancel; None if the editor shows nothing."""


class Indexing:
    """The runs of one folder."""

    def __init__(self, folder: "Folder", show: Show) -> None:
        self._folder = folder
        self._show = show
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._again: bool | None = None
        """Whether a further run is wanted, and if so whether it reads everything anew."""
        self._stop = threading.Event()
        self._closed = False
        self._refused = False
        """Whether the user has cancelled a run; then only the user starts another one."""
        self._progress = Progress(stage="waiting")
        self._problem = ""
        self._waits = False

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def start(self, *, full: bool = False, unless_stopped: bool = False) -> None:
        """Begins a run, or lets the one that is under way be followed by another."""
        with self._lock:
            if self._closed or (unless_stopped and self._refused):
                return
            self._refused = False
            if self._thread is not None:
                self._again = bool(self._again) or full
                return
            self._stop.clear()
            self._progress = Progress(stage="waiting")
            name = f"index {self._folder.root}"
            self._thread = threading.Thread(target=self._work, args=(full,), name=name, daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """The user wants no more of it."""
        with self._lock:
            if self._thread is None:
                return
            self._refused = True
            self._again = None
            self._stop.set()

    def stop(self) -> None:
        """The folder is closed."""
        with self._lock:
            self._closed = True
            self._again = None
            self._stop.set()

    def wait(self, seconds: float) -> None:
        """Until the run has ended, but not longer."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def state(self) -> IndexState:
        """What can be said about runs; the numbers are those of the engine."""
        state, notes = "fresh", []
        if self.is_running:
            state = "indexing"
            progress = self._progress
            count = f" {progress.done:,} of {progress.total:,} files" if progress.total else ""
            notes.append(f"indexing: {progress.stage}{count}")
            if self._folder.engine.is_partial:
                notes.append("answers come from the files that have been read so far")
            if self._waits:
                notes.append("another process is indexing this workspace; its result is shared")
        elif self._refused:
            state = "stale"
            notes.append(f"indexing was cancelled; run {_REINDEX!r} to go on")
        elif self._problem:
            state = "stale"
            notes.append(self._problem)
        return IndexState(
            state=state, generation=0, files=0, symbols=0, edges=0, notes=tuple(notes)
        )

    # -- the thread ----------------------------------------------------------------------------

    def _work(self, full: bool) -> None:
        while True:
            self._run(full)
            with self._lock:
                if self._again is None or self._stop.is_set():
                    self._thread = None
                    break
                full, self._again = self._again, None
        self._folder.take_stored()
        self._folder.tell()
        if not self._stop.is_set() and not self._problem:
            self._folder.enriching.indexed()

    def _run(self, full: bool) -> None:
        shown = self._show(f"Indexing {self._folder.place.name}", self.cancel)
        message = "done"
        try:
            self._index(full, shown)
            self._problem = ""
        except (CancelledError, ScanCancelled):
            message = "cancelled"
        except (KnowingError, OSError) as error:
            self._problem = message = f"indexing failed: {error}"
            logger.error("%s: %s", self._folder.root, message)
        except Exception as error:
            self._problem = message = f"indexing failed: {type(error).__name__}: {error}"
            logger.exception("%s: indexing failed", self._folder.root)
        finally:
            if shown is not None:
                shown.end(message)

    def _index(self, full: bool, shown: Shown | None) -> None:
        """Files first: answers need not wait until the history is read."""

        folder = self._folder
        begun, due = time.monotonic(), _FIRST_PARTIAL_SECONDS

        def report(progress: Progress) -> None:
            nonlocal due
            self._progress = progress
            if shown is not None:
                shown.report(progress)
            passed = time.monotonic() - begun
            if progress.stage == "reading" and passed > due and not folder.engine.is_whole:
                # Each takes longer than the one before, so they come ever more rarely.
                due = 2 * passed
                folder.take_partial()

        report(Progress(stage="waiting"))
        folder.tell()
        with self._turn(), Engine.open(folder.root, folder.settings, folder.place.index_dir) as own:
            self._patiently(own, full=full, history=False, report=report)
            folder.take_stored()
            if folder.settings.history.enabled:
                self._patiently(own, full=False, history=True, report=report)

    def _turn(self) -> "_Turn":
        return _Turn(self._stop)

    def _patiently(
        self, engine: Engine, *, full: bool, history: bool, report: Callable[[Progress], None]
    ) -> None:
        """Lets another process that is indexing finish; its result is shared."""
        while True:
            try:
                engine.index(
                    full=full,
                    history=history,
                    wait=_RETRY_SECONDS,
                    report=report,
                    cancelled=self._stop.is_set,
                )
            except BusyError:
                self._waits = True
                self._folder.tell()
                if self._stop.is_set():
                    raise CancelledError("indexing was cancelled") from None
            else:
                self._waits = False
                return


_REINDEX = "knowing.reindex"


class _Turn:
    """One run at a time among all folders; one that is stopped does not wait for its turn."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop

    def __enter__(self) -> None:
        while not _AT_ONCE.acquire(timeout=0.1):
            if self._stop.is_set():
                raise CancelledError("indexing was cancelled")

    def __exit__(self, *_: object) -> None:
        _AT_ONCE.release()

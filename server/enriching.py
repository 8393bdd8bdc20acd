"""Asks language servers about one folder, in a thread of its own, and never in anybody's way.

A run over all files follows an index run if the user has chosen so, or a command. After that,
files that are saved are asked about again, and those whose targets went with them. What is open
in the editor comes first. Nothing is run in a workspace that is not trusted.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from knowing.engine_enrich import Request, as_json, enrich, open_enricher
from knowing.enrich import Enricher, RunReport
from knowing.errors import KnowingError
from knowing.indexer import Progress
from server.indexing import Show

if TYPE_CHECKING:
    from server.folder import Folder

logger = logging.getLogger(__name__)

_EDITED, _REMOVED = 2, 3
"""What the protocol calls a file that changed on disk, and one that is gone."""
_OFF = "off"
_NOT_TRUSTED = "the workspace is not trusted, so no language server is run in it"
_NOT_WANTED = "it is not asked for: set knowing.enrich.enabled, or run knowing.enrich"

Paths = Callable[[], tuple[str, ...]]


def nothing_open() -> tuple[str, ...]:
    """Of an editor that shows no document of the folder."""
    return ()


class Enriching:
    """The runs of one folder."""

    def __init__(self, folder: "Folder", show: Show, *, trusted: bool) -> None:
        self._folder = folder
        self._show = show
        self._trusted = trusted
        self.focus: Paths = nothing_open
        """What is open in the editor, asked at the beginning of each run."""
        self.busy: Callable[[], bool] = lambda: False
        """Whether somebody waits for an answer; work is held back meanwhile."""
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._enricher: Enricher | None = None
        self._active = False
        """Whether a run was wanted at all; edits are followed from then on."""
        self._whole = False
        self._edited: dict[str, int] = {}
        self._running = False
        self._stopped = False
        """Whether the user has cancelled the run that is under way."""
        self._publishing = False
        """Whether the index run that is under way only shows what was answered."""
        self._resettled = False
        self._closed = False
        self._progress = Progress(stage="waiting")
        self._last: dict[str, Any] = {}
        self._problem = ""
        self.runs = {"whole": 0, "edits": 0, "files": 0}
        """How much has been done, for those who want to see that nothing is done in vain."""

    # -- what sets it going --------------------------------------------------------------------

    def start(self) -> str:
        """Begins a run over all files; why there is none, if there is none."""
        if not self._trusted:
            return _NOT_TRUSTED
        with self._wake:
            self._active = self._whole = True
            self._begin()
        return ""

    def indexed(self) -> None:
        """A new index is there."""
        with self._wake:
            if self._publishing:
                self._publishing = False
                return
        if self._trusted and (self._folder.settings.enrich.enabled or self._active):
            self.start()

    def changed(self, paths: Iterable[str]) -> None:
        """Files were saved, made or removed, and the graph has taken them in."""
        if not self._active:
            return
        with self._wake:
            for path in paths:
                there = (self._folder.root / path).exists()
                self._edited[path] = _EDITED if there else _REMOVED
            if self._edited:
                self._begin()

    def resettle(self) -> None:
        """The user has other wishes."""
        with self._wake:
            self._resettled = True
        if self._folder.settings.enrich.enabled:
            self.start()
        elif self._active:
            self.cancel()
            self._active = False

    def cancel(self) -> None:
        """The user wants no more of this run; what was answered stays."""
        with self._wake:
            self._stopped = True
            self._whole = False

    def stop(self) -> None:
        """The folder is closed: ends the server, too, but does not wait for it."""
        with self._wake:
            self._closed = self._stopped = True
            self._wake.notify_all()

    def wait(self, seconds: float) -> None:
        """Until the servers have ended, but not longer."""
        if self._thread is not None:
            self._thread.join(seconds)

    def pause(self, paused: bool) -> None:
        """Holds the work back, or lets it go on."""
        if self._enricher is not None:
            (self._enricher.pause if paused else self._enricher.resume)()

    def _begin(self) -> None:
        if self._thread is None and not self._closed:
            name = f"enrich {self._folder.root}"
            self._thread = threading.Thread(target=self._work, name=name, daemon=True)
            self._thread.start()
        self._wake.notify_all()

    # -- the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while (work := self._next()) is not None:
                self._run(*work)
        finally:
            if self._enricher is not None:
                self._enricher.close()

    def _next(self) -> tuple[bool, dict[str, int]] | None:
        """Waits for something to do: all files, or some; None once there will be nothing."""
        with self._wake:
            while not self._closed:
                # An index run changes what would be asked about, and ends with a new one.
                ready = self._folder.engine.is_whole and not self._folder.indexing.is_running
                if ready and (self._whole or self._edited):
                    self._running, self._stopped = True, False
                    whole, self._whole = self._whole, False
                    edited, self._edited = self._edited, {}
                    return whole, edited
                self._wake.wait(None if not (self._whole or self._edited) else 0.1)
            return None

    def _run(self, whole: bool, edited: dict[str, int]) -> None:
        shown = None
        if whole:
            title = f"Asking language servers about {self._folder.place.name}"
            shown = self._show(title, self.cancel)
        message = "done"

        def report(progress: Progress) -> None:
            self._progress = progress
            if shown is not None:
                shown.report(progress)

        try:
            self._ask(whole, edited, report)
            self._problem = ""
        except (KnowingError, OSError) as error:
            self._problem = message = f"language servers could not be asked: {error}"
            logger.warning("%s: %s", self._folder.root, message)
        except Exception as error:
            self._problem = message = f"{type(error).__name__}: {error}"
            logger.exception("%s: language servers could not be asked", self._folder.root)
        finally:
            self._running = False
            if shown is not None:
                shown.end(message)
        self._folder.tell()

    def _ask(self, whole: bool, edited: dict[str, int], report: Callable[[Progress], None]) -> None:
        if edited:
            self._servers().changed(edited)
        focus = self.focus()
        if not whole:
            present = frozenset(path for path, kind in edited.items() if kind != _REMOVED)
            self._asked(Request(paths=present, focus=focus), report)
            self.runs["edits"] += 1
            return
        if focus:
            # What somebody looks at is shown before all else is asked about.
            self._asked(Request(paths=frozenset(focus), focus=focus), report)
        done = self._asked(Request(focus=focus, changed=tuple(edited)), report)
        self._last = as_json(done)
        self.runs["whole"] += 1
        if done.files and not self._closed:
            with self._wake:
                self._publishing = True
            self._folder.indexing.start(unless_stopped=True)

    def _asked(self, request: Request, report: Callable[[Progress], None]) -> RunReport:
        engine = self._folder.engine
        done = enrich(engine, self._servers(), request, report, lambda: self._stopped)
        self.runs["files"] += done.files
        if done.files:
            engine.take_answers()
            self._folder.nudge()
        return done

    def _servers(self) -> Enricher:
        if self._enricher is not None and self._resettled:
            self._enricher.close()
            self._enricher = None
        self._resettled = False
        if self._enricher is None:
            self._enricher = open_enricher(self._folder.engine, trusted=self._trusted)
            self._enricher.busy = self.busy
        return self._enricher

    # -- how it stands -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """For whoever wants to know what is going on, and what stood in the way."""
        state, reason = _OFF, _NOT_WANTED if self._trusted else _NOT_TRUSTED
        if self._active:
            state, reason = "idle", self._problem
            if self._enricher is not None:
                state, reason = self._enricher.state[0].value, self._enricher.state[1]
                reason = reason or self._problem
            if self._running and state == "idle":
                state = "working"
            elif (self._whole or self._edited) and not self._running:
                state = "waiting"
                reason = reason or "the folder is being indexed"
        found: dict[str, Any] = {"state": state, "reason": reason, "runs": dict(self.runs)}
        if self._running:
            found |= {"done": self._progress.done, "total": self._progress.total}
        if self._last:
            found["last"] = self._last
        return found

    def note(self) -> str:
        """One line about what is going on; empty if nothing is."""
        if not self._running:
            return ""
        progress = self._progress
        count = f" {progress.done:,} of {progress.total:,} files" if progress.total else ""
        return f"{progress.stage}{count}"

"""One folder of the workspace: its engine and the threads that keep it current.

Edits are gathered and taken in together as soon as the typing pauses or somebody asks. Indexing
runs with an engine of its own, as another process would: neither edits nor questions wait for it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from knowing.errors import CancelledError, KnowingError
from knowing.files import is_ignore_file
from knowing.graph import PROJECT_FILES, View
from knowing.reports import IndexState
from knowing.settings import Settings
from server.enriching import Enriching
from server.indexing import Indexing, Show
from server.places import has_below
from server.served import ServedEngine
from server.work import Cancel

logger = logging.getLogger(__name__)

_TYPING_SECONDS = 0.3
"""Without a further edit before edits are taken in, unless somebody asks."""
_QUIET_SECONDS = 2.0
"""Without an edit before what ranking looks up is prepared, unless somebody asks."""
_SLICE_SECONDS = 0.02
_SWEEP_SECONDS = 2.0
_MOST_LOOKED_AT = 2000
"""Changed files, beyond which it is not worth asking which of them matter."""
_MANY = 200
"""Changed files from which on one run over the workspace is quicker than each by itself."""

Changed = Callable[["Folder"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a folder is, and where its index is kept."""

    uri: str
    name: str
    root: Path
    index_dir: Path | None = None


class Folder:
    """Keeps one folder current and lets it be asked."""

    def __init__(
        self,
        place: Place,
        settings: Settings,
        show: Show,
        changed: Changed,
        *,
        watched: bool,
        trusted: bool = True,
    ) -> None:
        self.place = place
        self.settings = settings
        self.watched = watched
        """Whether the editor tells of files that change on disk."""
        self.engine = ServedEngine.open(place.root, settings, place.index_dir)
        self.indexing = Indexing(self, show)
        self.enriching = Enriching(self, show, trusted=trusted)
        self._on_change = changed
        self._wake = threading.Condition()
        self._overlays: dict[str, str | None] = {}
        self._paths: dict[str, None] = {}
        self._covered: set[str] = set()
        """Files that unsaved text lies over."""
        self._stored = True
        """Whether another index may be on disk."""
        self._loading = True
        """Until what was on disk at first has been looked at."""
        self._warm = False
        self._partial = False
        self._busy = False
        self._hurry = False
        self._want_lookup = False
        self._hopeless: View | None = None
        """A view whose look-up structures could not be made; it is not tried again."""
        self._last_edit = 0.0
        self._last_sweep = 0.0
        self._sweeping = False
        self._closed = False
        self._told: tuple[object, ...] = ()

    @property
    def root(self) -> Path:
        return self.engine.root

    def start(self) -> None:
        """Begins to tend the folder; answers come from the last index until a new one is there."""
        for work in (self._tend, self._look_up):
            threading.Thread(target=work, name=f"{work.__name__} {self.root}", daemon=True).start()
        self.indexing.start()

    def close(self) -> None:
        """Ends all work; does not wait for it."""
        self.enriching.stop()
        self.indexing.stop()
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    # -- what happens to files -----------------------------------------------------------------

    def overlay(self, path: str, text: str | None) -> None:
        """A document has this unsaved text, or None: the file on disk is what counts."""
        with self._wake:
            if text is None and path not in self._covered:
                return
            self._covered.discard(path)
            if text is not None:
                self._covered.add(path)
            self._overlays[path] = text
            self._noted()

    def touch(self, paths: Iterable[str]) -> None:
        """Files were made, changed, renamed or removed."""
        with self._wake:
            before = len(self._paths)
            self._paths.update((path, None) for path in paths if not _is_git(path))
            if len(self._paths) > before:
                self._noted()

    def warm(self) -> None:
        """Somebody is about to edit."""
        with self._wake:
            self._warm = True
            self._wake.notify_all()

    def take_stored(self) -> None:
        """There is another index on disk."""
        with self._wake:
            self._stored = True
            self._wake.notify_all()

    def nudge(self) -> None:
        """The view has changed although no file has."""
        with self._wake:
            self._wake.notify_all()
        self.tell()

    def take_partial(self) -> None:
        """A first run has come some way."""
        with self._wake:
            self._partial = not self._busy
            self._wake.notify_all()

    def _noted(self) -> None:
        self._last_edit = time.monotonic()
        self._wake.notify_all()

    def _concerns_all(self, path: str) -> bool:
        """Whether a change can change what other files mean, or which files there are."""
        name = path.rpartition("/")[2]
        if name in PROJECT_FILES or name == "CODEOWNERS" or is_ignore_file(path):
            return True
        return (self.root / path).is_dir() or has_below(self.engine.view(), path)

    # -- questions -----------------------------------------------------------------------------

    def settle(self, seconds: float, cancel: Cancel, *, ranking: bool = False) -> None:
        """Waits a moment for the last edits to be taken in, so that the answer shows them."""
        if not self.watched:
            self._begin_sweep()
        until = time.monotonic() + seconds
        with self._wake:
            self._hurry = True
            self._wake.notify_all()
            self._wait(until, cancel, self._is_settled)
            self._hurry = False
            if ranking and self.engine.has_view and not self.engine.has_current_lookup:
                self._want_lookup = True
                self._wake.notify_all()
                self._wait(until, cancel, lambda: self.engine.has_current_lookup)

    def _wait(self, until: float, cancel: Cancel, done: Callable[[], bool]) -> None:
        while not done() and not self._closed and time.monotonic() < until:
            cancel.check()
            self._wake.wait(_SLICE_SECONDS)

    def _is_settled(self) -> bool:
        if not self.engine.is_whole:
            # There may be an index on disk, which is read in no time.
            return not self._loading
        waiting = self._overlays or self._paths or self._stored
        return not (waiting or self._busy or self._sweeping)

    def _begin_sweep(self) -> None:
        """Looks for changed files itself, where no editor tells of them."""
        now = time.monotonic()
        with self._wake:
            due = now - self._last_sweep >= _SWEEP_SECONDS and self.engine.is_whole
            if not due or self._sweeping:
                return
            self._sweeping = True
        threading.Thread(target=self._sweep, name=f"sweep {self.root}", daemon=True).start()

    def _sweep(self) -> None:
        try:
            self.touch(self.engine.differing())
        except (KnowingError, OSError) as error:
            logger.warning("%s: %s", self.root, error)
        finally:
            with self._wake:
                self._sweeping, self._last_sweep = False, time.monotonic()
                self._wake.notify_all()

    def state(self) -> IndexState:
        """How current answers are."""
        with self._wake:
            waiting = len(self._overlays.keys() | self._paths.keys())
            unread = self._stored or (self._busy and not self.engine.has_view)
        said = self.indexing.state()
        if unread and said.state == "fresh":
            said = replace(said, state="indexing")
        self.engine.activity = replace(said, pending=said.pending + waiting)
        return self.engine.state()

    # -- the threads ---------------------------------------------------------------------------

    def _tend(self) -> None:
        """Takes in edits and new indexes."""
        while (work := self._next()) is not None:
            try:
                work()
            except CancelledError:
                pass
            except (KnowingError, OSError) as error:
                logger.warning("%s: %s", self.root, error)
            except Exception:
                logger.exception("%s: an edit could not be taken in", self.root)
            with self._wake:
                self._busy = self._loading = False
                self._wake.notify_all()
            self.tell()

    def _next(self) -> Callable[[], None] | None:
        """What to do next; None once there will be nothing."""
        with self._wake:
            while not self._closed:
                if self._stored:
                    self._stored, self._busy = False, True
                    return self._take_stored
                if self._partial:
                    self._partial, self._busy = False, True
                    return self.engine.take_partial
                if self.engine.is_whole and (self._overlays or self._paths):
                    left = self._last_edit + _TYPING_SECONDS - time.monotonic()
                    if self._hurry or left <= 0:
                        self._busy = True
                        return self._take_edits()
                    self._wake.wait(left)
                elif self.engine.is_whole and self._warm:
                    self._warm, self._busy = False, True
                    return self.engine.enliven
                else:
                    self._wake.wait()
            return None

    def _take_stored(self) -> None:
        self.engine.take_stored()

    def _take_edits(self) -> Callable[[], None]:
        overlays, self._overlays = self._overlays, {}
        paths, self._paths = self._paths, {}
        return lambda: self._apply(overlays, list(paths))

    def _apply(self, overlays: Mapping[str, str | None], paths: Sequence[str]) -> None:
        """Takes in edits; where a run over the whole folder is called for, that begins."""
        if len(paths) <= _MOST_LOOKED_AT:
            paths = [path for path in paths if self.engine.matters(path)]
        if len(paths) > _MANY or any(self._concerns_all(path) for path in paths):
            self.indexing.start(unless_stopped=True)
            paths = ()
        if overlays or paths:
            self.engine.edit(overlays, paths)
            self.enriching.changed(paths)

    def _look_up(self) -> None:
        """Prepares what ranking looks up: on demand, or once the typing has stopped."""
        while self._lookup_is_due():
            tried = self.engine.view()
            try:
                self.engine.make_lookup()
            except (KnowingError, OSError) as error:
                logger.warning("%s: %s", self.root, error)
                self._hopeless = tried
            except Exception:
                logger.exception("%s: the look-up of a view could not be made", self.root)
                self._hopeless = tried
            with self._wake:
                self._want_lookup = False
                self._wake.notify_all()
            self.tell()

    def _lookup_is_due(self) -> bool:
        """Waits until it is; False once the folder is closed."""
        with self._wake:
            while not self._closed:
                outdated = self.engine.has_view and not self.engine.has_current_lookup
                if not outdated or self.engine.view() is self._hopeless:
                    self._want_lookup = False
                    self._wake.wait()
                    continue
                left = self._last_edit + _QUIET_SECONDS - time.monotonic()
                if self._want_lookup or left <= 0:
                    return True
                self._wake.wait(left)
            return False

    def tell(self) -> None:
        """Lets the editor know if what it would be answered has changed."""
        state = self.state()
        key = (state.state, state.generation, state.pending, self.engine.has_current_lookup)
        if key != self._told:
            self._told = key
            self._on_change(self)


def _is_git(path: str) -> bool:
    return path == ".git" or path.startswith(".git/") or "/.git/" in path

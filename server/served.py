"""An engine that never lets a question wait.

The engine of the library answers from the files as they are, and makes a question wait until it
knows them. An editor asks all the time. So here whoever asks gets what is ready: one thread tends
the graph and publishes views, another prepares what ranking looks up, and both only replace a
reference. How far behind that is, every answer says.
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from knowing.engine import Engine
from knowing.engine_lookup import Lookup, stored_commits
from knowing.errors import StoreError
from knowing.files import compare, is_ignore_file, look, reasons, scan
from knowing.graph import View, build_graph
from knowing.live import relative_path, text_at
from knowing.model import Skipped, SourceFile
from knowing.model_events import Source as Skin
from knowing.pack import Source
from knowing.reports import IndexState
from knowing.retrieve import DEFAULT, index_past, prepare
from knowing.settings import Settings
from server.neighbours import warm
from server.places import file_number, has_below

logger = logging.getLogger(__name__)

_NOWHERE = "a file that is not there"
_NOT_YET = "this workspace is not indexed yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """What questions are answered from, and the files that have changed since."""

    lookup: Lookup
    outdated: frozenset[str]


class ServedEngine(Engine):
    """Answers at once, from what is ready; only the threads that tend it call its other methods."""

    def __init__(self, root: Path, settings: Settings, folder: Path) -> None:
        super().__init__(root, settings, folder)
        self.skin = Skin.EDITOR
        self._shown: View | None = None
        self._ready: _Ready | None = None
        self._changed: set[str] = set()
        """Files that have changed since what is ready was made."""
        self._generation = 0
        self._history = ""
        """The commits that what is ready knows of."""
        self._has_news = False
        """Whether there are others by now."""
        self._left_out: list[Skipped] = []
        self.is_partial = False
        """Whether only some files have been read; there is nothing yet that edits could change."""
        self._pinned = threading.local()
        self.activity = IndexState(state="fresh", generation=0, files=0, symbols=0, edges=0)
        """What those who tend it say about how current it is."""

    # -- for questions -------------------------------------------------------------------------

    @property
    def has_view(self) -> bool:
        return self._shown is not None

    @property
    def is_whole(self) -> bool:
        """Whether there is a graph of all files, which edits can be made to."""
        return self._shown is not None and not self.is_partial

    @property
    def has_lookup(self) -> bool:
        return self._ready is not None

    @property
    def has_current_lookup(self) -> bool:
        ready, view = self._ready, self._shown
        return ready is not None and ready.lookup.view is view and not self._has_news

    def view(self) -> View:
        """The last view that was published."""
        pinned: Lookup | None = getattr(self._pinned, "lookup", None)
        if pinned is not None:
            return pinned.view
        if self._shown is None:
            raise StoreError(_NOT_YET, "it is being indexed; ask again in a moment")
        return self._shown

    def lookup(self) -> Lookup:
        """The last look-up structures that were made; they may be of an older view."""
        pinned: Lookup | None = getattr(self._pinned, "lookup", None)
        if pinned is not None:
            return pinned
        if self._ready is None:
            raise StoreError(_NOT_YET, "it is being indexed; ask again in a moment")
        return self._ready.lookup

    @contextmanager
    def pinned(self) -> Iterator[View]:
        """For a question of several steps: all of them, in this thread, see one view."""
        self._pinned.lookup = self.lookup()
        try:
            yield self._pinned.lookup.view
        finally:
            self._pinned.lookup = None

    def state(self) -> IndexState:
        view, said = self._shown, self.activity
        outdated = len(self._ready.outdated | self._changed) if self._ready else 0
        current = self.has_current_lookup
        pending = said.pending + (0 if current else outdated)
        state = said.state if said.state != "fresh" or not pending else "stale"
        return IndexState(
            state=state,
            generation=self._generation,
            files=len(view.paths) if view else 0,
            symbols=len(view.symbols) if view else 0,
            edges=len(view.edges) if view else 0,
            pending=pending,
            notes=(*said.notes, *self._notes),
        )

    def source(self) -> Source:
        """As files were when what is ready was made; nothing for those that have changed since."""
        read = super().source()
        ready = self._ready
        outdated = ready.outdated | self._changed if ready and not self.has_current_lookup else ()

        def unless_outdated(path: str) -> bytes | None:
            return None if path in outdated else read(path)

        return unless_outdated

    def skipped(self) -> list[Skipped]:
        """What is not in the index, as of when the index was taken in."""
        return list(self._left_out)

    def text(self, path: str) -> bytes | None:
        """The text of a file as the editor shows it."""
        return super().source()(path)

    # -- for those who tend it -----------------------------------------------------------------

    def take_stored(self) -> bool:
        """Takes in what is on disk; False if there is no complete index yet."""
        with self._guard:
            if not self.is_indexed:
                return False
            self._lookups.forget()
            self.is_partial = False
            self._left_out = super().skipped()
            self._show(super().view())
            if self._live is None:
                lookup = super().lookup()
                self._ready = _Ready(lookup=lookup, outdated=frozenset())
                self._changed.clear()
                self._has_news = False
            else:
                self._has_news = self._read_history() != self._history
            return True

    def _read_history(self) -> str:
        return self.meta().get("history.order", "")

    def take_partial(self) -> None:
        """Shows what a first run has read so far; a whole index takes its place."""
        with self._guard:
            if self.is_indexed or not (entries := self._entries({})):
                return
            view = build_graph(entries, self._setting()).view
        lookup = Lookup(view=view, prepared=prepare(entries, view), past=None)
        with self._guard:
            if not self.is_indexed:
                self.is_partial = True
                self._ready = _Ready(lookup=lookup, outdated=frozenset())
                self._show(view)

    def enliven(self) -> None:
        """Builds the graph in memory, so that the first edit need not."""
        with self._guard:
            if self.is_indexed:
                self._alive()

    def edit(self, overlays: Mapping[str, str | None], paths: Sequence[str]) -> None:
        """Takes in unsaved texts, None for those that are gone, and files that have changed."""
        with self._guard:
            changed = [relative_path(self.root, path) for path in (*overlays, *paths)]
            if paths:
                self.update(paths)
            for path, text in overlays.items():
                self.overlay(path, text)
            self._changed.update(changed)
            self._show(self._alive().view)

    def take_answers(self) -> None:
        """Shows what language servers have said since the view was made."""
        with self._guard:
            self.known.forget()
            self._view = self._alive().finish_anew()
            self._show(self._view)

    def make_lookup(self) -> None:
        """Prepares what ranking looks up in the current view; edits go on meanwhile."""
        with self._guard:
            if self._take_stored_lookup():
                return
            graph = self._alive().graph
            commits = stored_commits(self._database)
            self._history, self._has_news = self._read_history(), False
            if self._ready is not None:
                # Until the new one is there, the old one has to know all that it does not show.
                outdated = self._ready.outdated | self._changed
                self._ready = _Ready(lookup=self._ready.lookup, outdated=outdated)
            self._changed.clear()
        prepared = prepare(graph.files, graph.view)
        past = index_past(commits, graph.view, prepared.text, DEFAULT.fields) if commits else None
        lookup = Lookup(view=graph.view, prepared=prepared, past=past)
        self._ready = _Ready(lookup=lookup, outdated=frozenset())

    def _take_stored_lookup(self) -> bool:
        """Whether what is stored will do; another version may have stored it in another way."""
        if self._live is not None or self._overlays or self._owed:
            return False
        try:
            self.take_stored()
        except StoreError as error:
            logger.info("%s: %s", self.root, error)
        return self.has_current_lookup

    def matters(self, path: str) -> bool:
        """Whether a change to a file or folder can change the index: most of them are ignored."""
        view = self._shown
        if view is not None and (file_number(view, path) is not None or has_below(view, path)):
            return True
        if is_ignore_file(path):
            folder = path.rpartition("/")[0]
            return not folder or self._is_entered(folder)
        if (self.root / path).is_dir():
            return self._is_entered(path)
        return isinstance(look(self.root, path, self._rules), SourceFile)

    def _is_entered(self, folder: str) -> bool:
        """Whether files of a folder would be looked at: one that is not there is merely absent."""
        found = look(self.root, f"{folder}/{_NOWHERE}", self._rules)
        return isinstance(found, Skipped) and found.reason == reasons.ABSENT

    def differing(self) -> list[str]:
        """Files that are not on disk as they are in the index, by their size and time."""
        with self._guard:
            stamps = self._database.stamps()
        found = scan(self.root, self._rules)
        sources = [file for file in found.files if file.language in self.registry]
        changes = compare(stamps, sources)
        gone = set(stamps) - {file.path for file in sources}
        return [file.path for file in changes.to_read] + sorted(gone)

    def _show(self, view: View) -> None:
        if view is not self._shown:
            warm(view)
            self._shown = view
            stored = self._info.generation if self._info else 0
            self._generation = max(self._generation + 1, stored)

    def on_disk(self, path: str) -> bytes | None:
        """The text of a file as it is on disk, in UTF-8."""
        return text_at(self.root, path, self.settings)

"""The workspaces that agents ask about, each kept up to date beside the questions.

One engine indexes in a thread of its own; another answers and never waits for it. Before there is
a complete index, answers come from the files that have been read so far, and say so.
"""

import logging
import threading
import time
from dataclasses import replace
from pathlib import Path

from knowing.engine import Engine
from knowing.engine_lookup import Lookup
from knowing.errors import BusyError, CancelledError, KnowingError, StoreError, WorkspaceError
from knowing.graph import FileEntry, View, build_graph
from knowing.indexer import Progress
from knowing.parse import FileFacts
from knowing.reports import IndexState
from knowing.retrieve import prepare
from knowing.settings_sources import load

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0
"""For an index run that is about to end; a client that is starting up waits five for an answer."""
_FRESH_SECONDS = 2.0
"""For which the outcome of a run is taken to be current: agents ask in bursts."""
_LOCK_SECONDS = 1.0
_PARTIAL_BYTES = 3 << 20
"""Of facts: as many as can be linked and prepared in a second while indexing goes on."""
_LARGE_BYTES = 1 << 16
"""Of facts of one file; tables and test data would crowd out the rest of a part."""
_GROWTH = 1.5
"""By which more files have to be known before a partial answer is prepared anew."""
_CLOSING_SECONDS = 1.5


class AskedEngine(Engine):
    """Answers from the last complete index or, while there is none, from what has been read."""

    doing = ""
    """What is being done to the index; empty when it is up to date."""
    _some: Lookup | None = None

    @property
    def is_partial(self) -> bool:
        """Whether only a part of the files is known."""
        return not self.is_indexed

    def view(self) -> View:
        return super().view() if self.is_indexed else self._part().view

    def lookup(self) -> Lookup:
        return super().lookup() if self.is_indexed else self._part()

    def state(self) -> IndexState:
        if self.is_indexed:
            found = super().state()
        else:
            part = self._known_part()
            view = part.view if part else None
            found = IndexState(
                state="indexing",
                generation=0,
                files=len(view.paths) if view else 0,
                symbols=len(view.symbols) if view else 0,
                edges=len(view.edges) if view else 0,
                notes=("the first index is being made; only some files are known yet",),
            )
        if not self.doing:
            return found
        return replace(found, state="indexing", notes=(*found.notes, self.doing))

    @property
    def knows_nothing(self) -> bool:
        """Whether no file has been read yet."""
        return not self.is_indexed and self._known_part() is None

    def _part(self) -> Lookup:
        part = self._known_part()
        if part is None:
            raise StoreError(
                "nothing is known of this workspace yet: its first index is being made",
                "ask again in a moment",
            )
        return part

    def _known_part(self) -> Lookup | None:
        """What can be looked up in the files that have been read so far; None if there are none."""
        with self._guard:
            entries = self._read_so_far()
            known = len(self._some.view.paths) if self._some else 0
            if len(entries) > known * _GROWTH:
                view = build_graph(entries, self._setting()).view
                self._some = Lookup(view=view, prepared=prepare(entries, view), past=None)
            return self._some

    def _read_so_far(self) -> list[FileEntry]:
        entries: list[FileEntry] = []
        left = _PARTIAL_BYTES
        for path, language, data in self._database.facts():
            if len(data) > _LARGE_BYTES:
                continue
            left -= len(data)
            if left < 0:
                break
            facts = FileFacts.decode(data)
            entries.append(FileEntry(path=path, language=language, facts=facts))
        return sorted(entries, key=lambda entry: entry.path)


class Workspace:
    """One folder: an engine to ask, and a thread that brings its index up to date."""

    def __init__(self, root: Path, index_dir: Path | None) -> None:
        self.root = root
        self.index_dir = index_dir
        self._settings = load(root).settings
        self.engine = AskedEngine.open(root, self._settings, index_dir)
        self._guard = threading.Lock()
        self._run: threading.Thread | None = None
        self._ended = 0.0
        self._current = threading.Event()
        """Set while the files are known as they were when the last run began."""
        self._stopped = threading.Event()

    def ready(self, patience: float = PATIENCE_SECONDS) -> AskedEngine:
        """The engine, after an index run that is quick enough has ended."""
        with self._guard:
            recent = time.monotonic() - self._ended < _FRESH_SECONDS and self._current.is_set()
            idle = self._run is None or not self._run.is_alive()
            if idle and not recent and not self._stopped.is_set():
                self._current.clear()
                self.engine.doing = "the index is being brought up to date"
                self._run = threading.Thread(target=self._index, name="index", daemon=True)
                self._run.start()
        self._current.wait(patience)
        return self.engine

    @property
    def is_busy(self) -> bool:
        return self._run is not None and self._run.is_alive()

    def close(self) -> None:
        """Asks a run to end and waits a moment for it, so that its processes end with it."""
        self._stopped.set()
        if self._run is not None:
            self._run.join(_CLOSING_SECONDS)

    def _index(self) -> None:
        problem = ""
        try:
            with Engine.open(self.root, self._settings, self.index_dir) as engine:
                engine.index(
                    history=False,
                    wait=_LOCK_SECONDS,
                    report=self._progressed,
                    cancelled=self._stopped.is_set,
                )
                self._done("")
                engine.index(wait=_LOCK_SECONDS, cancelled=self._stopped.is_set)
        except CancelledError:
            problem = ""
        except BusyError:
            problem = "another process is indexing this workspace; ask again in a moment"
        except (KnowingError, OSError) as error:
            problem = f"the index could not be brought up to date: {error}"
        except Exception as error:
            # The outermost edge of a thread: a question must learn of it, not lose its server.
            logger.exception("indexing %s failed", self.root)
            problem = f"indexing failed: {type(error).__name__}: {error}"
        if problem or not self._current.is_set():
            self._done(problem)

    def _progressed(self, progress: Progress) -> None:
        self.engine.doing = f"the index is being brought up to date: {progress.stage}"

    def _done(self, problem: str) -> None:
        self.engine.doing = ""
        self.engine.fall_behind(problem)
        self._ended = time.monotonic()
        self._current.set()


class Workspaces:
    """All folders that were asked about; the one that the server was started for is the default."""

    def __init__(self, root: Path, index_dir: Path | None = None) -> None:
        self._default = root
        self._index_dir = index_dir
        self._known: dict[Path, Workspace] = {}
        self._guard = threading.Lock()

    def at(self, root: str | None) -> Workspace:
        """The workspace of a folder; WorkspaceError if there is no such folder."""
        path = self._resolved(root)
        with self._guard:
            if path not in self._known:
                self._known[path] = Workspace(path, self._index_dir)
            return self._known[path]

    def _resolved(self, root: str | None) -> Path:
        try:
            path = (self._default / Path(root).expanduser()) if root else self._default
            path = path.resolve()
            if path.is_dir():
                return path
        except (OSError, RuntimeError, ValueError) as error:
            raise WorkspaceError(f"cannot use {root!r}: {error}") from error
        raise WorkspaceError(
            f"no such folder: {root or path}",
            f"leave `root` out to ask about {self._default}, or give the path of a folder",
        )

    def close(self) -> None:
        for workspace in self._known.values():
            workspace.close()

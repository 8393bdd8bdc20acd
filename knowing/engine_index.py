"""The index of one workspace: the part of the engine that has state.

It holds the current `View` and replaces it as a whole; whoever took one before keeps a consistent
one. Unsaved texts of an editor lie over the files as an overlay and are never stored.
"""

import logging
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from knowing.engine_known import Known
from knowing.engine_lookup import Lookup, Lookups, fingerprint
from knowing.engine_status import counted, status_of
from knowing.errors import CancelledError, StoreError, WorkspaceError
from knowing.files import is_ignore_file
from knowing.graph import PROJECT_FILES, FileEntry, Graph, Setting, View, build_graph
from knowing.history import owners_of
from knowing.indexer import (
    Cancelled,
    Clock,
    Indexer,
    Outcomes,
    Progress,
    Report,
    content_hash,
    file_rules,
    never,
    package_hashes,
    quiet,
    stored_projects,
    uncollected,
)
from knowing.languages import load_languages
from knowing.live import Live, Reader, entry_of, relative_path
from knowing.model import Skipped
from knowing.parse import FileFacts
from knowing.reports import IndexReport, Status
from knowing.retrieve import prepare
from knowing.settings import Settings
from knowing.store import (
    DamagedError,
    Database,
    FileRow,
    Shelf,
    SnapshotInfo,
    index_folder,
    snapshot,
)

logger = logging.getLogger(__name__)


class IndexEngine:
    """Keeps the index of one workspace; safe to call from several threads."""

    def __init__(self, root: Path, settings: Settings, folder: Path) -> None:
        self.root = root
        self.settings = settings
        self.folder = folder
        extra = settings.index.languages_dir
        self.registry = load_languages(Path(extra) if extra else None)
        self._reader = Reader(root, settings, self.registry)
        self._rules = file_rules(settings, self.registry)
        self._guard = threading.RLock()
        self._store = Shelf(folder)
        self._lookups = Lookups(self._store.snapshots)
        self.known = Known(self._store, self._guard)
        self._view: View | None = None
        self._info: SnapshotInfo | None = None
        """Of the view, if it is stored."""
        self._mark: object = None
        """Of the snapshot that the view was taken from."""
        self._live: Live | None = None
        self._overlays: dict[str, FileEntry] = {}
        self._texts: dict[str, bytes] = {}
        """Unsaved texts by path, as they were read."""
        self._owed: dict[str, FileRow | None] = {}
        """Changes that could not be stored yet, None for files that are gone."""
        self._notes: list[str] = []
        self._behind = ""
        """Why the index could not be brought up to date, if it was tried."""

    @classmethod
    def open(
        cls, root: Path, settings: Settings | None = None, index_dir: Path | None = None
    ) -> Self:
        """An engine for the workspace at `root`; nothing is written before the first index."""
        resolved = root.resolve()
        if not resolved.is_dir():
            raise WorkspaceError(f"no such folder: {root}", "give an existing folder with --root")
        folder = index_folder(resolved, index_dir)
        return cls(resolved, settings or Settings(), folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._guard:
            self._store.close()

    @property
    def _database(self) -> Database:
        return self._store.database

    # -- indexing ------------------------------------------------------------------------------

    def index(
        self,
        *,
        full: bool = False,
        history: bool = True,
        wait: float = 0.0,
        report: Report = quiet,
        cancelled: Cancelled = never,
    ) -> IndexReport:
        """Brings the index up to date; BusyError while another does so for over `wait` seconds."""
        with self._guard, self._store.writing(wait), uncollected():
            self._notes, self._behind = [], ""
            self._store.mend()
            try:
                return self._indexed(full, history, report, cancelled)
            except DamagedError as error:
                # Some damage shows only where it is touched; a new database has none.
                self._store.start_afresh(str(error))
                return self._indexed(full, history, report, cancelled)

    def _indexed(
        self, full: bool, history: bool, report: Report, cancelled: Cancelled
    ) -> IndexReport:
        outcomes = self._indexer().run(full=full, report=report, cancelled=cancelled)
        if not outcomes.complete:
            raise CancelledError(
                "indexing was cancelled",
                "the last complete index is still in place; the next run goes on from here",
            )
        view, info = self._publish(outcomes, full, report)
        commits = self._mine(report, cancelled, outcomes) if history else 0
        if commits:
            clock = Clock()
            self._lookups.save_past(view, info, self._database)
            clock.lap("past")
            outcomes.seconds.update(clock.seconds)
        if cancelled():
            raise CancelledError(
                "reading the history was cancelled", "files are indexed; the next run goes on"
            )
        notes = (*self._store.notes, *self._notes, outcomes.emptiness)
        self._store.notes = []
        return IndexReport(
            root=self.root,
            generation=info.generation,
            **counted(view),
            skipped=tuple(self.skipped()),
            seconds=outcomes.seconds,
            notes=tuple(filter(None, notes)),
            commits=commits,
        )

    def _publish(self, outcomes: Outcomes, full: bool, report: Report) -> tuple[View, SnapshotInfo]:
        """Makes a new view if the content has changed and lets others see it."""
        clock = Clock()
        folder, content = self._store.snapshots, self._content(self._database.digests())
        current, flaw = snapshot.info(folder), snapshot.flaw(folder)
        self._notes += [f"{flaw}; it was made anew"] if flaw else []
        if full or flaw or current is None or current.content != content:
            report(Progress(stage="linking"))
            entries = self._entries(outcomes.changed)
            view = self.known.laid_over(build_graph(entries, self._setting())).view
            clock.lap("graph")
            prepared = prepare(entries, view)
            clock.lap("words")
            generation = max(self._database.generation, current.generation if current else 0) + 1
            info = SnapshotInfo(
                generation=generation,
                content=content,
                files=len(view.paths),
                symbols=len(view.symbols),
                edges=len(view.edges),
            )
            snapshot.save(folder, info, view=view, ask=prepared)
            with self._database.transaction():
                self._database.set_meta({"generation": str(generation), "content": content})
            clock.lap("save")
        else:
            view, info = self._loaded()
        outcomes.seconds.update(clock.seconds)
        self._live, self._mark = None, snapshot.mark(folder)
        if not self._overlays:
            self._view, self._info = view, info
        self._owed.clear()
        return view, info

    def _content(self, digests: Mapping[str, tuple[bytes, str, int]]) -> str:
        owner = owners_of(self.root)
        owners = "\n".join(f"{path}\t{owner(path)}" for path in sorted(digests) if owner(path))
        languages = ",".join(f"{item.name}:{item.fingerprint}" for item in self.registry.languages)
        languages += fingerprint() + self.known.stamp()
        return content_hash(digests, self._database.meta().get("projects", ""), languages, owners)

    def _entries(self, changed: Mapping[str, bytes]) -> list[FileEntry]:
        """All files by path; the facts of those just read need not be fetched again."""
        self.known.forget()
        entries = [
            FileEntry(path=path, language=language, facts=FileFacts.decode(changed.get(path, data)))
            for path, language, data in self._database.facts()
        ]
        entries.sort(key=lambda entry: entry.path)
        return entries

    def _setting(self) -> Setting:
        projects = stored_projects(self._database.meta())
        return Setting(registry=self.registry, projects=projects, owners_of=owners_of(self.root))

    def _mine(self, report: Report, cancelled: Cancelled, outcomes: Outcomes) -> int:
        if not self.settings.history.enabled:
            return 0
        report(Progress(stage="reading history"))
        clock = Clock()
        mined = self._indexer().mine(cancelled)
        self._notes += [*filter(None, (mined.reason,)), *mined.problems]
        clock.lap("history")
        outcomes.seconds.update(clock.seconds)
        return len(mined.order)

    def _indexer(self) -> Indexer:
        return Indexer(self.root, self.settings, self.registry, self._database)

    # -- reading -------------------------------------------------------------------------------

    def view(self) -> View:
        """The current view, whoever made it; StoreError if there is no complete index yet."""
        if not self._guard.acquire(blocking=False):
            # Another thread is indexing or updating; what was right before it began is so still.
            return self._view if self._view is not None else self._loaded()[0]
        try:
            self._catch_up()
            if self._overlays or self._owed:
                return self._alive().view
            if self._view is None:
                self._view, self._info = self._loaded()
            return self._view
        finally:
            self._guard.release()

    def _catch_up(self) -> None:
        """Lets go of what was read before another process has made a new index."""
        mark = snapshot.mark(self._store.snapshots)
        if mark != self._mark:
            self._live, self._view, self._info, self._mark = None, None, None, mark

    def _loaded(self) -> tuple[View, SnapshotInfo]:
        loaded = snapshot.load(self._store.snapshots)
        if loaded is None:
            raise StoreError("this workspace is not indexed yet", "run `knowing index`")
        return loaded

    def fall_behind(self, reason: str) -> None:
        """Lets answers say that they come from an index that may be out of date."""
        self._behind = reason

    def lookup(self) -> Lookup:
        """The current view with what ranking looks up in it."""
        with self._guard:
            try:
                return self._looked_up()
            except DamagedError:
                # Another process may have replaced the snapshot since the view was taken from it.
                self._view = None
                return self._looked_up()

    def _looked_up(self) -> Lookup:
        view = self.view()
        info = None if self._overlays or self._owed or self._live else self._info
        return self._lookups.of(view, info, lambda: self._alive().graph.files, self._database)

    @property
    def is_indexed(self) -> bool:
        return snapshot.info(self._store.snapshots) is not None

    def skipped(self) -> list[Skipped]:
        return [item for item, _ in self._database.skipped()]

    def meta(self) -> dict[str, str]:
        return self._database.meta()

    def package_hashes(self) -> dict[str, str]:
        """A hash of the content of each folder, for caches and expiry."""
        return package_hashes(self._database.digests())

    # -- updates -------------------------------------------------------------------------------

    def update(self, paths: Iterable[str | Path]) -> View:
        """Takes in files that were edited, made, removed or renamed; others are not looked at."""
        with self._guard:
            relatives = list(dict.fromkeys(relative_path(self.root, path) for path in paths))
            if any(self._concerns_all(path) for path in relatives):
                self.index(history=False)
                return self.view()
            live = self._alive()
            self._owed |= (rows := {path: self._reader.row(path) for path in relatives})
            self._pay()
            self._view = live.update(self._taken(rows))
            return self._view

    def _taken(self, rows: Mapping[str, FileRow | None]) -> dict[str, FileEntry | None]:
        """Files that were read, for the graph; what is known of them depends on their content."""
        for path, row in rows.items():
            self.known.note(path, row.digest if row else None)
        return {path: entry_of(row) if row else None for path, row in rows.items()}

    def _pay(self) -> None:
        """Stores what updates have read, unless another process is just indexing all of it."""
        rows = [row for row in self._owed.values() if row]
        try:
            with self._store.writing(), self._database.transaction():
                generation = self._database.generation + 1
                self._database.write_files(rows, generation)
                self._database.remove_files(path for path, row in self._owed.items() if not row)
                self._database.set_meta({"generation": str(generation)})
        except StoreError as error:
            logger.info("%d changed files are not stored yet: %s", len(self._owed), error)
        else:
            self._owed.clear()

    def overlay(self, path: str | Path, text: str | None) -> View:
        """Lays unsaved text over a file, or takes it away with None."""
        with self._guard:
            live, relative = self._alive(), relative_path(self.root, path)
            entry = self._reader.unsaved(relative, text) if text is not None else None
            self._overlays.pop(relative, None)
            self._texts.pop(relative, None)
            if text is not None:
                self._texts[relative] = text.encode("utf-8", "surrogatepass")
            if entry is None:
                self._view = live.uncover(relative)
            else:
                self._overlays[relative] = entry
                self._view = live.cover(entry)
            return self._view

    def live_graph(self) -> Graph:
        """The graph behind the view, with all that it was made from."""
        with self._guard:
            return self._alive().graph

    def _alive(self) -> Live:
        """The graph in memory; built from the stored facts on first use."""
        self._catch_up()
        if self._live is None:
            if not self.is_indexed:
                self._loaded()
            try:
                entries = self._entries({})
            except DamagedError:
                self.index(history=False)
                entries = self._entries({})
            self._live = Live(build_graph(entries, self._setting()), self.known.laid_over)
            self._live.update(self._taken(self._owed))
            for entry in self._overlays.values():
                self._live.cover(entry)
            self._view = self._live.view
        return self._live

    def _concerns_all(self, path: str) -> bool:
        """Whether a change to this file can change what every other file means."""
        name = path.rpartition("/")[2]
        if name in PROJECT_FILES or name == "CODEOWNERS" or is_ignore_file(path):
            return True
        return (self.root / path).is_dir() or any(
            file.path.startswith(f"{path}/") for file in self._alive().graph.files
        )

    def status(self) -> Status:
        """What is indexed and how it compares with the workspace as it is now."""
        with self._guard:
            return status_of(self.root, self._store, self.registry, self._rules, self._content)

    # -- care ----------------------------------------------------------------------------------

    def check(self) -> list[str]:
        """What is wrong with the stored data; nothing if all is well."""
        with self._guard:
            return self._store.problems()

    def clear(self, wait: float = 0.0) -> None:
        """Removes everything that is stored about this workspace."""
        with self._guard:
            self._store.clear(wait)
            self._live, self._view, self._mark = None, None, None

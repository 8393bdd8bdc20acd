"""The engine: the only object with state, over one workspace.

It holds the current `View` and replaces it as a whole; whoever took one before keeps a consistent
one. Unsaved texts of an editor lie over the files as an overlay and are never stored.
"""

import gc
import logging
import shutil
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from knowing.errors import BusyError, CancelledError, StoreError, WorkspaceError
from knowing.files import compare, is_ignore_file, scan
from knowing.graph import PROJECT_FILES, FileEntry, Graph, Setting, View, build_graph
from knowing.history import Limits, encode, mine, owners_of
from knowing.indexer import (
    Cancelled,
    Clock,
    Indexer,
    Outcomes,
    Progress,
    Report,
    content_hash,
    file_rules,
    package_hashes,
    stored_projects,
)
from knowing.languages import load_languages
from knowing.live import Live, Reader
from knowing.model import EdgeKind, Origin, Skipped
from knowing.parse import FileFacts
from knowing.reports import IndexReport, Status
from knowing.settings import Settings
from knowing.store import Database, FileRow, SnapshotInfo, index_folder, snapshot, writer_lock

logger = logging.getLogger(__name__)

_DATABASE = "index.db"
_SNAPSHOTS = "snapshots"
_LOCK = "writer.lock"


def quiet(_progress: Progress) -> None:
    """Reports to nobody."""


def never() -> bool:
    """Is never cancelled."""
    return False


class Engine:
    """Answers for one workspace; safe to call from several threads."""

    def __init__(self, root: Path, settings: Settings, folder: Path) -> None:
        self.root = root
        self.settings = settings
        self.folder = folder
        extra = settings.index.languages_dir
        self.registry = load_languages(Path(extra) if extra else None)
        self._reader = Reader(root, settings, self.registry)
        self._rules = file_rules(settings, self.registry)
        self._guard = threading.RLock()
        self._database = Database.open(folder / _DATABASE)
        self._view: View | None = None
        self._info: SnapshotInfo | None = None
        self._live: Live | None = None
        self._overlays: dict[str, FileEntry] = {}
        self.notes: list[str] = [self._database.problem] if self._database.problem else []

    @classmethod
    def open(
        cls, root: Path, settings: Settings | None = None, index_dir: Path | None = None
    ) -> Self:
        """An engine for the workspace at `root`; makes the folder for its data."""
        resolved = root.resolve()
        if not resolved.is_dir():
            raise WorkspaceError(f"no such folder: {root}", "give an existing folder with --root")
        folder = index_folder(resolved, index_dir)
        if folder.is_relative_to(resolved):
            raise WorkspaceError(
                "the index must not lie inside the workspace",
                "choose a folder elsewhere with --index-dir",
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make {folder}: {error.strerror}") from error
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
            self._database.close()

    # -- indexing ------------------------------------------------------------------------------

    def index(
        self,
        *,
        full: bool = False,
        history: bool = True,
        report: Report = quiet,
        cancelled: Cancelled = never,
    ) -> IndexReport:
        """Brings the index up to date; BusyError while another process does so."""
        with self._guard, writer_lock(self.folder / _LOCK), uncollected():
            self._recover()
            outcomes = Indexer(self.root, self.settings, self.registry, self._database).run(
                full=full, report=report, cancelled=cancelled
            )
            if not outcomes.complete:
                raise CancelledError(
                    "indexing was cancelled",
                    "the last complete index is still in place; the next run goes on from here",
                )
            self._publish(outcomes, full, report)
            commits = self._mine(report, cancelled, outcomes) if history else 0
            return self._report(outcomes, commits)

    def _recover(self) -> None:
        """Makes a database anew whose damage only showed after it was opened."""
        try:
            self._database.meta()
            self._database.stamps()
        except StoreError as error:
            if isinstance(error, BusyError):
                raise
            self.notes.append(f"{error}; it was made anew")
            self._database.close()
            self._database = Database.replace(self.folder / _DATABASE)

    def _publish(self, outcomes: Outcomes, full: bool, report: Report) -> None:
        """Makes a new view if the content has changed and lets others see it."""
        clock = Clock()
        self._live = None
        digests = self._database.digests()
        content = self._content(digests)
        current = snapshot.info(self.folder / _SNAPSHOTS)
        if full or current is None or current.content != content:
            report(Progress(stage="linking"))
            view = build_graph(self._entries(outcomes.changed), self._setting()).view
            clock.lap("graph")
            generation = max(self._database.generation, current.generation if current else 0) + 1
            info = SnapshotInfo(
                generation=generation,
                content=content,
                files=len(view.paths),
                symbols=len(view.symbols),
                edges=len(view.edges),
            )
            snapshot.save(self.folder / _SNAPSHOTS, view, info)
            with self._database.transaction():
                self._database.set_meta({"generation": str(generation), "content": content})
            self._view, self._info = view, info
            clock.lap("save")
        outcomes.seconds.update(clock.seconds)

    def _content(self, digests: Mapping[str, tuple[bytes, str, int]]) -> str:
        owner = owners_of(self.root)
        owners = "\n".join(f"{path}\t{owner(path)}" for path in sorted(digests) if owner(path))
        languages = ",".join(f"{item.name}:{item.fingerprint}" for item in self.registry.languages)
        return content_hash(digests, self._database.meta().get("projects", ""), languages, owners)

    def _entries(self, changed: Mapping[str, bytes]) -> list[FileEntry]:
        """All files by path; the facts of those just read need not be fetched again."""
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
        chosen = self.settings.history
        if not chosen.enabled:
            return 0
        report(Progress(stage="reading history"))
        clock = Clock()
        meta = self._database.meta()
        known = tuple(filter(None, meta.get("history.order", "").split(",")))
        mined = mine(
            self.root,
            sorted(key for key in self.registry.by_suffix if key.startswith(".")),
            limits=Limits(
                max_commits=chosen.max_commits,
                max_seconds=chosen.max_seconds,
                cancelled=cancelled,
            ),
            since=meta.get("history.since") or None,
            known=known,
        )
        self.notes += [mined.reason] if mined.reason else []
        self.notes += mined.problems
        with self._database.transaction():
            self._database.add_commits((c.hash, c.time, encode([c])) for c in mined.commits)
            self._database.keep_commits(mined.order)
            self._database.set_meta(
                {"history.order": ",".join(mined.order), "history.since": mined.since or ""}
            )
        clock.lap("history")
        outcomes.seconds.update(clock.seconds)
        return len(mined.order)

    def _report(self, outcomes: Outcomes, commits: int) -> IndexReport:
        view = self.view()
        assert self._info is not None
        kinds = Counter(view.edges.kind.tolist())
        origins = Counter(view.edges.origin.tolist())
        return IndexReport(
            root=self.root,
            generation=self._info.generation,
            files=len(view.paths),
            symbols=len(view.symbols),
            edges=len(view.edges),
            by_language=dict(sorted(Counter(view.languages).items())),
            by_edge_kind={EdgeKind(k).label: kinds[k] for k in sorted(kinds)},
            by_origin={Origin(k).label: origins[k] for k in sorted(origins)},
            skipped=tuple(item for item, _ in self._database.skipped()),
            seconds=outcomes.seconds,
            notes=tuple(self.notes),
            commits=commits,
        )

    # -- reading -------------------------------------------------------------------------------

    def view(self) -> View:
        """The current view; StoreError if there is no complete index yet."""
        with self._guard:
            if self._view is None:
                loaded = snapshot.load(self.folder / _SNAPSHOTS)
                if loaded is None:
                    raise StoreError("this workspace is not indexed yet", "run `knowing index`")
                self._view, self._info = loaded
            return self._view

    @property
    def is_indexed(self) -> bool:
        return snapshot.info(self.folder / _SNAPSHOTS) is not None

    def snapshot_info(self) -> SnapshotInfo | None:
        return snapshot.info(self.folder / _SNAPSHOTS)

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
            relatives = list(dict.fromkeys(self._relative(path) for path in paths))
            if any(_concerns_all(path) for path in relatives):
                self.index(history=False)
                return self._alive().view if self._overlays else self.view()
            live = self._alive()
            changed: dict[str, FileEntry | None] = {}
            rows: list[FileRow] = []
            for relative in relatives:
                row = self._reader.row(relative)
                changed[relative] = None
                if row is not None:
                    facts = FileFacts.decode(row.facts)
                    changed[relative] = FileEntry(path=relative, language=row.language, facts=facts)
                    rows.append(row)
            self._write(rows, [path for path, entry in changed.items() if entry is None])
            self._view = live.update(changed)
            return self._view

    def _write(self, rows: list[FileRow], removed: list[str]) -> None:
        """Stores what an update has read, unless another process is just indexing all of it."""
        try:
            with writer_lock(self.folder / _LOCK), self._database.transaction():
                generation = self._database.generation + 1
                self._database.write_files(rows, generation)
                self._database.remove_files(removed)
                self._database.set_meta({"generation": str(generation)})
        except BusyError:
            logger.info("%d changed files are left to the process that is indexing", len(rows))

    def overlay(self, path: str | Path, text: str | None) -> View:
        """Lays unsaved text over a file, or takes it away with None."""
        with self._guard:
            live, relative = self._alive(), self._relative(path)
            entry = self._reader.unsaved(relative, text) if text is not None else None
            self._overlays.pop(relative, None)
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
        if self._live is None:
            self._live = Live(build_graph(self._entries({}), self._setting()))
            for entry in self._overlays.values():
                self._view = self._live.cover(entry)
        return self._live

    def _relative(self, path: str | Path) -> str:
        candidate = Path(path)
        if candidate.is_absolute():
            candidate = candidate.relative_to(self.root)
        return candidate.as_posix()

    def status(self) -> Status:
        """What is indexed and how it compares with the workspace as it is now."""
        with self._guard:
            info, meta = self.snapshot_info(), self._database.meta()
            found = scan(self.root, self._rules)
            sources = [file for file in found.files if file.language in self.registry]
            changes = compare(self._database.stamps(), sources)
            gone = set(self._database.digests()) - {file.path for file in sources}
            pending = len(changes.added) + len(changes.modified) + len(gone)
            state = "missing" if info is None else "stale" if pending else "fresh"
            view = self.view() if info else None
            return Status(
                root=self.root,
                folder=self.folder,
                state=state,
                generation=info.generation if info else 0,
                files=info.files if info else 0,
                symbols=info.symbols if info else 0,
                edges=info.edges if info else 0,
                by_language=dict(sorted(Counter(view.languages).items())) if view else {},
                pending=pending,
                skipped=tuple(self.skipped() if info else found.skipped),
                unsupported=found.unsupported,
                commits=len([part for part in meta.get("history.order", "").split(",") if part]),
                disk_bytes=sum(p.stat().st_size for p in self.folder.rglob("*") if p.is_file()),
                notes=tuple(self.notes),
            )

    # -- care ----------------------------------------------------------------------------------

    def check(self) -> list[str]:
        """What is wrong with the stored data; nothing if all is well."""
        problems = self._database.integrity()
        try:
            loaded = snapshot.load(self.folder / _SNAPSHOTS)
        except StoreError as error:
            return [*problems, str(error)]
        if loaded is None:
            return [*problems, "there is no complete index"]
        view, info = loaded
        if (len(view.symbols), len(view.edges)) != (info.symbols, info.edges):
            problems.append("the snapshot does not hold what its description says")
        if str(info.generation) != self._database.meta().get("generation"):
            problems.append("the snapshot is not of the database's generation")
        return problems

    def clear(self) -> None:
        """Removes everything that is stored about this workspace."""
        with self._guard, writer_lock(self.folder / _LOCK):
            self._database.close()
            shutil.rmtree(self.folder, ignore_errors=True)


def _concerns_all(path: str) -> bool:
    """Whether a change to this file can change what every other file means."""
    name = path.rpartition("/")[2]
    return name in PROJECT_FILES or name == "CODEOWNERS" or is_ignore_file(path)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector of cycles: millions of small tuples make it run in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

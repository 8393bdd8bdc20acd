"""Brings the stored facts of a workspace up to date: scan, compare, read, write.

Everything that changes the database goes through here, under the writer lock. Facts are committed
batch by batch, so a run that is stopped or killed loses no more than a batch; the view that readers
use is replaced only when a run is complete.
"""

import gc
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from knowing.files import FileRules, Scan, Stamp, compare, read, scan, stamp_of
from knowing.graph import PROJECT_FILES, Project, read_project
from knowing.history import Limits, Mined, encode, mine
from knowing.languages import Registry
from knowing.model import Skipped, SourceFile
from knowing.parse.pool import Extracted, Outcome, ReadOptions, extract_all
from knowing.settings import Settings
from knowing.store import DamagedError, Database, FileRow

PROJECT = "@project"
"""Stands for a language in the scan's rules, so that build files are found along the way."""
_BATCH = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run has come."""

    stage: str
    done: int = 0
    total: int = 0


Report = Callable[[Progress], None]
Cancelled = Callable[[], bool]


def quiet(_progress: Progress) -> None:
    """Reports to nobody."""


def never() -> bool:
    """Is never cancelled."""
    return False


@dataclass(slots=True, kw_only=True)
class Outcomes:
    """What one run found and did."""

    scanned: Scan
    projects: tuple[Project, ...]
    changed: dict[str, bytes] = field(default_factory=dict)
    """Encoded facts of the files that were read."""
    removed: tuple[str, ...] = ()
    complete: bool = True
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def emptiness(self) -> str:
        """Why there is nothing to answer from; empty if there is something."""
        if any(file.language != PROJECT for file in self.scanned.files):
            return ""
        found = sorted(self.scanned.unsupported.items(), key=lambda item: (-item[1], item[0]))
        kinds = ", ".join(f"{name or 'no extension'} ({count:,})" for name, count in found[:5])
        return "no file of a known language" + (f"; there are: {kinds}" if kinds else "")


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


def file_rules(settings: Settings, registry: Registry) -> FileRules:
    """The user's choices and the languages' habits as rules for the scan."""
    chosen = settings.files
    languages = dict(registry.by_suffix)
    languages.update(dict.fromkeys(sorted(PROJECT_FILES), PROJECT))
    return FileRules(
        languages=languages,
        include=tuple(chosen.include),
        exclude=tuple(chosen.exclude),
        respect_gitignore=chosen.respect_gitignore,
        max_file_bytes=chosen.max_file_kb * 1024,
        follow_symlinks=chosen.follow_symlinks,
        skip_vendored=chosen.skip_vendored,
        skip_generated=chosen.skip_generated,
        test_patterns={item.name: item.test_patterns for item in registry.languages},
    )


def read_options(root: Path, settings: Settings) -> ReadOptions:
    """What those who read files have to know of the user's choices."""
    folder = settings.index.languages_dir
    return ReadOptions(
        root=root,
        languages_dir=Path(folder) if folder else None,
        max_bytes=settings.files.max_file_kb * 1024,
        limit_ms=settings.index.parse_timeout_ms,
    )


class Indexer:
    """One run over a workspace."""

    def __init__(
        self, root: Path, settings: Settings, registry: Registry, database: Database
    ) -> None:
        self._root = root
        self._settings = settings
        self._registry = registry
        self._database = database
        self._rules = file_rules(settings, registry)
        self._options = read_options(root, settings)

    def run(self, *, full: bool, report: Report, cancelled: Cancelled) -> Outcomes:
        """Scans everything and reads what has changed, or all of it."""
        clock = Clock()
        report(Progress(stage="scanning"))
        seen_ns = time.time_ns()
        scanned = scan(self._root, self._rules, cancelled)
        projects = self._projects(scanned)
        outcomes = Outcomes(scanned=scanned, projects=projects, seconds=clock.seconds)
        clock.lap("scan")
        sources = [file for file in scanned.files if file.language != PROJECT]
        self._forget_outdated(sources)
        changes = compare({} if full else self._database.stamps(), sources)
        stored = self._database.digests()
        outcomes.removed = tuple(sorted(set(stored) - {file.path for file in sources}))
        unread = {} if full else self._skipped_before(sources)
        self._read(
            changes.to_read, {} if full else stored, unread, seen_ns, outcomes, report, cancelled
        )
        clock.lap("extract")
        if outcomes.complete:
            self._finish(outcomes, unread)
            clock.lap("store")
        return outcomes

    # -- reading -------------------------------------------------------------------------------

    def _forget_outdated(self, files: Sequence[SourceFile]) -> None:
        """Drops what was read by other rules than today's, so that it is read again."""
        rules = {item.name: item.fingerprint for item in self._registry.languages}
        meta, limit = self._database.meta(), str(self._options.limit_ms)
        before = _parsed(meta, "languages", {})
        if (before, meta.get("limit_ms")) == (rules, limit):
            return
        changed = [
            item for item in self._registry.languages if before.get(item.name) != rules[item.name]
        ]
        names = {item.name for item in changed}
        # Its content may make a file one of a language that its name does not tell.
        endings = tuple(ending for item in changed for ending in item.sniff_extensions)
        outdated = {f.path for f in files if f.language in names or f.path.endswith(endings)}
        if meta.get("limit_ms") != limit:
            outdated.update(self._skipped_before(files))
        with self._database.transaction():
            self._database.forget(sorted(outdated))
            self._database.set_meta({"languages": json.dumps(rules), "limit_ms": limit})

    def _read(
        self,
        files: Sequence[SourceFile],
        stored: Mapping[str, tuple[bytes, str, int]],
        skipped: dict[str, tuple[Skipped, Stamp]],
        seen_ns: int,
        outcomes: Outcomes,
        report: Report,
        cancelled: Cancelled,
    ) -> None:
        by_path = {file.path: file for file in files}
        generation = self._database.generation + 1
        batch: list[FileRow] = []
        touched: dict[str, Stamp] = {}
        done = 0
        found = extract_all(files, self._options, self._settings.index.workers, cancelled)
        with closing(found):
            for outcome in found:
                done += 1
                row = self._row(outcome, by_path, seen_ns, skipped)
                if row is not None:
                    same = stored.get(row.path)
                    if same == (row.digest, row.language, int(row.flags)):
                        touched[row.path] = row.stamp
                    else:
                        batch.append(row)
                        outcomes.changed[row.path] = row.facts
                if len(batch) >= _BATCH:
                    self._write(batch, touched, generation)
                report(Progress(stage="reading", done=done, total=len(files)))
        self._write(batch, touched, generation)
        outcomes.complete = done == len(files) and not cancelled()

    def _row(
        self,
        outcome: Outcome,
        by_path: Mapping[str, SourceFile],
        seen_ns: int,
        skipped: dict[str, tuple[Skipped, Stamp]],
    ) -> FileRow | None:
        """An outcome as a row; one that gave no facts is noted as skipped."""
        if isinstance(outcome, Extracted):
            file = outcome.file
            if outcome.problem:
                note = Skipped(path=file.path, reason=f"read in part: {outcome.problem}")
                skipped[file.path] = (note, stamp_of(file, seen_ns))
            else:
                skipped.pop(file.path, None)
            return FileRow(
                path=file.path,
                language=file.language,
                stamp=stamp_of(file, seen_ns),
                digest=outcome.digest,
                flags=outcome.flags,
                facts=outcome.facts,
            )
        skipped[outcome.path] = (outcome, stamp_of(by_path[outcome.path], seen_ns))
        return None

    def _write(self, batch: list[FileRow], touched: dict[str, Stamp], generation: int) -> None:
        if batch or touched:
            with self._database.transaction():
                self._database.write_files(batch, generation)
                self._database.touch(touched)
            batch.clear()
            touched.clear()

    def _skipped_before(self, files: Iterable[SourceFile]) -> dict[str, tuple[Skipped, Stamp]]:
        """Files that an earlier run could not read and that are still there."""
        present = {file.path for file in files}
        return {
            item.path: (item, stamp)
            for item, stamp in self._database.skipped()
            if stamp is not None and item.path in present
        }

    def _finish(self, outcomes: Outcomes, unread: Mapping[str, tuple[Skipped, Stamp]]) -> None:
        notes: list[tuple[Skipped, Stamp | None]] = [
            (item, None) for item in outcomes.scanned.skipped
        ]
        notes += [unread[path] for path in sorted(unread)]
        gone = [
            path for path, (item, _) in unread.items() if not item.reason.startswith("read in part")
        ]
        with self._database.transaction():
            self._database.remove_files(outcomes.removed)
            self._database.remove_files(path for path in gone if path not in outcomes.changed)
            self._database.set_skipped(notes)
            self._database.set_meta(
                {
                    "root": str(self._root),
                    "projects": json.dumps([_as_dict(p) for p in outcomes.projects]),
                    "unsupported": json.dumps(dict(outcomes.scanned.unsupported)),
                }
            )

    def _projects(self, scanned: Scan) -> tuple[Project, ...]:
        found: list[Project] = []
        for file in scanned.files:
            if file.language != PROJECT:
                continue
            text = read(self._root, file.path, self._options.max_bytes)
            if not isinstance(text, Skipped):
                project = read_project(file.path, text.data.decode("utf-8", "replace"))
                if project is not None:
                    found.append(project)
        return tuple(found)

    # -- history -------------------------------------------------------------------------------

    def mine(self, cancelled: Cancelled) -> Mined:
        """Reads the commits that are new; what was read is kept even if the run is stopped."""
        chosen = self._settings.history
        suffixes = self._code_suffixes()
        scope = f"{chosen.max_commits}:{','.join(suffixes)}"
        meta = self._database.meta()
        if meta.get("history.scope") != scope:
            # What was read by other rules is no beginning of what is wanted.
            meta = {}
        mined = mine(
            self._root,
            suffixes,
            limits=Limits(
                max_commits=chosen.max_commits,
                max_seconds=chosen.max_seconds,
                cancelled=cancelled,
            ),
            since=meta.get("history.since") or None,
            known=tuple(filter(None, meta.get("history.order", "").split(","))),
        )
        with self._database.transaction():
            self._database.add_commits((c.hash, c.time, encode([c])) for c in mined.commits)
            self._database.keep_commits(mined.order)
            self._database.set_meta(
                {
                    "history.order": ",".join(mined.order),
                    "history.since": mined.since or "",
                    "history.scope": scope,
                }
            )
        return mined

    def _code_suffixes(self) -> list[str]:
        """Commits that touch nothing but prose say little about code and are many."""
        prose = {language.name for language in self._registry.languages if language.prose}
        found = self._registry.by_suffix.items()
        return sorted(key for key, name in found if key.startswith(".") and name not in prose)


class Clock:
    """Seconds of each stage of a run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = round(self.seconds.get(stage, 0.0) + now - self._last, 4)
        self._last = now


def stored_projects(meta: Mapping[str, str]) -> tuple[Project, ...]:
    """The build files as the last complete run saw them."""
    return tuple(
        Project(
            folder=item["folder"],
            kind=item["kind"],
            name=item["name"],
            base=item["base"],
            aliases={key: tuple(value) for key, value in item["aliases"].items()},
        )
        for item in _parsed(meta, "projects", [])
    )


def _parsed(meta: Mapping[str, str], key: str, default: Any) -> Any:
    """A value that is stored as JSON."""
    if key not in meta:
        return default
    try:
        return json.loads(meta[key])
    except ValueError as error:
        raise DamagedError(f"the index is damaged: {key}: {error}") from error


def _as_dict(project: Project) -> dict[str, object]:
    return {
        "folder": project.folder,
        "kind": project.kind,
        "name": project.name,
        "base": project.base,
        "aliases": {key: list(value) for key, value in project.aliases.items()},
    }


def content_hash(
    digests: Mapping[str, tuple[bytes, str, int]], projects: str, languages: str, owners: str
) -> str:
    """One hash for everything that the graph is a function of."""
    state = blake2b(digest_size=16)
    for path in sorted(digests):
        digest, language, flags = digests[path]
        state.update(f"{path}\0{language}\0{flags}\0".encode("utf-8", "surrogateescape") + digest)
    for text in (projects, languages, owners):
        state.update(text.encode("utf-8") + b"\0")
    return state.hexdigest()


def package_hashes(digests: Mapping[str, tuple[bytes, str, int]]) -> dict[str, str]:
    """A hash for each folder that holds files: it changes when one of them does."""
    states: dict[str, blake2b] = {}
    for path in sorted(digests):
        folder = path.rpartition("/")[0]
        state = states.setdefault(folder, blake2b(digest_size=8))
        state.update(path.encode("utf-8", "surrogateescape") + b"\0" + digests[path][0])
    return {folder: state.hexdigest() for folder, state in states.items()}

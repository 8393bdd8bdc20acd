"""Language servers asked about a workspace, what they say stored, and what came of it told."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knowing.engine import Engine
from knowing.enrich import (
    Disagreement,
    Enricher,
    FileAnswers,
    Imported,
    LanguageStatus,
    Limits,
    Options,
    RunReport,
    Verdict,
    Work,
    import_scip,
    outdated,
    tally,
)
from knowing.enrich import Progress as FileProgress
from knowing.enrich import disagreements as differing
from knowing.errors import BusyError, KnowingError, NotFoundError
from knowing.indexer import Cancelled, Progress, Report, never, quiet
from knowing.languages import load_languages
from knowing.model import Origin
from knowing.reports import Finding
from knowing.settings import Settings

logger = logging.getLogger(__name__)

_SERVERS = "servers"
"""Where servers keep what they want to keep, in the folder of the index."""
_BATCH_FILES = 64
_BATCH_SECONDS = 2.0
_LAST_WAIT_SECONDS = 30.0
_LOOK_SECONDS = 0.1
_NAMED = 5


def options_of(settings: Settings, *, polite: bool = True) -> Options:
    """The user's choices; one who waits for the outcome does not want work to be held back."""
    chosen = settings.enrich
    return Options(
        servers_file=Path(chosen.servers_file) if chosen.servers_file else None,
        disabled=tuple(chosen.disabled),
        limits=Limits(
            memory_mb=chosen.memory_mb,
            load_per_core=chosen.load_per_core if polite else 0.0,
            on_battery=chosen.on_battery or not polite,
        ),
        idle_seconds=chosen.idle_seconds,
        python=Path(chosen.python) if chosen.python else None,
        search=tuple(Path(folder) for folder in chosen.search),
    )


def open_enricher(engine: Engine, *, trusted: bool, polite: bool = True) -> Enricher:
    """The servers of an engine's workspace; nothing is run before they are asked."""
    options = options_of(engine.settings, polite=polite)
    cache = engine.folder / _SERVERS
    return Enricher(engine.root, engine.registry, options, cache, trusted=trusted)


# -- a run ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a run is about."""

    paths: frozenset[str] | None = None
    """Only these files and those whose targets are gone; all of them if not given."""
    focus: tuple[str, ...] = ()
    """What somebody is looking at; it comes first."""
    changed: tuple[str, ...] = ()


ALL = Request()


def enrich(
    engine: Engine,
    enricher: Enricher,
    request: Request = ALL,
    report: Report = quiet,
    cancelled: Cancelled = never,
) -> RunReport:
    """Asks about all files of which nothing is known that still holds, and stores the answers.

    What has been answered is kept even if the run is cancelled. The view stays as it is: indexing
    shows what is stored.
    """
    graph = engine.live_graph()
    answers, digests = engine.known.state()
    known = [item for item in answers if item.origin is Origin.LSP_RESOLVED]
    paths = request.paths
    if paths is not None:
        paths |= outdated(graph, known, digests)
    work = Work(
        graph=graph,
        digests=digests,
        known=known,
        paths=paths,
        focus=request.focus,
        changed=request.changed,
    )

    def tell(progress: FileProgress) -> None:
        report(
            Progress(stage=f"asking {progress.server}", done=progress.done, total=progress.total)
        )

    seconds = engine.settings.enrich.max_seconds
    batch = _Batch(engine)
    try:
        with _watched(enricher, cancelled, seconds):
            done = enricher.enrich(work, batch.add, tell)
    finally:
        batch.flush(_LAST_WAIT_SECONDS)
    if paths is None:
        engine.known.keep_report(as_json(done), _LAST_WAIT_SECONDS)
    return done


@contextmanager
def _watched(enricher: Enricher, cancelled: Cancelled, seconds: float) -> Iterator[None]:
    """Cancels the run that goes on within when that is wished, or when it takes too long."""
    over = threading.Event()
    until = time.monotonic() + seconds if seconds else None

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if cancelled() or (until is not None and time.monotonic() > until):
                enricher.cancel()

    thread = threading.Thread(target=watch, name="enrich watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class _Batch:
    """Answers that wait to be stored together; filled by the thread that asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[FileAnswers] = []
        self._last = time.monotonic()

    def add(self, answers: FileAnswers) -> None:
        self._waiting.append(answers)
        passed = time.monotonic() - self._last
        if len(self._waiting) >= _BATCH_FILES or passed > _BATCH_SECONDS:
            self.flush(0.0)

    def flush(self, wait: float) -> None:
        """Stores what waits; where another process writes, it waits on."""
        if not self._waiting:
            return
        try:
            self._engine.known.keep(self._waiting, wait)
        except BusyError as error:
            logger.info("%d answers are not stored yet: %s", len(self._waiting), error)
        else:
            self._waiting.clear()
        self._last = time.monotonic()


def as_json(report: RunReport) -> dict[str, Any]:
    """A run as it is remembered and shown."""
    return {
        "files": report.files,
        "sites": report.sites,
        "resolved": report.resolved,
        "failures": report.failures,
        "restarts": report.restarts,
        "peak_mb": report.peak_mb,
        "seconds": round(report.seconds, 2),
        "complete": report.complete,
        "skipped": len(report.skipped),
        "skipped_first": dict(sorted(report.skipped.items())[:_NAMED]),
        "languages": [language_json(item) for item in report.languages],
    }


def language_json(status: LanguageStatus) -> dict[str, str]:
    return {
        "language": status.language,
        "use": status.use.value,
        "server": status.server,
        "reason": status.reason,
        "advice": status.advice,
    }


# -- other sources and uses ----------------------------------------------------------------------


def take_scip(engine: Engine, file: Path, wait: float) -> Imported:
    """Stores what a SCIP index says, in place of what an earlier one said."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise NotFoundError(f"cannot read {file}: {error.strerror}") from error
    graph = engine.live_graph()
    _, digests = engine.known.state()
    found = import_scip(data, engine.root, graph, digests, engine.registry)
    engine.known.replace_origin(Origin.SCIP_RESOLVED, found.answers, wait)
    return found


def disagreements(engine: Engine) -> tuple[list[Disagreement], dict[Verdict, int]]:
    """Where the syntax was read wrongly by all that is known, and how often it was right."""
    graph = engine.live_graph()
    answers, _ = engine.known.state()
    return differing(graph, answers), tally(graph, answers)


def survey(
    root: Path, settings: Settings, folder: Path, languages: Iterable[str] | None
) -> list[LanguageStatus]:
    """For each language who would answer for it; all that there are servers for if not given.

    Programs that came with the workspace are run only where servers may be, too.
    """
    extra = settings.index.languages_dir
    registry = load_languages(Path(extra) if extra else None)
    own = settings.enrich.enabled
    options = replace(options_of(settings), own_programs=own)
    with Enricher(root, registry, options, folder / _SERVERS, trusted=True) as enricher:
        known = [item.name for item in registry.languages]
        wanted = known if languages is None else sorted(set(languages))
        return enricher.survey(wanted)


def findings(statuses: Iterable[LanguageStatus]) -> list[Finding]:
    """Servers as `doctor` tells of them; one that is missing is no fault."""
    return [
        Finding(
            name=f"server for {status.language}",
            good=True,
            detail=status.server or f"none ({status.reason})",
            advice=f"for sure edges: {status.advice}" if status.advice else "",
        )
        for status in statuses
    ]


def server_findings(
    root: Path, settings: Settings, folder: Path, languages: Iterable[str] | None
) -> list[Finding]:
    """What `doctor` says about language servers."""
    try:
        found = findings(survey(root, settings, folder, languages))
    except KnowingError as error:
        return [Finding(name="servers", good=False, detail=str(error), advice=error.hint)]
    return found

"""Enrichment as a whole: servers found, asked in turn, kept for the next question, let go.

An `Enricher` has one thread with an event loop. Its methods may be called from any other thread.
A server stays alive between runs, because the next question usually concerns the same language,
and ends when nobody has asked for a while. Whatever goes wrong with a server leaves its language
with what the syntax tells, and the reason in the report.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from knowing.enrich.answers import FileAnswers
from knowing.enrich.ask import Workspace
from knowing.enrich.client import LanguageServer
from knowing.enrich.detect import Found, Missing, Surroundings, fingerprint, look_for
from knowing.enrich.externals import Externals
from knowing.enrich.load import Limits
from knowing.enrich.places import Texts
from knowing.enrich.plan import order, to_ask
from knowing.enrich.rpc import ServerError
from knowing.enrich.runner import CancelledRunError, Control, Job, Runner
from knowing.enrich.servers import ServerSpec, load_servers
from knowing.enrich.status import LanguageStatus, Progress, RunReport, State, Use
from knowing.graph import Graph
from knowing.languages import Registry

logger = logging.getLogger(__name__)

T = TypeVar("T")
Deliver = Callable[[FileAnswers], None]
Tell = Callable[[Progress], None]

_UNTRUSTED = "the workspace is not trusted, so nothing is run in it"
_OFF = "enrichment is switched off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What users can choose."""

    enabled: bool = True
    servers_file: Path | None = None
    disabled: tuple[str, ...] = ()
    """Names of servers that are not used."""
    limits: Limits = field(default_factory=Limits)
    idle_seconds: float = 300.0
    python: Path | None = None
    """Folder of the virtual environment; looked for in the workspace if not given."""
    search: tuple[Path, ...] = ()
    """Further folders with programs."""
    own_programs: bool = True
    """Whether programs that lie in the workspace may be run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a run is about."""

    graph: Graph
    digests: Mapping[str, bytes]
    """Of the files that the graph was made from."""
    known: Sequence[FileAnswers] = ()
    """Answers from before; files whose answers still hold are not asked about."""
    paths: frozenset[str] | None = None
    """Only these files, if given."""
    focus: tuple[str, ...] = ()
    """What somebody is looking at."""
    changed: tuple[str, ...] = ()


def ignore(_progress: Progress) -> None:
    """Nobody wants to know."""


class Enricher:
    """The servers of one workspace."""

    def __init__(
        self, root: Path, registry: Registry, options: Options, cache: Path, *, trusted: bool
    ) -> None:
        self._options = options
        self._registry = registry
        self._off = "" if trusted and options.enabled else _OFF if trusted else _UNTRUSTED
        self._around = Surroundings(
            root, cache, options.python, options.search, own_programs=options.own_programs
        )
        self._control = Control(options.limits)
        self._texts = Texts()
        self._externals = Externals(registry, self._texts)
        self._detected: dict[str, Found | Missing] = {}
        self._broken: dict[str, str] = {}
        """Servers that could not be used, and why."""
        self._server: LanguageServer | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None
        """The end of a server that nobody has asked for a while."""
        self._one_at_a_time = threading.Lock()
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- what there is -------------------------------------------------------------------------

    @property
    def state(self) -> tuple[State, str]:
        """How things stand, and why if work does not go on."""
        if self._off:
            return State.OFF, self._off
        return self._control.state, self._control.reason

    @property
    def busy(self) -> Callable[[], bool]:
        """Tells whether somebody waits for an answer; work steps aside meanwhile."""
        return self._control.busy

    @busy.setter
    def busy(self, busy: Callable[[], bool]) -> None:
        self._control.busy = busy

    @property
    def server_pid(self) -> int | None:
        """The process group of the server that is running, if any."""
        server = self._server
        return server.process.pid if server is not None else None

    def specs(self, language: str) -> list[ServerSpec]:
        """Servers for a language, the preferred one first."""
        return [
            spec
            for spec in load_servers(self._options.servers_file)
            if language in spec.languages
            and spec.enabled
            and spec.name not in self._options.disabled
        ]

    def survey(self, languages: Iterable[str]) -> list[LanguageStatus]:
        """For each language who would answer, or what to install; runs programs to see."""
        return [self._status(language) for language in languages if self.specs(language)]

    def _status(self, language: str) -> LanguageStatus:
        if self._off:
            return LanguageStatus(language=language, use=Use.SYNTAX_ONLY, reason=self._off)
        found = self._found(language)
        if found is not None:
            server = f"{found.spec.name} {found.version}"
            return LanguageStatus(language=language, use=Use.ENRICHED, server=server)
        specs = self.specs(language)
        reasons = [f"{spec.name}: {self._why_not(spec)}" for spec in specs]
        return LanguageStatus(
            language=language,
            use=Use.SYNTAX_ONLY,
            reason="; ".join(reasons),
            advice=specs[0].install if specs else "",
        )

    def _why_not(self, spec: ServerSpec) -> str:
        seen = self._detected.get(spec.name)
        return self._broken.get(spec.name) or (seen.reason if isinstance(seen, Missing) else "")

    def _found(self, language: str) -> Found | None:
        """The first server for a language that works."""
        for spec in self.specs(language):
            if spec.name in self._broken:
                continue
            if spec.name not in self._detected:
                self._detected[spec.name] = look_for(spec, self._around)
            seen = self._detected[spec.name]
            if isinstance(seen, Found):
                return seen
        return None

    def keys(self, languages: Iterable[str]) -> dict[str, tuple[str, str]]:
        """For each language that can be enriched, the server and environment of its answers."""
        if self._off:
            return {}
        found = {language: self._found(language) for language in languages}
        return {
            language: (f"{seen.spec.name} {seen.version}", fingerprint(seen.spec, self._around))
            for language, seen in found.items()
            if seen is not None
        }

    # -- work ----------------------------------------------------------------------------------

    def enrich(self, work: Work, deliver: Deliver, progress: Tell = ignore) -> RunReport:
        """Asks about the files of which nothing is known that still holds.

        Each file's answers are handed to `deliver` as they come, in the thread of the enricher.
        Returns when all is done or cancelled. One run at a time: others wait.
        """
        report = RunReport()
        languages = sorted({entry.language for entry in work.graph.files})
        if self._off:
            report.languages = self.survey(languages)
            return report
        began = time.monotonic()
        with self._one_at_a_time:
            self._control.cancelled = False
            todo = to_ask(work.graph, work.known, work.digests, self.keys(languages))
            wanted = todo if work.paths is None else todo & work.paths
            ordered = order(work.graph, work.focus, work.changed)
            queue = [path for path in ordered if path in wanted]
            task = _Task(work, deliver, progress, len(queue))
            self._control.state = State.WORKING
            try:
                self._wait_for(self._run(task, queue, report))
            finally:
                self._control.state = State.IDLE
            report.seconds = time.monotonic() - began
        return report

    async def _run(self, task: "_Task", queue: list[str], report: RunReport) -> None:
        await self._settle()
        corpus = task.work.graph.corpus
        workspace = Workspace(
            self._around.root, task.work.graph, task.work.digests, self._texts, self._externals
        )
        self._texts.forget()
        languages = dict(zip(corpus.paths, corpus.languages, strict=True))
        try:
            while queue:
                queue = await self._run_first(task, queue, languages, workspace, report)
        except CancelledRunError:
            report.complete = False
            self._server = None
        report.languages = self._outcomes(languages, report, bool(report.files or task.work.known))
        self._idle = asyncio.get_running_loop().call_later(self._options.idle_seconds, self._leave)

    def _leave(self) -> None:
        self._leaving = asyncio.ensure_future(self._let_go())

    async def _settle(self) -> None:
        """No server is about to be let go, and none is half gone."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._leaving is not None:
            await asyncio.gather(self._leaving, return_exceptions=True)
            self._leaving = None

    def _outcomes(
        self, languages: Mapping[str, str], report: RunReport, known: bool
    ) -> list[LanguageStatus]:
        """What became of each language; files that were left out make it a part, or nothing."""
        left: dict[str, list[str]] = {}
        for path in sorted(report.skipped):
            left.setdefault(languages.get(path, ""), []).append(path)
        found = self.survey(sorted(set(languages.values())))
        return [
            replace(
                status,
                use=Use.PARTLY if known else Use.SYNTAX_ONLY,
                reason=f"{len(left[status.language])} files were left out, the first one, "
                f"{left[status.language][0]}: {report.skipped[left[status.language][0]]}",
            )
            if status.use is Use.ENRICHED and status.language in left
            else status
            for status in found
        ]

    async def _run_first(
        self,
        task: "_Task",
        queue: list[str],
        languages: Mapping[str, str],
        workspace: Workspace,
        report: RunReport,
    ) -> list[str]:
        """Serves all files of the first one's server; what is left to others."""
        found = self._found(languages[queue[0]])
        if found is None:
            return [path for path in queue if languages[path] != languages[queue[0]]]
        own = [path for path in queue if self._found(languages[path]) is found]
        server = self._server
        if server is not None and server.found is not found:
            await self._let_go()
            server = None
        self._server = None
        done: set[str] = set()

        def deliver(answers: FileAnswers) -> None:
            done.add(answers.path)
            task.deliver(answers)
            task.tell(answers.path, found.spec.name)

        job = Job(found=found, environment=fingerprint(found.spec, self._around), paths=own)
        try:
            runner = Runner(self._around, self._control, report)
            self._server = await runner.run(job, server, workspace, deliver)
        except ServerError as error:
            # The next server in line, if there is one, gets what this one has left.
            logger.warning("%s is not used: %s", found.spec.name, error)
            self._broken[found.spec.name] = str(error)
            return [path for path in queue if path not in done]
        return [path for path in queue if path not in own]

    async def _let_go(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.stop()

    def changed(self, kinds: Mapping[str, int]) -> None:
        """Tells a running server of files that were made (1), edited (2) or removed (3)."""
        self._broken.clear()
        server = self._server
        if server is not None and server.is_open:
            paths = {self._around.root / path: kind for path, kind in kinds.items()}
            self._wait_for(server.changed(paths))

    def pause(self) -> None:
        self._control.paused = True

    def resume(self) -> None:
        self._control.paused = False

    def cancel(self) -> None:
        """Stops the run that is under way; what was delivered stays delivered."""
        self._control.cancelled = True

    # -- the thread ----------------------------------------------------------------------------

    def _wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="enrich", daemon=True
                )
                self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Ends the run that is under way and every server."""
        self.cancel()
        with self._one_at_a_time, self._starting:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
            if loop is None or thread is None:
                return
            asyncio.run_coroutine_threadsafe(self._end(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    async def _end(self) -> None:
        await self._settle()
        await self._let_go()
        await asyncio.get_running_loop().shutdown_default_executor()


class _Task:
    """One call of `enrich`."""

    def __init__(self, work: Work, deliver: Deliver, progress: Tell, total: int) -> None:
        self.work = work
        self.deliver = deliver
        self._progress = progress
        self._total = total
        self._done = 0

    def tell(self, path: str, server: str) -> None:
        self._done += 1
        progress = Progress(done=self._done, total=self._total, path=path, server=server)
        self._progress(progress)

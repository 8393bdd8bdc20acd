"""Asks one server about many files, and keeps it alive, small and unnoticed meanwhile."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowing.enrich.answers import FileAnswers
from knowing.enrich.ask import Workspace, ask_file
from knowing.enrich.client import LanguageServer, NotReadyError
from knowing.enrich.detect import Found, Surroundings
from knowing.enrich.load import Limits, memory_mb, reason_to_wait
from knowing.enrich.places import source_of
from knowing.enrich.rpc import GoneError, ServerError
from knowing.enrich.status import RunReport, State

logger = logging.getLogger(__name__)

_MOST_RESTARTS = 3
_RESTART_SECONDS = 600.0
_MEMORY_EVERY = 2.0
_LOAD_EVERY = 5.0
_STEP_ASIDE_SECONDS = 2.0


class CancelledRunError(Exception):
    """Somebody asked for the run to stop."""


class Control:
    """Pause, resume and cancel, from any thread; the run looks between files and while waiting."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.paused = False
        self.cancelled = False
        self.state = State.IDLE
        self.reason = ""
        self.busy: Callable[[], bool] = lambda: False
        """Whether somebody waits for an answer of the process that asks."""

    async def go_ahead(self, server: LanguageServer | None) -> None:
        """Returns when work may go on; the server is suspended as long as it may not."""
        if self.cancelled:
            raise CancelledRunError
        await self._step_aside()
        reason = self._reason()
        if not reason:
            return
        if server is not None:
            server.process.suspend()
        try:
            while reason:
                self.state = State.PAUSED if self.paused else State.WAITING
                self.reason = reason
                await asyncio.sleep(0.05 if self.paused else 1.0)
                if self.cancelled:
                    raise CancelledRunError
                reason = self._reason()
        finally:
            if server is not None:
                server.process.resume()
            self.state, self.reason = State.WORKING, ""

    async def _step_aside(self) -> None:
        """Lets questions be answered first, but not for ever."""
        until = time.monotonic() + _STEP_ASIDE_SECONDS
        while self.busy() and not self.cancelled and time.monotonic() < until:
            await asyncio.sleep(0.01)

    _looked = 0.0

    def _reason(self) -> str:
        if self.paused:
            return "paused"
        now = time.monotonic()
        if self.state is not State.WAITING and now - self._looked < _LOAD_EVERY:
            return ""
        self._looked = now
        return reason_to_wait(self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a server is to do."""

    found: Found
    environment: str
    paths: Sequence[str]


class Runner:
    """One server over one list of files."""

    def __init__(self, around: Surroundings, control: Control, report: RunReport) -> None:
        self._around = around
        self._control = control
        self._report = report
        self._starts: deque[float] = deque()
        self._last_words = ""
        self._measured = 0.0

    async def run(
        self,
        job: Job,
        server: LanguageServer | None,
        workspace: Workspace,
        deliver: Callable[[FileAnswers], None],
    ) -> LanguageServer | None:
        """Asks about all files of a job; the server that is left running, if any.

        A `ServerError`, with the server ended, once it has had its chances.
        """
        queue = deque((path, 0) for path in job.paths)
        before = self._report.files
        lost: ServerError | None = None
        try:
            while queue:
                await self._control.go_ahead(server)
                if server is None or not server.is_open:
                    server = await self._started(job, server)
                path, tries = queue.popleft()
                try:
                    answers = await self._ask(server, workspace, path, job.environment)
                except NotReadyError:
                    raise
                except ServerError as error:
                    await server.stop()
                    server, lost = None, error
                    self._again(queue, path, tries, error)
                    continue
                if answers is not None and self._is_final(answers, tries):
                    self._note(answers)
                    deliver(answers)
                    server = await self._within_memory(server)
                elif answers is not None:
                    queue.append((path, 1))
        except BaseException:
            if server is not None:
                await asyncio.shield(server.stop())
            raise
        if lost is not None and self._report.files == before:
            raise lost
        return server

    def _is_final(self, answers: FileAnswers, tries: int) -> bool:
        """Before a server has answered anything, nothing may mean that it is not ready."""
        return bool(answers.resolved or not len(answers) or self._report.resolved or tries)

    def _again(
        self, queue: deque[tuple[str, int]], path: str, tries: int, error: ServerError
    ) -> None:
        """A file that a server dies of twice is left out."""
        logger.info("%s: %s", path, error)
        self._last_words = str(error)
        if tries:
            self._report.skipped[path] = str(error)
        else:
            queue.append((path, 1))

    async def _started(self, job: Job, before: LanguageServer | None) -> LanguageServer:
        if before is not None:
            await before.stop()
        now = time.monotonic()
        while self._starts and now - self._starts[0] > _RESTART_SECONDS:
            self._starts.popleft()
        if len(self._starts) > _MOST_RESTARTS:
            name, count = job.found.spec.name, len(self._starts)
            raise GoneError(f"{name} ended {count} times, the last time: {self._last_words}")
        self._report.restarts += bool(self._starts)
        self._starts.append(now)
        return await LanguageServer.start(job.found, self._around)

    async def _ask(
        self, server: LanguageServer, workspace: Workspace, path: str, environment: str
    ) -> FileAnswers | None:
        """Answers for one file; None, and a reason in the report, if it cannot be asked about."""
        absolute = workspace.root / path
        try:
            raw = absolute.read_bytes()
        except OSError as error:
            self._report.skipped[path] = error.strerror or "cannot be read"
            return None
        source = source_of(absolute, raw)
        if isinstance(source, str):
            self._report.skipped[path] = source
            return None
        if workspace.digests.get(path) != source[1]:
            self._report.skipped[path] = "it has changed since it was indexed"
            return None
        watching = asyncio.create_task(self._watch(server))
        asking = asyncio.create_task(ask_file(server, workspace, path, source, environment))
        try:
            await asyncio.wait((asking, watching), return_when=asyncio.FIRST_COMPLETED)
            if watching.done() and not asking.done():
                await watching
            asked = await asking
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            for task in (watching, asking):
                task.cancel()
            await asyncio.gather(watching, asking, return_exceptions=True)
        self._report.failures += asked.failures
        if asked.failures and not len(asked.answers):
            self._report.skipped[path] = "the server failed at every site"
            # What it refuses it will refuse again; what it kept silent about it may know later.
            return None if asked.silences else asked.answers
        return asked.answers

    async def _watch(self, server: LanguageServer) -> None:
        """Ends, with `CancelledRunError`, when the run is to stop in the middle of a file."""
        while True:
            await asyncio.sleep(0.05)
            if self._control.cancelled:
                raise CancelledRunError
            if self._control.paused:
                await self._control.go_ahead(server)

    def _note(self, answers: FileAnswers) -> None:
        self._report.files += 1
        self._report.sites += len(answers)
        self._report.resolved += answers.resolved

    async def _within_memory(self, server: LanguageServer) -> LanguageServer | None:
        """The server, unless it has grown too large: then it is ended, to be started anew."""
        now = time.monotonic()
        if now - self._measured < _MEMORY_EVERY:
            return server
        self._measured = now
        used = memory_mb(server.process.pid) or 0
        self._report.peak_mb = max(self._report.peak_mb, used)
        if used <= (server.spec.memory_mb or self._control.limits.memory_mb):
            return server
        logger.info("%s takes %d MB and is started anew", server.spec.name, used)
        with contextlib.suppress(ServerError):
            await server.stop()
        return None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error behind a group of them: what several requests met is one thing."""
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return inner

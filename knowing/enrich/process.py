"""A server's process: started under guard, measured, suspended, ended for certain."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowing.enrich.rpc import GoneError

logger = logging.getLogger(__name__)

_GUARD = Path(__file__).with_name("guard.py")
_START_SECONDS = 30.0
_END_SECONDS = 5.0
_NICE = 19
_STREAM_LIMIT = 1024 * 1024
_KEPT_LINES = 20
_LONGEST_LINE = 500


@dataclass(slots=True, kw_only=True)
class Process:
    """A running server. `pid` leads a process group that holds the server and its children."""

    pid: int
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    last_words: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    """The end of what was written to standard error."""
    _guard: asyncio.subprocess.Process
    _control: int
    """Held open as long as the server may live; -1 where there is no guard."""
    _drain: asyncio.Task[None]

    @property
    def is_running(self) -> bool:
        return self._guard.returncode is None

    async def ended(self, seconds: float) -> bool:
        """Waits for the server to end by itself."""
        try:
            async with asyncio.timeout(seconds):
                await self._guard.wait()
        except TimeoutError:
            return False
        return True

    async def end(self) -> None:
        """Kills whatever is left of the server and waits until it is gone."""
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
        elif self.is_running:
            with contextlib.suppress(ProcessLookupError):
                self._guard.kill()
        await self.ended(_END_SECONDS)
        self._drain.cancel()
        await asyncio.gather(self._drain, return_exceptions=True)
        self.stdin.close()
        with contextlib.suppress(OSError):
            await self.stdin.wait_closed()

    def suspend(self) -> None:
        """Stops the server's clock: it uses no processor until it is resumed."""
        self._signal("SIGSTOP")

    def resume(self) -> None:
        self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        number = getattr(signal, name, None)
        if number is not None and self._control >= 0 and self.is_running:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)


async def start(
    command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None
) -> Process:
    """Runs a command with `variables` added to its environment; GoneError if it cannot be run."""
    if sys.platform == "win32" or not sys.executable:
        return await _start_bare(command, folder)
    control, held = os.pipe()
    told, status = os.pipe()
    settings = [f"{name}={value}" for name, value in (variables or {}).items()]
    prefix = ["env", *settings] if settings else []
    guard = [sys.executable, "-I", "-S", str(_GUARD), str(control), str(status), str(_NICE)]
    try:
        process = await asyncio.create_subprocess_exec(
            *[*guard, *prefix, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            pass_fds=(control, status),
            start_new_session=True,
            limit=_STREAM_LIMIT,
        )
    except OSError as error:
        os.close(held)
        os.close(told)
        raise GoneError(f"{command[0]} could not be started: {error.strerror}") from error
    finally:
        os.close(control)
        os.close(status)
    running = _process(process, held)
    running.pid = await _pid(told, running, command)
    return running


async def _start_bare(command: Sequence[str], folder: Path) -> Process:
    """Without a guard the server itself has to notice our end: it is told our process id."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            limit=_STREAM_LIMIT,
        )
    except OSError as error:
        raise GoneError(f"{command[0]} could not be started: {error.strerror}") from error
    return _process(process, -1)


def _process(process: asyncio.subprocess.Process, control: int) -> Process:
    assert process.stdin and process.stdout and process.stderr
    words: deque[str] = deque(maxlen=_KEPT_LINES)
    return Process(
        pid=process.pid,
        stdin=process.stdin,
        stdout=process.stdout,
        last_words=words,
        _guard=process,
        _control=control,
        _drain=asyncio.create_task(_drain(process.stderr, words)),
    )


async def _pid(told: int, running: Process, command: Sequence[str]) -> int:
    """What the guard says: a process id, or one and then the reason why it is of no use."""
    try:
        async with asyncio.timeout(_START_SECONDS):
            lines = await _all_of(told)
    except TimeoutError:
        lines = []
    if len(lines) == 1 and lines[0].isdigit():
        return int(lines[0])
    await running.end()
    reason = next((line for line in lines if not line.isdigit()), "no sign of life")
    raise GoneError(f"{command[0]} could not be started: {reason}")


async def _all_of(descriptor: int) -> list[str]:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
    )
    try:
        return (await reader.read()).decode(errors="replace").splitlines()
    finally:
        transport.close()


async def _drain(stream: asyncio.StreamReader, words: deque[str]) -> None:
    """Reads standard error, so that a talkative server does not block, and keeps its end."""
    while chunk := await stream.read(65536):
        for line in chunk.decode(errors="replace").splitlines()[-_KEPT_LINES:]:
            if line.strip():
                words.append(line.strip()[:_LONGEST_LINE])

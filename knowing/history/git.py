"""Running git so that it only reads: no locks, no network, no hooks, no pager, no prompts.

Every call of git in the engine goes through `command`, which switches off what a user's or a
repository's configuration could switch on. Long outputs are read by `Stream`, which can be
stopped at any moment and keeps what came before.
"""

import logging
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO

from knowing.errors import HistoryError

logger = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 18
QUEUED_CHUNKS = 8
STDERR_BYTES = 1 << 16
POLL_SECONDS = 0.05
SHORT_COMMAND_SECONDS = 60.0

# Source files are not large: git treats what is larger than the threshold as binary, which bounds
# the size of one file's patch. A partial clone fetches absent objects by itself; forbidding every
# transport makes git report them as absent, also in versions without a switch for that.
_TRANSPORTS = ("http", "https", "ssh", "git", "file", "ext")
_SETTINGS = (
    "core.quotepath=off",
    "core.fsmonitor=false",
    "diff.autoRefreshIndex=false",
    "core.bigFileThreshold=2m",
    "log.showSignature=false",
    "log.showRoot=true",
    "protocol.allow=never",
    *(f"protocol.{name}.allow=never" for name in _TRANSPORTS),
)

# The C locale halves the time git needs for function names in hunk headers (glibc's matcher is
# slow on multi-byte text) and keeps messages in English. Variables that point git at another
# repository, as they are set inside hooks, are taken away.
_CHILD_VARIABLES = (
    "LC_ALL=C",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_TERMINAL_PROMPT=0",
)
_UNSET_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_DIFF_OPTS",
    "GIT_EXTERNAL_DIFF",
    "GIT_ALLOW_PROTOCOL",
)


class GitMissing(HistoryError):
    """There is no git on this machine's search path."""


def _launcher() -> tuple[str, ...]:
    git = shutil.which("git")
    if git is None:
        raise GitMissing("git is not installed", "install git and make it reachable by PATH")
    env = shutil.which("env") if os.name == "posix" else None
    if env is None:
        return (git,)
    unset = [part for name in _UNSET_VARIABLES for part in ("-u", name)]
    return (env, *unset, *_CHILD_VARIABLES, git)


def command(*arguments: str, settings: Sequence[str] = ()) -> list[str]:
    """The full command line for a reading git command; raises `GitMissing`."""
    options = [part for value in (*_SETTINGS, *settings) for part in ("-c", value)]
    return [*_launcher(), "--no-pager", "--no-optional-locks", *options, *arguments]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a short git command said."""

    code: int
    output: bytes
    error: str

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "surrogateescape").rstrip("\r\n")


def ask(root: Path, *arguments: str) -> Answer:
    """Run a command whose answer is small; raises `HistoryError` when it cannot be run."""
    line = command(*arguments)
    try:
        done = subprocess.run(
            line,
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SHORT_COMMAND_SECONDS,
            creationflags=_creation_flags(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise HistoryError(
            f"git {arguments[0]} did not answer within {SHORT_COMMAND_SECONDS:.0f} s in {root}",
            "check that the disk answers and that git works there",
        ) from error
    except OSError as error:
        raise HistoryError(f"git cannot run in {root}: {error}", "check the folder") from error
    return Answer(code=done.returncode, output=done.stdout, error=complaint(done.stderr))


def complaint(stderr: bytes) -> str:
    """The first line of git's complaint that says what is wrong, without its prefix."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    serious = [line for line in lines if line.startswith(("fatal:", "error:"))]
    first = (serious or lines or [""])[0]
    return first.removeprefix("fatal:").removeprefix("error:").strip()


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    return 0


def _be_nice(pid: int) -> None:
    """Let interactive work go first; failing to is no reason to fail."""
    if sys.platform != "win32":
        try:
            os.setpriority(os.PRIO_PROCESS, pid, 10)
        except OSError as error:
            logger.debug("cannot lower the priority of git: %s", error)


class Ending(Enum):
    """How a stream came to its end."""

    DONE = "done"
    ENOUGH = "enough"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """When to stop waiting: a moment of `time.monotonic` and a question asked often."""

    deadline: float | None
    cancelled: Callable[[], bool]

    def spent(self) -> Ending | None:
        if self.cancelled():
            return Ending.CANCELLED
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return Ending.TIMEOUT
        return None


class Stream:
    """The output of one long git command, in chunks.

    Iterating ends when git does, when patience is spent, or after `enough()`. Then `ending`
    says which, and `error` holds git's complaint if it failed by itself. A reading thread
    fills a short queue, so that a silent git cannot keep the caller from noticing a cancel.
    """

    def __init__(
        self, root: Path, line: Sequence[str], patience: Patience, stdin: bytes = b""
    ) -> None:
        self.ending = Ending.DONE
        self.error = ""
        self._patience = patience
        self._stop: Ending | None = None
        self._chunks: queue.Queue[bytes] = queue.Queue(maxsize=QUEUED_CHUNKS)
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in _finish
        try:
            self._process = _start(root, line, stdin, self._stderr)
        except OSError as error:
            self._stderr.close()
            raise HistoryError(f"git cannot run in {root}: {error}", "check the folder") from error
        _be_nice(self._process.pid)
        self._reader = threading.Thread(target=self._read, name="git-output", daemon=True)
        self._reader.start()

    def enough(self) -> None:
        """Ask for no more output than what has been taken already."""
        self._stop = Ending.ENOUGH

    def __iter__(self) -> Iterator[bytes]:
        try:
            while chunk := self._next():
                yield chunk
        except GeneratorExit:
            self._stop = Ending.ENOUGH
            raise
        finally:
            self._finish()

    def _next(self) -> bytes:
        """The next chunk, empty at the end; kills git when patience is spent.

        What git wrote before it was killed still comes.
        """
        while True:
            if self._stop is None and (stop := self._patience.spent()) is not None:
                self._stop = stop
                self._process.kill()
            if self._stop is Ending.ENOUGH:
                return b""
            try:
                return self._chunks.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue

    def _read(self) -> None:
        output = self._process.stdout
        assert output is not None
        while chunk := output.read(CHUNK_BYTES):
            self._chunks.put(chunk)
        self._chunks.put(b"")

    def _finish(self) -> None:
        if self._stop is not None:
            self._process.kill()
        # The reader may wait for room in the queue: make room until it is gone.
        while self._reader.is_alive():
            try:
                self._chunks.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
        code = self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._stderr.seek(0)
        stderr = self._stderr.read(STDERR_BYTES)
        self._stderr.close()
        if self._stop is not None:
            self.ending = self._stop
        elif code != 0:
            self.ending = Ending.FAILED
            self.error = complaint(stderr) or f"git ended with code {code}"


def _start(
    root: Path, line: Sequence[str], stdin: bytes, stderr: IO[bytes]
) -> subprocess.Popen[bytes]:
    # Input comes from a file: git reads it at its own pace and nobody has to feed it.
    with tempfile.TemporaryFile() as source:
        source.write(stdin)
        source.seek(0)
        return subprocess.Popen(
            line,
            cwd=root,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=stderr,
            creationflags=_creation_flags(),
        )

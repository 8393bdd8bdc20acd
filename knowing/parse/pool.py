"""Reads and extracts many files in worker processes; small sets in this one.

Parsing holds the interpreter's lock, so processes are the only way to use several cores. A worker
returns encoded facts, which cost next to nothing to hand over, file by file: so it is known what a
worker that dies was at, and nothing else is lost.
"""

import gc
import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from knowing.errors import KnowingError
from knowing.files import SourceText, read
from knowing.languages import load_languages
from knowing.model import Skipped, SourceFile, SymbolFlag
from knowing.parse.extract import extract
from knowing.parse.grammar import compiled

logger = logging.getLogger(__name__)

_IN_PROCESS_BYTES = 2_000_000
_CHUNK_BYTES = 2_000_000
_POLL_SECONDS = 0.1
_CRASHED = "the parser crashed on this file"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a worker has to know."""

    root: Path
    languages_dir: Path | None
    max_bytes: int
    limit_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A file that was read: its facts are encoded."""

    file: SourceFile
    digest: bytes
    flags: SymbolFlag
    facts: bytes
    problem: str


Outcome = Extracted | Skipped


def extract_one(file: SourceFile, text: SourceText, options: ReadOptions) -> Extracted:
    registry = load_languages(options.languages_dir)
    language = registry.for_content(file.path, registry[file.language], text.data)
    flags = file.flags | text.flags
    facts = extract(text.data, language, flags, options.limit_ms)
    return Extracted(
        file=replace(file, language=language.name),
        digest=text.digest,
        flags=flags,
        facts=facts.encode(),
        problem=facts.problem,
    )


def read_and_extract(file: SourceFile, options: ReadOptions) -> Outcome:
    """What becomes of one file; trouble with it is told, not raised."""
    text = read(options.root, file.path, options.max_bytes)
    if isinstance(text, Skipped):
        return text
    try:
        return extract_one(file, text, options)
    except KnowingError:
        # A language that cannot be used is no trouble of this file.
        raise
    except Exception as error:
        logger.debug("%s", file.path, exc_info=True)
        reason = f"the parser failed on this file: {type(error).__name__}: {error}"
        return Skipped(path=file.path, reason=reason)


def extract_all(
    files: Sequence[SourceFile],
    options: ReadOptions,
    workers: int,
    cancelled: Callable[[], bool],
) -> Generator[Outcome, None, None]:
    """Outcomes of all files, in no particular order; ends early when cancelled."""
    total = sum(file.size for file in files)
    count = workers or os.cpu_count() or 1
    if total < _IN_PROCESS_BYTES or count == 1:
        for file in files:
            if cancelled():
                return
            yield read_and_extract(file, options)
        return
    chunks = _chunks(files, min(_CHUNK_BYTES, max(total // (8 * count), 100_000)))
    if _context().get_start_method() == "fork":
        _make_ready(files, options)
    yield from _in_processes(chunks, options, count, cancelled)


def _make_ready(files: Sequence[SourceFile], options: ReadOptions) -> None:
    """Compiles queries before workers are forked: once for all, up to half a second a language."""
    registry = load_languages(options.languages_dir)
    for name in sorted({file.language for file in files}):
        if registry[name].grammar:
            compiled(registry[name])


def _chunks(files: Sequence[SourceFile], size: int) -> list[list[SourceFile]]:
    """Large files first, so that no worker is left with a big one at the end."""
    chunks: list[list[SourceFile]] = []
    filled = size
    for file in sorted(files, key=lambda item: (-item.size, item.path)):
        if filled >= size:
            chunks.append([])
            filled = 0
        chunks[-1].append(file)
        filled += file.size + 1
    return chunks


class _Worker:
    """A process that is given chunks and answers file by file."""

    def __init__(self, options: ReadOptions) -> None:
        context = _context()
        self.pipe, theirs = context.Pipe()
        self.left: list[SourceFile] = []
        """Files of its chunk that it has not answered for, in the order of its work."""
        self._process = context.Process(
            target=_work, args=(theirs, options, os.getpid()), daemon=True
        )
        with warnings.catch_warnings():
            # Threads of libraries are no reason against a fork; they prepare for one.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        # With the last copy of this end in the worker, its death is the end of the stream.
        theirs.close()

    def give(self, chunk: list[SourceFile]) -> None:
        self.left = list(chunk)
        with suppress(OSError):
            # If it is dead already, reading from it will tell.
            self.pipe.send(chunk)

    def answer(self) -> Outcome | None:
        """What it says about the next file; None if it has died."""
        try:
            said: Outcome | KnowingError = self.pipe.recv()
        except (EOFError, OSError):
            return None
        if isinstance(said, KnowingError):
            raise said
        del self.left[0]
        return said

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self.pipe.close()


def _in_processes(
    chunks: list[list[SourceFile]],
    options: ReadOptions,
    count: int,
    cancelled: Callable[[], bool],
) -> Iterator[Outcome]:
    waiting = chunks[::-1]
    crew: list[_Worker] = []
    suspects: set[str] = set()
    try:
        while not cancelled():
            _occupy(crew, waiting, count, options)
            busy = {worker.pipe: worker for worker in crew if worker.left}
            if not busy:
                return
            for pipe in wait(list(busy), _POLL_SECONDS):
                worker = busy[pipe]
                outcome = worker.answer()
                if outcome is None:
                    crew.remove(worker)
                    worker.end()
                    outcome = _after_death(worker.left, suspects, waiting)
                if outcome is not None:
                    yield outcome
    finally:
        for worker in crew:
            worker.end()


def _occupy(
    crew: list[_Worker], waiting: list[list[SourceFile]], count: int, options: ReadOptions
) -> None:
    """Gives each worker something to do, as long as there is something."""
    idle = [worker for worker in crew if not worker.left]
    while waiting and (idle or len(crew) < count):
        if idle:
            worker = idle.pop()
        else:
            worker = _Worker(options)
            crew.append(worker)
        worker.give(waiting.pop())


def _after_death(
    left: list[SourceFile], suspects: set[str], waiting: list[list[SourceFile]]
) -> Skipped | None:
    """Lets others go on with what a dead worker was given; the file it was at gets a second try."""
    first, *others = left
    if others:
        waiting.append(others)
    if first.path in suspects:
        return Skipped(path=first.path, reason=_CRASHED)
    # By itself and last, so that it takes down nothing else if it is to blame.
    suspects.add(first.path)
    waiting.insert(0, [first])
    return None


def _context() -> Any:
    """Forking is quickest but not safe once other threads run."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return get_context("fork")
    return get_context("spawn")


def _work(pipe: Connection, options: ReadOptions, parent: int) -> None:
    """The life of a worker."""
    # Ctrl-C reaches the whole group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    # An error of the pipe means that the parent is gone.
    with suppress(EOFError, OSError):
        while True:
            for file in pipe.recv():
                try:
                    pipe.send(read_and_extract(file, options))
                except KnowingError as error:
                    pipe.send(error)


def _watch(parent: int) -> None:
    """A worker whose parent was killed ends itself."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)

"""Reads and extracts many files in worker processes; small sets in this one.

Parsing holds the interpreter's lock, so processes are the only way to use several cores. A worker
returns encoded facts, which cost next to nothing to hand over. A file that kills its worker is
found out and reported; the others are not lost.
"""

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import BaseContext
from pathlib import Path

from knowing.files import SourceText, read
from knowing.languages import load_languages
from knowing.model import Skipped, SourceFile, SymbolFlag
from knowing.parse.extract import extract

_IN_PROCESS_BYTES = 2_000_000
_CHUNK_BYTES = 2_000_000
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
    language = load_languages(options.languages_dir)[file.language]
    flags = file.flags | text.flags
    facts = extract(text.data, language, flags, options.limit_ms)
    return Extracted(
        file=file, digest=text.digest, flags=flags, facts=facts.encode(), problem=facts.problem
    )


def read_and_extract(files: Sequence[SourceFile], options: ReadOptions) -> list[Outcome]:
    """What the worker does with a chunk."""
    outcomes: list[Outcome] = []
    for file in files:
        text = read(options.root, file.path, options.max_bytes)
        if isinstance(text, Skipped):
            outcomes.append(text)
        else:
            outcomes.append(extract_one(file, text, options))
    return outcomes


def extract_all(
    files: Sequence[SourceFile],
    options: ReadOptions,
    workers: int,
    cancelled: Callable[[], bool],
) -> Iterator[list[Outcome]]:
    """Outcomes chunk by chunk, in no particular order; ends early when cancelled."""
    total = sum(file.size for file in files)
    count = workers or os.cpu_count() or 1
    chunks = _chunks(files, min(_CHUNK_BYTES, max(total // (8 * count), 100_000)))
    if total < _IN_PROCESS_BYTES or count == 1:
        for chunk in chunks:
            if cancelled():
                return
            yield read_and_extract(chunk, options)
        return
    yield from _in_processes(chunks, options, count, cancelled)


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


def _in_processes(
    chunks: list[list[SourceFile]],
    options: ReadOptions,
    count: int,
    cancelled: Callable[[], bool],
) -> Iterator[list[Outcome]]:
    pool = ProcessPoolExecutor(count, _context(), _start_worker, (os.getpid(),))
    futures: dict[Future[list[Outcome]], list[SourceFile]] = {}
    lost: list[list[SourceFile]] = []
    try:
        for chunk in chunks:
            futures[pool.submit(read_and_extract, chunk, options)] = chunk
        for future in as_completed(futures):
            if cancelled():
                return
            try:
                yield future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
    except BrokenProcessPool:
        lost += [chunk for chunk in chunks if chunk not in futures.values()]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        _end_workers(pool)
    for chunk in lost:
        if cancelled():
            return
        yield _one_by_one(chunk, options)


def _one_by_one(chunk: list[SourceFile], options: ReadOptions) -> list[Outcome]:
    """Each file of a chunk in a worker of its own: the one that crashes harms no other."""
    outcomes: list[Outcome] = []
    for file in chunk:
        with ProcessPoolExecutor(1, _context(), _start_worker, (os.getpid(),)) as pool:
            try:
                outcomes += pool.submit(read_and_extract, [file], options).result()
            except BrokenProcessPool:
                outcomes.append(Skipped(path=file.path, reason=_CRASHED))
    return outcomes


def _end_workers(pool: ProcessPoolExecutor) -> None:
    """Cancelled workers are in the middle of a chunk that nobody waits for."""
    processes = getattr(pool, "_processes", None) or {}
    for process in list(processes.values()):
        if process.is_alive() and pool._shutdown_thread:  # type: ignore[attr-defined]
            process.terminate()


def _context() -> BaseContext:
    """Forking is quickest but not safe once other threads run."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return get_context("fork")
    return get_context("spawn")


def _start_worker(parent: int) -> None:
    # Ctrl-C reaches the whole group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    """A worker whose parent was killed ends itself."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)

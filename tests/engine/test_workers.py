"""Worker processes: whatever happens to one of them, every file is read or its trouble is told.

Workers are forked, so they have the reader that a test puts in the place of the real one.
"""

import faulthandler
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from knowing.engine import Engine
from knowing.errors import CancelledError, LanguageError
from knowing.indexer import Progress
from knowing.model import SourceFile
from knowing.parse import pool
from knowing.parse.pool import Outcome, ReadOptions, read_and_extract
from knowing.reports import IndexReport
from knowing.settings import Settings
from knowing.settings_sources import load
from tests.cli.workspaces import small
from tests.graph.views import assert_same

COUNT = 40
Reader = Callable[[SourceFile, ReadOptions], Outcome]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = small(tmp_path / "work", COUNT)
    for path in root.iterdir():
        # Just written, they would have to be read again by the next run.
        os.utime(path, ns=(10**18, 10**18))
    return root


@pytest.fixture(autouse=True)
def _workers_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_IN_PROCESS_BYTES", 0)


def settings(root: Path, *assignments: str) -> Settings:
    loaded = load(root, assignments=["index.workers=2", *assignments])
    assert not loaded.problems
    return loaded.settings


def indexed(root: Path, index: Path) -> tuple[Engine, IndexReport]:
    engine = Engine.open(root, settings(root), index)
    return engine, engine.index(history=False)


def read_by(monkeypatch: pytest.MonkeyPatch, before: Callable[[SourceFile], None]) -> None:
    """Has every worker do something before it reads a file."""
    parent = os.getpid()

    def reader(file: SourceFile, options: ReadOptions) -> Outcome:
        assert os.getpid() != parent
        before(file)
        return read_and_extract(file, options)

    monkeypatch.setattr(pool, "read_and_extract", reader)


def test_workers_come_to_the_same_as_one_process(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_workers, report = indexed(root, tmp_path / "workers")
    assert report.files == COUNT
    monkeypatch.setattr(pool, "_IN_PROCESS_BYTES", 1 << 40)
    alone, _ = indexed(root, tmp_path / "alone")
    assert_same(by_workers.view(), alone.view())
    assert not psutil.Process().children()


@pytest.mark.parametrize("how", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM])
def test_a_file_that_kills_its_worker_is_named_and_the_others_are_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    def crash(file: SourceFile) -> None:
        if file.path in ("module_3.py", "module_30.py"):
            # The tests' own way to tell of a crash is of no interest here.
            faulthandler.disable()
            os.kill(os.getpid(), how)

    read_by(monkeypatch, crash)
    engine, report = indexed(root, tmp_path / "index")
    assert report.files == COUNT - 2
    assert [(item.path, item.reason) for item in report.skipped] == [
        ("module_3.py", "the parser crashed on this file"),
        ("module_30.py", "the parser crashed on this file"),
    ]
    assert not psutil.Process().children()
    # They are not tried again before they change.
    monkeypatch.undo()
    assert engine.index(history=False).files == COUNT - 2
    (root / "module_3.py").write_text("X = 1\n")
    assert engine.index(history=False).files == COUNT - 1
    assert engine.index(history=False, full=True).files == COUNT


def test_a_worker_that_is_killed_once_costs_no_file(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever short of memory kills a worker does not mean the file it was at."""

    def killed(file: SourceFile) -> None:
        mark = tmp_path / f"killed-at-{file.path}"
        if file.path in ("module_3.py", "module_30.py") and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    read_by(monkeypatch, killed)
    _, report = indexed(root, tmp_path / "index")
    assert len(list(tmp_path.glob("killed-at-*"))) == 2
    assert (report.files, report.skipped) == (COUNT, ())


def test_every_worker_dies_at_every_file(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by(monkeypatch, lambda _file: os._exit(3))
    _, report = indexed(root, tmp_path / "index")
    assert report.files == 0
    assert len(report.skipped) == COUNT


def test_an_error_about_a_file_is_told_and_the_others_are_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is raised below the reader, as one of the parser would be."""
    real = pool.extract_one

    def failing(file: SourceFile, *rest: object) -> object:
        if file.path == "module_3.py":
            raise RecursionError("too deep")
        return real(file, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(pool, "extract_one", failing)
    for number, limit in enumerate((0, 1 << 40)):
        monkeypatch.setattr(pool, "_IN_PROCESS_BYTES", limit)
        _, report = indexed(root, tmp_path / f"index{number}")
        assert report.files == COUNT - 1
        assert [(item.path, item.reason) for item in report.skipped] == [
            ("module_3.py", "the parser failed on this file: RecursionError: too deep")
        ]


def test_a_language_that_cannot_be_used_ends_the_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unusable(_file: SourceFile) -> None:
        raise LanguageError("no grammar", "install it")

    read_by(monkeypatch, unusable)
    with pytest.raises(LanguageError, match="no grammar") as caught:
        indexed(root, tmp_path / "index")
    assert caught.value.hint == "install it"
    assert not psutil.Process().children()


def test_a_run_that_is_cancelled_leaves_no_worker(root: Path, tmp_path: Path) -> None:
    reading = threading.Event()

    def note(progress: Progress) -> None:
        if progress.stage == "reading":
            reading.set()

    with Engine.open(root, settings(root), tmp_path / "index") as engine:
        with pytest.raises(CancelledError, match="cancelled") as caught:
            engine.index(history=False, report=note, cancelled=reading.is_set)
        assert "next run goes on" in caught.value.hint
        assert not psutil.Process().children()
        assert engine.status().state == "missing"
        assert engine.index(history=False).files == COUNT


def test_workers_are_started_safely_beside_other_threads(root: Path, tmp_path: Path) -> None:
    """A fork would copy locks that other threads hold, so new processes are started instead."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        _, report = indexed(root, tmp_path / "index")
    finally:
        done.set()
        thread.join()
    assert (report.files, report.skipped) == (COUNT, ())

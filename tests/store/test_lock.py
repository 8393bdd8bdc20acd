"""One writer at a time, among threads, engines and processes, however they end."""

import os
import shutil
import subprocess
import sys
import threading
from multiprocessing import get_context
from pathlib import Path

import pytest

from knowing.errors import BusyError, StoreError
from knowing.store import lock
from knowing.store.lock import writer_lock

HOLDER = """
import os, sys
from pathlib import Path
from knowing.store.lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    forked = sys.argv[2] == "fork" and not os.fork()
    if forked or sys.argv[2] == "alone":
        print("held", flush=True)
    # A worker has all that its parent has, and goes on until its input ends.
    sys.stdin.read()
    os._exit(0)
"""


def holder(path: Path, way: str = "alone") -> "subprocess.Popen[str]":
    """Another process that has the lock when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), way],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_writer_is_refused_and_told_why(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lock"
    refused = pytest.raises(BusyError, match="another process is indexing")
    with writer_lock(path), refused as caught, writer_lock(path):
        pytest.fail("two writers")
    assert "wait" in caught.value.hint
    with writer_lock(path):
        assert path.exists()


def test_whoever_waits_gets_the_lock_when_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    order: list[str] = []
    thread = threading.Thread(target=_second, args=(path, order))
    with writer_lock(path):
        thread.start()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def _second(path: Path, order: list[str]) -> None:
    with writer_lock(path, wait=30):
        order.append("second")


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = holder(path)
    with pytest.raises(BusyError), writer_lock(path):
        pytest.fail("two writers")
    process.kill()
    process.communicate()
    with writer_lock(path):
        assert process.returncode < 0


def test_a_worker_does_not_keep_the_lock_of_its_killed_parent(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = holder(path, "fork")
    process.kill()
    process.wait()
    assert process.stdin is not None
    with writer_lock(path, wait=10):
        assert not process.stdin.closed
    process.communicate()


def test_the_lock_is_given_back_even_if_a_forked_process_has_it_too(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    context = get_context("fork")
    release = context.Event()
    with writer_lock(path):
        child = context.Process(target=release.wait, daemon=True)
        child.start()
    try:
        with writer_lock(path):
            assert child.is_alive()
    finally:
        release.set()
        child.join()


def test_a_lock_on_a_folder_that_is_gone_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process removes the folder just before this one would have the lock in it."""
    path = tmp_path / "folder" / "lock"
    acquire, opened = lock._acquire, []

    def late(descriptor: int) -> bool:
        opened.append(descriptor)
        if len(opened) == 1:
            shutil.rmtree(path.parent)
        return acquire(descriptor)

    monkeypatch.setattr(lock, "_acquire", late)
    with writer_lock(path), pytest.raises(BusyError), writer_lock(path):
        pytest.fail("two writers")
    assert len(opened) == 3


def test_no_place_for_a_lock_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    refused = pytest.raises(StoreError, match="cannot be written")
    with refused as caught, writer_lock(tmp_path / "file" / "lock"):
        pytest.fail("locked in a file")
    assert "--index-dir" in caught.value.hint

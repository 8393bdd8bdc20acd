"""A run that is killed or interrupted harms nothing; the next one goes on."""

import itertools
import os
import pkgutil
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import psutil
import pytest

from knowing.cli_common import Stop
from tests.cli.running import PATIENCE, Case
from tests.cli.workspaces import large, module, small
from tests.graph.views import assert_same, facts_of

WORKERS = ("--set", "index.workers=2", "--no-history")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A large workspace and, in `index`, what a complete run makes of it."""
    folder = tmp_path_factory.mktemp("many")
    case = Case(large(folder / "work"), folder / "index")
    ran = case.call("index", *WORKERS)
    assert ran.code == 0, ran.err
    return case


@pytest.fixture
def grown(many: Case, tmp_path: Path) -> Case:
    """A small workspace, indexed, that has become the large one since."""
    case = Case(small(tmp_path / "work"), tmp_path / "index")
    assert case.call("index", "--no-history").code == 0
    shutil.rmtree(case.root)
    shutil.copytree(many.root, case.root)
    return case


def await_that(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Waits until the run has come to a point; fails if it ends before."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.005)


def children(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def log_size(case: Case) -> int:
    """Bytes of the database's log: it grows with each batch."""
    log = case.folder / "index.db-wal"
    return log.stat().st_size if log.exists() else 0


def check_recovery(case: Case, many: Case) -> None:
    """The last good index is there, and the next run ends where an undisturbed one does."""
    status = case.call("status", "--json").json
    assert (status["state"], status["generation"], status["files"]) == ("stale", 1, 6)
    assert len(case.view().paths) == 6
    ran = case.call("index", *WORKERS, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert not [note for note in ran.json["notes"] if "damaged" in note]
    assert_same(case.view(), many.view())
    assert case.call("check").code == 0


POINTS: dict[str, Callable[[Case, "subprocess.Popen[str]"], bool]] = {
    "as soon as workers are there": lambda _case, process: len(children(process)) == 2,
    "after a batch is stored": lambda case, _process: log_size(case) > 300_000,
}


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
def test_a_killed_run_loses_nothing(
    grown: Case, many: Case, point: Callable[[Case, "subprocess.Popen[str]"], bool]
) -> None:
    process = grown.start("index", *WORKERS)
    await_that(lambda: point(grown, process), process)
    workers = children(process)
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive
    check_recovery(grown, many)


def test_ctrl_c_stops_at_once_and_says_so(grown: Case, many: Case) -> None:
    process = grown.start("index", *WORKERS)
    await_that(lambda: log_size(grown) > 300_000, process)
    workers = children(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert err.splitlines()[0].startswith("error: ")
    assert "last complete index is still in place" in err
    assert "Traceback" not in err
    assert not [worker for worker in workers if worker.is_running()]
    check_recovery(grown, many)


def test_work_that_does_not_heed_ctrl_c_is_interrupted() -> None:
    with pytest.raises(KeyboardInterrupt), Stop() as stopped:
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            pass


def test_a_second_ctrl_c_interrupts_without_delay() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), Stop():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


LATE_POINTS = {
    "in the middle of the snapshot": ("knowing.store.snapshot._write", 5),
    "before the snapshot is current": ("pathlib.Path.replace", 1),
    "before its generation is stored": ("knowing.store.Database.set_meta", 3),
    "in the middle of a batch": ("knowing.store.Database.touch", 1),
}


@pytest.mark.parametrize(("function", "call"), LATE_POINTS.values(), ids=LATE_POINTS)
def test_a_run_that_is_killed_at_its_end_loses_nothing(
    indexed: Case, tmp_path: Path, function: str, call: int
) -> None:
    """These moments are too short to be met from outside, so the process ends itself."""
    before = facts_of(indexed.view())
    module(indexed.root, 0, 3, parts=2)
    wanted = indexed.rebuilt(tmp_path / "fresh")
    process = get_context("fork").Process(target=_index_and_die, args=(indexed, function, call))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL
    assert indexed.call("check").code == 0
    assert facts_of(indexed.view()) in (before, facts_of(wanted))
    ran = indexed.call("index", "--json")
    assert ran.code == 0
    assert ran.json["notes"] == ["not a git repository"]
    assert_same(indexed.view(), wanted)
    assert not list((indexed.folder / "snapshots").glob(".*"))
    assert indexed.call("status", "--json").json["state"] == "fresh"


def _index_and_die(case: Case, function: str, call: int) -> None:
    """Ends the process, as `kill -9` would, at the n-th call of a function."""
    owner, _, name = function.rpartition(".")
    target = pkgutil.resolve_name(owner)
    real, calls = getattr(target, name), itertools.count(1)

    def dying(*arguments: object) -> object:
        if next(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)

    setattr(target, name, dying)
    case.call("index")

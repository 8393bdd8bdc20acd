"""Several processes on one index: they wait, share or say so, and never spoil it."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.store.lock import writer_lock
from tests.cli.running import Case, Ran, fork
from tests.cli.workspaces import module, small
from tests.graph.views import assert_same, facts_of

BUSY = "another process is indexing this workspace"
ROUNDS = 20
COUNT = 12


@contextmanager
def another_indexes(case: Case) -> Iterator[None]:
    """As long as this lasts, somebody else has the right to write."""
    with Engine.open(case.root, index_dir=case.index_dir) as engine:
        folder = engine.folder
    with writer_lock(folder / "writer.lock"):
        yield


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowing.cli_index.WAIT_SECONDS", 0.2)
    monkeypatch.setattr("knowing.cli_common._BRIEF_WAIT_SECONDS", 0.1)


def test_a_second_indexer_says_that_it_is_second(indexed: Case) -> None:
    with another_indexes(indexed):
        ran = indexed.call("index", "--json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines() == [f"error: {BUSY}", "wait for it to finish; its result is shared"]


def test_a_second_indexer_waits_for_the_first(case: Case, tmp_path: Path) -> None:
    """Both begin at once with nothing; the wait is long enough for the other to finish."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knowing.cli_index.WAIT_SECONDS", 30.0)
        waits = [fork(lambda: case.call("index", "--json"), tmp_path / n) for n in ("a", "b")]
        runs = [wait() for wait in waits]
    assert [(ran.code, ran.err) for ran in runs] == [(0, ""), (0, "")]
    assert {ran.json["generation"] for ran in runs} == {1}
    assert_same(case.view(), case.rebuilt(tmp_path / "fresh"))


def test_readers_answer_while_another_indexes(indexed: Case) -> None:
    module(indexed.root, 0, 3)
    with another_indexes(indexed):
        status = indexed.call("status", "--json")
        checked = indexed.call("check")
        dumped = indexed.call("dump", "symbols")
    assert (status.code, status.json["state"]) == (0, "stale")
    assert checked.code == 0
    assert dumped.code == 0
    assert dumped.err == f"note: {BUSY}; this is the last complete index\n"
    names = [json.loads(line)["qualified_name"] for line in dumped.out.splitlines()]
    assert "module_1.py::Step1" in names


def test_there_is_nothing_to_dump_before_the_first_index(case: Case) -> None:
    with another_indexes(case):
        dumped = case.call("dump", "symbols")
    assert (dumped.code, dumped.out) == (1, "")
    assert BUSY in dumped.err


def test_an_index_that_is_being_made_is_not_cleared(indexed: Case) -> None:
    with another_indexes(indexed):
        cleared = indexed.call("clear")
    assert cleared.code == 1
    assert BUSY in cleared.err
    assert indexed.call("check").code == 0


def test_two_at_once_again_and_again(tmp_path: Path) -> None:
    case = Case(small(tmp_path / "work", COUNT), tmp_path / "index")
    assert case.call("index").code == 0
    dice = random.Random(0)
    errors: list[str] = []
    for _ in range(ROUNDS):
        command = dice.choice(("index", "index", "dump", "status", "check"))
        waits = [
            fork(lambda: case.call("index", "--json", "--no-history"), tmp_path / "a"),
            fork(partial(_one_of, case, command), tmp_path / "b"),
        ]
        edit(case.root, dice)
        for wait in waits:
            ran = wait()
            assert "Traceback" not in ran.err
            errors += [] if ran.code == 0 else [ran.err.splitlines()[0]]
    assert set(errors) <= {f"error: {BUSY}"}
    assert case.call("index", "--no-history").code == 0
    assert case.call("check").code == 0
    assert_same(case.view(), case.rebuilt(tmp_path / "fresh"))


def _one_of(case: Case, command: str) -> Ran:
    if command == "dump":
        return case.call("dump", "edges")
    return case.call(command, "--json")


def edit(root: Path, dice: random.Random) -> None:
    """Rewrites, adds or removes a module."""
    number = dice.randrange(COUNT + 3)
    path = root / f"module_{number}.py"
    if path.exists() and dice.random() < 0.3:
        path.unlink()
    else:
        module(root, number, COUNT, parts=dice.randrange(4))


def test_a_reader_sees_one_state_or_the_other(indexed: Case, tmp_path: Path) -> None:
    """Two states take turns; whatever a reader gets is one of them as a whole."""
    states = [facts_of(indexed.view())]
    module(indexed.root, 0, 2, parts=6)
    states.append(facts_of(indexed.rebuilt(tmp_path / "other")))
    writer = fork(lambda: _take_turns(indexed), tmp_path / "answer")
    seen = []
    with Engine.open(indexed.root, index_dir=indexed.index_dir) as engine:
        while not (tmp_path / "answer").exists():
            seen.append(states.index(facts_of(engine.view())))
    assert writer().code == 0
    assert set(seen) == {0, 1}


def _take_turns(case: Case) -> Ran:
    for turn in range(20):
        module(case.root, 0, 6 if turn % 2 else 2, parts=0 if turn % 2 else 6)
        ran = case.call("index", "--no-history")
        if ran.code:
            return ran
    return Ran(0, "", "")

"""Several engines over one index, in one process or several, see what each other made."""

import shutil
import threading
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.errors import BusyError
from tests.cli.running import PATIENCE, Case, Ran, fork
from tests.cli.workspaces import small
from tests.graph.views import assert_same


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(small(tmp_path / "work"), tmp_path / "index")


def opened(case: Case) -> Engine:
    return Engine.open(case.root, index_dir=case.index_dir)


def change(case: Case, text: str) -> None:
    (case.root / "module_0.py").write_text(text)


def test_one_sees_what_the_other_has_indexed(case: Case) -> None:
    with opened(case) as one, opened(case) as other:
        one.index(history=False)
        assert_same(other.view(), one.view())
        change(case, "class First: pass\n")
        other.index(history=False)
        assert_same(one.view(), other.view())
        change(case, "class Second: pass\n")
        one.update(["module_0.py"])
        other.index(history=False)
        assert_same(other.view(), one.view())
        assert one.status().generation == other.status().generation


def test_a_run_that_changes_nothing_still_shows_what_others_made(case: Case) -> None:
    with opened(case) as one, opened(case) as other:
        one.index(history=False)
        other.view()
        change(case, "class First: pass\n")
        made = one.index(history=False)
        assert other.index(history=False).generation == made.generation
        assert_same(other.view(), one.view())


def test_an_overlay_of_one_is_nothing_to_the_other(case: Case) -> None:
    with opened(case) as one, opened(case) as other:
        one.index(history=False)
        before = other.view()
        covered = one.overlay("module_0.py", "class Unsaved: pass\n")
        assert_same(other.view(), before)
        (case.root / "module_1.py").write_text("X = 1\n")
        other.index(history=False)
        assert len(one.view().paths) == 6
        names = {one.view().symbol(n).name for n in range(len(one.view().symbols))}
        assert "Unsaved" in names
        assert "X" in names
        assert len(covered.paths) == 6


def test_one_outlives_the_others_clearing(case: Case) -> None:
    with opened(case) as one, opened(case) as other:
        one.index(history=False)
        before = one.view()
        other.clear()
        assert one.status().state == "missing"
        assert not one.is_indexed
        assert one.index(history=False).files == 6
        assert_same(one.view(), before)
        assert_same(other.view(), before)
        assert one.check() == []


def test_one_outlives_a_database_that_is_replaced(case: Case, tmp_path: Path) -> None:
    """Whoever has the old file open goes over to the new one, and writes there."""
    with opened(case) as one, opened(case) as other:
        one.index(history=False)
        other.status()
        (one.folder / "index.db").write_text("nonsense")
        for name in ("index.db-wal", "index.db-shm"):
            (one.folder / name).unlink(missing_ok=True)
        one.close()
        assert "made anew" in one.index(history=False).notes[0]
        change(case, "class First: pass\n")
        other.update(["module_0.py"])
        assert one.status().pending == 0
        one.index(history=False)
        assert_same(one.view(), case.rebuilt(tmp_path / "fresh"))


def test_other_processes_see_it_too(case: Case, tmp_path: Path) -> None:
    with opened(case) as engine:
        engine.index(history=False)
        engine.view()
        change(case, "class First: pass\n")
        assert fork(lambda: case.call("index"), tmp_path / "answer")().code == 0
        assert_same(engine.view(), case.rebuilt(tmp_path / "fresh"))
        change(case, "class Second: pass\n")
        engine.update(["module_0.py"])
        ran = fork(lambda: case.call("dump", "symbols"), tmp_path / "answer")()
        assert "module_0.py::Second" in ran.out


def test_an_engine_is_not_spoilt_by_a_folder_that_is_removed(case: Case) -> None:
    with opened(case) as engine:
        engine.index(history=False)
        before = engine.view()
        shutil.rmtree(case.index_dir)
        assert engine.status().state == "missing"
        engine.index(history=False)
        assert_same(engine.view(), before)
        assert engine.check() == []


def test_a_second_engine_is_told_that_the_first_indexes(case: Case) -> None:
    with opened(case) as one, opened(case) as other:
        refused: list[BaseException] = []

        def disturb(_progress: object) -> None:
            try:
                other.index(history=False)
            except BusyError as error:
                refused.append(error)

        one.index(history=False, report=disturb)
        assert refused
        assert one.check() == []


def test_threads_share_an_engine(case: Case, tmp_path: Path) -> None:
    failures: list[BaseException] = []
    with opened(case) as engine:
        engine.index(history=False)

        def work(number: int) -> None:
            try:
                for turn in range(5):
                    path = case.root / f"module_{number}.py"
                    path.write_text(f"class Turn{turn}: pass\n")
                    engine.update([path])
                    engine.view()
                    engine.status()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert_same(engine.view(), case.rebuilt(tmp_path / "fresh"))


def test_a_thread_reads_while_another_indexes(case: Case) -> None:
    with opened(case) as engine:
        engine.index(history=False)
        before = engine.view()
        change(case, "class First: pass\n")
        begun, seen = threading.Event(), threading.Event()

        def pause(_progress: object) -> None:
            begun.set()
            assert seen.wait(PATIENCE)

        thread = threading.Thread(
            target=lambda: engine.index(history=False, report=pause), daemon=True
        )
        thread.start()
        assert begun.wait(PATIENCE)
        assert_same(engine.view(), before)
        seen.set()
        thread.join(PATIENCE)
        names = {engine.view().symbol(n).name for n in range(len(engine.view().symbols))}
        assert "First" in names


def test_notes_of_one_run_do_not_pile_up(case: Case) -> None:
    with opened(case) as engine:
        for _ in range(3):
            assert engine.index().notes == ("not a git repository",)


def test_a_forked_reader_is_independent(case: Case, tmp_path: Path) -> None:
    """A process that inherits an engine's files does not disturb it by ending."""
    with opened(case) as engine:
        engine.index(history=False)
        assert fork(lambda: Ran(0, "", ""), tmp_path / "answer")().code == 0
        change(case, "class First: pass\n")
        engine.update(["module_0.py"])
        assert engine.check() == []

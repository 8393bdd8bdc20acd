"""What is asked about, in which order, and what is asked again after an edit."""

import sys
from pathlib import Path

import pytest

from knowing.enrich import Answer, FileAnswers, Inside, Work
from knowing.enrich.load import Limits, memory_mb, on_battery, reason_to_wait
from knowing.enrich.plan import Tier, order
from tests.enrich.workspaces import enricher, fake, graph_of, until, write

CODE = {
    "core.py": "def start():\n    start()\n",
    "use.py": "from core import start\n\n\ndef use():\n    start()\n",
    "alone.py": "def alone():\n    alone()\n",
    "tests/test_core.py": "from core import start\n\n\ndef test_start():\n    start()\n",
    "examples/show.py": "def show():\n    show()\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write(folder, CODE)
    return folder


def test_what_somebody_looks_at_comes_first(root: Path) -> None:
    graph, _ = graph_of(root)
    assert order(graph, focus=("use.py",), changed=["alone.py"]) == {
        "use.py": Tier.FOCUS,
        "core.py": Tier.NEIGHBOUR,
        "alone.py": Tier.CHANGED,
        "tests/test_core.py": Tier.TEST,
        "examples/show.py": Tier.EXAMPLE,
    }
    assert next(iter(order(graph, focus=("use.py",)))) == "use.py"


def test_only_what_changed_and_what_lost_its_target_is_asked_again(root: Path) -> None:
    known: dict[str, FileAnswers] = {}

    def keep(answers: FileAnswers) -> None:
        known[answers.path] = answers
        asked.append(answers.path)

    def asked_after(edits: dict[str, str]) -> list[str]:
        asked.clear()
        write(root, edits)
        graph, digests = graph_of(root)
        servers.changed(dict.fromkeys(edits, 2))
        servers.enrich(Work(graph=graph, digests=digests, known=tuple(known.values())), keep)
        return sorted(asked)

    asked: list[str] = []
    with enricher(root, fake("good")) as servers:
        assert asked_after({}) == sorted(CODE)
        pid = servers.server_pid
        assert asked_after({}) == []
        # Lines move, names stay: nobody else is concerned.
        assert asked_after({"core.py": "\n\n" + CODE["core.py"]}) == ["core.py"]
        # The server stays for the next question.
        assert servers.server_pid == pid
    # An answer that leads to another file, as a real server gives it.
    target = Inside("core.py", "start", 0)
    held = known["use.py"]
    answers = [Answer(each.line, each.column, (target,)) for each in held]
    known["use.py"] = FileAnswers.of(
        held.path, held.digest, answers, server=held.server, environment=held.environment
    )
    with enricher(root, fake("good")) as servers:
        renamed = {"core.py": CODE["core.py"].replace("start", "begin")}
        assert asked_after(renamed) == ["core.py", "use.py"]


def test_another_server_or_environment_asks_everything_again(root: Path) -> None:
    known: list[FileAnswers] = []
    graph, digests = graph_of(root)
    with enricher(root, fake("good")) as servers:
        servers.enrich(Work(graph=graph, digests=digests), known.append)
    again: list[FileAnswers] = []
    with enricher(root, fake("good", more='environment = { A = "b" }')) as servers:
        work = Work(graph=graph, digests=digests, known=tuple(known))
        servers.enrich(work, again.append)
    assert len(again) == len(CODE)


def test_a_file_that_changed_since_it_was_indexed_is_left_for_later(root: Path) -> None:
    graph, digests = graph_of(root)
    write(root, {"alone.py": "# edited\n"})
    answers: list[FileAnswers] = []
    with enricher(root, fake("good")) as servers:
        report = servers.enrich(Work(graph=graph, digests=digests), answers.append)
    assert report.skipped == {"alone.py": "it has changed since it was indexed"}
    assert report.languages[0].use == "partly"
    assert "alone.py" not in {answer.path for answer in answers}


def test_a_server_goes_when_nobody_asks(root: Path) -> None:
    graph, digests = graph_of(root)
    with enricher(root, fake("good"), idle_seconds=0.0) as servers:
        servers.enrich(Work(graph=graph, digests=digests), lambda _answers: None)
        assert until(lambda: servers.server_pid is None)
        done: list[str] = []
        servers.enrich(Work(graph=graph, digests=digests), lambda a: done.append(a.path))
        assert sorted(done) == sorted(CODE)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of runaway children")
@pytest.mark.parametrize("attempt", range(5))
def test_closing_waits_for_a_server_that_is_being_let_go(root: Path, attempt: int) -> None:
    mark = root.parent / "mark"
    text = fake("runaway").replace("'runaway']", f"'runaway', '{mark}']")
    graph, digests = graph_of(root)
    with enricher(root, text, idle_seconds=attempt * 0.005) as servers:
        servers.enrich(Work(graph=graph, digests=digests), lambda _answers: None)
        child = int(mark.read_text("utf-8"))
    assert not Path(f"/proc/{child}").exists()


def test_progress_counts_files(root: Path) -> None:
    graph, digests = graph_of(root)
    seen: list[tuple[int, int]] = []
    with enricher(root, fake("good")) as servers:
        servers.enrich(
            Work(graph=graph, digests=digests, paths=frozenset({"core.py", "use.py"})),
            lambda _answers: None,
            lambda progress: seen.append((progress.done, progress.total)),
        )
    assert seen == [(1, 2), (2, 2)]


def test_a_battery_in_use_is_noticed(tmp_path: Path) -> None:
    supply = tmp_path / "BAT0"
    write(supply, {"type": "Battery\n", "status": "Charging\n"})
    assert not on_battery(tmp_path)
    write(supply, {"status": "Discharging\n"})
    assert on_battery(tmp_path)
    assert not on_battery(tmp_path / "nothing")


def test_a_busy_machine_is_a_reason_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (99.0, 0.0, 0.0))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert "busy" in reason_to_wait(Limits(on_battery=True))
    assert not reason_to_wait(Limits(on_battery=True, load_per_core=0))


def test_memory_of_a_process_that_is_gone_is_not_known() -> None:
    assert memory_mb(2**22 + 1) is None

"""Servers that hang, crash, lie and babble: each is given up or recovers, and nothing is lost."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest

from knowing.enrich import Limits, Use, Work, apply
from tests.enrich.workspaces import enricher, fake, graph_of, run, until, write

CODE = {
    "one.py": """\
        def greet():
            return "héllo"


        class Thing:
            def greet(self):
                return greet()


        def use(thing):
            "ünïcödé 😀"; thing.greet(); greet()
        """,
    "two.py": """\
        def other():
            return other()
        """,
}


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that cling to life are not waited for."""
    monkeypatch.setattr("knowing.enrich.client._SHUTDOWN_SECONDS", 0.2)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write(folder, CODE)
    return folder


def check_same_graph(root: Path) -> None:
    """Without answers the graph is the one that the syntax gives."""
    graph, _ = graph_of(root)
    assert apply(graph, []).view is graph.view


@pytest.mark.parametrize(
    ("habit", "reason"),
    [
        ("crash_at_start", "cannot find my configuration"),
        ("garbage", "does not speak the protocol"),
        ("not_json", "not JSON"),
        ("incapable", "does not say where names are defined"),
        ("crash", "the server ended"),
        ("hang", "no longer answers"),
        ("wrong_length", "not JSON"),
    ],
)
def test_a_hopeless_server_is_given_up_with_the_reason(root: Path, habit: str, reason: str) -> None:
    with enricher(root, fake(habit)) as servers:
        report, answers = run(servers, root)
        assert not answers
        assert servers.server_pid is None
    [status] = [status for status in report.languages if status.language == "python"]
    assert status.use is Use.SYNTAX_ONLY
    assert reason in status.reason
    check_same_graph(root)


def test_a_server_that_never_says_hello_is_given_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowing.enrich.client._INITIALIZE_SECONDS", 0.3)
    with enricher(root, fake("never_initialized")) as servers:
        report, answers = run(servers, root)
    assert not answers
    assert "no answer to initialize" in report.languages[0].reason


@pytest.mark.parametrize("ready", ['{ method = "never/sent" }', '"progress"'])
def test_a_server_that_never_gets_ready_is_asked_nothing(root: Path, ready: str) -> None:
    with enricher(root, fake("good", more=f"ready = {ready}\nready_seconds = 0.2")) as servers:
        report, answers = run(servers, root)
    assert not answers
    assert "not ready" in report.languages[0].reason


@pytest.mark.parametrize("habit", ["good", "flood", "chatty", "stale", "text_ids", "clinging"])
def test_a_bearable_server_is_used(root: Path, habit: str) -> None:
    with enricher(root, fake(habit)) as servers:
        report, answers = run(servers, root)
        assert report.languages[0].use is Use.ENRICHED
    assert [answer.path for answer in answers] == ["one.py", "two.py"]
    places = {(each.line, each.column): each.targets for each in answers[0]}
    # The column counts bytes although the server counts UTF-16 code units.
    [target] = places[11, CODE["one.py"].split("\n")[10].encode().index(b"greet") - 8]
    assert target.identity == "one.py::greet"


def test_a_crash_in_the_middle_costs_a_restart_and_nothing_else(root: Path) -> None:
    mark = root.parent / "mark"
    mark.touch()
    text = fake("crash_once").replace("'crash_once']", f"'crash_once', '{mark}']")
    with enricher(root, text) as servers:
        report, answers = run(servers, root)
    assert [answer.path for answer in answers] == ["one.py", "two.py"]
    assert report.restarts == 1
    assert report.languages[0].use is Use.ENRICHED


@pytest.mark.parametrize("habit", ["nonsense", "refuse"])
def test_answers_that_mean_nothing_change_nothing(root: Path, habit: str) -> None:
    with enricher(root, fake(habit)) as servers:
        report, answers = run(servers, root)
    assert sum(answer.resolved for answer in answers) == 0
    assert (report.failures > 0) == (habit == "refuse")
    graph, _ = graph_of(root)
    assert apply(graph, answers).view is graph.view


def test_the_next_server_in_line_takes_over(root: Path) -> None:
    text = fake("crash_at_start", name="first") + fake("good", name="second")
    with enricher(root, text) as servers:
        report, answers = run(servers, root)
    assert report.languages[0].server.startswith("second")
    assert len(answers) == 2


def test_what_servers_ask_is_answered(root: Path) -> None:
    mark = root.parent / "noted"
    text = fake("questions").replace("'questions']", f"'questions', '{mark}']")
    with enricher(root, text + "[server.settings]\na = { b = { c = 3 } }\n") as servers:
        run(servers, root)
    noted = json.loads(mark.read_text("utf-8"))
    folder = {"uri": root.as_uri(), "name": "work"}
    assert noted["workspace/configuration"] == [{"c": 3}, None, {"a": {"b": {"c": 3}}}]
    assert noted["workspace/workspaceFolders"] == [folder]
    assert noted["workspace/applyEdit"]["applied"] is False
    assert noted["no/suchThing"] == -32601
    for method in (
        "client/registerCapability",
        "window/workDoneProgress/create",
        "window/showMessageRequest",
    ):
        assert noted[method] is None


def test_a_server_that_takes_too_much_memory_is_started_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowing.enrich.runner._MEMORY_EVERY", 0.0)
    mark = root.parent / "mark"
    text = fake("good").replace("'good']", f"'good', '{mark}']")
    limits = Limits(load_per_core=0, on_battery=True, memory_mb=1)
    with enricher(root, text, limits=limits) as servers:
        report, answers = run(servers, root)
    assert len(answers) == 2
    assert report.peak_mb > 1
    assert len(mark.read_text("utf-8")) == 2


def test_nothing_is_run_in_an_untrusted_workspace(root: Path) -> None:
    mark = root.parent / "mark"
    text = fake("good").replace("'good']", f"'good', '{mark}']")
    with enricher(root, text, trusted=False) as servers:
        report, answers = run(servers, root)
    assert not answers
    assert not mark.exists()
    assert "not trusted" in report.languages[0].reason


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that nobody has waited for yet is no longer running.
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_server_that_clings_to_life_is_ended_with_us(root: Path) -> None:
    with enricher(root, fake("clinging")) as servers:
        run(servers, root)
        pid = servers.server_pid
        assert pid and alive(pid)
    assert until(lambda: not alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of runaway children")
def test_a_child_that_left_the_servers_group_is_ended_too(root: Path) -> None:
    mark = root.parent / "mark"
    text = fake("runaway").replace("'runaway']", f"'runaway', '{mark}']")
    with enricher(root, text) as servers:
        run(servers, root)
        child = int(mark.read_text("utf-8"))
        assert alive(child)
    assert until(lambda: not alive(child))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no guard on Windows")
@pytest.mark.parametrize("paused", [False, True])
def test_no_server_survives_our_sudden_death(root: Path, paused: bool) -> None:
    script = f"""
        import os, signal, sys
        from pathlib import Path
        from tests.enrich.workspaces import enricher, fake, run
        root = Path({str(root)!r})
        servers = enricher(root, fake("clinging"))
        run(servers, root)
        if {paused}:
            os.killpg(servers.server_pid, signal.SIGSTOP)
        print(servers.server_pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
        timeout=60,
    )
    assert done.returncode == -9, done.stderr
    assert until(lambda: not alive(int(done.stdout)))


def test_a_run_can_be_paused_resumed_and_cancelled(root: Path) -> None:
    write(root, {f"more{n}.py": "def f():\n    f()\n" for n in range(30)})
    graph, digests = graph_of(root)
    with enricher(root, fake("good")) as servers:
        answers: list[str] = []
        servers.pause()
        reports = []
        thread = threading.Thread(
            target=lambda: reports.append(
                servers.enrich(Work(graph=graph, digests=digests), lambda a: answers.append(a.path))
            )
        )
        thread.start()
        assert until(lambda: servers.state[0] == "paused")
        assert not answers
        servers.resume()
        assert until(lambda: len(answers) > 0)
        servers.pause()
        servers.cancel()
        thread.join(30)
        assert not thread.is_alive()
        assert len(answers) < len(digests) or reports[0].complete
        servers.resume()
        again = servers.enrich(Work(graph=graph, digests=digests), lambda a: answers.append(a.path))
        assert again.complete
    assert set(answers) == set(digests)

"""Enrichment through the engine: good and bad servers, what is shown of it, what is kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.engine_enrich import (
    Request,
    disagreements,
    enrich,
    open_enricher,
    server_findings,
)
from knowing.enrich import RunReport, Use, Verdict
from knowing.model import EdgeKind
from knowing.present.text import status_text
from knowing.settings import EnrichSettings, Settings
from tests.enrich.workspaces import OFF, edges, fake, write

CODE = {
    "one.py": """\
        class Thing:
            def greet(self):
                return 1


        class Other:
            def greet(self):
                return 2


        def use(thing):
            thing.greet()


        def more():
            use(Thing())
            use(Other())
            more()
        """,
    "two.py": """\
        def other():
            return other()
        """,
}
SURE = ("one.py::use", "one.py::Thing.greet", "lsp_resolved")
GUESSED = {
    ("one.py::use", "one.py::Thing.greet", "heuristic"),
    ("one.py::use", "one.py::Other.greet", "heuristic"),
}


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowing.enrich.client._SHUTDOWN_SECONDS", 0.2)
    monkeypatch.setattr("knowing.enrich.client._INITIALIZE_SECONDS", 3.0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write(folder, CODE)
    return folder


def opened(root: Path, description: str, **wishes: object) -> Engine:
    """An engine with the described servers only."""
    file = root.parent / "servers.toml"
    file.write_text(description, "utf-8")
    chosen = EnrichSettings(servers_file=str(file), disabled=OFF, idle_seconds=0)
    chosen = replace(chosen, **wishes)  # type: ignore[arg-type]
    return Engine.open(root, Settings(enrich=chosen), index_dir=root.parent / "index")


def enriched(engine: Engine, request: Request | None = None) -> RunReport:
    """One run, with what it brought shown."""
    engine.index(history=False)
    with open_enricher(engine, trusted=True, polite=False) as enricher:
        report = enrich(engine, enricher, request or Request())
    engine.index(history=False)
    return report


def greetings(engine: Engine) -> set[tuple[str, str, str]]:
    found = edges(list(engine.view().all_edges()), EdgeKind.CALLS)
    return {edge for edge in found if edge[0] == "one.py::use"}


HOPELESS = {
    "crash_at_start": "cannot find my configuration",
    "garbage": "does not speak the protocol",
    "not_json": "not JSON",
    "incapable": "does not say where names are defined",
    "crash": "the server ended",
    "hang": "no longer answers",
    "wrong_length": "not JSON",
    "never_initialized": "no answer to initialize",
}


@pytest.mark.parametrize(("habit", "reason"), HOPELESS.items())
def test_a_hopeless_server_leaves_the_syntax_and_says_so(
    root: Path, habit: str, reason: str
) -> None:
    with opened(root, fake(habit)) as engine:
        report = enriched(engine)
        assert report.files == 0
        assert greetings(engine) == GUESSED
        status = engine.status()
        assert status.enriched.files == {}
        shown = status_text(status)
        assert "python: syntax only" in shown
        assert reason in shown
    # The server is mended: nothing stands in its way.
    with opened(root, fake("good")) as engine:
        assert enriched(engine).files == len(CODE)
        assert greetings(engine) == {SURE}
        assert "syntax only" not in status_text(engine.status())


def test_a_server_that_is_never_ready_leaves_the_syntax_and_says_so(root: Path) -> None:
    never = 'ready = { method = "never/sent" }\nready_seconds = 0.2'
    with opened(root, fake("good", more=never)) as engine:
        enriched(engine)
        assert greetings(engine) == GUESSED
        assert "not ready" in status_text(engine.status())


@pytest.mark.parametrize("habit", ["good", "slow", "flood", "chatty", "stale", "text_ids"])
def test_a_bearable_server_is_used(root: Path, habit: str) -> None:
    with opened(root, fake(habit)) as engine:
        report = enriched(engine)
        assert [item.use for item in report.languages] == [Use.ENRICHED]
        assert greetings(engine) == {SURE}
        assert sum(engine.status().enriched.files.values()) == len(CODE)
        assert enriched(engine).files == 0


@pytest.mark.parametrize("habit", ["nonsense", "refuse"])
def test_answers_that_mean_nothing_change_nothing(root: Path, habit: str) -> None:
    with opened(root, fake(habit)) as engine:
        enriched(engine)
        assert greetings(engine) == GUESSED


def test_what_was_answered_before_a_run_was_stopped_is_kept(root: Path) -> None:
    more = {f"more{n}.py": "def f():\n    f()\n" * 3 for n in range(20)}
    write(root, more)
    with opened(root, fake("slow")) as engine:
        engine.index(history=False)
        seen: list[int] = []
        with open_enricher(engine, trusted=True, polite=False) as enricher:
            report = enrich(
                engine,
                enricher,
                report=lambda progress: seen.append(progress.done),
                cancelled=lambda: len(seen) > 2,
            )
        assert not report.complete
        kept = sum(engine.status().enriched.files.values())
        assert 2 < kept < len(CODE) + len(more)
        rest = enriched(engine)
        assert rest.complete
        assert rest.files == len(CODE) + len(more) - kept


def test_a_run_has_a_limit_in_time(root: Path) -> None:
    with opened(root, fake("hang").replace("0.4", "60"), max_seconds=1) as engine:
        report = enriched(engine)
        assert not report.complete
        assert greetings(engine) == GUESSED


def test_only_some_files_are_asked_about_if_that_is_wanted(root: Path) -> None:
    with opened(root, fake("good")) as engine:
        assert enriched(engine, Request(paths=frozenset({"two.py"}))).files == 1
        assert greetings(engine) == GUESSED


def test_disagreements_name_where_the_syntax_was_wrong(root: Path) -> None:
    write(root, {"three.py": "def other():\n    pass\n\n\ndef make():\n    other()\n"})
    with opened(root, fake("good")) as engine:
        enriched(engine)
        items, tally = disagreements(engine)
        assert tally[Verdict.RIGHT] > 0
        assert tally[Verdict.MISSED] == len(items) == 1
        assert (items[0].path, items[0].line, items[0].name) == ("one.py", 12, "greet")
        assert items[0].said == ("one.py::Thing.greet",)


def test_the_doctor_names_the_server_or_what_to_install(root: Path) -> None:
    description = fake(
        "good", more='version = ["-c", "raise SystemExit(3)"]\ninstall = "get a fake"'
    )
    with opened(root, description) as engine:
        place = (engine.root, engine.settings, engine.folder)
        [found] = server_findings(*place, ["python"])
        assert found.good
        assert "none (fake:" in found.detail
        assert "get a fake" in found.advice
    with opened(root, fake("good")) as engine:
        [found] = server_findings(engine.root, engine.settings, engine.folder, ["python"])
        assert found.detail.startswith("fake ")
        assert not found.advice


def test_the_doctor_runs_nothing_that_lies_in_the_workspace(root: Path) -> None:
    mark = root.parent / "ran"
    program = root / "node_modules" / ".bin" / "own"
    write(program.parent, {"own": f"#!/bin/sh\ntouch {mark}\necho 1.0\n"})
    program.chmod(0o755)
    text = (
        fake("good")
        .replace("command = [", "command = ['own', ")
        .replace("thorough", "version = ['v']\nthorough")
    )
    with opened(root, text) as engine:
        [found] = server_findings(engine.root, engine.settings, engine.folder, ["python"])
        assert "own is not installed" in found.detail
        assert not mark.exists()
    with opened(root, text, enabled=True) as engine:
        [found] = server_findings(engine.root, engine.settings, engine.folder, ["python"])
        assert found.detail == "fake 1.0"

"""Sure edges from the command line: index --enrich, doctor, import-scip, blast of the outside."""

import json
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.running import PATIENCE, Case
from tests.enrich.test_scip import OTHER, SHELF, SHELF_DOCUMENT, USE, USE_DOCUMENT, index
from tests.enrich.workspaces import OFF, fake, until, write

FILL_CALL = ("use.py::use", "shelf.py::Shelf.fill", "calls")


@pytest.fixture
def case(tmp_path: Path) -> Case:
    write(tmp_path / "work", {"shelf.py": SHELF, "use.py": USE})
    return Case(tmp_path / "work", tmp_path / "index")


def wishes(case: Case, habit: str) -> list[str]:
    file = case.root.parent / "servers.toml"
    file.write_text(fake(habit), "utf-8")
    disabled = json.dumps(list(OFF))
    return ["--set", f"enrich.servers_file={file}", "--set", f"enrich.disabled={disabled}"]


def dumped(case: Case) -> dict[tuple[str, str, str], str]:
    rows = [json.loads(line) for line in case.call("dump", "edges").out.splitlines()]
    return {(row["source"], row["target"], row["kind"]): row["origin"] for row in rows}


def test_indexing_with_servers_tells_what_they_knew(case: Case) -> None:
    write(case.root, {"more.py": "def f():\n    f()\n"})
    ran = case.run("index", "--enrich", "--json", *wishes(case, "good"))
    assert ran.code == 0, ran.err
    run = ran.json["enrichment"]
    assert (run["files"], run["complete"]) == (3, True)
    assert run["languages"][0]["use"] == "enriched"
    assert ran.json["by_origin"]["lsp_resolved"] >= 1
    assert dumped(case)["more.py::f", "more.py::f", "calls"] == "lsp_resolved"
    status = case.call("status")
    assert "enriched files: fake" in status.out
    found = case.call("doctor", "--disagreements", "--json").json
    assert found["tally"]["right"] >= 1
    # Nothing has changed, so nobody is asked.
    again = case.call("index", "--enrich", "--json", *wishes(case, "good")).json
    assert again["enrichment"]["files"] == 0


def test_a_server_that_fails_does_not_fail_the_command(case: Case) -> None:
    ran = case.call("index", "--enrich", *wishes(case, "crash_at_start"))
    assert ran.code == 0
    assert "cannot find my configuration" in ran.out
    assert "cannot find my configuration" in case.call("status").out


def test_servers_that_are_described_badly_fail_it_with_one_line(case: Case) -> None:
    arguments = wishes(case, "good")
    (case.root.parent / "servers.toml").write_text("[[server]]\nname = 3\n", "utf-8")
    ran = case.call("index", "--enrich", *arguments)
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    assert case.call("doctor", *arguments).code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for one process")
def test_ctrl_c_keeps_what_was_answered(case: Case) -> None:
    write(case.root, {f"more{n:02}.py": "def f():\n    f()\n" * 5 for n in range(30)})
    started = case.start("index", "--enrich", *wishes(case, "slow"))

    def kept() -> int:
        ran = case.call("status", "--json")
        return sum(ran.json["enrichment"]["files"].values()) if ran.code == 0 else 0

    assert until(lambda: kept() > 0)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert "stopped before the end" in out
    assert 0 < kept() < 32


def test_a_scip_index_brings_sure_edges(case: Case) -> None:
    file = case.root.parent / "index.scip"
    file.write_bytes(index(SHELF_DOCUMENT, USE_DOCUMENT))
    assert dumped(case)[FILL_CALL] == "heuristic"
    ran = case.call("import-scip", str(file), "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["files"], ran.json["skipped"]) == (2, {})
    assert dumped(case)[FILL_CALL] == "scip_resolved"
    # Another index takes its place, and indexing again keeps what it says.
    assert case.call("index", "--full").code == 0
    assert dumped(case)[FILL_CALL] == "scip_resolved"
    file.write_bytes(index(SHELF_DOCUMENT))
    assert case.call("import-scip", str(file)).code == 0
    assert dumped(case)[FILL_CALL] == "heuristic"


def test_who_uses_an_outside_symbol(case: Case) -> None:
    file = case.root.parent / "index.scip"
    file.write_bytes(index(SHELF_DOCUMENT, USE_DOCUMENT))
    assert "acme.box" in OTHER
    assert case.call("import-scip", str(file)).code == 0
    found = case.call("blast", "external:acme.box.other", "--json").json
    [user] = [item for item in found["direct"] if item["via"]["edge"] == "calls"]
    assert (user["name"], user["origin"], user["confidence"]) == ("use", "scip_resolved", 0.95)


@pytest.mark.parametrize("content", [b"\xff\xff not an index", None])
def test_what_is_no_scip_index_is_refused(case: Case, content: bytes | None) -> None:
    file = case.root.parent / "index.scip"
    if content is not None:
        file.write_bytes(content)
    ran = case.call("import-scip", str(file))
    assert ran.code == 1
    assert ran.err.count("error:") == 1

"""Language servers asked in the background: when, about what, and how it is told."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.enrich.workspaces import FAKE, OFF, until
from tests.server.conftest import Connect
from tests.server.talking import WATCHING, Editor
from tests.server.workspaces import shop

Json = dict[str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return shop(tmp_path / "work")


def wishes(root: Path, habit: str = "far_sighted", *, enabled: bool = True) -> Json:
    """Settings under which only one fake server is used; it leaves its marks beside the folder."""
    mark = root.parent / "mark"
    file = root.parent / "servers.toml"
    file.write_text(
        f"""
[[server]]
name = "fake"
languages = ["python"]
command = ['{sys.executable}', '{FAKE}', '{habit}', '{mark}']
in_flight = 2
thorough = true
request_seconds = 2
""",
        "utf-8",
    )
    enrich = {
        "enabled": enabled,
        "servers_file": str(file),
        "disabled": list(OFF),
        "load_per_core": 0,
        "on_battery": True,
    }
    return {"knowing": {"enrich": enrich}}


def status(editor: Editor) -> Json:
    found: Json = editor.ask("knowing/status", {})
    return found


def settled(editor: Editor, wanted: Callable[[Json], bool] = lambda _: True) -> Json:
    """How things stand once no run is under way and what is wanted holds."""

    def done() -> bool:
        found.clear()
        found.update(status(editor))
        idle = found["enriching"]["state"] in ("idle", "off") and not found["indexing"]
        return idle and wanted(found)

    found: Json = {}
    assert until(done), found["enriching"]
    return found


def whole(found: Json) -> bool:
    return bool(found["enriching"]["runs"]["whole"])


def origins(editor: Editor, symbol: str) -> set[str]:
    found = editor.ask("knowing/blastRadius", {"symbol": symbol, "depth": 1})
    return {item["origin"] for item in found["direct"] if item["via"]["edge"] == "calls"}


def asked(root: Path) -> set[str]:
    """Files that the server was asked about since the last look."""
    file = root.parent / "mark.asked"
    names = set(file.read_text("utf-8").split()) if file.exists() else set()
    file.unlink(missing_ok=True)
    return names


def test_nothing_is_asked_unless_it_is_wished_for(root: Path, connect: Connect) -> None:
    editor = connect()
    editor.start(root, options=wishes(root, enabled=False))
    editor.fresh(root)
    assert settled(editor)["enriching"]["state"] == "off"
    assert not (root.parent / "mark").exists()
    assert editor.run("knowing.enrich")["started"] == [root.as_uri()]
    found = settled(editor, whole)
    assert found["enriching"]["last"]["complete"]
    assert set(found["enrichment"]["files"].values()) == {3}
    assert origins(editor, "OrderStore.save_order") == {"lsp_resolved"}


def test_an_untrusted_workspace_starts_no_server(root: Path, connect: Connect) -> None:
    editor = connect()
    editor.start(root, options={**wishes(root), "trusted": False})
    editor.fresh(root)
    answer = editor.run("knowing.enrich")
    assert answer["started"] == []
    assert "not trusted" in answer["reason"]
    found = settled(editor)["enriching"]
    assert (found["state"], found["runs"]["files"]) == ("off", 0)
    assert "not trusted" in found["reason"]
    assert not (root.parent / "mark").exists()


def test_a_project_cannot_wish_for_it(root: Path, connect: Connect) -> None:
    (root / "knowing.toml").write_text("[enrich]\nenabled = true\n", "utf-8")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    assert settled(editor)["enriching"]["state"] == "off"


def test_an_edit_asks_about_its_file_and_those_that_lost_a_target(
    root: Path, connect: Connect
) -> None:
    editor = connect()
    editor.start(root, capabilities=WATCHING, options=wishes(root))
    editor.fresh(root)
    settled(editor, whole)
    assert asked(root) == {"shop.py", "store.py", "test_shop.py"}

    def after(path: Path, text: str) -> set[str]:
        before = status(editor)["enriching"]["runs"]["edits"]
        path.write_text(text, "utf-8")
        editor.watched(path)
        settled(editor, lambda found: found["enriching"]["runs"]["edits"] > before)
        return asked(root)

    store = root / "store.py"
    # Lines move, names stay: nobody else is concerned.
    assert after(store, "# moved\n" + store.read_text("utf-8")) == {"store.py"}
    assert origins(editor, "OrderStore.save_order") == {"lsp_resolved"}
    renamed = store.read_text("utf-8").replace("save_order", "keep_order")
    assert after(store, renamed) == {"store.py", "shop.py"}
    runs = status(editor)["enriching"]["runs"]
    assert (runs["whole"], runs["edits"]) == (1, 2)
    # What was answered is stored: another server has nothing to ask.
    editor.end()
    again = connect()
    again.start(root, capabilities=WATCHING, options=wishes(root))
    again.fresh(root)
    settled(again, whole)
    assert asked(root) == set()
    assert origins(again, "OrderStore.check_number") == {"lsp_resolved"}


def test_a_server_that_crashes_is_told_of_and_can_recover(root: Path, connect: Connect) -> None:
    editor = connect()
    editor.start(root, capabilities=WATCHING, options=wishes(root, "crash"))
    editor.fresh(root)
    found = settled(editor, whole)
    [language] = found["enriching"]["last"]["languages"]
    assert language["use"] == "syntax only"
    assert "the server ended" in language["reason"]
    assert "the server ended" in found["markdown"]
    assert "lsp_resolved" not in origins(editor, "place_order")
    # The user corrects the description of the server.
    better = wishes(root)["knowing"]
    better["enrich"]["idle_seconds"] = 299
    editor.tell("workspace/didChangeConfiguration", {"settings": {"knowing": better}})
    found = settled(editor, lambda found: found["enriching"]["runs"]["files"] == 3)
    assert origins(editor, "place_order") == {"lsp_resolved"}
    assert found["enriching"]["last"]["languages"][0]["use"] == "enriched"


def test_a_run_can_be_paused_and_cancelled_and_keeps_what_it_has(
    root: Path, connect: Connect
) -> None:
    for number in range(20):
        (root / f"more{number:02}.py").write_text("def f():\n    f()\n" * 4, "utf-8")
    editor = connect()
    editor.start(root, capabilities=WATCHING, options=wishes(root, "slow"))
    editor.fresh(root)
    assert until(lambda: status(editor)["enriching"].get("done", 0) > 2)
    editor.run("knowing.enrich", {"pause": True})
    assert until(lambda: status(editor)["enriching"]["state"] == "paused")
    assert editor.names("place_order") == {"place_order", "test_place_order"}
    editor.run("knowing.enrich", {"cancel": True})
    found = settled(editor, whole)
    assert not found["enriching"]["last"]["complete"]
    kept = sum(found["enrichment"]["files"].values())
    assert 0 < kept < 23
    editor.run("knowing.enrich", {"resume": True})
    editor.run("knowing.enrich")
    found = settled(editor, lambda found: found["enriching"]["runs"]["whole"] > 1)
    assert found["enriching"]["runs"]["files"] == 23


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("end", ["kill", "exit"])
def test_no_server_outlives_ours(root: Path, connect: Connect, end: str) -> None:
    def servers() -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            try:
                line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            if str(root.parent / "mark").encode() in line:
                found.append(int(entry.name))
        return found

    editor = connect()
    editor.start(root, options=wishes(root, "clinging"))
    editor.fresh(root)
    settled(editor, whole)
    assert servers()
    if end == "kill":
        os.kill(editor.process.pid, signal.SIGKILL)
        editor.process.wait()
    else:
        editor.end()
    assert until(lambda: not servers())

from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Connect
from tests.server.talking import Refused, at, folder, names_of
from tests.server.workspaces import shop


def test_several_folders_come_and_go(tmp_path: Path, connect: Connect) -> None:
    one, two = shop(tmp_path / "one"), tmp_path / "two"
    two.mkdir()
    (two / "ship.py").write_text("def sail_away():\n    return 1\n", "utf-8")
    editor = connect()
    able = editor.start(one, two)
    assert able["workspace"]["workspaceFolders"] == {
        "supported": True,
        "changeNotifications": True,
    }
    editor.fresh(one, two)
    assert editor.names("place_order") == {"place_order", "test_place_order"}
    assert editor.names("sail") == {"sail_away"}
    found = editor.ask("knowing/search", {"query": "sail away", "root": two.as_uri()})
    assert found["root"] == str(two)
    assert names_of(found["items"])[0] == "sail_away"
    by_name = editor.ask("knowing/search", {"query": "sail away", "root": "two"})
    assert by_name["items"] == found["items"]
    # Without a name, the folder of the document that was touched last is meant.
    editor.opened(two / "ship.py")
    assert editor.ask("knowing/map", {})["root"] == str(two)
    status = editor.ask("knowing/status", {"root": str(one)})
    assert [item["name"] for item in status["folders"]] == ["one", "two"]
    assert status["root"] == str(one)
    with pytest.raises(Refused, match="no folder 'three'") as refused:
        editor.ask("knowing/map", {"root": "three"})
    assert "one, two" in refused.value.data["hint"]

    change: dict[str, Any] = {"added": [], "removed": [folder(two)]}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": change})
    assert editor.names("sail") == set()
    change = {"added": [folder(two)], "removed": [folder(one)]}
    before = len(editor.received)
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": change})
    editor.wait(
        lambda m: m.get("method") == "knowing/indexChanged" and m["params"]["index"]["symbols"] > 0,
        since=before,
    )
    assert editor.names("sail") == {"sail_away"}
    assert editor.names("place_order") == set()


def test_a_folder_inside_another_answers_for_its_own_files(
    tmp_path: Path, connect: Connect
) -> None:
    outer = shop(tmp_path / "outer")
    inner = outer / "inner"
    inner.mkdir()
    (inner / "deep.py").write_text("def dive():\n    return 1\n", "utf-8")
    editor = connect()
    editor.start(outer, inner)
    editor.fresh(outer, inner)
    found = editor.ask("knowing/blastRadius", at(inner / "deep.py", "dive"))
    assert found["root"] == str(inner)
    assert found["symbol"]["path"] == "deep.py"


def test_settings_come_from_each_place_and_bad_ones_are_told_once(
    tmp_path: Path, connect: Connect
) -> None:
    one, two = shop(tmp_path / "one"), shop(tmp_path / "two")
    (two / "knowing.toml").write_text('[files]\nexclude = ["store.py"]\n', "utf-8")
    chosen: dict[str, Any] = {
        one.as_uri(): {"files": {"exclude": ["shop.py"], "maxFileKb": "large"}},
        two.as_uri(): None,
    }
    editor = connect()
    editor.answers["workspace/configuration"] = lambda params: [
        chosen[item["scopeUri"]] for item in params["items"]
    ]
    able = {
        "workspace": {
            "configuration": True,
            "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        }
    }
    editor.start(one, two, capabilities=able, options={"context": {"budget": 1234}})
    editor.fresh(one, two)
    assert _symbols(editor, one, "OrderStore") >= {"OrderStore"}
    assert _symbols(editor, one, "place_order") == set()
    assert _symbols(editor, two, "place_order") == {"place_order"}
    assert _symbols(editor, two, "OrderStore") == set()
    # Where the editor says nothing for a folder, what it sent at first counts.
    budgets = [_budget(editor, root) for root in (one, two)]
    assert budgets == [8000, 1234]
    told = [params["message"] for params in editor.all("window/showMessage")]
    assert len(told) == 1
    assert "maxFileKb" in told[0]

    chosen[one.as_uri()] = {"files": {"maxFileKb": "large"}, "context": {"budget": 700}}
    before = len(editor.received)
    editor.tell("workspace/didChangeConfiguration", {"settings": None})
    editor.wait(
        lambda m: (
            m.get("method") == "knowing/indexChanged"
            and m["params"]["uri"] == one.as_uri()
            and m["params"]["index"]["state"] == "fresh"
            and m["params"]["index"]["files"] == 3
        ),
        since=before,
    )
    assert _symbols(editor, one, "place_order") == {"place_order"}
    assert _budget(editor, one) == 700
    assert len(editor.all("window/showMessage")) == 1


def _symbols(editor: Any, root: Path, query: str) -> set[str]:
    """Names at the top of a folder that hold a query."""
    found = editor.ask("workspace/symbol", {"query": query})
    names = {item["name"] for item in found if item["location"]["uri"].startswith(root.as_uri())}
    return {name for name in names if not name.startswith(("test_", "save_"))}


def _budget(editor: Any, root: Path) -> int:
    found = editor.ask("knowing/context", {"task": "orders", "root": root.as_uri()})
    tokens: int = found["budget"]["tokens"]
    assert found["budget"]["used"] <= tokens
    return tokens


def test_settings_that_are_pushed_and_a_changed_project_file(
    tmp_path: Path, connect: Connect
) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    able = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    editor.start(root, capabilities=able, options={"knowing": {"context": {"budget": 900}}})
    editor.fresh(root)
    assert _budget(editor, root) == 900
    pushed = {"settings": {"knowing": {"context": {"budget": 800}}}}
    editor.tell("workspace/didChangeConfiguration", pushed)
    assert _budget(editor, root) == 800
    before = len(editor.received)
    (root / "knowing.toml").write_text('[files]\nexclude = ["shop.py"]\n', "utf-8")
    editor.watched(root / "knowing.toml", kind=1)
    editor.wait(
        lambda m: m.get("method") == "knowing/indexChanged" and m["params"]["index"]["files"] == 2,
        since=before,
    )
    assert _symbols(editor, root, "cancel_order") == set()


def test_strange_folders_and_documents_do_no_harm(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "a b#c%20d ü")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    strange = [
        "untitled:Untitled-1",
        "git:/x/shop.py?ref",
        "file:///c%3A/x/shop.py",
        "file:///C:/x/shop.py",
        "vscode-notebook-cell:/x.ipynb#1",
        "file:///%00",
        "file:",
        "",
        (tmp_path / "elsewhere.py").as_uri(),
    ]
    for uri in strange:
        item = {"uri": uri, "languageId": "python", "version": 1, "text": "def lost(): pass\n"}
        editor.tell("textDocument/didOpen", {"textDocument": item})
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
        assert editor.ask("textDocument/hover", place) is None
        assert editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
    assert editor.names("lost") == set()
    hover = editor.ask("textDocument/hover", at(root / "shop.py", "place_order"))
    assert "place_order" in hover["contents"]["value"]
    nowhere = {"uri": (tmp_path / "gone").as_uri(), "name": "gone"}
    change = {"added": [nowhere], "removed": []}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": change})
    message = editor.wait(lambda m: m.get("method") == "window/showMessage")
    assert "gone cannot be indexed" in message["params"]["message"]

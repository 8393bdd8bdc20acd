"""`protocol.ts` says what the server really answers."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server import protocol
from tests.server.talking import Editor, command
from tests.server.workspaces import repository

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = (ROOT / "vscode-extension" / "src" / "protocol.ts").read_text("utf-8")


def _constants(name: str) -> dict[str, str]:
    block = re.search(rf"export const {name} = {{(.*?)}} as const", SOURCE, re.S)
    assert block
    return dict(re.findall(r'"?([\w.]+)"?: "([^"]+)"', block.group(1)))


def _members(name: str) -> dict[str, bool]:
    """The members of an interface, and whether they may be absent."""
    head = re.search(rf"export interface {name}(?: extends (\w+))? {{\n(.*?)\n}}", SOURCE, re.S)
    assert head, f"no interface {name}"
    inherited = _members(head.group(1)) if head.group(1) else {}
    own = re.findall(r"^  (\w+)(\??):", head.group(2), re.M)
    return {**inherited, **{member: bool(mark) for member, mark in own}}


def _fits(name: str, answer: dict[str, Any]) -> None:
    members = _members(name)
    needed = {member for member, absent in members.items() if not absent}

    assert needed <= answer.keys() <= members.keys(), name


def test_names_are_the_same() -> None:
    methods = {
        value
        for name, value in vars(protocol).items()
        if isinstance(value, str)
        and value.startswith(protocol.PREFIX)
        and name not in ("PREFIX", "INDEX_CHANGED")
    }

    assert set(_constants("METHODS").values()) == methods
    assert _constants("COMMANDS") == protocol.COMMANDS
    for name in ("INDEX_CHANGED", "REINDEX_COMMAND", "SECTION"):
        assert f'export const {name} = "{getattr(protocol, name)}";' in SOURCE


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("mirror")
    root = repository(folder / "work")
    found = Editor(command(folder / "index"), cwd=folder, log=folder / "server.log")
    found.start(root)
    yield found.fresh(root)
    found.kill()


def test_context(editor: Editor) -> None:
    answer = editor.ask(protocol.CONTEXT, {"task": "place an order"})

    _fits("ContextAnswer", answer)
    _fits("IndexState", answer["index"])
    _fits("Budget", answer["budget"])
    assert answer["symbols"]
    for symbol in answer["symbols"]:
        _fits("ContextSymbol", symbol)


def test_blast_radius(editor: Editor) -> None:
    answer = editor.ask(protocol.BLAST_RADIUS, {"symbol": "OrderStore.save_order"})

    _fits("BlastAnswer", answer)
    _fits("Described", answer["symbol"])
    _fits("Risk", answer["risk"])
    items = [*answer["direct"], *answer["transitive"], *answer["tests"], *answer["possible"]]
    assert answer["direct"] and answer["tests"] and answer["risk"]["parts"]
    for item in items:
        _fits("Affected", item)
        _fits("Site", item["via"])
    for part in answer["risk"]["parts"]:
        _fits("Part", part)


def test_explanation(editor: Editor) -> None:
    asked = {"task": "place an order", "symbol": "OrderStore.check_number"}
    answer = editor.ask(protocol.EXPLAIN, asked)

    _fits("ExplainAnswer", answer)
    assert answer["parts"] and answer["path"]
    for part in answer["parts"]:
        _fits("Part", part)
    for step in answer["path"]:
        _fits("PathStep", step)
    for channel in answer["channels"]:
        _fits("Channel", channel)


def test_lists(editor: Editor) -> None:
    related = editor.ask(protocol.RELATED, {"symbol": "place_order"})
    found = editor.ask(protocol.SEARCH, {"query": "order"})

    for answer in (related, found):
        _fits("ItemsAnswer", answer)
        assert answer["items"]
        for item in answer["items"]:
            _fits("Item", item)


def test_the_rest(editor: Editor) -> None:
    _fits("MapAnswer", editor.ask(protocol.MAP, {}))
    _fits("FeedbackAnswer", editor.ask(protocol.FEEDBACK, {"task": "t", "symbol": "place_order"}))
    _fits("ReindexAnswer", editor.run(protocol.REINDEX_COMMAND, {}))
    status = editor.ask(protocol.STATUS, {})
    _fits("StatusAnswer", status)
    _fits("Enrichment", status["enrichment"])
    for folder in status["folders"]:
        _fits("FolderState", folder)
    for changed in editor.all(protocol.INDEX_CHANGED):
        _fits("IndexChanged", changed)

"""Messages that no good editor sends: each request gets an answer, and the server lives."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from server.transport import messages
from tests.server.conftest import Connect
from tests.server.talking import Editor, Refused
from tests.server.workspaces import shop

ROUNDS = 300
METHODS = [
    *("textDocument/hover", "textDocument/codeLens", "textDocument/documentSymbol"),
    *("textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "codeLens/resolve"),
    *("callHierarchy/outgoingCalls", "textDocument/codeAction", "workspace/symbol"),
    *("workspace/executeCommand", "knowing/context", "knowing/contextForSelection"),
    *("knowing/contextForChanges", "knowing/blastRadius", "knowing/explain", "knowing/related"),
    *("knowing/search", "knowing/map", "knowing/status", "knowing/feedback", "no/such/method"),
]
NOTES = [
    *("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"),
    *("textDocument/didSave", "workspace/didChangeWatchedFiles", "workspace/didRenameFiles"),
    *("workspace/didChangeConfiguration", "window/workDoneProgress/cancel", "$/cancelRequest"),
    *("workspace/didChangeWorkspaceFolders", "$/setTrace", "knowing/unknown", "no/such/note"),
]
KEYS = [
    *("textDocument", "uri", "position", "line", "character", "range", "start", "end", "query"),
    *("task", "symbol", "budget", "limit", "depth", "files", "root", "command", "arguments"),
    *("item", "data", "context", "diagnostics", "contentChanges", "text", "version", "changes"),
    *("folder", "name", "path", "overload", "mode", "what", "format", "base", "token", "id"),
]


def _value(dice: random.Random, uri: str, depth: int = 0) -> Any:
    """Something that may or may not be what a method takes."""
    simple = [
        *(None, True, 0, 1, -1, 2**31, 2**70, 1.5, "", "x", "place_order", "😀" * 3, "\ud800"),
        *("a" * 5000, uri, "file:///nowhere.py", "untitled:1", "\x00", "knowing.status", "../.."),
        *({"uri": uri}, {"line": 7, "character": 4}, {"line": 10**9, "character": 10**9}),
        {"start": {"line": 5, "character": 0}, "end": {"line": 2, "character": 3}},
    ]
    roll = dice.random()
    if depth > 3 or roll < 0.5:
        return dice.choice(simple)
    if roll < 0.65:
        return [_value(dice, uri, depth + 1) for _ in range(dice.randrange(3))]
    return {dice.choice(KEYS): _value(dice, uri, depth + 1) for _ in range(dice.randrange(1, 5))}


def _right(dice: random.Random, uri: str) -> dict[str, Any]:
    """What methods take, with one member spoilt now and then."""
    place = {"line": dice.randrange(-1, 20), "character": dice.randrange(-1, 50)}
    params: dict[str, Any] = {
        "textDocument": {"uri": uri, "version": 3, "languageId": "python", "text": "x = 1\n"},
        "position": place,
        "range": {"start": place, "end": place},
        "query": "order",
        "task": "place an order",
        "symbol": "place_order",
        "context": {"diagnostics": []},
        "contentChanges": [{"range": {"start": place, "end": place}, "text": "y"}],
        "command": "knowing.search",
        "arguments": [{"query": "order"}],
    }
    params[dice.choice(list(params))] = _value(dice, uri)
    return params


def test_whatever_is_asked_is_answered(tmp_path: Path, connect: Connect) -> None:
    dice = random.Random(5)
    root = shop(tmp_path / "work")
    uri = (root / "shop.py").as_uri()
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    editor.opened(root / "shop.py")
    asked = []
    for _ in range(ROUNDS):
        params = _right(dice, uri) if dice.random() < 0.5 else _value(dice, uri)
        if dice.random() < 0.3:
            editor.tell(dice.choice(NOTES), params)
        else:
            asked.append(editor.begin(dice.choice(METHODS), params))
    for number in asked:
        expect_an_answer(editor, number)
    assert editor.garbage == b""
    change: dict[str, Any] = {"added": [], "removed": []}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": change})
    found = editor.ask("knowing/status", {"root": "work"})
    assert found["files"] == 3
    assert editor.end() == 0
    assert "Traceback" not in editor.log.read_text("utf-8")


def expect_an_answer(editor: Editor, number: int) -> None:
    try:
        editor.outcome(number)
    except Refused as refused:
        assert refused.code in (-32600, -32601, -32602, -32800, -32803), str(refused)
        assert str(refused)


def test_bytes_that_are_no_message(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    bodies = [
        *(b"{", b"[]", b"null", b"3", b'"x"', b"\xff\xfe", b"{}", b"[" * 50_000),
        b'{"jsonrpc": "1.0", "id": 5, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 77, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 99999, "result": 5}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "result": 5}',
        b'{"jsonrpc": "2.0", "error": 7}',
    ]
    for body in bodies:
        editor.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    editor.send_bytes(b"Garbage: yes\r\n\r\n")
    editor.send_bytes(b"Content-Length: 99999999999999999\r\n\r\n")
    body = json.dumps({"jsonrpc": "2.0", "id": "last", "method": "knowing/map"}).encode()
    header = b"content-type: x\r\ncontent-length:%d\r\n\r\n" % len(body)
    for byte in header + body:
        editor.send_bytes(bytes([byte]))
    answer = editor.wait(lambda m: m.get("id") == "last")
    assert answer["result"]["files"] == 2
    codes = {m["error"]["code"] for m in editor.received if m.get("id") is None and "error" in m}
    assert codes == {-32700, -32600}


def test_a_huge_document_and_places_outside_of_it(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    path = root / "huge.py"
    uri = editor.opened(path, "x = 1\n" * 500_000 + "def at_the_end():\n    pass\n")
    ends = {"line": 10**9, "character": 10**9}
    editor.typed(path, {"range": {"start": ends, "end": ends}, "text": "# more\n"})
    outside = {"textDocument": {"uri": uri}, "position": ends}
    assert editor.ask("textDocument/hover", outside) is None
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    with pytest.raises(Refused):
        editor.ask("knowing/blastRadius", outside)
    assert editor.names("place_order") == {"place_order", "test_place_order"}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_messages_are_found_however_the_bytes_are_cut(size: int) -> None:
    bodies = [b"{}", b"", "ü".encode() * 50, b"x" * 3000]
    stream = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    stream = b"noise\r\n\r\n" + stream + b"Content-Length: 50\r\n\r\ncut off"
    cuts = [stream[start : start + size] for start in range(0, len(stream), size)]
    pieces = iter([*cuts, b""])
    assert list(messages(lambda _: next(pieces))) == bodies

"""A language server with one bad habit, named by its first argument.

It answers every question with the first definition of the name in the file that it is asked about;
one that is `far_sighted` looks into all files of the workspace, and notes in which it was asked.
A second argument is a file that it leaves a mark in at every start.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HABIT = sys.argv[1]
MARK = Path(sys.argv[2]) if len(sys.argv) > 2 else None
CAPABILITIES = {"definitionProvider": True, "positionEncoding": "utf-16"}


def send(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    length = len(body)
    if HABIT == "wrong_length" and "result" in message and message["id"] > 1:
        length -= 5
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % length + body)
    sys.stdout.buffer.flush()


def receive() -> dict[str, Any] | None:
    length = 0
    while line := sys.stdin.buffer.readline():
        if not line.strip():
            break
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def definition(params: dict[str, Any]) -> list[dict[str, Any]]:
    uri = params["textDocument"]["uri"]
    at = params["position"]
    lines = Path(unquote(urlsplit(uri).path)).read_text("utf-8").split("\n")
    # Columns count UTF-16 code units, as was announced.
    text = lines[at["line"]].encode("utf-16-le")[2 * at["character"] :].decode("utf-16-le")
    name = re.match(r"\w+", text)
    if name and HABIT == "far_sighted":
        note(uri)
        files = sorted(Path.cwd().rglob("*.py"))
        found = (
            place(file.as_uri(), file.read_text("utf-8").split("\n"), name[0]) for file in files
        )
        return next((each for each in found if each), [])
    return place(uri, lines, name[0]) if name else []


def place(uri: str, lines: list[str], name: str) -> list[dict[str, Any]]:
    for number, line in enumerate(lines):
        found = re.search(rf"(?:def|class) {name}\b", line)
        if found:
            before = line[: found.end() - len(name)]
            start = {"line": number, "character": len(before.encode("utf-16-le")) // 2}
            return [{"uri": uri, "range": {"start": start, "end": start}}]
    return []


def note(uri: str) -> None:
    """Leaves word of a file that it was asked about."""
    if MARK:
        with MARK.with_suffix(".asked").open("a", encoding="utf-8") as file:
            file.write(uri.rpartition("/")[2] + "\n")


def nonsense(uri: str) -> list[object]:
    """Ranges that no file has, and things that are no ranges."""
    far = {"line": 10**6, "character": 10**6}
    return [{"uri": uri, "range": {"start": far, "end": far}}, 3, {"uri": 1}, {"range": None}]


def answer(message: dict[str, Any], asked: int) -> None:
    params = message["params"]
    if HABIT == "slow":
        time.sleep(0.05)
    if HABIT == "hang":
        return
    if HABIT == "crash" or (HABIT == "crash_once" and starts() == 1 and asked == 2):
        os._exit(3)
    if HABIT == "stale" and asked % 2:
        error = {"code": -32801, "message": "content modified"}
        return send({"id": message["id"], "error": error})
    if HABIT == "refuse":
        return send({"id": message["id"], "error": {"code": -32603, "message": "oh no"}})
    if HABIT == "nonsense":
        return send({"id": message["id"], "result": nonsense(params["textDocument"]["uri"])})
    if HABIT == "text_ids":
        return send({"id": str(message["id"]), "result": definition(params)})
    send({"id": message["id"], "result": definition(params)})


def starts() -> int:
    return len(MARK.read_text("utf-8")) if MARK else 0


def ask_client() -> None:
    """Asks everything that real servers ask, and notes the answers."""
    assert MARK
    wanted = {
        "workspace/configuration": {"items": [{"section": "a.b"}, {"section": "zzz"}, {}]},
        "client/registerCapability": {"registrations": []},
        "window/workDoneProgress/create": {"token": 1},
        "workspace/workspaceFolders": None,
        "workspace/applyEdit": {"edit": {}},
        "window/showMessageRequest": {"type": 1, "message": "?"},
        "no/suchThing": {},
    }
    noted: dict[str, object] = {}
    for number, (method, params) in enumerate(wanted.items()):
        send({"id": f"s{number}", "method": method, "params": params})
        reply = receive()
        while reply is not None and reply.get("id") != f"s{number}":
            reply = receive()
        noted[method] = reply and reply.get("result", reply.get("error", {}).get("code"))
    MARK.write_text(json.dumps(noted), "utf-8")


def begin(message: dict[str, Any]) -> None:
    """Answers `initialize`."""
    if HABIT == "never_initialized":
        time.sleep(600)
    if HABIT == "garbage":
        sys.stdout.buffer.write(b"\x00\xff not a message at all\r\n" * 5000)
        sys.stdout.buffer.flush()
        time.sleep(600)
    if HABIT == "not_json":
        sys.stdout.buffer.write(b"Content-Length: 4\r\n\r\n{{{{")
        sys.stdout.buffer.flush()
    if HABIT == "chatty":
        sys.stdout.buffer.write(b"Welcome to the chatty server!\r\n")
    offered = {} if HABIT == "incapable" else CAPABILITIES
    send({"id": message["id"], "result": {"capabilities": offered}})


def flood() -> None:
    while True:
        sys.stderr.write("noise " * 200 + "\n")


def main() -> int:
    if HABIT == "crash_at_start":
        sys.stderr.write("cannot find my configuration\n")
        return 1
    if MARK and HABIT != "questions":
        with MARK.open("a", encoding="utf-8") as file:
            file.write("x")
    if HABIT == "runaway":
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
        )
        assert MARK
        MARK.write_text(str(child.pid), "utf-8")
    if HABIT == "flood":
        threading.Thread(target=flood, daemon=True).start()
    return serve()


def serve() -> int:
    asked = 0
    while (message := receive()) is not None:
        method = message.get("method")
        if method == "initialize":
            begin(message)
        elif method == "initialized" and HABIT == "questions":
            ask_client()
        elif method == "textDocument/definition":
            asked += 1
            answer(message, asked)
        elif method == "shutdown" and HABIT != "clinging":
            send({"id": message["id"], "result": None})
        elif method == "exit" and HABIT != "clinging":
            return 0
    if HABIT == "clinging":
        time.sleep(600)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Talks to the server as an editor would: a real process, real bytes, nothing forgiven."""

import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds after which something that should happen is taken not to."""

Json = dict[str, Any]


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}


def environment(**more: str) -> dict[str, str]:
    """What a server is started with: our packages are found wherever it is started."""
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), **more}


def command(index_dir: Path, *more: str) -> list[str]:
    python = [sys.executable, "-P", "-m", "server", "--stdio"]
    return [*python, "--index-dir", str(index_dir), *more]


class Editor:
    """One connection; what the server sends is kept and can be waited for."""

    def __init__(
        self, given: list[str], *, cwd: Path, env: dict[str, str] | None = None, log: Path
    ) -> None:
        self.log = log
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                given,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=cwd,
                env=env or environment(),
            )
        self.received: list[Json] = []
        self.garbage = b""
        """Whatever came that is no message of the protocol."""
        self.answers: dict[str, Callable[[Any], Any]] = {}
        """What the editor says to requests of the server; nothing to others."""
        self._numbers = itertools.count(1)
        self._news = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # -- the wire ------------------------------------------------------------------------------

    def send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream
        while header := stream.readline():
            if not header.startswith(b"Content-Length: "):
                self.garbage += header
                continue
            size = int(header.split()[1])
            while (line := stream.readline()).strip():
                if not line.startswith(b"Content-Type"):
                    self.garbage += line
            self._take(json.loads(stream.read(size)))
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _take(self, message: Json) -> None:
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"], lambda _: None)
            self.send({"id": message["id"], "result": answer(message.get("params"))})
        with self._news:
            self.received.append(message)
            self._news.notify_all()

    # -- talking -------------------------------------------------------------------------------

    def begin(self, method: str, params: Any = None) -> int:
        """Asks, and does not wait for the answer."""
        number = next(self._numbers)
        self.send({"id": number, "method": method, "params": params})
        return number

    def outcome(self, number: int) -> Any:
        """The answer to a question."""
        message = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def ask(self, method: str, params: Any = None) -> Any:
        return self.outcome(self.begin(method, params))

    def run(self, name: str, argument: Json | None = None) -> Any:
        """Runs a command."""
        arguments = [] if argument is None else [argument]
        return self.ask("workspace/executeCommand", {"command": name, "arguments": arguments})

    def tell(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def wait(self, wanted: Callable[[Json], bool], since: int = 0) -> Json:
        """The first message from the server that is wanted, past or to come."""
        with self._news:

            def found() -> Json | None:
                return next((m for m in self.received[since:] if wanted(m)), None)

            self._news.wait_for(lambda: found() or self._ended, PATIENCE)
            message = found()
        assert message is not None, f"never came; {self.log.read_text('utf-8')[-3000:]}"
        return message

    def all(self, method: str) -> list[Json]:
        """The parameters of all messages of a kind so far."""
        with self._news:
            return [m.get("params") or {} for m in self.received if m.get("method") == method]

    # -- a session -----------------------------------------------------------------------------

    def start(
        self,
        *roots: Path,
        capabilities: Json | None = None,
        options: Any = None,
        process: int | None = None,
    ) -> Json:
        """Initializes; the capabilities of the server."""
        found = self.ask(
            "initialize",
            {
                "processId": process,
                "rootUri": roots[0].as_uri() if roots else None,
                "workspaceFolders": [folder(root) for root in roots],
                "capabilities": capabilities or {},
                "initializationOptions": options,
            },
        )
        self.tell("initialized", {})
        return found["capabilities"]

    def fresh(self, *roots: Path) -> Self:
        """Waits until some folders are indexed and all is known of them."""
        for root in roots:
            self.wait(lambda m, root=root: _is_fresh(m, root))
        return self

    def opened(self, path: Path, text: str | None = None) -> str:
        """Opens a document, with unsaved text if some is given; its URI."""
        shown = path.read_text("utf-8") if text is None else text
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": shown}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def typed(self, path: Path, *changes: Json, version: int = 2) -> None:
        document = {"uri": path.as_uri(), "version": version}
        self.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def watched(self, *paths: Path, kind: int = 2) -> None:
        changes = [{"uri": path.as_uri(), "type": kind} for path in paths]
        self.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    def names(self, query: str) -> set[str]:
        """Names of the symbols that the workspace has for a query."""
        return {item["name"] for item in self.ask("workspace/symbol", {"query": query})}

    def end(self) -> int:
        """Ends the session in order; the exit code."""
        if self.process.poll() is None:
            self.ask("shutdown")
            self.tell("exit")
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue


def folder(root: Path) -> Json:
    return {"uri": root.as_uri(), "name": root.name}


def _is_fresh(message: Json, root: Path) -> bool:
    params = message.get("params") or {}
    return (
        message.get("method") == "knowing/indexChanged"
        and params["uri"] == root.as_uri()
        and params["index"]["state"] == "fresh"
        and params["index"]["generation"] > 0
    )


def at(path: Path, needle: str, occurrence: int = 0) -> Json:
    """Parameters for a request at the first letter of a word, counted in UTF-16."""
    text = path.read_text("utf-8")
    index = -1
    for _ in range(occurrence + 1):
        index = text.index(needle, index + 1)
    line = text.count("\n", 0, index)
    before = text[text.rfind("\n", 0, index) + 1 : index]
    position = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
    return {"textDocument": {"uri": path.as_uri()}, "position": position}


def names_of(items: Iterable[Json]) -> list[str]:
    return [item["name"] for item in items]


WATCHING = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}

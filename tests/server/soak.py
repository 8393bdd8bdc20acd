"""A long session: mixed edits, questions and cancels, with memory and idleness watched.

    python -m tests.server.soak WORKSPACE [--minutes 10] [--idle 120] [--index-dir DIR]

Nothing is written into the workspace: edits stay unsaved. Exit code 1 if anything was answered
with an error, if memory grew by more than a tenth after warming up, or if the idle server worked.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import psutil

from tests.server.talking import WATCHING, Editor, Refused, command

_WARM_UP = 0.3
"""Share of the time after which memory is expected to have settled."""
_MOST_GROWTH, _MOST_IDLE = 1.10, 0.01
_CANCELLED = -32800
_TASKS = (
    "validate what the user sends",
    "where are settings read",
    "fix the error handling of requests",
    "render a template",
    "register a handler",
    "parse the command line",
)


class Soak:
    """One session."""

    def __init__(self, editor: Editor, root: Path, dice: random.Random) -> None:
        self.editor, self.root, self.dice = editor, root, dice
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        found = editor.ask("knowing/search", {"query": "request", "limit": 60})["items"]
        self.items: list[Any] = [item for item in found if item["path"].endswith(".py")] or found
        self.texts = {item["path"]: self._read(item["path"]) for item in self.items}
        self.version = 1
        for path, text in self.texts.items():
            editor.opened(root / path, text)

    def _read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8", "replace")

    def step(self) -> None:
        """One thing that a user does."""
        action = self.dice.choice((self.edit, self.hover, self.context, self.lenses, self.cancel))
        began = time.perf_counter()
        try:
            action()
        except Refused as refused:
            if refused.code != _CANCELLED:
                self.errors.append(f"{action.__name__}: {refused}")
        self.times[action.__name__].append(time.perf_counter() - began)

    def edit(self) -> None:
        path = self.dice.choice(list(self.texts))
        self.version += 1
        added = f"\n\ndef soaked_{self.dice.randrange(50)}():\n    return {self.version}\n"
        change = {"text": self.texts[path] + added}
        self.editor.typed(self.root / path, change, version=self.version)

    def hover(self) -> None:
        item = self.dice.choice(self.items)
        position = {"line": item["line"] - 1, "character": self.dice.randrange(12)}
        uri = (self.root / item["path"]).as_uri()
        self.editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})

    def context(self) -> None:
        self.editor.ask("knowing/context", {"task": self.dice.choice(_TASKS), "budget": 4000})

    def lenses(self) -> None:
        uri = (self.root / self.dice.choice(self.items)["path"]).as_uri()
        lenses = self.editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        for lens in lenses[:10]:
            self.editor.ask("codeLens/resolve", lens)

    def cancel(self) -> None:
        symbol = self.dice.choice(self.items)["qualified_name"]
        number = self.editor.begin("knowing/blastRadius", {"symbol": symbol})
        if self.dice.random() < 0.7:
            self.editor.tell("$/cancelRequest", {"id": number})
        self.editor.outcome(number)

    def report(self) -> dict[str, Any]:
        return {
            name: {"count": len(times), "p50_ms": _at(times, 0.5), "p95_ms": _at(times, 0.95)}
            for name, times in sorted(self.times.items())
        }


def _at(times: list[float], share: float) -> float:
    return round(1000 * sorted(times)[int(share * (len(times) - 1))], 1)


def soak(editor: Editor, root: Path, minutes: float, idle: float) -> dict[str, Any]:
    """Runs the session; what was measured."""
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    process = psutil.Process(editor.process.pid)
    session = Soak(editor, root, random.Random(1))
    began, end = time.monotonic(), time.monotonic() + 60 * minutes
    warm: list[int] = []
    late: list[int] = []
    while (now := time.monotonic()) < end:
        session.step()
        passed = (now - began) / (end - began)
        if passed > _WARM_UP:
            (warm if passed < 2 * _WARM_UP else late).append(process.memory_info().rss)
        del editor.received[:]
    editor.ask("knowing/status")
    time.sleep(min(20.0, idle))
    before = sum(process.cpu_times()[:2])
    time.sleep(idle)
    busy = (sum(process.cpu_times()[:2]) - before) / max(idle, 1e-9)
    growth = max(late, default=1) / max(warm, default=1)
    return {
        "actions": session.report(),
        "errors": session.errors[:20],
        "memory_mb": round(process.memory_info().rss / 1e6, 1),
        "growth": round(growth, 3),
        "idle": round(busy, 4),
        "good": not session.errors and growth <= _MOST_GROWTH and busy <= _MOST_IDLE,
    }


def main() -> int:
    """Parses arguments, runs, prints one JSON object."""
    parser = argparse.ArgumentParser(description="A long session with the language server.")
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--idle", type=float, default=120.0, help="seconds of idleness to watch")
    parser.add_argument("--index-dir", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        index_dir = options.index_dir or Path(folder) / "index"
        editor = Editor(command(index_dir), cwd=Path(folder), log=log)
        try:
            found = soak(editor, options.workspace.resolve(), options.minutes, options.idle)
            found["exit_code"] = editor.end()
            found["logged"] = log.read_text("utf-8")[-2000:]
        finally:
            editor.kill()
    print(json.dumps(found, indent=2))
    return 0 if found["good"] and not found["exit_code"] else 1


if __name__ == "__main__":
    sys.exit(main())

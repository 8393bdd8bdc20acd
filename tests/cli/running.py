"""Runs the program: in this process where only the answer counts, in its own where more does."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from knowing.cli import main
from knowing.engine import Engine
from knowing.graph import View

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds after which something that should end is taken to hang."""


@dataclass(frozen=True)
class Ran:
    """How one run ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output; fails if there is more or less."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Case:
    """A workspace and where its index goes."""

    root: Path
    index_dir: Path

    @property
    def arguments(self) -> list[str]:
        return ["--root", str(self.root), "--index-dir", str(self.index_dir)]

    @property
    def folder(self) -> Path:
        """Where the data lies; there is one workspace in the index folder."""
        return next(path for path in self.index_dir.iterdir() if path.is_dir())

    def call(self, *arguments: str) -> Ran:
        return call(*arguments, *self.arguments)

    def run(self, *arguments: str, **options: Any) -> Ran:
        return run(*arguments, *self.arguments, **options)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command(*arguments, *self.arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            cwd=self.index_dir.parent,
        )

    def view(self) -> View:
        """What the index on disk says."""
        with Engine.open(self.root, index_dir=self.index_dir) as engine:
            return engine.view()

    def rebuilt(self, elsewhere: Path) -> View:
        """What an index says that is made from nothing."""
        with Engine.open(self.root, index_dir=elsewhere) as engine:
            engine.index(history=False)
            return engine.view()


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "knowing", *arguments]


def environment() -> dict[str, str]:
    """That of a user: without the choices of whoever runs the tests."""
    others = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**others, "PYTHONPATH": str(REPOSITORY)}


def run(*arguments: str, **options: Any) -> Ran:
    """Runs the program in a process of its own."""
    done = subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
        **{"cwd": "/", **options},
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def call(*arguments: str) -> Ran:
    """Runs the program in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            # Wrong usage ends the program from within the parser of its arguments.
            code = end.code if isinstance(end.code, int) else 1
    return Ran(code, out.getvalue(), err.getvalue())


def fork(work: Callable[[], Ran], answer: Path) -> Callable[[], Ran]:
    """Does some work in a process of its own, without the cost of a start; call to wait for it."""

    def child() -> None:
        ran = work()
        answer.write_text(json.dumps([ran.code, ran.out, ran.err]), "utf-8")

    process = get_context("fork").Process(target=child)
    process.start()

    def joined() -> Ran:
        process.join(PATIENCE)
        assert process.exitcode == 0
        return Ran(*json.loads(answer.read_text("utf-8")))

    return joined

"""aider's repository map: definitions ranked by PageRank over files, from PyPI."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from eval import measure
from eval.failure import EvalError
from eval.peers import base
from eval.rankers import Answer
from eval.results import Preparation

PACKAGE = "aider-chat==0.86.2"
HELPER = Path(__file__).resolve().parent / "aider_helper.py"
CACHE = ".aider.tags.cache.v4"


@dataclass(frozen=True, slots=True)
class Aider:
    """A helper in aider's own environment answers, as it would within its host."""

    name: str = "aider"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["AiderRanker"]:
        python = base.python_environment("aider", PACKAGE)
        # Its ranking iterates over sets, so without a fixed seed two runs differ. -P, because
        # beside the helper lies a module of its name.
        command = ["env", "PYTHONHASHSEED=0", str(python), "-P", str(HELPER)]
        with base.workplace(root, folder) as (copy, symbols):
            usage = measure.run([*command, "index", str(copy)], base.INDEX_SECONDS, copy)
            cost = base.preparation(usage, copy / CACHE)
            process = subprocess.Popen(
                [*command, "serve", str(copy)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
            )
            with process:
                try:
                    yield AiderRanker(process, symbols, cost)
                finally:
                    process.kill()


@dataclass(frozen=True, slots=True)
class AiderRanker:
    """A helper that is running."""

    process: "subprocess.Popen[str]"
    symbols: base.Symbols
    preparation: Preparation

    def rank(self, description: str, limit: int) -> Answer:
        asking, answering = (
            cast("IO[str]", self.process.stdin),
            cast("IO[str]", self.process.stdout),
        )
        try:
            asking.write(json.dumps({"task": description, "limit": limit * 2}) + "\n")
            asking.flush()
            line = answering.readline()
        except OSError as error:
            raise EvalError(f"aider's helper is gone: {error}") from error
        if not line:
            raise EvalError("aider's helper ended")
        rows: Any = base.parsed(line, "aider")
        places = (base.Place(path=path, line=number, name=name) for path, number, name in rows)
        return self.symbols.answer(places, limit)

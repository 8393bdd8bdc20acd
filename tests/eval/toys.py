"""Rankers that are easy to foresee."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval.metrics import Row
from eval.rankers import Answer, Ranker, System


@dataclass(frozen=True)
class ByFile:
    """Ranks the files of a folder whose name is in the task before the others."""

    name: str = "toy"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["FileRanker"]:
        (folder / "mark").write_text("toy", encoding="utf-8")
        yield FileRanker(root)


@dataclass(frozen=True)
class FileRanker:
    root: Path

    def rank(self, description: str, limit: int) -> Answer:
        files = sorted(self.root.glob("*.py"), key=lambda f: (f.stem not in description, f.name))
        rows = tuple(Row(name=f.stem, path=f.name, line=1, score=1.0) for f in files[:limit])
        return Answer(rows=rows, sizes=tuple(f.stat().st_size for f in files[:limit]))


@dataclass(frozen=True)
class Reversed:
    """Sabotage: another system's ranking, worst first."""

    system: System
    name: str = "reversed"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["Backwards"]:
        with self.system.open(root, folder) as ranker:
            yield Backwards(ranker)


@dataclass(frozen=True)
class Backwards:
    ranker: Ranker

    def rank(self, description: str, limit: int) -> Answer:
        answer = self.ranker.rank(description, limit)
        return Answer(rows=answer.rows[::-1], sizes=answer.sizes[::-1])

"""What is measured: anything that ranks the symbols of a repository for a task.

A `System` makes a repository ready in a folder of its own and gives a `Ranker`, which is asked
one task after the other. Ours, the baselines and the peers all come in this shape, so the same
code ranks, times and scores them.
"""

import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from eval.failure import EvalError
from eval.measure import folder_size
from eval.metrics import Cost, Row
from eval.overrides import Overrides
from eval.results import Costs, Preparation, Rankings
from eval.tasks import Question
from knowing.engine import Engine
from knowing.errors import KnowingError
from knowing.retrieve.tuning import DEFAULT, Tuning


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Results for one task, best first."""

    rows: tuple[Row, ...]
    sizes: tuple[int, ...] = ()
    """Bytes of the text of each result, if known."""


class Ranker(Protocol):
    """A repository that is ready to be asked."""

    def rank(self, description: str, limit: int) -> Answer: ...


class System(Protocol):
    """Something that ranks."""

    @property
    def name(self) -> str: ...

    def open(self, root: Path, folder: Path) -> AbstractContextManager[Ranker]:
        """Make a repository ready; whatever is stored is stored below `folder`."""
        ...


@dataclass(frozen=True, slots=True)
class EngineRanker:
    """An engine over an index that is up to date."""

    engine: Engine
    tuning: Tuning = DEFAULT
    history: bool = True

    def rank(self, description: str, limit: int) -> Answer:
        ranking = self.engine.rank(
            description, limit=limit, tuning=self.tuning, history=self.history
        )
        table = ranking.view.symbols
        numbers = [int(hit.symbol) for hit in ranking.hits[:limit]]
        symbols = [ranking.view.symbol(number) for number in numbers]
        return Answer(
            rows=tuple(
                Row(name=symbol.name, path=symbol.path, line=symbol.line, score=float(hit.score))
                for symbol, hit in zip(symbols, ranking.hits, strict=False)
            ),
            sizes=tuple(int(table.end[number] - table.start[number]) for number in numbers),
        )


@dataclass(frozen=True, slots=True)
class EngineSystem:
    """This project's own engine."""

    overrides: Overrides = field(default_factory=Overrides)
    history: bool = True
    name: str = "knowing"

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator[EngineRanker]:
        try:
            with Engine.open(root, self.overrides.settings(root), folder) as engine:
                engine.index(history=self.history)
                yield EngineRanker(engine, self.overrides.tuning(), self.history)
        except KnowingError as error:
            raise EvalError(f"{root}: {error} {error.hint}".strip()) from error


def by_repo(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Repository -> what is asked of it, repositories in order of name."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.repo, []).append(question)
    return {repo: groups[repo] for repo in sorted(groups)}


@contextmanager
def opened(
    system: System, repo: str, corpus: Path, index_dir: Path | None
) -> Iterator[tuple[Ranker, Preparation]]:
    """A repository of the corpus made ready, with what that cost."""
    root = corpus / repo
    if not root.is_dir():
        raise EvalError(f"no such folder: {root}")
    with opened_folder(index_dir, repo) as folder:
        cpu, started = cpu_seconds(), time.perf_counter()
        with system.open(root.resolve(), folder) as ranker:
            yield (
                ranker,
                Preparation(
                    cpu=cpu_seconds() - cpu,
                    wall=time.perf_counter() - started,
                    disk=folder_size(folder),
                ),
            )


def rank_all(
    system: System,
    questions: Sequence[Question],
    corpus: Path,
    *,
    limit: int = 50,
    index_dir: Path | None = None,
    tolerant: bool = False,
) -> tuple[Rankings, Costs]:
    """Ask everything, repository by repository; rankings are in the order of the questions.

    With `tolerant`, a question that a system fails on is one without results.
    """
    costs = Costs()
    found: Rankings = {}
    for repo, asked in by_repo(questions).items():
        with opened(system, repo, corpus, index_dir) as (ranker, preparation):
            costs.repos[repo] = preparation
            for question in asked:
                started = time.perf_counter()
                answer = _answer(ranker, question, limit, tolerant)
                spent = (time.perf_counter() - started) * 1000
                found[question.id] = list(answer.rows)
                costs.tasks[question.id] = Cost(milliseconds=spent, sizes=answer.sizes)
    return {question.id: found[question.id] for question in questions}, costs


def _answer(ranker: Ranker, question: Question, limit: int, tolerant: bool) -> Answer:
    try:
        return ranker.rank(question.description, limit)
    except EvalError:
        if not tolerant:
            raise
        return Answer(rows=())


def cpu_seconds() -> float:
    """Processor time of this process and of the children it has waited for."""
    both = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


@contextmanager
def opened_folder(index_dir: Path | None, repo: str) -> Iterator[Path]:
    """A folder for one repository's index: kept below `index_dir`, or gone afterwards."""
    if index_dir is not None:
        folder = index_dir.resolve() / repo
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with TemporaryDirectory(prefix="knowing-rank-") as temporary:
        yield Path(temporary).resolve()

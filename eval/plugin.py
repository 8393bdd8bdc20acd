"""A pytest plug-in: cases about a repository as tests of it.

pytest -p eval.plugin --knowing-eval cases.json --knowing-root .
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from eval.cases import Case, flaw, read_cases
from eval.failure import EvalError
from eval.rankers import EngineSystem, Ranker

_RANKER = pytest.StashKey[Ranker]()
_OPEN = pytest.StashKey[ExitStack]()


class WrongAnswerError(Exception):
    """An answer that a case does not accept."""


class CaseItem(pytest.Item):
    """One case as a test."""

    def __init__(self, *, case: Case, **more: Any) -> None:
        super().__init__(**more)
        self.case = case
        self.funcargs: dict[str, object] = {}
        """None; but plug-ins such as pytest-lsp look for it in every item."""

    def runtest(self) -> None:
        rows = _ranker(self.config).rank(self.case.query, self.case.depth).rows
        if said := flaw(self.case, rows):
            raise WrongAnswerError(said)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, WrongAnswerError | EvalError):
            return f"{self.case.query!r} ({self.case.type}): {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return Path(str(self.config.rootpath)), None, self.name


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("knowing", "which symbols come for a task")
    group.addoption("--knowing-eval", action="append", default=[], metavar="FILE", help="cases")
    group.addoption("--knowing-root", default=".", metavar="DIR", help="repository they are about")


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    for file in config.getoption("--knowing-eval"):
        try:
            cases = read_cases(Path(file))
        except EvalError as error:
            raise pytest.UsageError(str(error)) from error
        items += [
            CaseItem.from_parent(session, name=f"{Path(file).stem}::{case.id}", case=case)
            for case in cases
        ]


def _ranker(config: pytest.Config) -> Ranker:
    """The repository, indexed once for all cases."""
    if _RANKER not in config.stash:
        stack = config.stash[_OPEN] = ExitStack()
        folder = stack.enter_context(TemporaryDirectory(prefix="knowing-cases-"))
        root = Path(config.getoption("--knowing-root")).resolve()
        config.stash[_RANKER] = stack.enter_context(EngineSystem().open(root, Path(folder)))
    return config.stash[_RANKER]


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    yield
    if _OPEN in session.config.stash:
        session.config.stash[_OPEN].close()

"""A change as a reviewer sees it: the values that an engine fills and a skin shows."""

from dataclasses import dataclass

from knowing.history.activity import FileActivity
from knowing.history.revision import ChangeKind
from knowing.impact.blast import Blast
from knowing.impact.compare import SymbolChange
from knowing.impact.mentions import Mention
from knowing.impact.runners import Command
from knowing.impact.tests import TestPlan
from knowing.reports import ContextAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A symbol that has changed, and what that means for others."""

    change: SymbolChange
    symbol: int | None
    """In the view; None for what is not there."""
    impact: Blast | None
    leftovers: tuple[Mention, ...] = ()
    """Places that still name what is gone."""
    is_test: bool = False
    tests: int = 0
    """Sure and likely tests that run it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedFile:
    """A file of the change."""

    path: str
    old_path: str | None
    kind: ChangeKind
    added: int
    """Lines."""
    removed: int
    activity: FileActivity | None
    hot: bool
    """Whether it is among those that change most often."""
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """All that is known about a change."""

    base: str
    tip: str
    files: tuple[ReviewedFile, ...]
    symbols: tuple[Reviewed, ...]
    tests: TestPlan
    first: tuple[Command, ...]
    """What to run first: the few tests that are surest to be concerned."""
    untested: tuple[int, ...]
    context: ContextAnswer | None
    notes: tuple[str, ...]

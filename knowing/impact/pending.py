"""An edit that is not saved yet, as an editor shows it: what would break, which tests to run."""

from dataclasses import dataclass

from knowing.graph import View
from knowing.impact.compare import SymbolChange
from knowing.impact.tests import TestPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenUse:
    """A place that uses a symbol as it was."""

    path: str
    line: int
    """In the file as it is saved; in the edited file, as the editor shows it."""
    name: str
    """Of the symbol around it, or the line itself."""
    confidence: float
    sure: bool
    """Whether the graph knows that this symbol is meant."""
    is_test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A symbol that the edit changes."""

    change: SymbolChange
    symbol: int | None
    """In the view of what is saved; None for what is new."""
    uses: tuple[BrokenUse, ...] = ()
    complete: bool = True
    """Whether `uses` holds all uses of a symbol that changes for its users."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEdit:
    """All that an edit changes, what breaks others first."""

    view: View
    """Of what is saved."""
    path: str
    changes: tuple[Pending, ...]
    tests: TestPlan
    notes: tuple[str, ...]

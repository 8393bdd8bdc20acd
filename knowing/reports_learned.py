"""Answers about what was learned, as values that every skin can show."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What became of feedback."""

    accepted: bool
    reason: str
    """Why it was not accepted, or what was noted."""
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A symbol that is pinned or banned."""

    symbol: str
    deed: str
    topic: str
    """Words of the task it holds for; empty for all tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """How a symbol fared in answers, over all tasks."""

    symbol: str
    useful: float
    passed_over: float
    expired: bool
    """Whether its package has changed since, so that this is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word that leads to a symbol."""

    word: str
    symbol: str
    count: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedReport:
    """All that was learned about a workspace, the most telling first."""

    path: Path
    enabled: bool
    events: int
    by_deed: Mapping[str, int]
    topics: int
    wishes: tuple[Wish, ...]
    opinions: tuple[Opinion, ...]
    words: tuple[Word, ...]
    tuning: Mapping[str, float]
    """Ranking numbers that were calibrated for this workspace."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One set of ranking numbers, tried on commits of the workspace."""

    values: Mapping[str, float]
    gain: float
    """Of the mean figure on the commits it was chosen on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneReport:
    """What calibration found; `applied` says whether anything was changed."""

    commits: int
    held_out: int
    trials: tuple[Trial, ...]
    chosen: Mapping[str, float]
    before: float
    after: float
    """Mean figures on the commits that were held out."""
    low: float
    high: float
    """Interval of the mean difference on them, 95 %."""
    applied: bool
    verdict: str

"""Answers about the index itself, as values that every skin can show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowing.model import Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What an index run has made."""

    root: Path
    generation: int
    files: int
    symbols: int
    edges: int
    by_language: Mapping[str, int]
    by_edge_kind: Mapping[str, int]
    by_origin: Mapping[str, int]
    skipped: tuple[Skipped, ...]
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    commits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """What language servers have said about a workspace."""

    files: Mapping[str, int] = field(default_factory=dict)
    """Files whose answers hold, by server and version."""
    outdated: int = 0
    """Files that have changed since they were asked about."""
    last: Mapping[str, Any] = field(default_factory=dict)
    """What became of the last run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What is known about a workspace, and how current it is."""

    root: Path
    folder: Path
    state: str
    """`fresh`, `stale` (the workspace has changed since) or `missing` (no complete index)."""
    generation: int
    files: int
    symbols: int
    edges: int
    by_language: Mapping[str, int]
    pending: int
    """Files that differ from the index."""
    skipped: tuple[Skipped, ...]
    unsupported: Mapping[str, int]
    """Files of no known language, by extension."""
    commits: int
    disk_bytes: int
    notes: tuple[str, ...] = ()
    enriched: Enriched = Enriched()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that `doctor` looked at."""

    name: str
    good: bool
    detail: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """How fresh and how complete the index is that an answer comes from."""

    state: str
    """`fresh`, `indexing` or `stale`."""
    generation: int
    files: int
    symbols: int
    edges: int
    pending: int = 0
    """Files that have changed and are not in the answer."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One ranked symbol of an answer."""

    rank: int
    name: str
    qualified_name: str
    kind: str
    path: str
    line: int
    end_line: int
    score: float
    origin: str = "structural"
    confidence: float = 1.0
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """An item and what of it is in the packed text."""

    item: Item
    detail: str
    tokens: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAnswer:
    """The symbols that matter for a task, packed into a budget."""

    task: str
    root: Path
    index: IndexState
    budget: int
    used: int
    tokenizer: str
    left_out: int
    symbols: tuple[ShownItem, ...]
    text: str
    """The block as it goes to a chat."""
    notes: tuple[str, ...] = ()
    """What stands in the way of a better answer; never empty when nothing was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsAnswer:
    """Ranked symbols, files or sections without their text."""

    query: str
    root: Path
    index: IndexState
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """One summand of a score."""

    name: str
    value: float
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPlace:
    """Where a symbol stands among all by one kind of evidence."""

    name: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """A symbol on the way from a match, and the edge that leads to it."""

    symbol: str
    edge: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a symbol has the score it has; the parts add up to it."""

    task: str
    symbol: str
    rank: int | None
    """None if it was not returned."""
    score: float
    parts: tuple[ScorePart, ...]
    channels: tuple[ChannelPlace, ...]
    path: tuple[PathStep, ...]
    verdict: str
    index: IndexState

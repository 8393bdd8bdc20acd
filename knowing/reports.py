"""Answers about the index itself, as values that every skin can show."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that `doctor` looked at."""

    name: str
    good: bool
    detail: str
    advice: str = ""

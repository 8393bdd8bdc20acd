"""How enrichment stands, as values that can be shown."""

from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    OFF = "off"
    """Not allowed here, or not wanted."""
    IDLE = "idle"
    WORKING = "working"
    WAITING = "waiting"
    """The machine has other things to do."""
    PAUSED = "paused"


class Use(StrEnum):
    """What became of a language."""

    ENRICHED = "enriched"
    PARTLY = "partly"
    SYNTAX_ONLY = "syntax only"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageStatus:
    """One language: who answers for it, or why only its syntax is known."""

    language: str
    use: Use
    server: str = ""
    """Name and version."""
    reason: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Told after each file."""

    done: int
    total: int
    path: str
    server: str


@dataclass(slots=True, kw_only=True)
class RunReport:
    """What one run has done."""

    files: int = 0
    sites: int = 0
    resolved: int = 0
    failures: int = 0
    """Sites at which a server refused or fell silent."""
    restarts: int = 0
    peak_mb: int = 0
    seconds: float = 0.0
    complete: bool = True
    """False if it was cancelled."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Files that were not asked about, and why."""
    languages: list[LanguageStatus] = field(default_factory=list)

"""What users do with answers, as it is kept: the nouns of learning.

An event says that somebody did something with one symbol, for a task or for none. It names the
symbol by its identity and the content that the symbol's package had, never by a number.
"""

from dataclasses import dataclass
from enum import StrEnum


class Deed(StrEnum):
    """What was done with a symbol. The text is stored."""

    SHOWN = "shown"
    OPENED = "opened"
    EDITED = "edited"
    COPIED = "copied"
    USED = "used"
    """In a chat, or by an agent."""
    UP = "up"
    DOWN = "down"
    PINNED = "pinned"
    BANNED = "banned"
    IGNORED = "ignored"
    """Shown while others were used; old events are folded into this one."""


USES = frozenset({Deed.OPENED, Deed.EDITED, Deed.COPIED, Deed.USED})
"""Deeds that show, without being asked, that a symbol was worth showing."""
VERDICTS = frozenset({Deed.UP, Deed.DOWN})
WISHES = frozenset({Deed.PINNED, Deed.BANNED})
"""Deeds that hold until they are taken back, whatever becomes of the code."""


class Source(StrEnum):
    """Where a deed was done. The text is stored."""

    EDITOR = "editor"
    TERMINAL = "terminal"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One deed, or several like it folded into one."""

    time: float
    """Seconds since 1970; of the last one, if there are several."""
    deed: Deed
    symbol: str
    """Identity: `path::Owner.name`."""
    path: str
    """The file the symbol is in."""
    package: str = ""
    """Hash of the content of the folder the file is in, as it was then."""
    topic: str = ""
    """What the task is about: its words that say something, sorted; empty without a task."""
    source: Source = Source.EDITOR
    request: int = 0
    """Number of the answer that the deed belongs to; 0 for none."""
    rank: int = 0
    """Place in that answer, from 1; 0 if it was not in one."""
    count: int = 1

"""LEARN: what users do with answers to what the next answer takes from it.

`Memory` takes in events one by one and adds them up; `learned_for` turns it into the values that
ranking takes for one task, one view and one moment; `folded` shortens the list of events without
changing what they say; `exchange` writes and reads them as a file. Nothing here reads a clock, a
database or a file: who calls says what time it is.
"""

from knowing.learn.fold import folded
from knowing.learn.ground import Ground
from knowing.learn.habits import habits, milestone
from knowing.learn.memory import Memory
from knowing.learn.signals import learned_for
from knowing.learn.topics import topic_of

__all__ = ["Ground", "Memory", "folded", "habits", "learned_for", "milestone", "topic_of"]

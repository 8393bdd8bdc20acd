"""Chooses how much of each symbol is shown within a budget.

Each symbol offers levels, from its name to its body. The next step is always the one that adds
most for its tokens, where what a step adds falls with the rank of the symbol. Cost enters with a
root, so that the body of a first hit comes before a crowd of names, and lines that are already
shown cost nothing: a symbol of a file that is open anyway is cheap, and nothing is shown twice.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from knowing.pack.compress import FEWEST_ALIKE, alike, comparable
from knowing.pack.values import Candidate, Step

WORTH = {
    Step.NAME: 0.06,
    Step.SIGNATURE: 0.35,
    Step.DOC: 0.5,
    Step.COMPRESSED: 0.85,
    Step.BODY: 1.0,
}
"""What a level is worth, the whole body being 1."""
_DAMPING = 0.6
"""The exponent of the cost: 1 takes what is cheapest for its worth, 0 the order of ranks."""
_FALL = 0.12
"""How quickly worth falls with the rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A symbol at one level: lines of its file, or words about it where there are none."""

    step: Step
    lines: tuple[int, ...] = ()
    words: str = ""
    cost: float = 0.0
    """Of the words."""


@dataclass(slots=True, kw_only=True, eq=False)
class Entry:
    """A candidate with its levels, least first."""

    rank: int
    candidate: Candidate
    file: int
    """-1 for what is outside the code."""
    levels: Sequence[Level]
    span: tuple[int, int] = (0, -1)
    shape: Counter[str] = field(default_factory=Counter)
    """Of the body, to tell near-duplicates."""
    twins: "list[Entry]" = field(default_factory=list)
    """Others with nearly the same body."""
    weight: float = 0.0
    at: int = -1
    """The chosen level, -1 for none."""
    extras: dict[int, float] = field(default_factory=dict)
    """What a step to a level costs, as long as nothing of its file changes."""

    @property
    def level(self) -> Level | None:
        return self.levels[self.at] if self.at >= 0 else None


@dataclass(slots=True, kw_only=True, eq=False)
class Shelf:
    """One file's costs and what is chosen of it."""

    header: float
    """What the file costs once, before any line."""
    group: float
    """What it costs to name it without showing lines."""
    mark: float
    """What a mark for left-out lines costs at most."""
    line: dict[int, float]
    entries: list[Entry] = field(default_factory=list)

    def shown(self) -> set[int]:
        return {number for entry in self.entries if entry.level for number in entry.level.lines}

    def cost(self) -> float:
        """Of all that is chosen of this file."""
        numbers = sorted(self.shown())
        total = sum(self.line[number] for number in numbers)
        if numbers:
            low, high = self.bounds()
            gaps = _gaps(numbers) + (numbers[0] > low) + (numbers[-1] < high)
            total += self.header + self.mark * gaps
        words = [entry.level.cost for entry in self.entries if entry.level and entry.level.words]
        return total + sum(words) + (self.group if words else 0.0)

    def bounds(self) -> tuple[int, int]:
        """The first and the last line of all symbols of which lines are shown."""
        spans = [entry.span for entry in self.entries if entry.level and entry.level.lines]
        return min(low for low, _ in spans), max(high for _, high in spans)


def _gaps(numbers: Sequence[int]) -> int:
    return sum(after - before > 1 for before, after in pairwise(numbers))


def weigh(entries: Sequence[Entry]) -> None:
    """Gives each entry its weight: half by score, half by rank, so that any scores will do."""
    best = max((entry.candidate.score for entry in entries), default=0.0)
    for entry in entries:
        share = max(entry.candidate.score, 0.0) / best if best > 0 else 0.0
        entry.weight = 0.5 * min(share, 1.0) + 0.5 / (1 + _FALL * entry.rank)


class Chooser:
    """Takes steps while they fit, and can take the last ones back."""

    def __init__(self, entries: Sequence[Entry], shelves: dict[int, Shelf], budget: float) -> None:
        self._entries, self._shelves = entries, shelves
        self._budget = budget
        self.total = 0.0
        self._costs = dict.fromkeys(shelves, 0.0)
        self._taken: list[tuple[Entry, int]] = []

    def fill(self, limit: float) -> bool:
        """Takes all steps that fit below a limit; whether there was one."""
        before = len(self._taken)
        heap: list[tuple[float, int, int]] = []
        for number, entry in enumerate(self._entries):
            found = self._best(entry, limit)
            if found is not None:
                heapq.heappush(heap, (-found[0], number, found[1]))
        while heap:
            _, number, _ = heapq.heappop(heap)
            entry = self._entries[number]
            # What it costs may have changed with what is shown by now.
            found = self._best(entry, limit)
            if found is None:
                continue
            if heap and found[0] < -heap[0][0]:
                heapq.heappush(heap, (-found[0], number, found[1]))
                continue
            self._take(entry, found[1])
            again = self._best(entry, limit)
            if again is not None:
                heapq.heappush(heap, (-again[0], number, again[1]))
        return len(self._taken) > before

    def back(self, amount: float) -> bool:
        """Takes back the last steps until the cost is lower by `amount`; False if none is left."""
        goal = self.total - amount
        if not self._taken:
            return False
        while self._taken and self.total > goal:
            entry, level = self._taken.pop()
            entry.at = level
            self._settle(entry.file)
        return True

    def clear(self) -> None:
        """Takes everything back."""
        for entry in self._entries:
            entry.at = -1
            entry.extras.clear()

    def _best(self, entry: Entry, limit: float) -> tuple[float, int] | None:
        """The step that adds most for its tokens, and how much that is."""
        best: tuple[float, int] | None = None
        start = WORTH[entry.level.step] if entry.level else 0.0
        for target in range(entry.at + 1, len(entry.levels)):
            extra = self._extra(entry, target)
            if self.total + extra > limit:
                continue
            if entry.levels[target].step >= Step.COMPRESSED and self._copied(entry):
                continue
            gain = (WORTH[entry.levels[target].step] - start) * entry.weight
            # One symbol should not take the whole budget while others have nothing.
            share = max(0.02, 1 - extra / max(self._budget, 1.0))
            density = gain * share / max(extra, 1.0) ** _DAMPING
            if best is None or density > best[0]:
                best = density, target
        return best

    def _extra(self, entry: Entry, target: int) -> float:
        known = entry.extras.get(target)
        if known is None:
            at, entry.at = entry.at, target
            known = self._shelves[entry.file].cost() - self._costs[entry.file]
            entry.at = at
            entry.extras[target] = known
        return known

    def _take(self, entry: Entry, target: int) -> None:
        self._taken.append((entry, entry.at))
        entry.at = target
        self._settle(entry.file)

    def _settle(self, file: int) -> None:
        shelf = self._shelves[file]
        cost = shelf.cost()
        self.total += cost - self._costs[file]
        self._costs[file] = cost
        for entry in shelf.entries:
            entry.extras.clear()

    def _copied(self, entry: Entry) -> bool:
        """Another symbol with nearly the same body is shown with its body."""
        levels = [twin.level for twin in entry.twins]
        return any(level is not None and level.step >= Step.COMPRESSED for level in levels)


def find_twins(entries: Sequence[Entry]) -> None:
    """Notes which symbols have nearly the same body; what is nested in another is not its twin."""
    sized = sorted(
        ((entry.shape.total(), entry) for entry in entries),
        key=lambda item: (item[0], item[1].rank),
    )
    for place, (size, entry) in enumerate(sized):
        for larger, other in sized[place + 1 :]:
            if size < FEWEST_ALIKE or not comparable(size, larger):
                break
            if not _nested(entry, other) and alike(entry.shape, other.shape):
                entry.twins.append(other)
                other.twins.append(entry)


def _nested(one: Entry, other: Entry) -> bool:
    return one.file == other.file and one.span[0] <= other.span[1] and other.span[0] <= one.span[1]


def shown_levels(entries: Sequence[Entry], shelves: dict[int, Shelf]) -> list[Level | None]:
    """What each entry is shown at: the highest level all of whose lines are there anyway."""
    lines = {file: shelf.shown() for file, shelf in shelves.items()}
    result: list[Level | None] = []
    for entry in entries:
        higher = reversed(entry.levels[entry.at + 1 :])
        there = (one for one in higher if one.lines and lines[entry.file].issuperset(one.lines))
        result.append(next(there, entry.level))
    return result

"""A ranking: the symbols that were chosen, and the trace of the run that chose them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from knowing.graph.view import View
from knowing.retrieve.choose import Choice
from knowing.retrieve.learned import Learned
from knowing.retrieve.parts import Part, parts_of
from knowing.retrieve.reasons import reasons
from knowing.retrieve.scene import Evidence, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One symbol of the answer; its number is local to the ranking's view."""

    symbol: int
    rank: int
    score: float
    """The sum of its parts."""
    parts: tuple[Part, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The answer and everything it was made from."""

    scene: Scene
    evidence: Evidence
    hits: tuple[Hit, ...]
    learned: Learned | None = None

    @property
    def view(self) -> View:
        return self.scene.view

    @cached_property
    def by_symbol(self) -> dict[int, Hit]:
        return {hit.symbol: hit for hit in self.hits}


def hits(
    scene: Scene,
    evidence: Evidence,
    chosen: Sequence[Choice],
    learned: Learned | None = None,
) -> tuple[Hit, ...]:
    """The choices as numbered hits, with their scores taken apart."""
    found = []
    for rank, choice in enumerate(chosen, 1):
        parts = parts_of(scene, evidence, choice.symbol, choice.variety, learned)
        found.append(
            Hit(
                symbol=choice.symbol,
                rank=rank,
                score=sum(part.value for part in parts),
                parts=parts,
                why=reasons(scene, parts, choice.symbol),
            )
        )
    return tuple(found)

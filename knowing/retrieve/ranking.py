"""A ranking: the symbols that were chosen, and the trace of the run that chose them."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowing.graph.view import View
from knowing.retrieve.choose import Choice
from knowing.retrieve.scene import Evidence, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One symbol of the answer; its number is local to the ranking's view."""

    symbol: int
    rank: int
    score: float
    variety: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The answer and everything it was made from."""

    scene: Scene
    evidence: Evidence
    hits: tuple[Hit, ...]

    @property
    def view(self) -> View:
        return self.scene.view


def hits(scene: Scene, evidence: Evidence, chosen: Sequence[Choice]) -> tuple[Hit, ...]:
    """The choices as numbered hits."""
    score = evidence["score"]
    return tuple(
        Hit(
            symbol=choice.symbol,
            rank=rank,
            score=float(score[choice.symbol]) * choice.variety,
            variety=choice.variety,
        )
        for rank, choice in enumerate(chosen, 1)
    )

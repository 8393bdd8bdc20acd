"""What use has taught, as ranking takes it: values for symbols of one view, for one task.

Whoever keeps what users do makes a `Learned` from it; here it is only added up. Each kind is a part
of the score of its own, so an explanation shows what was learned apart from what was found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from knowing.graph.keys import Ids
from knowing.retrieve.bags import Floats
from knowing.retrieve.scene import Evidence, Scene

PARTS = ("usage", "session", "feedback", "vocabulary", "pins")
"""Parts of a score that are learned, in the order in which they are shown."""
PLAIN = "plain"
"""The channel that holds the score without them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Signal:
    """Values of some symbols; all others have none."""

    symbols: Ids
    values: Floats
    details: Mapping[int, str] = field(default_factory=dict)
    """What to say of a symbol, where there is something to say."""

    @classmethod
    def of(cls, values: Mapping[int, float], details: Mapping[int, str] | None = None) -> "Signal":
        numbers = sorted(number for number, value in values.items() if value)
        return cls(
            symbols=np.array(numbers, dtype=np.int32),
            values=np.array([values[number] for number in numbers], dtype=np.float32),
            details=details or {},
        )


NO_SIGNAL = Signal.of({})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned:
    """All that was learned and has to do with one task; numbers are of one view."""

    usage: Floats | None = None
    """For every symbol the share of its score that habits add or take away."""
    session: Signal = NO_SIGNAL
    """Shares of a symbol's score."""
    feedback: Signal = NO_SIGNAL
    """Shares of the best score."""
    vocabulary: Signal = NO_SIGNAL
    """Shares of the best score, before what a symbol is in itself."""
    pinned: tuple[int, ...] = ()
    banned: tuple[int, ...] = ()

    def detail(self, part: str, symbol: int) -> str:
        """What there is to say of a symbol besides what the part means."""
        signal = getattr(self, part, None)
        return signal.details.get(symbol, "") if isinstance(signal, Signal) else ""


def adjust(scene: Scene, evidence: Evidence, learned: Learned | None) -> Evidence:
    """`score` with what was learned added to it, and each part of that by itself."""
    if learned is None:
        return evidence
    plain = evidence["score"]
    # Words that the code does not know find nothing, but may have led somewhere before.
    top = np.float32(plain.max(initial=0.0) or 1.0)
    usage = plain * learned.usage if learned.usage is not None else scene.nothing()
    session = _spread(scene, learned.session) * plain
    feedback = _spread(scene, learned.feedback) * top
    likely = evidence["likelihood"] * evidence["standing"]
    vocabulary = _spread(scene, learned.vocabulary) * likely * top
    total = plain + usage + session + feedback + vocabulary
    pins = scene.nothing()
    # A pinned symbol comes before all others; those that are pinned keep their order.
    pinned, banned = _numbers(learned.pinned), _numbers(learned.banned)
    pins[pinned] = 2 * np.abs(total).max(initial=1.0)
    pins[banned] = -total[banned]
    total = total + pins
    return evidence.plus(
        plain=plain,
        usage=usage,
        session=session,
        feedback=feedback,
        vocabulary=vocabulary,
        pins=pins,
        score=total,
    )


def _numbers(symbols: tuple[int, ...]) -> Ids:
    return np.array(symbols, dtype=np.int32)


def _spread(scene: Scene, signal: Signal) -> Floats:
    values = scene.nothing()
    values[signal.symbols] = signal.values
    return values

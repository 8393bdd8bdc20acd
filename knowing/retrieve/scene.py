"""What a ranking works on: one view with its look-up structures, one task, one tuning."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from knowing.graph.view import View
from knowing.retrieve.bags import Floats
from knowing.retrieve.past import Past
from knowing.retrieve.prepared import Prepared
from knowing.retrieve.task import Task
from knowing.retrieve.tuning import Tuning


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a stage may look at."""

    view: View
    prepared: Prepared
    past: Past | None
    task: Task
    tuning: Tuning

    @property
    def count(self) -> int:
        return len(self.view.symbols)

    @property
    def terms(self) -> list[tuple[int, float]]:
        return [(term.number, term.weight) for term in self.task.terms]

    def nothing(self) -> Floats:
        """A channel that says nothing of any symbol."""
        return np.zeros(self.count, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the stages have found so far: for each channel a value for each symbol."""

    channels: Mapping[str, Floats] = field(default_factory=dict)

    def __getitem__(self, channel: str) -> Floats:
        return self.channels[channel]

    def plus(self, **channels: Floats) -> Self:
        return replace(self, channels={**self.channels, **channels})


Stage = Callable[[Scene, Evidence], Evidence]
"""Pure: adds channels to the evidence and changes none."""


def normalised(values: Floats) -> Floats:
    """Values with 1 as their largest; all zero stays so."""
    largest = float(values.max()) if len(values) else 0.0
    return values / np.float32(largest) if largest > 0 else values

"""Weights of channels fitted to one workspace, by commits: what they touched is wanted.

Weights are chosen on earlier commits, one at a time, and judged on later ones that had no part in
the choice. They count as better only if the interval of the mean difference on those is above zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Weights = dict[str, float]

DEPTH = 10
FACTORS = (0.0, 0.5, 2.0, 4.0)
"""What each weight is tried to be multiplied with."""
MOST_CHANGES = 3
LEAST_GAIN = 0.002
"""A change that adds less to the mean is not worth having."""
FEWEST = 12
"""Commits to choose on, and as many to judge on: fewer say nothing."""
_RESAMPLES = 4000
_SEED = 9
_TAIL = 0.025
_DISCOUNT = 1 / np.log2(np.arange(2, DEPTH + 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One commit: the evidence for each candidate, and which of them it touched."""

    channels: Doubles
    """A row for each channel, a column for each candidate."""
    factor: Doubles
    """What a candidate is in itself."""
    wanted: npt.NDArray[np.bool_]
    total: int
    """How many symbols it touched, candidates or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Weights that were chosen, and what they are worth."""

    tried: tuple[tuple[Weights, float], ...]
    """What was changed and what that gained on the commits it was chosen on."""
    changed: Weights
    before: float
    after: float
    low: float
    high: float

    @property
    def is_better(self) -> bool:
        return bool(self.changed) and self.low > 0


def calibrate(
    names: Sequence[str],
    shipped: Mapping[str, float],
    chosen_on: Sequence[Case],
    judged_on: Sequence[Case],
) -> Calibration:
    """Changes weights one by one while the earlier commits gain, then asks the later ones."""
    weights = np.array([shipped[name] for name in names], dtype=np.float64)
    best = weights
    changed: Weights = {}
    tried: list[tuple[Weights, float]] = []
    value = float(figures(best, chosen_on).mean())
    for _ in range(MOST_CHANGES):
        found = _best_change(names, best, weights, chosen_on)
        if found is None or found[2] < value + LEAST_GAIN:
            break
        place, best, gained = found
        changed[names[place]] = float(best[place])
        tried.append((dict(changed), gained - value))
        value = gained
    before, after = figures(weights, judged_on), figures(best, judged_on)
    low, high = _interval(after - before)
    return Calibration(
        tried=tuple(tried),
        changed=changed,
        before=float(before.mean()),
        after=float(after.mean()),
        low=low,
        high=high,
    )


def _best_change(
    names: Sequence[str], current: Doubles, shipped: Doubles, cases: Sequence[Case]
) -> tuple[int, Doubles, float] | None:
    found: tuple[int, Doubles, float] | None = None
    for place in range(len(names)):
        for factor in FACTORS:
            trial = current.copy()
            trial[place] = shipped[place] * factor
            if trial[place] == current[place]:
                continue
            value = float(figures(trial, cases).mean())
            if found is None or value > found[2]:
                found = (place, trial, value)
    return found


def figures(weights: Doubles, cases: Sequence[Case]) -> Doubles:
    """nDCG over the first ten, for each case."""
    return np.array([_figure(weights, case) for case in cases], dtype=np.float64)


def _figure(weights: Doubles, case: Case) -> float:
    score = (weights @ case.channels) * case.factor
    order = np.argsort(-score, kind="stable")[:DEPTH]
    gain = float(_DISCOUNT[: len(order)][case.wanted[order]].sum())
    return gain / float(_DISCOUNT[: max(1, min(case.total, DEPTH))].sum())


def _interval(change: Doubles) -> tuple[float, float]:
    """Of the mean over resampled commits, the same resamples in every run."""
    chance = np.random.default_rng(_SEED)
    picks = chance.integers(0, len(change), size=(_RESAMPLES, len(change)))
    low, high = np.quantile(change[picks].mean(axis=1), [_TAIL, 1 - _TAIL])
    return float(low), float(high)

"""Two figures for each of the same tasks: is the difference more than chance?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.failure import EvalError

RESAMPLES = 10_000
SEED = 4
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How B differs from A over paired tasks."""

    tasks: int
    a: float
    b: float
    better: int
    worse: int
    p: float
    """Wilcoxon signed-rank test, two-sided, ties dropped; 1 if nothing differs."""
    effect: float
    """Cohen's d of the differences: mean over standard deviation; .2 small, .5 middling."""
    low: float
    high: float
    """Interval of the mean difference that resampling tasks gives, 95 %."""

    @property
    def gain(self) -> float:
        return self.b - self.a


def difference(a: Sequence[float], b: Sequence[float]) -> Difference:
    """Compare figures of the same tasks, in the same order."""
    if len(a) != len(b) or not a:
        raise EvalError("nothing to compare: the two have no task in common")
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    # Figures that differ by rounding alone are equal.
    change = np.where(np.isclose(first, second, rtol=0, atol=1e-12), 0.0, second - first)
    low, high = bootstrap(change)
    return Difference(
        tasks=len(a),
        a=float(first.mean()),
        b=float(second.mean()),
        better=int((change > 0).sum()),
        worse=int((change < 0).sum()),
        p=_wilcoxon(change),
        effect=_effect(change),
        low=low,
        high=high,
    )


def bootstrap(change: "np.typing.NDArray[np.float64]") -> tuple[float, float]:
    """Interval of the mean over resampled tasks, the same resamples in every run."""
    chance = np.random.default_rng(SEED)
    picks = chance.integers(0, len(change), size=(RESAMPLES, len(change)))
    means = change[picks].mean(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _wilcoxon(change: "np.typing.NDArray[np.float64]") -> float:
    from scipy import stats

    moved = change[change != 0]
    return float(stats.wilcoxon(moved).pvalue) if len(moved) else 1.0


def _effect(change: "np.typing.NDArray[np.float64]") -> float:
    spread = float(change.std(ddof=1)) if len(change) > 1 else 0.0
    return float(change.mean()) / spread if spread > 0 else 0.0

"""The score: named parts that add up, times what makes a symbol likely in itself."""

from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import numpy.typing as npt

from knowing.model import TYPE_KINDS
from knowing.retrieve.bags import Floats
from knowing.retrieve.scene import Evidence, Scene
from knowing.retrieve.task import Intent
from knowing.retrieve.tuning import ScoreWeights

CHANNELS = tuple(item.name for item in fields(ScoreWeights))
"""What is added up, in this order."""
PRIORS = ("in_degree", "lines", "doc", "subtypes", "data", "abstract")
"""What makes a symbol likelier, apart from its history."""


def add_up(scene: Scene, evidence: Evidence) -> Evidence:
    """`relevance`: the weighted sum of all channels."""
    weights = scene.tuning.score
    total = scene.nothing()
    for channel in CHANNELS:
        weight = getattr(weights, channel)
        if weight:
            total = total + np.float32(weight) * evidence[channel]
    return evidence.plus(relevance=total)


def weigh(scene: Scene, evidence: Evidence) -> Evidence:
    """`likelihood`: a factor for what a symbol is; `score`: everything together."""
    likelihood = _prior(scene)
    if faulty(scene):
        types = np.isin(scene.view.symbols.kind, _TYPES)
        likelihood[types] *= np.float32(scene.tuning.prior.report)
    score = evidence["relevance"] * likelihood * evidence["standing"]
    return evidence.plus(likelihood=likelihood, score=score)


Values = npt.NDArray[np.float32] | npt.NDArray[np.bool_]
_TYPES = tuple(sorted(TYPE_KINDS))


def faulty(scene: Scene) -> bool:
    """Whether the task is after a place in the code rather than a thing to build with."""
    return scene.task.intent in (Intent.REPORT, Intent.FIND)


def reported(scene: Scene, symbol: int) -> float:
    """The factor that a symbol's kind gets for the kind of task."""
    wanted = faulty(scene) and int(scene.view.symbols.kind[symbol]) in _TYPES
    return scene.tuning.prior.report if wanted else 1.0


def _prior(scene: Scene) -> Floats:
    prior = np.ones(scene.count, dtype=np.float32)
    for _, weight, values in _priors(scene):
        prior += np.float32(weight) * values
    return np.maximum(prior, np.float32(scene.tuning.prior.least))


def prior_values(scene: Scene, symbol: int) -> Iterator[tuple[str, float]]:
    """What each prior adds to the factor of one symbol."""
    return ((name, weight * float(values[symbol])) for name, weight, values in _priors(scene))


def _priors(scene: Scene) -> Iterator[tuple[str, float, Values]]:
    weights, priors = scene.tuning.prior, scene.prepared.priors
    for name in PRIORS:
        yield name, getattr(weights, name), getattr(priors, name)
    if scene.past is not None:
        yield "churn", weights.churn, scene.past.log_churn

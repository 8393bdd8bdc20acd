"""The score: named parts that add up, times what makes a symbol likely in itself."""

from dataclasses import fields

import numpy as np

from knowing.model import TYPE_KINDS
from knowing.retrieve.bags import Floats
from knowing.retrieve.scene import Evidence, Scene
from knowing.retrieve.task import Intent
from knowing.retrieve.tuning import ScoreWeights

CHANNELS = tuple(item.name for item in fields(ScoreWeights))
"""What is added up, in this order."""


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
    if scene.task.intent in (Intent.REPORT, Intent.FIND):
        types = np.isin(scene.view.symbols.kind, tuple(TYPE_KINDS))
        likelihood = np.where(
            types, likelihood * np.float32(scene.tuning.prior.report), likelihood
        )
    score = evidence["relevance"] * likelihood * evidence["standing"]
    return evidence.plus(likelihood=likelihood, score=score)


def _prior(scene: Scene) -> Floats:
    weights, priors = scene.tuning.prior, scene.prepared.priors
    prior = (
        1
        + np.float32(weights.in_degree) * priors.in_degree
        + np.float32(weights.lines) * priors.lines
        + np.float32(weights.doc) * priors.doc
        + np.float32(weights.subtypes) * priors.subtypes
        + np.float32(weights.data) * priors.data
        + np.float32(weights.abstract) * priors.abstract
    )
    if scene.past is not None:
        prior = prior + np.float32(weights.churn) * np.log1p(scene.past.churn)
    return np.maximum(prior, np.float32(weights.least)).astype(np.float32)

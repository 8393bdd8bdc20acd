"""Symbols around given ones: what belongs with a selection, a file or a change."""

from collections.abc import Mapping

import numpy as np

from knowing.graph.view import View
from knowing.retrieve import score, spread
from knowing.retrieve.choose import choose
from knowing.retrieve.past import Past
from knowing.retrieve.prepared import Prepared
from knowing.retrieve.ranking import Ranking, hits
from knowing.retrieve.scene import Evidence, Scene, Stage
from knowing.retrieve.score import CHANNELS
from knowing.retrieve.task import understand
from knowing.retrieve.tuning import DEFAULT, Tuning

STAGES: tuple[Stage, ...] = (
    spread.demote,
    spread.walk,
    spread.look_around,
    spread.ask_neighbours,
    score.add_up,
    score.weigh,
)


def rank_around(
    seeds: Mapping[int, float],
    view: View,
    prepared: Prepared,
    past: Past | None,
    *,
    limit: int = 50,
    tuning: Tuning = DEFAULT,
    without_seeds: bool = False,
) -> Ranking:
    """What the graph joins to some symbols, given with how much each matters."""
    task = understand("", prepared.text, "", tuning.task)
    scene = Scene(view=view, prepared=prepared, past=past, task=task, tuning=tuning)
    first = np.zeros(scene.count, dtype=np.float32)
    for symbol, strength in seeds.items():
        first[symbol] = strength
    nothing = scene.nothing()
    evidence = Evidence(channels=dict.fromkeys(CHANNELS, nothing)).plus(first=first, text=first)
    for stage in STAGES:
        evidence = stage(scene, evidence)
    scores = evidence["score"]
    if without_seeds:
        scores = scores.copy()
        scores[list(seeds)] = 0
    chosen = choose(scene, scores, limit)
    return Ranking(scene=scene, evidence=evidence, hits=hits(scene, evidence, chosen))

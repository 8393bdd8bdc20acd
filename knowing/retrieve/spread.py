"""From the first score to its surroundings: seeds, walks, families, callers and callees."""

import numpy as np

from knowing.graph.keys import Ints
from knowing.model import SymbolFlag, SymbolKind
from knowing.retrieve.bags import Floats
from knowing.retrieve.scene import Evidence, Scene, normalised


def demote(scene: Scene, evidence: Evidence) -> Evidence:
    """`standing`: a factor below 1 for what a task seldom wants unless it says so."""
    flags, kinds = scene.view.symbols.flags, scene.view.symbols.kind
    prior, task = scene.tuning.prior, scene.task
    standing = np.ones(scene.count, dtype=np.float32)
    away = np.zeros(scene.count, dtype=bool)
    if not task.wants_tests:
        away |= (flags & int(SymbolFlag.TEST)) != 0
    if not task.wants_examples:
        away |= (flags & int(SymbolFlag.EXAMPLE)) != 0
    standing[away] *= np.float32(prior.aside)
    standing[(flags & int(SymbolFlag.VENDORED)) != 0] *= np.float32(prior.vendored)
    standing[(flags & int(SymbolFlag.GENERATED)) != 0] *= np.float32(prior.generated)
    standing[scene.prepared.priors.space] *= np.float32(prior.namespace)
    standing[scene.prepared.priors.nested] *= np.float32(prior.nested)
    standing[scene.prepared.priors.hollow] *= np.float32(prior.hollow)
    standing[kinds == SymbolKind.MODULE] *= np.float32(prior.module)
    standing[kinds >= SymbolKind.DOC_SECTION] = 0
    return evidence.plus(standing=standing)


def seed(scene: Scene, evidence: Evidence) -> Evidence:
    """`first`: the score without the graph, from which it is walked."""
    weights, priors = scene.tuning.seed, scene.prepared.priors
    text = evidence["text"]
    central = (1 + np.float32(weights.in_degree) * priors.in_degree) / np.float32(weights.scale)
    score: Floats = text * central.astype(np.float32)
    for channel in ("commits", "tests", "sections", "coverage", "compound", "identifier", "place"):
        score = score + np.float32(getattr(weights, channel)) * evidence[channel]
    score = score + np.float32(weights.file) * evidence["file"] * text
    return evidence.plus(first=normalised(score * evidence["standing"]))


def walk(scene: Scene, evidence: Evidence) -> Evidence:
    """`walk`: reached from the seeds along all edges; `family`: along ownership only."""
    first, tuning, weights = evidence["first"], scene.tuning.walk, scene.tuning.seed
    seeds = _best(first, weights.count)
    strengths = first[seeds] ** np.float32(weights.power)
    reached = scene.prepared.network.walk(
        seeds, strengths, tuning.restart, tuning.rounds, tuning.least
    )
    family = scene.prepared.families.walk(
        seeds, strengths, tuning.family_restart, tuning.family_rounds, tuning.least
    )
    return evidence.plus(walk=np.sqrt(normalised(reached)), family=normalised(family))


def _best(values: Floats, count: int) -> Ints:
    """The largest values, largest first, ties by number."""
    if len(values) > count:
        least = np.partition(values, len(values) - count)[len(values) - count]
        chosen = np.flatnonzero(values >= max(float(least), 1e-12))
    else:
        chosen = np.flatnonzero(values > 0)
    return chosen[np.argsort(-values[chosen], kind="stable")][:count]


def look_around(scene: Scene, evidence: Evidence) -> Evidence:
    """`members`, `owner`, `file_best`: the first scores of a symbol's family and file."""
    first, table = evidence["first"], scene.view.symbols
    owned = np.flatnonzero(table.owner >= 0)
    owner = table.owner[owned]
    members = np.bincount(owner, weights=first[owned] ** 2, minlength=scene.count)
    of_owner = scene.nothing()
    of_owner[owned] = first[owner]
    inside = np.flatnonzero(table.file >= 0)
    best = np.zeros(len(scene.view.paths), dtype=np.float32)
    np.maximum.at(best, table.file[inside], first[inside])
    file_best = scene.nothing()
    file_best[inside] = best[table.file[inside]]
    return evidence.plus(
        members=normalised(np.sqrt(members).astype(np.float32)),
        owner=of_owner,
        file_best=file_best,
    )


def ask_neighbours(scene: Scene, evidence: Evidence) -> Evidence:
    """`best_caller`, `best_callee`: the best first score among users and among what is used."""
    first, uses, tuning = evidence["first"], scene.prepared.uses, scene.tuning.walk
    bonus = np.float32(tuning.neighbour_bonus)
    plain = (scene.view.symbols.flags & int(SymbolFlag.TEST | SymbolFlag.EXAMPLE)) == 0
    strong = np.flatnonzero((first > tuning.neighbour_least) & plain)
    which, used, weight = uses.of_users(strong)
    by_caller = scene.nothing()
    np.maximum.at(by_caller, used, first[strong[which]] * np.minimum(1, weight + bonus))
    which, users, weight = uses.of_used(strong)
    by_callee = scene.nothing()
    values = first[strong[which]] * np.minimum(1, weight + bonus)
    np.maximum.at(by_callee, users, np.where(plain[users], values, np.float32(0)))
    return evidence.plus(best_caller=by_caller, best_callee=by_callee)

"""Choosing the list: best first, but not ten of a kind."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from knowing.retrieve.bags import Floats
from knowing.retrieve.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A symbol and the factor that its likeness to those before it leaves of its score."""

    symbol: int
    variety: float


def choose(scene: Scene, score: Floats, limit: int) -> list[Choice]:
    """Greedily: each further member of one type, and each further symbol of one name, counts less.

    Overloads are one answer.
    """
    weights, table = scene.tuning.diversity, scene.view.symbols
    pool = _pool(score, max(weights.pool, 2 * limit))
    values = score[pool].astype(np.float64).tolist()
    owners = np.where(table.owner[pool] >= 0, table.owner[pool], pool).tolist()
    names = [table.name[symbol].lower() for symbol in pool]
    identities = [(int(table.file[symbol]), table.chain[symbol]) for symbol in pool]
    families: Counter[int] = Counter()
    seen_names: Counter[str] = Counter()
    seen: set[tuple[int, str]] = set()
    left = list(range(len(pool)))
    chosen: list[Choice] = []
    while left and len(chosen) < limit:
        best, best_value, best_factor = -1, -1.0, 1.0
        for place, candidate in enumerate(left):
            if values[candidate] <= best_value:
                break
            crowd = max(0, families[owners[candidate]] - weights.family_free)
            factor = weights.family**crowd * weights.name ** seen_names[names[candidate]]
            if values[candidate] * factor > best_value:
                best, best_value, best_factor = place, values[candidate] * factor, factor
        candidate = left.pop(best)
        if identities[candidate] in seen:
            continue
        seen.add(identities[candidate])
        families[owners[candidate]] += 1
        seen_names[names[candidate]] += 1
        chosen.append(Choice(symbol=pool[candidate], variety=best_factor))
    return chosen


def _pool(score: Floats, size: int) -> list[int]:
    """The symbols with the best scores, best first, ties by number."""
    if len(score) > size:
        least = np.partition(score, len(score) - size)[len(score) - size]
        candidates = np.flatnonzero((score >= least) & (score > 0))
    else:
        candidates = np.flatnonzero(score > 0)
    order = candidates[np.argsort(-score[candidates], kind="stable")]
    found: list[int] = order[:size].tolist()
    return found

"""Habits: what is used more, or less, than its places in answers foretell, whatever the task.

A symbol, the type it belongs to and its package each have a lift: uses over the uses that the
places at which it was shown would bring by themselves. Lifts of things that were seen little are
close to none. A lift counts only as far as it has proved itself: for every topic it is asked
whether the lifts that all *other* topics gave foretold what was used, and only what remains after
subtracting the error of that is applied. Whoever clicks at random foretells nothing and changes
nothing.

For expected uses e, uses c and the logarithm of the lift v, the weight is that of one step of a
Poisson regression of c on v with offset log e: sum((c - e) v) / (sum(e v^2) + 1).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ints
from knowing.learn.ground import NOWHERE, Ground
from knowing.learn.memory import Memory
from knowing.retrieve.bags import Floats
from knowing.retrieve.tuning import LearnWeights

Doubles = npt.NDArray[np.float64]

_FEWEST_TOPICS = 3
_HIGHEST_RATE = 0.9
_EVERY = 50
"""Up to here habits are taken anew after each answer, then after each further part of so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One row for each symbol in answers about each topic."""

    topic: Ints
    symbol: Ints
    uses: Doubles
    expected: Doubles


def milestone(settled: int) -> int:
    """How many answers habits are taken from: they change slowly, and taking them takes time."""
    if settled <= _EVERY:
        return settled
    step = max(settled // _EVERY, 1)
    return settled - settled % step


def habits(memory: Memory, ground: Ground, now: float) -> Floats | None:
    """For each symbol the share of its score to add or take away; None if nothing is proven."""
    weights = memory.weights
    seen = _seen(memory, ground, now)
    if seen is None:
        return None
    table = ground.view.symbols
    count = len(table)
    home = table.file
    folders = np.where(home >= 0, ground.folders[home], NOWHERE) if len(ground.folders) else home
    total = np.zeros(count, dtype=np.float64)
    groups: tuple[tuple[Ints, float], ...] = (
        (np.arange(count, dtype=np.int64), weights.habit_doubt),
        (table.owner.astype(np.int64), weights.group_doubt),
        (folders.astype(np.int64), weights.group_doubt),
    )
    for group, doubt in groups:
        total += _effect(seen, group, doubt, weights.habit_proof)
    if not total.any():
        return None
    bound = np.log(weights.habit_most)
    factor = np.exp(np.clip(weights.habit * total, -bound, bound))
    return (factor - 1).astype(np.float32)


def _seen(memory: Memory, ground: Ground, now: float) -> Seen | None:
    rows: list[tuple[int, int, float, float]] = []
    uses = looks = 0.0
    topics = 0
    for topic, tallies in memory.topics.items():
        rounds = max((tally.times for tally in tallies.values()), default=0)
        if not topic or not rounds:
            continue
        before = len(rows)
        for (symbol, package), tally in tallies.items():
            number = ground.held(symbol, package, memory.paths[symbol]) if tally.times else NOWHERE
            if number == NOWHERE:
                continue
            share = _faded(now - tally.last, memory.weights) / rounds
            uses += tally.uses
            looks += tally.looks
            rows.append((topics, number, share * tally.uses, share * tally.looks))
        topics += len(rows) > before
    if topics < _FEWEST_TOPICS or not looks:
        return None
    columns = list(zip(*rows, strict=True))
    rate = min(uses / looks, _HIGHEST_RATE)
    return Seen(
        topic=np.array(columns[0], dtype=np.int64),
        symbol=np.array(columns[1], dtype=np.int64),
        uses=np.array(columns[2], dtype=np.float64),
        expected=rate * np.array(columns[3], dtype=np.float64),
    )


def _faded(age: float, weights: LearnWeights) -> float:
    return float(2.0 ** (-max(age, 0.0) / weights.fade))


def _effect(seen: Seen, group: Ints, doubt: float, proof: float) -> Doubles:
    """What the lifts of some groups add to the logarithm of the factor of every symbol."""
    names, place = np.unique(group[seen.symbol], return_inverse=True)
    if names[0] < 0:
        # Symbols that belong to nothing have nothing in common.
        place = np.where(group[seen.symbol] < 0, len(names) + np.arange(len(place)), place)
        names = np.concatenate([names, np.arange(len(group), len(group) + len(seen.symbol))])
    within = np.unique(seen.topic * len(names) + place, return_inverse=True)[1]

    def sums(values: Doubles, by: Ints) -> Doubles:
        return np.bincount(by, weights=values).astype(np.float64)[by]

    def lift(uses: Doubles, expected: Doubles) -> Doubles:
        return np.log((np.maximum(uses, 0) + doubt) / (np.maximum(expected, 0) + doubt))

    all_uses, all_expected = sums(seen.uses, place), sums(seen.expected, place)
    others = lift(all_uses - sums(seen.uses, within), all_expected - sums(seen.expected, within))
    gain = float(((seen.uses - seen.expected) * others).sum())
    spread = float((seen.expected * others**2).sum())
    weight = (gain - proof * np.sqrt(spread + 0.01)) / (spread + 1)
    effect = np.zeros(len(group), dtype=np.float64)
    if weight <= 0:
        return effect
    lifts = min(float(weight), 1.0) * lift(all_uses, all_expected)
    return _for_all(group, group[seen.symbol], lifts, effect)


def _for_all(group: Ints, names: Ints, lifts: Doubles, effect: Doubles) -> Doubles:
    """The lift of its group for every symbol, seen or not."""
    known = names >= 0
    table = np.zeros(int(max(group.max(initial=0), names.max(initial=0))) + 1, dtype=np.float64)
    table[names[known]] = lifts[known]
    return np.where(group >= 0, table[group], effect)

"""How good one ranking is for one task, and how good many are together.

All figures look at the first ten results. Two matchers say what a hit is (see `eval.matchers`):

- *generous* (P, R, nDCG, MRR, zero): a method of a wanted class is a hit, and so is a class of a
  wanted method. Its weakness: a tool that lists nothing but large classes wins it, since one
  class covers every method that is wanted of it. It is kept because earlier figures use it.
- *strict* (sR, snDCG, sMRR, szero): the result's own name path ends with the wanted one, and each
  wanted symbol counts once. Its weakness: a useful neighbour counts for nothing, and so does the
  right method under the name of a base class. Decisions are made on these.

A mean over tasks is the exact mean of the figures, rounded once.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eval.matchers import published, strict
from eval.tasks import Task

DEPTH = 10
"""How many results count."""

Scores = dict[str, float]
"""Figures of one task, or means over tasks, by metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure, how it is called and what it says."""

    key: str
    title: str
    says: str
    higher_is_better: bool = True


METRICS = (
    Metric(key="P@10", title="P@10", says="generous hits among ten, of ten"),
    Metric(key="P@10r", title="P@10 of returned", says="the same, of as many as were returned"),
    Metric(key="R@10", title="R@10", says="wanted symbols that a generous hit covers"),
    Metric(key="nDCG", title="nDCG@10", says="generous hits, earlier ones count more"),
    Metric(key="MRR", title="MRR", says="one over the rank of the first generous hit"),
    Metric(key="sR@10", title="strict R@10", says="wanted symbols that are there themselves"),
    Metric(key="snDCG", title="strict nDCG@10", says="the same, earlier ones count more"),
    Metric(key="sMRR", title="strict MRR", says="one over the rank of the first strict hit"),
    Metric(key="file@10", title="file@10", says="wanted files among those of ten results"),
    Metric(
        key="efficiency",
        title="token efficiency",
        says="share of the text of ten results that belongs to strict hits",
    ),
    Metric(key="ms", title="query ms", says="milliseconds for one answer", higher_is_better=False),
    Metric(key="zero", title="none", says="tasks without a generous hit", higher_is_better=False),
    Metric(
        key="szero", title="strict none", says="tasks without a strict hit", higher_is_better=False
    ),
)
BY_KEY = {metric.key: metric for metric in METRICS}
COUNTED = ("zero", "szero")
"""Shown as a number of tasks rather than as a mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One result: what `rank` writes."""

    name: str
    path: str = ""
    line: int = 0
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one answer cost, and how long the text of each result is."""

    milliseconds: float
    sizes: tuple[int, ...] = ()
    """Bytes of each result, in order; empty if they are not known."""


def score_task(task: Task, rows: Sequence[Row], cost: Cost | None = None) -> Scores:
    """All figures of one task; those that cannot be known are left out."""
    names = [row.name for row in rows[:DEPTH]]
    hits = [any(published(name, wanted) for wanted in task.truth) for name in names]
    found, new = strict_hits(task.truth, names)
    ideal = _gain([True] * min(DEPTH, len(task.truth)))
    covered = sum(any(published(name, wanted) for name in names) for wanted in task.truth)
    scores = {
        "P@10": sum(hits) / DEPTH,
        "P@10r": sum(hits) / len(hits) if hits else 0.0,
        "R@10": covered / len(task.truth),
        "nDCG": _gain(hits) / ideal,
        "MRR": _first(hits),
        "sR@10": len(found) / len(task.truth),
        "snDCG": _gain(new) / ideal,
        "sMRR": _first(new),
        "zero": float(not any(hits)),
        "szero": float(not found),
    }
    if task.files:
        scores["file@10"] = _files(task.files, [row.path for row in rows[:DEPTH]])
    if cost is not None:
        scores["ms"] = cost.milliseconds
        if sizes := cost.sizes[: len(new)]:
            useful = sum(size for size, hit in zip(sizes, new, strict=True) if hit)
            scores["efficiency"] = useful / sum(sizes) if sum(sizes) else 0.0
    return scores


def strict_hits(truth: Sequence[str], names: Sequence[str]) -> tuple[dict[int, int], list[bool]]:
    """Wanted number -> rank from 0 of the result that is it; and which results are new hits.

    One result stands for at most one wanted symbol, the first that is still missing.
    """
    found: dict[int, int] = {}
    new = []
    for rank, name in enumerate(names):
        fits = (i for i, wanted in enumerate(truth) if i not in found and strict(name, wanted))
        first = next(fits, None)
        new.append(first is not None)
        if first is not None:
            found[first] = rank
    return found, new


def mean(scores: Iterable[Mapping[str, float]]) -> Scores:
    """The mean of each metric over the tasks that have it."""
    rows = list(scores)
    means = {}
    for metric in METRICS:
        values = [row[metric.key] for row in rows if metric.key in row]
        if values:
            means[metric.key] = float(statistics.mean(values))
    return means


def _gain(hits: Sequence[bool]) -> float:
    """Discounted gain: a hit at rank i (from 0) is worth 1 / log2(i + 2)."""
    return sum(1 / math.log2(rank + 2) for rank, hit in enumerate(hits) if hit)


def _first(hits: Sequence[bool]) -> float:
    return next((1 / (rank + 1) for rank, hit in enumerate(hits) if hit), 0.0)


def _files(wanted: Sequence[str], paths: Sequence[str]) -> float:
    hit = [any(path.endswith(w) or w.endswith(path) for path in paths if path) for w in wanted]
    return sum(hit) / len(wanted)

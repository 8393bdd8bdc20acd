"""Figures of many tasks together: overall and by group, as a table and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eval.metrics import COUNTED, METRICS, Cost, Row, Scores, mean, score_task
from eval.tasks import UNKNOWN, Task

GROUPS = ("tier", "kind", "repo", "language", "source")
LEAKING = "swe-bench"
"""A source whose descriptions come from issues: the commit that closed the issue lies in the
repository's history, so figures with history are given without these tasks, too."""

ALL = "all"
NAMED = 10
"""How many tasks are named where there may be many."""

CLEAN = f"without {LEAKING}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Means over some tasks."""

    tasks: int
    means: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a ranking is worth."""

    scores: dict[str, Scores]
    """Of each task."""
    overall: dict[str, Group]
    """`ALL`, and `CLEAN` if that differs."""
    groups: dict[str, dict[str, Group]]
    """Kind of group -> group -> its means; only kinds that tell tasks apart."""
    unranked: tuple[str, ...]
    """Tasks that the ranking has no entry for; they count nowhere."""


def score_all(
    tasks: Sequence[Task],
    rankings: Mapping[str, Sequence[Row]],
    costs: Mapping[str, Cost] | None = None,
) -> Report:
    """Score every task that the rankings have."""
    costs = costs or {}
    ranked = [task for task in tasks if task.id in rankings]
    scores = {task.id: score_task(task, rankings[task.id], costs.get(task.id)) for task in ranked}
    overall = {ALL: group(ranked, scores)}
    clean = [task for task in ranked if task.source != LEAKING]
    if 0 < len(clean) < len(ranked):
        overall[CLEAN] = group(clean, scores)
    return Report(
        scores=scores,
        overall=overall,
        groups={by: parts for by in GROUPS if (parts := _split(ranked, scores, by))},
        unranked=tuple(task.id for task in tasks if task.id not in rankings),
    )


def group(tasks: Sequence[Task], scores: Mapping[str, Scores]) -> Group:
    """Means over some tasks."""
    return Group(tasks=len(tasks), means=mean(scores[task.id] for task in tasks))


def _split(tasks: Sequence[Task], scores: Mapping[str, Scores], by: str) -> dict[str, Group]:
    names = sorted({task.group(by) for task in tasks})
    if names in ([], [UNKNOWN]):
        return {}
    return {
        name: group([task for task in tasks if task.group(by) == name], scores) for name in names
    }


def as_json(report: Report) -> dict[str, object]:
    """All figures, unrounded."""
    return {
        "overall": {name: _group_json(part) for name, part in report.overall.items()},
        "groups": {
            by: {name: _group_json(part) for name, part in parts.items()}
            for by, parts in report.groups.items()
        },
        "tasks": report.scores,
        "unranked": list(report.unranked),
    }


def as_markdown(report: Report) -> str:
    """Tables for a reader: overall first, then each kind of group."""
    blocks = [means_table("", report.overall)]
    blocks += [means_table(by, parts) for by, parts in report.groups.items()]
    if report.unranked:
        names = ", ".join(report.unranked[:NAMED])
        more = f" and {len(report.unranked) - NAMED} more" if len(report.unranked) > NAMED else ""
        blocks.append(f"Not ranked, counted nowhere: {names}{more}")
    return "\n\n".join(blocks)


def means_table(by: str, parts: Mapping[str, Group]) -> str:
    """One row for each group, one column for each metric that any of them has."""
    have = {key for part in parts.values() for key in part.means}
    metrics = [metric for metric in METRICS if metric.key in have]
    rows = [
        [name, str(part.tasks), *(_cell(part, metric.key) for metric in metrics)]
        for name, part in parts.items()
    ]
    return table([by, "tasks", *(metric.title for metric in metrics)], rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(part: Group, key: str) -> str:
    if key not in part.means:
        return "-"
    value = part.means[key]
    if key in COUNTED:
        return str(round(value * part.tasks))
    return f"{value:.1f}" if key == "ms" else f"{value:.3f}"


def _group_json(part: Group) -> dict[str, object]:
    counts = {key: round(part.means[key] * part.tasks) for key in COUNTED if key in part.means}
    return {"tasks": part.tasks, **part.means, "none": counts}

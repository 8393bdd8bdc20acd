"""`python -m eval ablate`: what each part of the ranking is worth, by leaving it out.

With `--jitter N` the figures are smoothed: weights are multiplied by exp(normal(0, .2)), N
times over, the same factors for every variant, and a task's figure is its mean over these. Tuned
weights sit on a peak of the noise, so a point figure makes every change look like a loss; the
smoothed one does not.
"""

import argparse
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from eval import rank
from eval.corpus import languages
from eval.failure import EvalError
from eval.metrics import BY_KEY, DEPTH, Row, Scores, mean, score_task
from eval.overrides import Overrides, changed, float_leaves
from eval.paired import Difference, difference
from eval.rankers import EngineRanker, EngineSystem, opened
from eval.report import table
from eval.tasks import Task, chosen, read_tasks
from knowing.retrieve import tuning as shipped

BASE = "as it is"
SPREAD = 0.2
"""Standard deviation of the logarithm of a jitter's factors."""
JITTERED = ("task", "seed", "score", "prior")
"""Groups of weights that are jittered: those that are added up or multiplied. Exponents, shares of
a length and probabilities lose their meaning outside their range, so they stay."""
FIGURES = ("P@10", "R@10", "sR@10", "snDCG")

Ask = Callable[[Task, Any], Sequence[Row]]
"""What a tuning ranks for a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One variant against the base."""

    name: str
    differences: dict[str, Difference]
    repos_up: int
    """Repositories whose strict recall rises with the variant."""
    repos_down: int


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("ablate", help="what each part of the ranking is worth")
    rank.add_corpus_arguments(parser)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes")
    parser.add_argument(
        "--only", action="append", help="only the variants whose name has this in it"
    )
    parser.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="NAME:KEY=VALUE;...",
        help="a further variant; with it, the built-in ones are left out unless --only names them",
    )
    parser.add_argument("--jitter", type=int, default=0, help="smooth over this many jitters")
    parser.add_argument("--json", type=Path, help="file to write all figures to")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Rank with every variant and print the table."""
    tasks = chosen(read_tasks(options.tasks, languages()), options.repo)
    overrides = Overrides(tuple(options.changes))
    base = overrides.tuning()
    variants = {BASE: base, **_variants(base, options.variant, options.only)}
    system = EngineSystem(overrides, history=not options.no_history)
    scores: dict[str, dict[str, Scores]] = {name: {} for name in variants}
    for repo in sorted({task.repo for task in tasks}):
        asked = [task for task in tasks if task.repo == repo]
        with opened(system, repo, options.corpus, options.index_dir) as (ranker, _):
            found = measured(asked, _asking(ranker), variants, options.jitter)
        for name, part in found.items():
            scores[name].update(part)
    outcomes = compared(tasks, scores)
    print(as_markdown(mean(scores[BASE].values()), outcomes, len(tasks), options.jitter))
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in outcomes], indent=1), "utf-8")
    return 0


def _asking(ranker: Any) -> Ask:
    if not isinstance(ranker, EngineRanker):
        raise EvalError("only this project's own engine has parts to leave out")

    def ask(task: Task, tuning: Any) -> Sequence[Row]:
        return replace(ranker, tuning=tuning).rank(task.description, DEPTH).rows

    return ask


def _variants(base: Any, written: Sequence[str], only: Sequence[str] | None) -> dict[str, Any]:
    """Named tunings: those that the engine declares, and those on the command line."""
    found: dict[str, Any] = {}
    if only or not written:
        declared: Any = getattr(shipped, "ablations", dict)()
        pairs = declared.items() if isinstance(declared, Mapping) else declared
        found = {
            name: variant(base, change)
            for name, change in pairs
            if not only or any(part in name for part in only)
        }
    for text in written:
        name, _, changes = text.partition(":")
        found[name.strip()] = variant(base, [part for part in changes.split(";") if part.strip()])
    if not found:
        raise EvalError("there is nothing to leave out; give --variant NAME:KEY=VALUE")
    return found


def variant(base: Any, change: Any) -> Any:
    """A tuning from a tuning, from key and value pairs, or from `key=value` texts."""
    if is_dataclass(change):
        return change
    if isinstance(change, Mapping):
        return changed(base, change)
    pairs = [text.partition("=") for text in change]
    return changed(base, {key.strip(): value.strip() for key, _, value in pairs})


def measured(
    tasks: Sequence[Task], ask: Ask, variants: Mapping[str, Any], jitters: int
) -> dict[str, dict[str, Scores]]:
    """Variant -> task -> figures, smoothed if there are jitters."""
    found: dict[str, dict[str, Scores]] = {}
    for name, tuning in variants.items():
        tunings = [jittered(tuning, number) for number in range(jitters)] or [tuning]
        found[name] = {
            task.id: mean(score_task(task, ask(task, each)) for each in tunings) for task in tasks
        }
    return found


def jittered(tuning: Any, number: int) -> Any:
    """The tuning with its weights multiplied, each by a factor that depends on its name alone."""
    weights = {
        key: value * _factor(key, number)
        for key, value in float_leaves(tuning)
        if key.partition(".")[0] in JITTERED
    }
    return changed(tuning, weights)


def _factor(key: str, number: int) -> float:
    digest = hashlib.blake2b(f"{number} {key}".encode(), digest_size=8).digest()
    chance = np.random.default_rng(int.from_bytes(digest))
    return float(np.exp(chance.normal(0.0, SPREAD)))


def compared(tasks: Sequence[Task], scores: Mapping[str, Mapping[str, Scores]]) -> list[Outcome]:
    """Every variant against the base, task by task."""
    outcomes = []
    for name, part in scores.items():
        if name == BASE:
            continue
        gains = _by_repo(tasks, scores[BASE], part)
        outcomes.append(
            Outcome(
                name=name,
                differences={
                    key: difference(
                        [scores[BASE][task.id][key] for task in tasks],
                        [part[task.id][key] for task in tasks],
                    )
                    for key in FIGURES
                },
                repos_up=sum(gain > 1e-9 for gain in gains),
                repos_down=sum(gain < -1e-9 for gain in gains),
            )
        )
    return outcomes


def _by_repo(
    tasks: Sequence[Task], a: Mapping[str, Scores], b: Mapping[str, Scores]
) -> Iterable[float]:
    gains: dict[str, float] = {}
    for task in tasks:
        gain = b[task.id]["sR@10"] - a[task.id]["sR@10"]
        gains[task.repo] = gains.get(task.repo, 0.0) + gain
    return list(gains.values())


def as_markdown(base: Scores, outcomes: Sequence[Outcome], tasks: int, jitters: int) -> str:
    """The base's figures, then what changes with each variant."""
    titles = [BY_KEY[key].title for key in FIGURES]
    head = ["variant", *titles, "p strict R", "p strict nDCG", "repositories up-down"]
    rows = [[BASE, *(f"{base[key]:.4f}" for key in FIGURES), "", "", ""]]
    for each in outcomes:
        found = each.differences
        rows.append(
            [
                each.name,
                *(f"{found[key].gain:+.4f}" for key in FIGURES),
                f"{found['sR@10'].p:.3f}",
                f"{found['snDCG'].p:.3f}",
                f"{each.repos_up}-{each.repos_down}",
            ]
        )
    how = f"mean over {jitters} jitters" if jitters else "point figures"
    return f"{tasks} tasks, {how}; differences from `{BASE}`\n\n{table(head, rows)}"

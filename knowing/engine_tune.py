"""Calibration: the workspace's own commits are replayed over weights of the ranking's channels.

The newest commits that can stand as tasks are asked with their messages; they and whatever came
after the first of them are hidden from the history that ranking sees. Code is seen as it is today.
"""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from knowing.engine import Engine
from knowing.engine_lookup import Lookup
from knowing.history import Commit, link
from knowing.learn.calibrate import FEWEST, Calibration, Case, calibrate
from knowing.learn.commits import is_chore, task_text
from knowing.learn.topics import topic_of
from knowing.model import SymbolFlag
from knowing.reports_learned import Trial, TuneReport
from knowing.retrieve import DEFAULT, gather, index_past
from knowing.retrieve.past import symbol_table
from knowing.retrieve.score import CHANNELS

_MOST_SYMBOLS = 20
_FEWEST_WORDS = 3
_CANDIDATES = 1500
_GROUP = "score"


def tune(engine: Engine, *, commits: int, apply: bool) -> TuneReport:
    """Looks for weights that rank better here; applies them only if later commits agree."""
    lookup, history = engine.lookup(), engine.commits()
    tasks = _tasks(history, lookup, commits)
    if len(tasks) < 2 * FEWEST:
        return _nothing(
            f"nothing was changed: {len(tasks)} commits can stand as tasks, {2 * FEWEST} are needed"
        )
    cases = _cases(engine, lookup, history, tasks)
    half = len(cases) // 2
    # Newest come first, so the later ones, which judge, are in the first half.
    found = calibrate(CHANNELS, asdict(DEFAULT.score), cases[half:], cases[:half])
    applied = apply and found.is_better
    if applied:
        engine.set_tuning(_keys(found.changed))
    return TuneReport(
        commits=len(cases) - half,
        held_out=half,
        trials=tuple(Trial(values=_keys(values), gain=gain) for values, gain in found.tried),
        chosen=_keys(found.changed),
        before=found.before,
        after=found.after,
        low=found.low,
        high=found.high,
        applied=applied,
        verdict=_verdict(found, apply),
    )


def _keys(values: dict[str, float]) -> dict[str, float]:
    return {f"{_GROUP}.{name}": value for name, value in values.items()}


def _nothing(verdict: str) -> TuneReport:
    return TuneReport(
        commits=0,
        held_out=0,
        trials=(),
        chosen={},
        before=0.0,
        after=0.0,
        low=0.0,
        high=0.0,
        applied=False,
        verdict=verdict,
    )


def _verdict(found: Calibration, apply: bool) -> str:
    if not found.changed:
        return "nothing was changed: no other weights fit the earlier commits better"
    gain = found.after - found.before
    if not found.is_better:
        return f"nothing was changed: on later commits the gain of {gain:+.3f} may be chance"
    share = f" ({gain / found.before:+.1%})" if found.before else ""
    done = "applied" if apply else "not applied, as asked"
    return f"{done}: on later commits ranking is better by {gain:+.3f}{share}"


def _tasks(history: Sequence[Commit], lookup: Lookup, count: int) -> list[tuple[int, str]]:
    """Numbers and texts of the newest commits that can be asked, newest first."""
    table = lookup.view.symbols
    linked = link(history, symbol_table(lookup.view)).symbols if history else None
    found: dict[str, int] = {}
    for number, commit in enumerate(history):
        message = f"{commit.subject}\n{commit.body}"
        text = task_text(message)
        if linked is None or text in found or is_chore(message, f"{commit.author} {commit.email}"):
            continue
        touched = linked.indices[linked.indptr[number] : linked.indptr[number + 1]]
        touched = touched[(table.flags[touched] & int(SymbolFlag.TEST | SymbolFlag.EXAMPLE)) == 0]
        worded = len(topic_of(text).split()) >= _FEWEST_WORDS
        if worded and 0 < len(touched) <= _MOST_SYMBOLS:
            found[text] = number
            if len(found) == count:
                break
    return [(number, text) for text, number in found.items()]


def _cases(
    engine: Engine, lookup: Lookup, history: Sequence[Commit], tasks: Sequence[tuple[int, str]]
) -> list[Case]:
    older = history[max(number for number, _ in tasks) + 1 :]
    text = lookup.prepared.text
    past = index_past(older, lookup.view, text, DEFAULT.fields) if older else None
    touched = link(history, symbol_table(lookup.view)).symbols
    cases = []
    for number, words in tasks:
        found = gather(words, lookup.view, lookup.prepared, past, workspace=engine.root.name)
        wanted = touched.indices[touched.indptr[number] : touched.indptr[number + 1]]
        score = found.evidence["score"]
        kept = np.argsort(-score, kind="stable")[:_CANDIDATES]
        factor = found.evidence["likelihood"] * found.evidence["standing"]
        cases.append(
            Case(
                channels=np.array([found.evidence[name][kept] for name in CHANNELS], np.float64),
                factor=factor[kept].astype(np.float64),
                wanted=np.isin(kept, wanted),
                total=len(wanted),
            )
        )
    return cases

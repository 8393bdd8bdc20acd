"""`python -m eval blast`: blast radius judged by calls that were recorded.

For each of some functions that were called while a project's tests ran:

- *recall*: of its recorded callers, the share that is among the direct items. A caller is found
  as in `eval.calls.judge`: by the symbol of the enclosing function, class or module.
- *precision*: of the direct call sites that were executed, the share that really reached the
  function, by the rules of `eval.calls.judge`.
- *falsely complete*: functions whose answer says `complete` although a recorded caller is missing.
  Code outside the workspace is left out of account (`published` is taken to be false), as nothing
  outside was recorded and else hardly a public function of a library would ever be complete.
"""

import argparse
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.calls import truth
from eval.calls.callee import INIT
from eval.calls.judge import RIGHT, WRONG, judge
from eval.calls.lookup import Lookup
from eval.calls.sites import CALL
from eval.calls.truth import Observation
from eval.index import Edge, Symbol
from knowing.engine import Engine
from knowing.engine_impact import circumstances
from knowing.graph import View
from knowing.impact.blast import Blast, blast
from knowing.model import EdgeKind

FUNCTIONS = frozenset({"function", "method", "constructor", "property"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One function: its recorded callers, those that are not among the direct items, the answer."""

    function: str
    callers: int
    missing: tuple[str, ...]
    possible: int
    """How many of the missing ones are named as possible."""
    complete: bool
    reasons: tuple[str, ...]
    claims: tuple[Edge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the cases of one repository come to."""

    cases: Sequence[Case]
    right: int
    wrong: Sequence[Edge]

    @property
    def recall(self) -> float:
        wanted = sum(case.callers for case in self.cases)
        return 1 - sum(len(case.missing) for case in self.cases) / wanted if wanted else 0.0

    @property
    def recall_with_possible(self) -> float:
        wanted = sum(case.callers for case in self.cases)
        lost = sum(len(case.missing) - case.possible for case in self.cases)
        return 1 - lost / wanted if wanted else 0.0

    @property
    def precision(self) -> float:
        judged = self.right + len(self.wrong)
        return self.right / judged if judged else 1.0

    @property
    def falsely_complete(self) -> list[Case]:
        return [case for case in self.cases if case.complete and case.missing]


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("blast", help="judge blast radius by recorded calls")
    parser.add_argument("--repo", type=Path, required=True, help="repository, never written to")
    parser.add_argument("--truth", type=Path, required=True, help="recording of `eval calls`")
    parser.add_argument("--functions", type=int, default=100, help="how many are asked about")
    parser.add_argument("--show", action="store_true", help="list what is missing and wrong")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Index the repository, ask about its functions, print the figures."""
    observed = truth.read(options.truth)
    sources = truth.written(options.repo, (each.path for each in observed))
    with (
        TemporaryDirectory(prefix="knowing-blast-") as folder,
        Engine.open(options.repo, None, Path(folder)) as engine,
    ):
        engine.index(history=False)
        view = engine.view()
        symbols = [_symbol(view, number) for number in range(len(view.symbols))]
        lookup = Lookup(symbols)
        numbers = {symbol.qualified_name: number for number, symbol in enumerate(symbols)}
        callers = _callers(observed, lookup)
        cases = [
            _case(engine, view, numbers[name], callers[name], lookup)
            for name in _sample(callers, options.functions)
        ]
    claims = {edge for case in cases for edge in case.claims if edge.path in sources}
    rulings = judge(observed, claims, symbols, sources).rulings
    right = sum(ruling.verdict == RIGHT for ruling in rulings)
    wrong = [ruling.edge for ruling in rulings if ruling.verdict == WRONG]
    figures = Figures(cases=cases, right=right, wrong=wrong)
    print(json.dumps(_as_json(figures)) if options.json else _as_text(figures, options.show))
    return 0


def _symbol(view: View, number: int) -> Symbol:
    symbol = view.symbol(number)
    return Symbol(
        name=symbol.name,
        qualified_name=view.identity(number),
        kind=symbol.kind.label,
        path=symbol.path,
        line=symbol.line,
        end_line=symbol.end_line,
    )


def _callers(observed: Iterable[Observation], lookup: Lookup) -> dict[str, list[Observation]]:
    """Identity of each function that was called -> one observation for each caller."""
    found: dict[str, dict[tuple[str, str], Observation]] = {}
    for each in observed:
        if not each.internal or not each.named or each.site.context != CALL:
            continue
        initialisers = (place for role, place in each.also if role == INIT)
        for place in (each.callee, *initialisers):
            for symbol in lookup.find(place):
                if symbol.kind in FUNCTIONS:
                    callers = found.setdefault(symbol.qualified_name, {})
                    callers.setdefault((each.path, each.site.caller), each)
    return {name: list(callers.values()) for name, callers in found.items()}


def _sample(callers: Mapping[str, object], count: int) -> list[str]:
    names = sorted(callers)
    random.Random(0).shuffle(names)
    return sorted(names[:count])


def _case(
    engine: Engine, view: View, symbol: int, callers: Sequence[Observation], lookup: Lookup
) -> Case:
    given = replace(circumstances(engine, view, symbol), published=False)
    answer = blast(view, symbol, depth=1, given=given)
    direct = [view.identity(item.symbol) for item in answer.direct]
    possible = [view.identity(item.symbol) for item in answer.possible if item.symbol >= 0]
    function = view.identity(symbol)
    missing, named = [], 0
    for each in callers:
        known = [function, *direct]
        if any(lookup.is_caller(source, each.path, each.site) for source in known):
            continue
        missing.append(f"{each.path}:{each.site.line} {each.site.caller}")
        named += any(lookup.is_caller(source, each.path, each.site) for source in possible)
    return Case(
        function=function,
        callers=len(callers),
        missing=tuple(missing),
        possible=named,
        complete=answer.complete,
        reasons=tuple(reason.code for reason in answer.reasons),
        claims=tuple(_claims(view, function, answer)),
    )


def _claims(view: View, function: str, answer: Blast) -> list[Edge]:
    """Each direct call site as an edge to the function, for the judge."""
    return [
        Edge(
            source=view.identity(item.symbol),
            target=function,
            kind=EdgeKind.CALLS.label,
            origin=item.origin.label,
            path=site.path,
            line=site.line,
        )
        for item in answer.direct
        for site in item.sites
        if site.edge is EdgeKind.CALLS
    ]


def _as_json(figures: Figures) -> dict[str, object]:
    return {
        "functions": len(figures.cases),
        "callers": sum(case.callers for case in figures.cases),
        "recall": round(figures.recall, 4),
        "recall_with_possible": round(figures.recall_with_possible, 4),
        "precision": round(figures.precision, 4),
        "judged": figures.right + len(figures.wrong),
        "complete": sum(case.complete for case in figures.cases),
        "falsely_complete": [case.function for case in figures.falsely_complete],
        "missing": {case.function: list(case.missing) for case in figures.cases if case.missing},
        "wrong": [f"{edge.path}:{edge.line} -> {edge.target}" for edge in figures.wrong],
    }


def _as_text(figures: Figures, show: bool) -> str:
    shown = _as_json(figures)
    complete, false = shown["complete"], len(figures.falsely_complete)
    lines = [
        f"functions {shown['functions']}, callers {shown['callers']}",
        f"recall {figures.recall:.3f} (with possible ones {figures.recall_with_possible:.3f})",
        f"precision {figures.precision:.3f} of {shown['judged']} call sites",
        f"complete {complete}, falsely so {false}",
    ]
    if show:
        lines += [f"FALSELY COMPLETE {case.function}" for case in figures.falsely_complete]
        lines += [
            f"MISSING {case.function} <- {caller} ({', '.join(case.reasons)})"
            for case in figures.cases
            for caller in case.missing
        ]
        lines += [f"WRONG {edge.path}:{edge.line} -> {edge.target}" for edge in figures.wrong]
    return "\n".join(lines)

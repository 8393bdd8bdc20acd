"""Which tests to run after a change, how sure each is to be concerned, and how to run them.

A test is concerned when it runs what has changed: by calls that are known (`sure`), because it
runs something close to it (`likely`: a fixture, the type it belongs to, the file named after it),
or by a guess of the graph (`possible`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

import numpy as np

from knowing.graph import View
from knowing.impact.fixtures import Fixtures
from knowing.impact.mentions import Read
from knowing.impact.reach import Reached, reach, seeds_of
from knowing.impact.runners import Case, Command, commands
from knowing.impact.wording import Wording
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, SymbolFlag, SymbolKind
from knowing.retrieve.locate import at_line, rows_of_file
from knowing.retrieve.strings import equal_to

DEPTH = 5
_FOLLOWED = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.TESTS,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.OVERRIDES,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.HANDLES_ROUTE,
    EdgeKind.THROWS,
)
_TEST_STEM = re.compile(r"^(?:test[_-]?|spec[_-]?)|(?:[_.-]?(?:tests?|spec|it))$", re.IGNORECASE)
_TAKEN = 0.6
_ONLY_GUESS = 0.5
_NEAR = 0.45
_NAMED = 0.4
_WORDED = 0.35
_WORDED_ALWAYS, _ENOUGH = 8, 20
"""Tests that are named for their words alone: so many in any case, and as many as are needed to
have this many tests in all. Few tests are left out that fail, and few are named in vain."""
_SHARE_ALWAYS, _SHARE_ENOUGH = 0.025, 0.055
"""The same as shares of all tests: of a small suite, that many would be most of it."""


class Sureness(StrEnum):
    """How sure it is that a test runs what has changed."""

    SURE = "sure"
    LIKELY = "likely"
    POSSIBLE = "possible"


_RANK = {Sureness.SURE: 0, Sureness.LIKELY: 1, Sureness.POSSIBLE: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What has changed in a file: 1-based ranges of lines, all of it when there are none."""

    path: str
    lines: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A test to run, and why."""

    symbol: int
    name: str
    path: str
    line: int
    confidence: float
    sureness: Sureness
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """The tests for some symbols, surest first, and the commands that run them."""

    __test__ = False

    symbols: tuple[int, ...]
    tests: tuple[Pick, ...]
    commands: tuple[Command, ...]
    """For the sure and likely ones; for the possible ones only if there are no others."""
    untested: tuple[int, ...]
    """Symbols that no sure or likely test runs."""
    notes: tuple[str, ...] = ()


def changed_symbols(view: View, changes: Iterable[Change]) -> tuple[list[int], list[str]]:
    """The innermost symbols around changed lines, and paths that the graph does not know."""
    found: dict[int, None] = {}
    unknown: list[str] = []
    for change in changes:
        files = equal_to(view.paths, change.path)
        if not len(files):
            unknown.append(change.path)
            continue
        file = int(files[0])
        if not change.lines:
            found[int(rows_of_file(view, file)[0])] = None
        for low, high in change.lines:
            found.update(dict.fromkeys(_between(view, file, low, high)))
    return list(found), unknown


def _between(view: View, file: int, low: int, high: int) -> Iterator[int]:
    """The innermost symbols around each line, and those that lie between the lines."""
    table = view.symbols
    rows = rows_of_file(view, file)
    inside = rows[(table.line[rows] >= low) & (table.end_line[rows] <= high)]
    starts = [int(line) for line in table.line[inside]]
    yield from (at_line(view, file, line) for line in sorted({low, high, *starts}))


def plan_tests(
    view: View, symbols: Sequence[int], read: Read, *, depth: int = DEPTH, notes: Sequence[str] = ()
) -> TestPlan:
    """The tests to run for a change of some symbols."""
    picks: dict[int, Pick] = {}
    untested: list[int] = []
    fixtures, wording = Fixtures(view), Wording(view)
    for symbol in symbols:
        own = {pick.symbol: pick for pick in _for_symbol(view, symbol, depth, fixtures)}
        if not any(pick.sureness is not Sureness.POSSIBLE for pick in own.values()):
            untested.append(symbol)
        _add_worded(view, symbol, wording, own)
        for pick in own.values():
            before = picks.get(pick.symbol)
            if before is None or _order(pick) < _order(before):
                picks[pick.symbol] = pick
    tests = sorted(picks.values(), key=_order)
    chosen = [pick for pick in tests if pick.sureness is not Sureness.POSSIBLE] or tests
    cases = [Case(path=pick.path, line=pick.line, name=pick.name) for pick in chosen]
    return TestPlan(
        symbols=tuple(symbols),
        tests=tuple(tests),
        commands=tuple(commands(cases, read)),
        untested=tuple(untested),
        notes=tuple(notes),
    )


def _order(pick: Pick) -> tuple[int, float, str, int]:
    return _RANK[pick.sureness], -pick.confidence, pick.path, pick.line


def _for_symbol(view: View, symbol: int, depth: int, fixtures: Fixtures) -> Iterator[Pick]:
    """Tests of one symbol; the surest reason for each comes last, so that it is kept."""
    seeds = seeds_of(view, symbol)
    table = view.symbols
    sure = reach(view, seeds, depth, kinds=_FOLLOWED)
    guessed = reach(view, seeds, depth, kinds=_FOLLOWED, guesses=True)
    # A guess without a rival is a guess at the only method of that name.
    alone = [item for item in guessed if item.confidence >= _ONLY_GUESS]
    direct = [item for item in sure if _is_case(view, item.symbol)]
    found = _guessed(view, guessed)
    for test, why in [*_named_after(view, symbol), *_near(view, sure, seeds, fixtures)]:
        # What is close by matters most where nothing is known to run the symbol itself.
        level = Sureness.POSSIBLE if direct else Sureness.LIKELY
        pick = _pick(view, test, _NAMED if direct else _NEAR, level, why)
        if test not in found or _order(pick) < _order(found[test]):
            found[test] = pick
    for helper in _helpers(view, [*sure, *alone], seeds):
        for test in fixtures.takers(helper):
            why = f"takes {table.name[helper]}, which runs it"
            found[test] = _pick(view, test, _TAKEN, Sureness.LIKELY, why)
    for test, why in _requesting(view, [*sure, *alone], seeds, fixtures):
        found[test] = _pick(view, test, _NEAR, Sureness.LIKELY, why)
    for item in direct:
        found[item.symbol] = _reached(view, item)
    for seed in seeds:
        if int(table.flags[seed]) & SymbolFlag.TEST_CASE:
            found[seed] = _pick(view, seed, 1.0, Sureness.SURE, "the test itself has changed")
    yield from found.values()


def _add_worded(view: View, symbol: int, wording: Wording, own: dict[int, Pick]) -> None:
    """Adds tests whose words fit, where the graph tells too little."""
    if not _is_run(view, symbol):
        return
    known = {test for test, pick in own.items() if pick.sureness is not Sureness.POSSIBLE}
    always = min(_WORDED_ALWAYS, int(_SHARE_ALWAYS * wording.count))
    enough = min(_ENOUGH, int(_SHARE_ENOUGH * wording.count))
    for place, (test, _) in enumerate(wording.ranked(symbol)):
        if place >= always and len(known) >= enough:
            break
        if test not in known:
            known.add(test)
            why = "its words fit"
            own[test] = _pick(view, test, _WORDED, Sureness.LIKELY, why)


def _is_run(view: View, symbol: int) -> bool:
    """Whether it is code that a test can run, and no test itself."""
    kind, flags = SymbolKind(int(view.symbols.kind[symbol])), int(view.symbols.flags[symbol])
    return kind in CALLABLE_KINDS | TYPE_KINDS and not flags & SymbolFlag.TEST


def _guessed(view: View, items: Iterable[Reached]) -> dict[int, Pick]:
    """Tests to which guesses lead; the graph's own doubt decides how far they are trusted."""
    found: dict[int, Pick] = {}
    for item in items:
        if _is_case(view, item.symbol):
            level = Sureness.LIKELY if item.confidence >= _ONLY_GUESS else Sureness.POSSIBLE
            why = "calls something of that name"
            found[item.symbol] = _pick(view, item.symbol, item.confidence, level, why)
    return found


def _reached(view: View, item: Reached) -> Pick:
    name = view.symbols.chain[item.target] or view.identity(item.target)
    steps = "runs it" if item.depth == 1 else f"runs it in {item.depth} steps, by {name}"
    return _pick(view, item.symbol, item.confidence, Sureness.SURE, steps)


def _pick(view: View, symbol: int, confidence: float, sureness: Sureness, why: str) -> Pick:
    table = view.symbols
    return Pick(
        symbol=symbol,
        name=table.chain[symbol],
        path=view.paths[int(table.file[symbol])],
        line=int(table.name_line[symbol]),
        confidence=round(confidence, 3),
        sureness=sureness,
        why=why,
    )


def _is_case(view: View, symbol: int) -> bool:
    kind = SymbolKind(int(view.symbols.kind[symbol]))
    return bool(int(view.symbols.flags[symbol]) & SymbolFlag.TEST_CASE) and kind not in TYPE_KINDS


def _near(
    view: View, reached: Iterable[Reached], seeds: Sequence[int], fixtures: Fixtures
) -> Iterator[tuple[int, str]]:
    """Tests beside a helper that runs the symbol, and tests of the type around it."""
    table = view.symbols
    for helper in _helpers(view, reached, seeds):
        if not fixtures.is_taken(helper):
            for test in _cases_of(view, int(table.file[helper])):
                yield test, f"stands beside {table.chain[helper] or 'code'} that runs it"
    owner = int(table.owner[seeds[0]])
    if owner >= 0 and SymbolKind(int(table.kind[owner])) in TYPE_KINDS:
        # Two steps: what makes an object of the type is often not the test itself.
        for item in reach(view, [owner], 2, kinds=_FOLLOWED, guesses=True):
            if _is_case(view, item.symbol):
                yield item.symbol, f"uses {table.chain[owner]}"


def _requesting(
    view: View, reached: Iterable[Reached], seeds: Sequence[int], fixtures: Fixtures
) -> Iterator[tuple[int, str]]:
    """Tests that send requests to an object which runs the symbol when it is called itself.

    Servers call an application as if it were a function, so no test names what that runs.
    """
    table, edges = view.symbols, view.edges
    symbols = dict.fromkeys([*seeds, *(item.symbol for item in reached)])
    called = [symbol for symbol in symbols if table.name[symbol] == "__call__"]
    for owner in dict.fromkeys(int(table.owner[symbol]) for symbol in called):
        users = reach(view, seeds_of(view, owner)[:1], 2, kinds=_FOLLOWED) if owner >= 0 else []
        tests = {item.symbol for item in users if _is_case(view, item.symbol)}
        for helper in _helpers(view, users, []):
            tests.update(fixtures.takers(helper))
        for test in sorted(tests):
            if (edges.kind[view.edges_from(test)] == EdgeKind.CONSUMES_ENDPOINT).any():
                yield test, f"sends requests to {table.chain[owner]}"


def _helpers(view: View, reached: Iterable[Reached], seeds: Sequence[int]) -> list[int]:
    """Code of tests that runs the symbol and is no test itself, nor a part of one."""
    table = view.symbols
    found: dict[int, None] = {}
    for symbol in (*seeds, *(item.symbol for item in reached)):
        flags, owner = int(table.flags[symbol]), int(table.owner[symbol])
        inner = owner >= 0 and SymbolKind(int(table.kind[owner])) in CALLABLE_KINDS
        if flags & SymbolFlag.TEST and not flags & SymbolFlag.TEST_CASE and not inner:
            found[symbol] = None
    return list(found)


def _named_after(view: View, symbol: int) -> Iterator[tuple[int, str]]:
    """Tests in files that are named after the symbol's file."""
    file = int(view.symbols.file[symbol])
    if file < 0:
        return
    own = _stems(view.paths[file])
    tests = np.flatnonzero((view.symbols.flags & SymbolFlag.TEST_CASE) != 0)
    for other in np.unique(view.symbols.file[tests]).tolist():
        path = view.paths[other]
        bare = _TEST_STEM.sub("", _stems(path)[0])
        if other != file and bare and _folded(bare) in map(_folded, own):
            for test in _cases_of(view, other):
                yield test, f"{path} is named after {view.paths[file]}"


def _stems(path: str) -> list[str]:
    """Names that tests of a file may bear: the file's, that of its folder in front or instead."""
    pure = PurePosixPath(path)
    name = pure.name.rpartition(".")[0] or pure.name
    folder = pure.parent.name
    if name in ("__init__", "index", "mod", "lib"):
        return [folder]
    return [name, f"{folder}_{name}"]


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def _cases_of(view: View, file: int) -> list[int]:
    return [row for row in rows_of_file(view, file).tolist() if _is_case(view, row)]

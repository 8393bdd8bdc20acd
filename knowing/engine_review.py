"""A change as a whole, for the person who reviews it: what it does to symbols, who is affected,
what no test covers, which of its files change often, and who knows them."""

from collections.abc import Iterable

import numpy as np

from knowing.engine import Engine
from knowing.engine_answers import Extent
from knowing.engine_impact import circumstances, reader
from knowing.engine_lookup import Lookup
from knowing.graph import View
from knowing.history import owners_of
from knowing.history.activity import activity
from knowing.history.revision import (
    ChangeKind,
    Changes,
    FileChange,
    changes,
    changes_between,
    changes_staged,
    fork_point,
    text_at_revision,
)
from knowing.impact.blast import blast
from knowing.impact.compare import Sketch, SymbolChange, SymbolChangeKind, compare, sketches
from knowing.impact.mentions import Mention, Shape, find_mentions
from knowing.impact.reviewed import Review, Reviewed, ReviewedFile
from knowing.impact.runners import Case, commands
from knowing.impact.tests import Sureness, TestPlan, plan_tests
from knowing.live import Reader
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.retrieve.locate import rows_of_file
from knowing.retrieve.strings import equal_to

_MOST_FILES = 400
_SEARCHED = 12
"""Symbols whose users are looked for in the text of all files as well; that takes a moment each."""
_MOST_SYMBOLS = 150
_HOT_SHARE, _HOT_COMMITS = 0.9, 5
_SITES = 200
_FIRST = 12
WORKING_TREE = ""
"""As a tip: the files as they lie there."""
STAGED = ":"
"""As a tip: what the next commit would hold."""


def sides(text: str, *, staged: bool = False) -> tuple[str, str]:
    """What to compare: `A..B` names both ends, anything else the base of what is there."""
    if staged:
        return text or "HEAD", STAGED
    for sign in ("...", ".."):
        base, found, tip = text.partition(sign)
        if found:
            return base or "HEAD", tip or "HEAD"
    return text, WORKING_TREE


def review(
    engine: Engine, base: str, tip: str = WORKING_TREE, *, budget: int | None = None
) -> Review:
    """The review of everything between `base` and `tip`; a context only with a budget above 0."""
    lookup = engine.lookup()
    view = lookup.view
    found = _changes(engine, base, tip)
    compared, notes = symbol_changes(engine, found, tip)
    if tip not in (WORKING_TREE, STAGED) and found.files and not _is_checked_out(engine, tip):
        notes.append(
            f"{tip} is not checked out: users and tests are those of the files as they are"
        )
    reviewed = [_reviewed(engine, view, change, n) for n, change in enumerate(_ordered(compared))]
    symbols = [
        item.symbol
        for item in reviewed
        # A changed import or remark at the top of a file does not concern all that is in it.
        if item.symbol is not None
        and (item.change.breaks or item.change.shown.kind is not SymbolKind.MODULE)
    ]
    plan = plan_tests(view, symbols[:_MOST_SYMBOLS], reader(engine.root))
    context = None
    if symbols and budget != 0:
        seeds = dict.fromkeys(symbols[:_MOST_SYMBOLS], 1.0)
        title = f"Review of {base}" + (f"..{tip}" if tip not in (WORKING_TREE, STAGED) else "")
        context = engine.context_for_symbols(seeds, title, Extent(budget=budget))
    return Review(
        base=base,
        tip=tip,
        files=tuple(_files(engine, lookup, found)),
        symbols=tuple(reviewed),
        tests=plan,
        first=tuple(commands(_first(plan), reader(engine.root))),
        untested=tuple(s for s in plan.untested if _needs_tests(view, s)),
        context=context,
        notes=(*found.problems, *notes),
    )


def _first(plan: TestPlan) -> list[Case]:
    """The surest tests; a command that names hundreds is of no use in a review."""
    return [Case(path=pick.path, line=pick.line, name=pick.name) for pick in plan.tests[:_FIRST]]


def _changes(engine: Engine, base: str, tip: str) -> Changes:
    if tip == STAGED:
        return changes_staged(engine.root, base)
    if tip == WORKING_TREE:
        return changes(engine.root, fork_point(engine.root, base))
    return changes_between(engine.root, base, tip)


def _is_checked_out(engine: Engine, tip: str) -> bool:
    return not changes_between(engine.root, tip, "HEAD").files


# -- symbols -----------------------------------------------------------------------------------


def symbol_changes(
    engine: Engine, found: Changes, tip: str
) -> tuple[list[SymbolChange], list[str]]:
    """How the symbols of changed files differ, and what could not be compared."""
    parsing = Reader(engine.root, engine.settings, engine.registry)
    before: list[Sketch] = []
    after: list[Sketch] = []
    moved: list[SymbolChange] = []
    notes: list[str] = []
    files = [file for file in found.files if engine.registry.for_path(file.path)]
    for file in files[:_MOST_FILES]:
        old = _old_text(engine, found.base, file)
        new = _new_text(engine, tip, file)
        was = _sketched(parsing, file.path, old)
        now = _sketched(parsing, file.path, new)
        if file.kind is ChangeKind.RENAMED and was and now and file.old_path:
            moved.append(_moved_file(file.old_path, was[0], now[0]))
        before += was
        after += now
    if len(files) > _MOST_FILES:
        notes.append(f"{len(files)} files differ; symbols of the first {_MOST_FILES} are compared")
    return [*moved, *compare(before, after)], notes


def _moved_file(old_path: str, was: Sketch, now: Sketch) -> SymbolChange:
    before = Sketch(
        path=old_path,
        name="",
        overload=0,
        kind=was.kind,
        signature="",
        line=1,
        end_line=was.end_line,
        own=(),
    )
    return SymbolChange(kind=SymbolChangeKind.MOVED, before=before, after=now, breaks=True)


def _old_text(engine: Engine, base: str, file: FileChange) -> bytes | None:
    return text_at_revision(engine.root, base, file.old_path) if file.old_path else None


def _new_text(engine: Engine, tip: str, file: FileChange) -> bytes | None:
    if file.kind is ChangeKind.DELETED:
        return None
    if tip == WORKING_TREE:
        return engine.source()(file.path)
    return text_at_revision(engine.root, "" if tip == STAGED else tip, file.path)


def _sketched(parsing: Reader, path: str, text: bytes | None) -> list[Sketch]:
    if text is None:
        return []
    entry = parsing.unsaved(path, text.decode("utf-8", "replace"))
    return sketches(path, entry.facts, text) if entry else []


def _ordered(compared: Iterable[SymbolChange]) -> list[SymbolChange]:
    """What may break others first, then what others may have to know."""
    rank = {
        SymbolChangeKind.REMOVED: 0,
        SymbolChangeKind.RENAMED: 1,
        SymbolChangeKind.SIGNATURE: 2,
        SymbolChangeKind.MOVED: 3,
        SymbolChangeKind.MODIFIED: 4,
        SymbolChangeKind.ADDED: 5,
    }
    return sorted(compared, key=lambda change: (not change.breaks, rank[change.kind]))


def _reviewed(engine: Engine, view: View, change: SymbolChange, number: int) -> Reviewed:
    symbol = in_view(view, change.after) if change.after else None
    impact = None
    if symbol is not None and number < _MOST_SYMBOLS:
        search = change.breaks and number < _SEARCHED
        given = circumstances(engine, view, symbol, search=search)
        impact = blast(view, symbol, depth=2, given=given)
    leftovers: tuple[Mention, ...] = ()
    before = change.before
    renamed = change.kind in (SymbolChangeKind.REMOVED, SymbolChangeKind.RENAMED)
    if before and before.last and renamed and number < _SEARCHED:
        leftovers = still_named(engine, view, before)
    is_test = change.shown.is_test or _stands_in_tests(view, symbol, change.shown)
    tests = 0
    if impact is not None and not is_test and symbol is not None:
        picked = plan_tests(view, [symbol], reader(engine.root)).tests
        tests = sum(pick.sureness is not Sureness.POSSIBLE for pick in picked)
    return Reviewed(
        change=change,
        symbol=symbol,
        impact=impact,
        leftovers=leftovers,
        is_test=is_test,
        tests=tests,
    )


def _stands_in_tests(view: View, symbol: int | None, shown: Sketch) -> bool:
    """Whether it is code of tests; what is gone is judged by what else its file holds."""
    if symbol is None:
        files = equal_to(view.paths, shown.path)
        if not len(files):
            return False
        symbol = int(rows_of_file(view, int(files[0]))[0])
    return bool(int(view.symbols.flags[symbol]) & SymbolFlag.TEST)


def in_view(view: View, sketch: Sketch) -> int | None:
    """The symbol of the graph that a sketch is of."""
    files = equal_to(view.paths, sketch.path)
    if not len(files):
        return None
    table = view.symbols
    same = np.flatnonzero((table.file == int(files[0])) & (table.overload == sketch.overload))
    return next((row for row in same.tolist() if table.chain[row] == sketch.name), None)


def still_named(engine: Engine, view: View, gone: Sketch) -> tuple[Mention, ...]:
    """Places in code that name a symbol which is no longer there.

    A name that something else bears as well says too little to be listed.
    """
    name = gone.last
    if len(name) < 3 or len(equal_to(view.symbols.name, name)):
        return ()
    table = view.symbols
    prose = set(table.file[table.kind == SymbolKind.DOC_SECTION].tolist())
    code = [path for number, path in enumerate(view.paths) if number not in prose]
    found = find_mentions([name], code, reader(engine.root)).found
    return tuple(mention for mention in found if mention.shape is not Shape.REMARK)[:_SITES]


def _needs_tests(view: View, symbol: int) -> bool:
    """Whether a test could run it at all, and it is no test itself."""
    kind, flags = SymbolKind(int(view.symbols.kind[symbol])), int(view.symbols.flags[symbol])
    aside = SymbolFlag.TEST | SymbolFlag.EXAMPLE | SymbolFlag.ABSTRACT
    return kind in CALLABLE_KINDS | TYPE_KINDS and not flags & aside


# -- files -------------------------------------------------------------------------------------


def _files(engine: Engine, lookup: Lookup, found: Changes) -> Iterable[ReviewedFile]:
    owners = owners_of(engine.root)
    commits = engine.commits()
    past = activity(commits, [file.path for file in found.files]) if commits else {}
    bar = _hot_bar(lookup)
    for file in found.files:
        known = past.get(file.path)
        yield ReviewedFile(
            path=file.path,
            old_path=file.old_path,
            kind=file.kind,
            added=sum(hunk.new_count for hunk in file.hunks),
            removed=sum(hunk.old_count for hunk in file.hunks),
            activity=known,
            hot=known is not None and known.commits >= bar,
            owners=owners(file.path),
        )


def _hot_bar(lookup: Lookup) -> float:
    """Commits that a file needs to be among those that change most often."""
    if lookup.past is None or not len(lookup.past.file_churn):
        return float("inf")
    return max(_HOT_COMMITS, float(np.quantile(lookup.past.file_churn, _HOT_SHARE)))

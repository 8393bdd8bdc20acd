"""One function for each tool: a question to a workspace, to fields and to text."""

from dataclasses import replace

from knowing import engine_review
from knowing.engine import Engine
from knowing.engine_answers import Extent, item_of
from knowing.engine_impact import circumstances
from knowing.errors import KnowingError, NotFoundError, WorkspaceError
from knowing.graph import View
from knowing.impact.blast import blast
from knowing.impact.map import fitted, module_map
from knowing.impact.reviewed import Reviewed
from knowing.mcp_values import (
    BlastResult,
    Changed,
    ChangeResult,
    ContextResult,
    ScoreResult,
    StatusResult,
    SymbolsResult,
    blast_value,
    context_value,
    fitting,
    index_value,
    score_value,
    shown_values,
    status_value,
    symbols_value,
    tokens,
)
from knowing.mcp_workspaces import AskedEngine, Workspace
from knowing.present import answers
from knowing.present.impact import blast_text
from knowing.present.map import map_markdown
from knowing.present.review import review_markdown
from knowing.present.text import status_text
from knowing.reports import ContextAnswer, ItemsAnswer
from knowing.retrieve.locate import locate, locate_one

BUDGET, LIMIT, DEPTH = 6000, 30, 3
_MOST_BUDGET, _MOST_LIMIT, _MOST_DEPTH = 7500, 50, 6
_MOST_TASK = 100_000
_MAP_BUDGET = 4000
_LISTED = 40
_NOTHING_YET = "nothing can be found yet: the first index is being made; ask again in a moment"
_ECHOED = 300
"""Characters of a task that an answer repeats."""


def task_context(place: Workspace, task: str, budget: int, limit: int) -> tuple[ContextResult, str]:
    """What matters for a task."""
    _expect(task, "task")
    engine = place.ready()
    extent = _extent(budget, limit)
    if engine.knows_nothing:
        found = _no_context(engine, task, extent)
    else:
        found = engine.context(task[:_MOST_TASK], extent)
    return _packed(found, task), _with_notes(found)


def _no_context(engine: AskedEngine, task: str, extent: Extent) -> ContextAnswer:
    """While no file has been read yet."""
    return ContextAnswer(
        task=task,
        root=engine.root,
        index=engine.state(),
        budget=extent.budget or 0,
        used=0,
        tokenizer=engine.settings.context.tokenizer,
        left_out=0,
        symbols=(),
        text="",
        notes=(_NOTHING_YET,),
    )


def _packed(found: ContextAnswer, task: str) -> ContextResult:
    def make(most: int) -> ContextResult:
        return replace(context_value(found, most), task=_short(task))

    return fitting(make, _MOST_LIMIT, lambda made: made.text)


def _with_notes(found: ContextAnswer) -> str:
    """The packed text and, before it, what stands in the way of a better one."""
    notes = [*_warning(found.index.state, found.index.notes), *found.notes]
    return "\n".join([*(f"> {note}" for note in notes), *([""] if notes else []), found.text])


def _warning(state: str, notes: tuple[str, ...]) -> list[str]:
    return [] if state == "fresh" else [f"the index is {state}", *notes]


def change_context(
    place: Workspace, base: str, budget: int, limit: int
) -> tuple[ChangeResult, str]:
    """What has changed, and what belongs with it."""
    _expect(base, "base")
    engine = place.ready()
    extent = _extent(budget, limit)
    start, tip = engine_review.sides(base)
    found = engine_review.review(engine, start, tip, budget=extent.budget)
    view, state = engine.view(), engine.state()
    context = found.context

    def make(most: int) -> ChangeResult:
        return ChangeResult(
            base=base,
            root=str(place.root),
            index=index_value(state),
            changed=[_changed(item) for item in found.symbols[: 2 * most]],
            untested=[view.identity(symbol) for symbol in found.untested[:most]],
            test_commands=[command.line for command in found.tests.commands[:most]],
            budget=extent.budget or 0,
            used=context.used if context else 0,
            left_out=context.left_out if context else 0,
            symbols=shown_values(context, most) if context else [],
            text=context.text if context else "",
            notes=[*found.notes, *([] if found.files else ["nothing has changed"])],
        )

    made = fitting(make, _MOST_LIMIT, lambda made: made.text)
    return made, _cut(review_markdown(view, found, state))


def _changed(item: Reviewed) -> Changed:
    change = item.change
    return Changed(
        name=change.shown.name or change.shown.path,
        kind=change.shown.kind.label,
        change=change.kind.value,
        path=change.shown.path,
        line=change.shown.line,
        before=_short(change.before.signature or change.before.name) if change.before else "",
        after=_short(change.after.signature or change.after.name) if change.after else "",
    )


def _short(text: str) -> str:
    return text if len(text) <= _ECHOED else text[:_ECHOED] + "…"


def blast_radius(place: Workspace, symbol: str, depth: int) -> tuple[BlastResult, str]:
    """Who is affected by a change to a symbol."""
    _expect(symbol, "symbol")
    engine = place.ready()
    view, state = engine.view(), engine.state()
    number = _located(engine, view, symbol)
    indexing = "" if state.state == "fresh" else "; ".join((f"index {state.state}", *state.notes))
    given = circumstances(engine, view, number, indexing=indexing)
    found = blast(view, number, depth=min(max(1, depth), _MOST_DEPTH), given=given)
    text = _cut(blast_text(view, found))

    def make(most: int) -> BlastResult:
        return blast_value(view, str(place.root), state, found, most)

    return fitting(make, _LISTED, lambda _: text), text


def score(place: Workspace, task: str, symbol: str) -> tuple[ScoreResult, str]:
    """Why a symbol has its place."""
    _expect(task, "task")
    _expect(symbol, "symbol")
    engine = place.ready()
    name = engine.view().identity(_located(engine, engine.view(), symbol))
    found = engine.why(task[:_MOST_TASK], name)
    made = replace(score_value(found, str(place.root)), task=_short(task))
    return made, answers.explanation_text(found)


def symbols(place: Workspace, query: str, limit: int) -> tuple[SymbolsResult, str]:
    """Symbols by name or by words."""
    _expect(query, "query")
    engine = place.ready()
    most = min(max(1, limit), _MOST_LIMIT)
    if engine.knows_nothing:
        none = ItemsAnswer(
            query=query, root=place.root, index=engine.state(), items=(), notes=(_NOTHING_YET,)
        )
        made = symbols_value([], none, list(none.notes), most)
        return made, _listed(made)
    view = engine.view()
    exact = [
        item_of(view, symbol, rank, 1.0, ("has this name",))
        for rank, symbol in enumerate(locate(view, query)[:most], start=1)
    ]
    found = engine.search(query[:_MOST_TASK], limit=most)
    notes = [*_warning(found.index.state, found.index.notes), *found.notes]

    def make(count: int) -> SymbolsResult:
        return symbols_value(exact, found, notes, count)

    made = fitting(make, most, _listed)
    return made, _listed(made)


def _listed(made: SymbolsResult) -> str:
    lines = [
        f"{item.qualified_name}  {item.path}:{item.line}  [{item.kind}]"
        + (f"  {'; '.join(item.why)}" if item.why else "")
        for item in made.symbols
    ]
    return "\n".join([*(f"> {note}" for note in made.notes), *lines])


def status(place: Workspace) -> tuple[StatusResult, str]:
    """What is indexed."""
    engine = place.ready(patience=0.0)
    with Engine.open(place.root, engine.settings, place.index_dir) as own:
        found = own.status()
    made = status_value(found, engine.state(), place.is_busy, _LISTED)
    running = "\nit is being brought up to date" if made.indexing else ""
    return made, _cut(status_text(found) + running)


def overview(place: Workspace) -> str:
    """The module map; while the first index is made, of what has been read."""
    engine = place.ready()
    if engine.knows_nothing:
        return _NOTHING_YET
    _, text = fitted(module_map(engine.view()), _MAP_BUDGET, tokens, map_markdown)
    notes = _warning(engine.state().state, engine.state().notes)
    return "\n".join([*(f"> {note}" for note in notes), *([""] if notes else []), text])


# -- what the tools share ----------------------------------------------------------------------


def _extent(budget: int, limit: int) -> Extent:
    return Extent(budget=min(max(100, budget), _MOST_BUDGET), limit=min(max(1, limit), _MOST_LIMIT))


def _expect(text: str, name: str) -> None:
    if not text.strip():
        raise WorkspaceError(f"`{name}` is empty", "say what you look for")


def _located(engine: AskedEngine, view: View, symbol: str) -> int:
    """The symbol that is meant; names that are near to it, if there is none."""
    try:
        return locate_one(view, symbol)
    except NotFoundError as error:
        raise NotFoundError(str(error), _near(engine, symbol, error)) from error


def _near(engine: AskedEngine, symbol: str, error: KnowingError) -> str:
    lines = [error.hint] if error.hint else []
    found = engine.search(symbol, limit=5).items
    if found:
        lines += ["symbols with similar words:", *(f"  {item.qualified_name}" for item in found)]
    state = engine.state()
    if state.state != "fresh":
        lines.append(f"the index is {state.state}, so it may not be known yet; ask again")
    return "\n".join([*lines, "find_symbol searches by words"])


def _cut(text: str, most: int = _MOST_BUDGET) -> str:
    """A text of at most so many tokens, whole lines of it."""
    if tokens(text) <= most:
        return text
    lines, used = [], 0
    for line in text.splitlines():
        used += tokens(line) + 1
        if used > most:
            break
        lines.append(line)
    return "\n".join([*lines, "… (shortened)"])

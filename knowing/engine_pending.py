"""What an edit that is not saved yet would break: the unsaved text against the graph of what is."""

from collections.abc import Iterator

from knowing.engine import Engine
from knowing.engine_impact import circumstances, reader
from knowing.engine_review import in_view
from knowing.graph import View
from knowing.impact.blast import Blast, blast
from knowing.impact.compare import Sketch, SymbolChange, SymbolChangeKind, compare, sketches
from knowing.impact.mentions import Shape, find_mentions
from knowing.impact.pending import BrokenUse, Pending, PendingEdit
from knowing.impact.tests import plan_tests
from knowing.live import Reader, relative_path, text_at
from knowing.model import EdgeKind

_SEARCHED = 5
"""Changed symbols whose name is looked for in the text of all files as well."""
_NOT_BROKEN = (EdgeKind.DOCUMENTS, EdgeKind.TESTS, EdgeKind.CONTAINS)
_GONE = (SymbolChangeKind.REMOVED, SymbolChangeKind.RENAMED, SymbolChangeKind.MOVED)


def pending_edit(engine: Engine, path: str, text: str) -> PendingEdit:
    """What saving `text` as the file at `path` would do to the code that uses it."""
    relative = relative_path(engine.root, path)
    saved = text_at(engine.root, relative, engine.settings)
    parsing = Reader(engine.root, engine.settings, engine.registry)
    now = text.encode("utf-8", "surrogatepass")
    before, after = _sketched(parsing, relative, saved), _sketched(parsing, relative, now)
    notes: list[str] = []
    if after is None:
        notes.append(f"{relative} is not indexed: no language is known for it, or it is left out")
    elif saved is None:
        notes.append(f"{relative} is not saved yet: nothing can depend on it")
    found = sorted(compare(before or [], after or []), key=lambda change: not change.breaks)
    view = engine.saved_view(relative)
    pending = [_pending(engine, view, change, now, n) for n, change in enumerate(found)]
    symbols = [item.symbol for item in pending if item.symbol is not None]
    return PendingEdit(
        view=view,
        path=relative,
        changes=tuple(pending),
        tests=plan_tests(view, symbols, reader(engine.root)),
        notes=tuple(notes),
    )


def _sketched(parsing: Reader, path: str, text: bytes | None) -> list[Sketch] | None:
    entry = parsing.unsaved(path, text.decode("utf-8", "replace")) if text is not None else None
    return sketches(path, entry.facts, text) if entry and text is not None else None


def _pending(engine: Engine, view: View, change: SymbolChange, now: bytes, number: int) -> Pending:
    """A change and the uses that it would break, of the graph as it was before."""
    symbol = in_view(view, change.before) if change.before else None
    if symbol is None or not change.breaks:
        return Pending(change=change, symbol=symbol)
    given = circumstances(engine, view, symbol, search=number < _SEARCHED)
    found = blast(view, symbol, depth=1, given=given)
    uses: dict[tuple[str, int], BrokenUse] = {}
    for use in (*_here(change, now), *_elsewhere(found, change.shown.path)):
        uses.setdefault((use.path, use.line), use)
    return Pending(
        change=change,
        symbol=symbol,
        uses=tuple(uses.values()),
        complete=found.complete,
        reasons=tuple(str(reason) for reason in found.reasons),
    )


def _elsewhere(found: Blast, path: str) -> Iterator[BrokenUse]:
    """Uses in other files, the sure ones first."""
    for item in found.direct:
        for site in item.sites or (item.via,):
            if site.path != path and site.edge not in _NOT_BROKEN:
                yield BrokenUse(
                    path=site.path,
                    line=site.line,
                    name=item.name,
                    confidence=item.confidence,
                    sure=True,
                    is_test=item.is_test,
                )
    for maybe in found.possible:
        if maybe.path != path:
            yield BrokenUse(
                path=maybe.path,
                line=maybe.line,
                name=maybe.name,
                confidence=maybe.confidence,
                sure=False,
            )


def _here(change: SymbolChange, now: bytes) -> Iterator[BrokenUse]:
    """Places in the unsaved text that name it: its lines are those that the editor shows."""
    before, after = change.before, change.after
    if before is None or not before.last:
        return
    own = after.line if after and change.kind not in _GONE else 0
    found = find_mentions([before.last], [before.path], lambda _: now).found
    for mention in found:
        if mention.shape in (Shape.CALL, Shape.MEMBER, Shape.WORD) and mention.line != own:
            yield BrokenUse(
                path=mention.path,
                line=mention.line,
                name=mention.text.strip(),
                confidence=0.5,
                sure=False,
            )

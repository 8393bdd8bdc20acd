"""Questions to one folder, each to a JSON object with the same in Markdown."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from knowing.engine import Engine
from knowing.engine_answers import Extent
from knowing.engine_impact import circumstances, unread_files
from knowing.errors import StoreError
from knowing.graph import View
from knowing.impact.blast import Circumstances, blast
from knowing.impact.map import fitted, module_map
from knowing.impact.mentions import find_mentions
from knowing.impact.possible import searched_names
from knowing.model import SymbolKind
from knowing.present import answers
from knowing.present.impact import blast_json, blast_text
from knowing.present.map import map_json, map_markdown
from knowing.present.text import status_json, status_text
from knowing.reports import ContextAnswer, ItemsAnswer
from knowing.retrieve import Mode, What
from server import convert
from server.folder import Folder
from server.work import Cancel

Json = dict[str, Any]

WAIT_SECONDS = 1.5
"""For edits that were just made to be in the answer."""
_BYTES_A_TOKEN = 3
"""Fewer than any tokenizer has for paths and identifiers, so that a budget is never exceeded."""


def index_json(folder: Folder) -> Json:
    """How current the folder is."""
    return answers.state_json(folder.state())


def ready(folder: Folder, cancel: Cancel) -> bool:
    """Takes in the last edits; whether there is anything to answer from."""
    folder.settle(WAIT_SECONDS, cancel, ranking=True)
    cancel.check()
    folder.state()
    return folder.engine.has_lookup


# -- context -----------------------------------------------------------------------------------


def context(
    folder: Folder, title: str, extent: Extent, cancel: Cancel, ask: Callable[[], ContextAnswer]
) -> Json:
    """A packed answer; an empty one with the reason while there is nothing to answer from."""
    if not ready(folder, cancel):
        return _nothing_yet(folder, title, extent)
    found = ask()
    cancel.check()
    return {**answers.context_json(found), "markdown": found.text}


def _nothing_yet(folder: Folder, title: str, extent: Extent) -> Json:
    chosen = folder.settings.context
    budget = chosen.budget if extent.budget is None else extent.budget
    note = _not_yet(folder)
    return {
        "task": title,
        "root": str(folder.root),
        "index": index_json(folder),
        "budget": {"tokens": budget, "used": 0, "tokenizer": chosen.tokenizer},
        "left_out": 0,
        "symbols": [],
        "text": "",
        "notes": [note],
        "markdown": note,
    }


def _not_yet(folder: Folder) -> str:
    notes = "; ".join(folder.state().notes) or "not indexed yet"
    return f"nothing can be found yet: {notes}"


# -- lists -------------------------------------------------------------------------------------


def related(folder: Folder, symbol: str, limit: int, cancel: Cancel) -> Json:
    return _items(folder, symbol, cancel, lambda: folder.engine.related(symbol, limit=limit))


def search(folder: Folder, query: str, mode: str, what: str, limit: int, cancel: Cancel) -> Json:
    def ask() -> ItemsAnswer:
        return folder.engine.search(query, mode=Mode(mode), what=What(what), limit=limit)

    return _items(folder, query, cancel, ask)


def _items(folder: Folder, query: str, cancel: Cancel, ask: Callable[[], ItemsAnswer]) -> Json:
    if not ready(folder, cancel):
        note = _not_yet(folder)
        empty = {"query": query, "root": str(folder.root), "index": index_json(folder)}
        return {**empty, "items": [], "notes": [note], "markdown": note}
    found = ask()
    return {**answers.items_json(found), "markdown": "\n".join(_listed(folder, found))}


def _listed(folder: Folder, found: ItemsAnswer) -> Iterator[str]:
    for item in found.items:
        where = convert.link(folder, item.name or item.path, item.path, item.line)
        why = f": {'; '.join(item.why)}" if item.why else ""
        place = where if item.path else item.name
        yield f"{item.rank}. {place} ({item.kind}, {item.path}:{item.line}){why}"
    yield from found.notes


# -- explanations ------------------------------------------------------------------------------


def explain(folder: Folder, task: str, symbol: str, extent: Extent, cancel: Cancel) -> Json:
    if not ready(folder, cancel):
        return {"task": task, "symbol": symbol, **_unknown(folder)}
    found = folder.engine.why(task, symbol, extent)
    text = answers.explanation_text(found)
    return {
        **answers.explanation_json(found),
        "root": str(folder.root),
        "markdown": f"```text\n{text}\n```",
    }


def _unknown(folder: Folder) -> Json:
    """An explanation while nothing is known."""
    note = _not_yet(folder)
    return {
        "rank": None,
        "score": 0.0,
        "parts": [],
        "channels": [],
        "path": [],
        "verdict": note,
        "index": index_json(folder),
        "root": str(folder.root),
        "markdown": note,
    }


# -- impact ------------------------------------------------------------------------------------


def blast_radius(folder: Folder, locate: Callable[[View], int], depth: int, cancel: Cancel) -> Json:
    folder.settle(WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        raise StoreError(_not_yet(folder), "ask again when the index is there")
    view = folder.engine.view()
    symbol = locate(view)
    state = folder.state()
    indexing = "" if state.state == "fresh" else f"the index is {state.state}"
    given = _circumstances(folder, view, symbol, indexing, cancel)
    cancel.check()
    found = blast(view, symbol, depth=depth, given=given)
    text = blast_text(view, found)
    return {
        **blast_json(view, found),
        "root": str(folder.root),
        "index": answers.state_json(state),
        "markdown": f"```text\n{text}\n```",
    }


def _circumstances(
    folder: Folder, view: View, symbol: int, indexing: str, cancel: Cancel
) -> Circumstances:
    """All that decides whether an answer is complete; reading all files can be cancelled."""
    engine = folder.engine
    given = circumstances(engine, view, symbol, search=False, indexing=indexing)
    names = searched_names(view, symbol)
    if not names or view.symbols.file[symbol] < 0 or view.symbols.kind[symbol] == SymbolKind.MODULE:
        return given

    def read(path: str) -> bytes | None:
        cancel.check()
        return engine.text(path)

    cancel.check()
    paths = dict.fromkeys([*view.paths, *(item.path for item in unread_files(engine))])
    return replace(given, mentions=find_mentions(names, paths, read))


def module_overview(folder: Folder, budget: int, cancel: Cancel) -> Json:
    folder.settle(WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        raise StoreError(_not_yet(folder), "ask again when the index is there")
    whole = module_map(folder.engine.view())
    cancel.check()
    kept, text = fitted(whole, budget, _tokens, map_markdown)
    return {
        **map_json(kept),
        "root": str(folder.root),
        "index": index_json(folder),
        "budget": {"tokens": budget, "used": _tokens(text), "tokenizer": "estimate"},
        "text": text,
        "markdown": text,
    }


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8")) // _BYTES_A_TOKEN)


# -- status ------------------------------------------------------------------------------------


def status(folder: Folder) -> Json:
    """What is stored, and what is going on; asks the store by itself, so it waits for nobody."""
    with Engine.open(folder.root, folder.settings, folder.place.index_dir) as own:
        found = own.status()
    text = status_text(found)
    running = "; ".join(filter(None, (*folder.state().notes, folder.enriching.note())))
    return {
        **status_json(found),
        "uri": folder.place.uri,
        "name": folder.place.name,
        "index": index_json(folder),
        "indexing": folder.indexing.is_running,
        "enriching": folder.enriching.state(),
        "markdown": f"```text\n{text}\n{running}\n```".replace("\n\n```", "\n```"),
    }

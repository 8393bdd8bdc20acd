"""Our own requests, each also as a command."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from knowing.errors import KnowingError, NotFoundError
from knowing.graph import View
from knowing.retrieve import Mode, What
from knowing.retrieve.locate import locate_one
from server import answers, places, protocol, selection, uris
from server.convert import Lines
from server.features.feedback import feedback
from server.features.hover import lines_of, symbol_at
from server.features.pending import pending
from server.folder import Folder
from server.params import Params, range_of
from server.session import Spot
from server.work import Cancel

if TYPE_CHECKING:
    from server.app import KnowingServer

Json = dict[str, Any]
Handler = Callable[["KnowingServer", Params], Awaitable[Json]]

_DEPTH, _RELATED, _MAP_BUDGET = 3, 20, 4000


def register(server: "KnowingServer") -> None:
    """Adds a request and a command for each question."""
    for method, handler in HANDLERS.items():
        server.feature(method)(_request(handler))
    for command, method in protocol.COMMANDS.items():
        server.command(command)(_command(HANDLERS[method]))
    server.command(protocol.REINDEX_COMMAND)(_command(_reindex))
    server.command(protocol.ENRICH_COMMAND)(_command(_enrich))


def _request(handler: Handler) -> Callable[["KnowingServer", object], Awaitable[Json]]:
    async def request(ls: "KnowingServer", params: object) -> Json:
        await ls.settled()
        try:
            return await handler(ls, Params.of(params))
        except KnowingError as error:
            raise ls.as_answer(error) from error

    return request


def _command(handler: Handler) -> Callable[["KnowingServer", object], Awaitable[Json]]:
    request = _request(handler)

    async def command(ls: "KnowingServer", argument: object) -> Json:
        found = await request(ls, argument)
        if isinstance(argument, dict) and argument.get("show") is True:
            await _show(ls, found)
        return found

    return command


async def _show(ls: "KnowingServer", found: Json) -> None:
    """Opens an answer as a document, for editors that show nothing of what a command returns."""
    window = ls.client_capabilities.window
    text = str(found.get("markdown", ""))
    if not (window and window.show_document and window.show_document.support):
        message = lsp.ShowMessageParams(type=lsp.MessageType.Info, message=text[:2000])
        ls.window_show_message(message)
        return
    folder = ls.session.folder_for(found.get("root"))

    def write(_: Cancel) -> Path:
        path = folder.engine.folder / "answer.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8", errors="replace")
        return path

    uri = uris.from_path(await ls.read(write))
    try:
        await ls.window_show_document_async(lsp.ShowDocumentParams(uri=uri, take_focus=True))
    except JsonRpcException:
        # What the client cannot show has still been answered.
        return


# -- context -----------------------------------------------------------------------------------


async def _context(ls: "KnowingServer", params: Params) -> Json:
    files = params.texts("files")
    task = params.maybe_text("task") if files else params.text("task")
    folder = ls.session.folder_for(params.root, params.uri)
    extent = params.extent
    if not files:
        return await ls.read(
            lambda cancel: answers.context(
                folder,
                task or "",
                extent,
                cancel,
                lambda: folder.engine.context(task or "", extent),
            )
        )
    paths = [_relative(ls, folder, file) for file in files]
    return await ls.read(
        lambda cancel: answers.context(
            folder,
            ", ".join(paths),
            extent,
            cancel,
            lambda: folder.engine.context_for_files(paths, extent),
        )
    )


def _relative(ls: "KnowingServer", folder: Folder, file: str) -> str:
    """A file by URI or by path, as the index knows it."""
    uri = file if "://" in file else uris.from_path((folder.root / file).absolute())
    spot = ls.session.spot(uri)
    if spot is None or spot.folder is not folder:
        raise NotFoundError(f"{file} is not in {folder.root}", "name a file of the folder")
    return spot.path


async def _for_changes(ls: "KnowingServer", params: Params) -> Json:
    folder = ls.session.folder_for(params.root, params.uri)
    base, extent = params.maybe_text("base") or "HEAD", params.extent
    return await ls.read(
        lambda cancel: answers.context(
            folder,
            f"Changes since {base}",
            extent,
            cancel,
            lambda: folder.engine.context_for_changes(base, extent),
        )
    )


async def _for_selection(ls: "KnowingServer", params: Params) -> Json:
    spot = _spot(ls, params)
    lines, extent = lines_of(ls, spot.folder), params.extent
    looking = _attention(ls, spot, params)
    position = params.position or (params.range.start if params.range else None)

    def ask(cancel: Cancel) -> Json:
        engine = spot.folder.engine

        def around() -> Any:
            with engine.pinned() as view:
                attention = looking(view, lines, position)
                weights = selection.seeds(view, attention)
                title = params.maybe_text("task") or selection.title(view, weights)
                return engine.context_for_symbols(weights, title, extent)

        return answers.context(spot.folder, spot.path, extent, cancel, around)

    return await ls.read(ask)


Looking = Callable[[View, Lines, lsp.Position | None], selection.Attention]


def _attention(ls: "KnowingServer", spot: Spot, params: Params) -> Looking:
    """What the editor knows, as far as it does not need the text of files."""
    chosen = params.range
    diagnostics = [
        place
        for item in params.items("diagnostics")
        if isinstance(item, dict) and (place := _diagnosed(ls, spot, item))
    ]
    session = ls.session
    named = params.texts("openDocuments") or [item.uri for item in session.documents.latest()]
    open_paths = [found.path for uri in named if (found := session.spot(uri))]
    edits = [
        (found.path, line)
        for uri, line in session.documents.edits()
        if (found := session.spot(uri)) and found.folder is spot.folder
    ]

    def look(view: View, lines: Lines, position: lsp.Position | None) -> selection.Attention:
        whole = chosen or (lsp.Range(start=position, end=position) if position else None)
        cursor = symbol_at(spot, view, position, lines) if position else None
        return selection.Attention(
            path=spot.path,
            first=whole.start.line + 1 if whole else 0,
            last=whole.end.line + 1 if whole else 0,
            cursor=cursor,
            diagnostics=diagnostics,
            edits=edits,
            documents=open_paths if whole else [spot.path, *open_paths],
        )

    return look


def _diagnosed(ls: "KnowingServer", spot: Spot, item: Json) -> tuple[str, int] | None:
    where = range_of(item.get("range"))
    found = ls.session.spot(item["uri"]) if isinstance(item.get("uri"), str) else spot
    return (found.path, where.start.line + 1) if where and found else None


def _spot(ls: "KnowingServer", params: Params) -> Spot:
    uri = params.uri
    if uri is None:
        raise JsonRpcInvalidParams("'textDocument' is missing")
    spot = ls.session.spot(uri)
    if spot is None:
        raise NotFoundError(f"{uri} is in no open folder", "open the folder it is in")
    return spot


# -- about one symbol --------------------------------------------------------------------------


def _folder_and_symbol(ls: "KnowingServer", params: Params) -> tuple[Folder, Callable[[View], int]]:
    """A symbol by name, or the one at a position of a document."""
    named = params.maybe_text("symbol")
    if named is not None:
        folder = ls.session.folder_for(params.root, params.uri)
        return folder, lambda view: locate_one(view, named)
    spot = _spot(ls, params)
    position = params.position or (params.range.start if params.range else None)
    if position is None:
        raise JsonRpcInvalidParams("'symbol' or a 'textDocument' with a 'position' is missing")
    lines = lines_of(ls, spot.folder)

    def at(view: View) -> int:
        offset = lines.offset(spot.path, position)
        line, column = lines.place(spot.path, offset)
        word = places.word_at(lines.data(spot.path), offset)
        return places.meant_at(view, spot.path, line + 1, column, word)

    return spot.folder, at


async def _blast(ls: "KnowingServer", params: Params) -> Json:
    folder, locate = _folder_and_symbol(ls, params)
    depth = params.limit("depth", _DEPTH)
    return await ls.read(lambda cancel: answers.blast_radius(folder, locate, depth, cancel))


async def _related(ls: "KnowingServer", params: Params) -> Json:
    folder, locate = _folder_and_symbol(ls, params)
    limit = params.limit("limit", _RELATED)
    return await ls.read(
        lambda cancel: answers.related(folder, _name(folder, params, locate), limit, cancel)
    )


async def _explain(ls: "KnowingServer", params: Params) -> Json:
    task, extent = params.text("task"), params.extent
    folder, locate = _folder_and_symbol(ls, params)
    return await ls.read(
        lambda cancel: answers.explain(folder, task, _name(folder, params, locate), extent, cancel)
    )


def _name(folder: Folder, params: Params, locate: Callable[[View], int]) -> str:
    """How the engine is told which symbol is meant."""
    named = params.maybe_text("symbol")
    if named is not None:
        return named
    view = folder.engine.view()
    return view.identity(locate(view))


# -- the rest ----------------------------------------------------------------------------------


async def _search(ls: "KnowingServer", params: Params) -> Json:
    query, folder = params.text("query"), ls.session.folder_for(params.root, params.uri)
    mode = params.choice("mode", tuple(item.value for item in (Mode.HYBRID, *Mode)))
    what = params.choice("what", tuple(item.value for item in (What.SYMBOLS, *What)))
    limit = params.limit("limit", _RELATED)
    return await ls.read(lambda cancel: answers.search(folder, query, mode, what, limit, cancel))


async def _map(ls: "KnowingServer", params: Params) -> Json:
    folder = ls.session.folder_for(params.root, params.uri)
    budget = params.limit("budget", _MAP_BUDGET)
    return await ls.read(lambda cancel: answers.module_overview(folder, budget, cancel))


async def _status(ls: "KnowingServer", params: Params) -> Json:
    """Of the folder that is asked, with all others in short."""
    folder = ls.session.folder_for(params.root, params.uri)
    found = await ls.read(lambda _: answers.status(folder))
    others = [
        {
            "uri": item.place.uri,
            "name": item.place.name,
            "root": str(item.root),
            "index": answers.index_json(item),
        }
        for item in ls.session.folders.values()
    ]
    return {**found, "folders": others}


async def _reindex(ls: "KnowingServer", params: Params) -> Json:
    full = params.flag("full")
    named = params.root
    folders = [ls.session.folder_for(named)] if named else list(ls.session.folders.values())
    for folder in folders:
        folder.indexing.start(full=full)
    return {
        "started": [folder.place.uri for folder in folders],
        "markdown": "indexing " + ", ".join(folder.place.name for folder in folders),
    }


async def _enrich(ls: "KnowingServer", params: Params) -> Json:
    """Lets language servers be asked, or holds them back with `pause`, or stops with `cancel`."""
    named = params.root
    folders = [ls.session.folder_for(named)] if named else list(ls.session.folders.values())
    if params.flag("cancel"):
        for folder in folders:
            folder.enriching.cancel()
        return {"started": [], "reason": "cancelled", "markdown": "no further file is asked about"}
    if params.flag("pause") or params.flag("resume"):
        for folder in folders:
            folder.enriching.pause(params.flag("pause"))
        word = "paused" if params.flag("pause") else "resumed"
        return {"started": [], "reason": word, "markdown": f"asking language servers is {word}"}
    reasons = {folder.place.uri: folder.enriching.start() for folder in folders}
    started = [uri for uri, reason in reasons.items() if not reason]
    reason = next((reason for reason in reasons.values() if reason), "")
    names = ", ".join(folder.place.name for folder in folders if folder.place.uri in started)
    note = f"asking language servers about {names}" if started else reason
    return {"started": started, "reason": reason, "markdown": note}


HANDLERS: dict[str, Handler] = {
    protocol.CONTEXT: _context,
    protocol.CONTEXT_FOR_SELECTION: _for_selection,
    protocol.CONTEXT_FOR_CHANGES: _for_changes,
    protocol.BLAST_RADIUS: _blast,
    protocol.PENDING_EDIT: pending,
    protocol.EXPLAIN: _explain,
    protocol.RELATED: _related,
    protocol.SEARCH: _search,
    protocol.MAP: _map,
    protocol.STATUS: _status,
    protocol.FEEDBACK: feedback,
}

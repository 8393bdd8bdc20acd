"""Call hierarchy."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from knowing.graph import View
from knowing.model import EdgeKind, Origin, SymbolKind
from server import convert, places
from server.features.hover import lines_of, symbol_at
from server.folder import Folder
from server.session import Spot
from server.work import Cancel, Lane

if TYPE_CHECKING:
    from server.app import KnowingServer

_WAIT_SECONDS = 1.5
_MOST = 500
_CALLED = (EdgeKind.CALLS, EdgeKind.HANDLES_ROUTE)


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(
        ls: "KnowingServer", params: lsp.CallHierarchyPrepareParams
    ) -> list[lsp.CallHierarchyItem] | None:
        spot = await ls.spot(params.text_document.uri)
        if spot is None:
            return None
        lines = lines_of(ls, spot.folder)
        return await ls.read(
            lambda cancel: _prepared(spot, params.position, lines, cancel), Lane.QUICK
        )

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(
        ls: "KnowingServer", params: lsp.CallHierarchyIncomingCallsParams
    ) -> list[lsp.CallHierarchyIncomingCall]:
        folder, wanted = _known(ls, params.item)
        if folder is None or wanted is None:
            return []
        lines = lines_of(ls, folder)
        return await ls.read(lambda cancel: _incoming(folder, wanted, lines, cancel), Lane.QUICK)

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(
        ls: "KnowingServer", params: lsp.CallHierarchyOutgoingCallsParams
    ) -> list[lsp.CallHierarchyOutgoingCall]:
        folder, wanted = _known(ls, params.item)
        if folder is None or wanted is None:
            return []
        lines = lines_of(ls, folder)
        return await ls.read(lambda cancel: _outgoing(folder, wanted, lines, cancel), Lane.QUICK)


def _known(
    ls: "KnowingServer", item: lsp.CallHierarchyItem
) -> tuple[Folder | None, places.Identity | None]:
    data: Any = item.data
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        return None, None
    overload = data.get("overload")
    wanted = places.Identity(
        path=str(data.get("path")),
        name=data["name"],
        overload=overload if isinstance(overload, int) else 0,
    )
    uri = data.get("folder")
    return (ls.session.folders.get(uri) if isinstance(uri, str) else None), wanted


def _prepared(
    spot: Spot, position: lsp.Position, lines: convert.Lines, cancel: Cancel
) -> list[lsp.CallHierarchyItem] | None:
    spot.folder.settle(_WAIT_SECONDS, cancel)
    if not spot.folder.engine.has_view:
        return None
    view = spot.folder.engine.view()
    symbol = symbol_at(spot, view, position, lines)
    if symbol is None or view.symbols.file[symbol] < 0:
        return None
    return [_item(spot.folder, view, symbol, lines)]


def _item(folder: Folder, view: View, symbol: int, lines: convert.Lines) -> lsp.CallHierarchyItem:
    known = places.identity_of(view, symbol)
    kind = SymbolKind(int(view.symbols.kind[symbol]))
    return lsp.CallHierarchyItem(
        name=known.name or known.path,
        kind=convert.KINDS.get(kind, lsp.SymbolKind.Function),
        uri=convert.uri_of(folder, known.path),
        range=convert.full_range(view, symbol, lines),
        selection_range=convert.name_range(view, symbol, lines),
        detail=known.path,
        data={
            "folder": folder.place.uri,
            "path": known.path,
            "name": known.name,
            "overload": known.overload,
        },
    )


def _incoming(
    folder: Folder, wanted: places.Identity, lines: convert.Lines, cancel: Cancel
) -> list[lsp.CallHierarchyIncomingCall]:
    view, symbol = _current(folder, wanted, cancel)
    if view is None or symbol is None:
        return []
    sites = _sites(view, view.edges_to(symbol).tolist(), towards=False)
    name = view.symbols.name[symbol]
    return [
        lsp.CallHierarchyIncomingCall(
            from_=_item(folder, view, source, lines),
            from_ranges=[lines.found(path, line, name) for path, line in found],
        )
        for source, found in list(sites.items())[:_MOST]
    ]


def _outgoing(
    folder: Folder, wanted: places.Identity, lines: convert.Lines, cancel: Cancel
) -> list[lsp.CallHierarchyOutgoingCall]:
    view, symbol = _current(folder, wanted, cancel)
    if view is None or symbol is None:
        return []
    sites = _sites(view, view.edges_from(symbol).tolist(), towards=True)
    return [
        lsp.CallHierarchyOutgoingCall(
            to=_item(folder, view, target, lines),
            from_ranges=[
                lines.found(path, line, view.symbols.name[target]) for path, line in found
            ],
        )
        for target, found in list(sites.items())[:_MOST]
    ]


def _current(
    folder: Folder, wanted: places.Identity, cancel: Cancel
) -> tuple[View | None, int | None]:
    folder.settle(_WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        return None, None
    view = folder.engine.view()
    return view, places.found_again(view, wanted)


def _sites(view: View, rows: list[int], *, towards: bool) -> dict[int, list[tuple[str, int]]]:
    """Calls that are sure, by the symbol at their other end, with the places they are made at."""
    edges = view.edges
    found: dict[int, list[tuple[str, int]]] = {}
    for row in rows:
        if EdgeKind(int(edges.kind[row])) not in _CALLED or edges.origin[row] == Origin.HEURISTIC:
            continue
        other = int(edges.target[row] if towards else edges.source[row])
        if view.symbols.file[other] < 0:
            continue
        places_of = found.setdefault(other, [])
        if edges.file[row] >= 0 and edges.line[row] > 0:
            places_of.append((view.paths[int(edges.file[row])], int(edges.line[row])))
    return found

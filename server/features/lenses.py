"""Code lenses: how many use a symbol. Counted only for those that are on the screen."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from knowing.model import CALLABLE_KINDS, TYPE_KINDS
from knowing.retrieve.locate import rows_of_file
from server import convert, places
from server.features.hover import lines_of
from server.neighbours import counts
from server.session import Spot
from server.work import Cancel, Lane

if TYPE_CHECKING:
    from server.app import KnowingServer
    from server.folder import Folder

_WAIT_SECONDS = 0.3
_MOST = 300
_KINDS = frozenset(int(kind) for kind in (*TYPE_KINDS, *CALLABLE_KINDS))
_COMMAND = "knowing.blastRadius"


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
    async def lenses(ls: "KnowingServer", params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        spot = await ls.spot(params.text_document.uri)
        if spot is None:
            return []
        lines = lines_of(ls, spot.folder)
        return await ls.read(lambda cancel: _lenses(spot, lines, cancel), Lane.QUICK)

    @server.feature(lsp.CODE_LENS_RESOLVE)
    async def resolve(ls: "KnowingServer", params: lsp.CodeLens) -> lsp.CodeLens:
        data: Any = params.data
        uri = data.get("folder") if isinstance(data, dict) else None
        folder = ls.session.folders.get(uri) if isinstance(uri, str) else None
        if folder is not None:
            return await ls.read(lambda _: _resolved(folder, params, data), Lane.QUICK)
        params.command = lsp.Command(title="", command="")
        return params


def _lenses(spot: Spot, lines: convert.Lines, cancel: Cancel) -> list[lsp.CodeLens]:
    folder = spot.folder
    folder.settle(_WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        return []
    view = folder.engine.view()
    file = places.file_number(view, spot.path)
    if file is None:
        return []
    rows = rows_of_file(view, file)
    wanted = [row for row in rows.tolist() if int(view.symbols.kind[row]) in _KINDS]
    return [
        lsp.CodeLens(
            range=convert.name_range(view, row, lines),
            data={
                "folder": folder.place.uri,
                "path": spot.path,
                "name": view.symbols.chain[row],
                "overload": int(view.symbols.overload[row]),
            },
        )
        for row in wanted[:_MOST]
    ]


def _resolved(folder: "Folder", lens: lsp.CodeLens, data: dict[str, Any]) -> lsp.CodeLens:
    wanted = places.Identity(
        path=str(data.get("path")),
        name=str(data.get("name")),
        overload=data["overload"] if isinstance(data.get("overload"), int) else 0,
    )
    lens.command = lsp.Command(title="", command="")
    if folder.engine.has_view:
        view = folder.engine.view()
        symbol = places.found_again(view, wanted)
        if symbol is not None:
            argument = {"symbol": view.identity(symbol), "root": folder.place.uri, "show": True}
            title = str(counts(view, symbol))
            lens.command = lsp.Command(title=title, command=_COMMAND, arguments=[argument])
    return lens

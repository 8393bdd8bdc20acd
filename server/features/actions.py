"""Code actions that run the commands, for editors without menus of their own."""

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from knowing.graph import View
from knowing.model import SymbolKind
from server import convert, places
from server.features.hover import lines_of
from server.session import Spot
from server.work import Cancel, Lane

if TYPE_CHECKING:
    from server.app import KnowingServer

KIND = "source.knowing"
_WAIT_SECONDS = 0.2
_TITLE_OF_SELECTION = "Knowing: context for this selection"


def register(server: "KnowingServer") -> None:
    """Adds the handler."""
    options = lsp.CodeActionOptions(code_action_kinds=[KIND])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(
        ls: "KnowingServer", params: lsp.CodeActionParams
    ) -> list[lsp.CodeAction | lsp.Command]:
        spot = await ls.spot(params.text_document.uri)
        if spot is None or not _is_wanted(params.context.only):
            return []
        lines = lines_of(ls, spot.folder)
        commands = await ls.read(lambda cancel: _commands(spot, params, lines, cancel), Lane.QUICK)
        if not _takes_literals(ls):
            return list(commands)
        return [
            lsp.CodeAction(title=command.title, kind=KIND, command=command) for command in commands
        ]


def _is_wanted(only: object) -> bool:
    if not isinstance(only, list | tuple) or not only:
        return True
    kinds = [kind.value if isinstance(kind, lsp.CodeActionKind) else str(kind) for kind in only]
    return any(not kind or f"{KIND}.".startswith(f"{kind}.") for kind in kinds)


def _takes_literals(ls: "KnowingServer") -> bool:
    document = ls.client_capabilities.text_document
    action = document.code_action if document else None
    return bool(action and action.code_action_literal_support)


def _commands(
    spot: Spot, params: lsp.CodeActionParams, lines: convert.Lines, cancel: Cancel
) -> list[lsp.Command]:
    folder = spot.folder
    folder.settle(_WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        return []
    view = folder.engine.view()
    if places.file_number(view, spot.path) is None:
        return []
    here = {
        "textDocument": {"uri": params.text_document.uri},
        "range": _plain(params.range),
        "diagnostics": [
            {"range": _plain(item.range), "message": item.message}
            for item in params.context.diagnostics
        ],
        "show": True,
    }
    found = [lsp.Command(_TITLE_OF_SELECTION, "knowing.contextForSelection", arguments=[here])]
    symbol = _symbol(spot, view, params.range.start, lines)
    if view.symbols.kind[symbol] != SymbolKind.MODULE:
        name = view.symbols.chain[symbol]
        about = {"symbol": view.identity(symbol), "root": folder.place.uri, "show": True}
        found += [
            lsp.Command(f"Knowing: blast radius of {name}", "knowing.blastRadius", "", [about]),
            lsp.Command(f"Knowing: related to {name}", "knowing.relatedSymbols", "", [about]),
        ]
    return found


def _symbol(spot: Spot, view: View, position: lsp.Position, lines: convert.Lines) -> int:
    offset = lines.offset(spot.path, position)
    line, column = lines.place(spot.path, offset)
    word = places.word_at(lines.data(spot.path), offset)
    return places.meant_at(view, spot.path, line + 1, column, word)


def _plain(given: lsp.Range) -> dict[str, dict[str, int]]:
    return {
        name: {"line": place.line, "character": place.character}
        for name, place in (("start", given.start), ("end", given.end))
    }

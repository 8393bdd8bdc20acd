"""Hover: what a symbol is, who uses it, what belongs with it. A few lines, others say the rest."""

import re
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from knowing.graph import View
from server import convert, places
from server.folder import Folder
from server.neighbours import closest, counts
from server.session import Spot
from server.work import Cancel, Lane

if TYPE_CHECKING:
    from server.app import KnowingServer

_WAIT_SECONDS = 0.3
_RELATED = 4
_LINK = re.compile(r"\[((?:[^\]\\]|\\.)*)\]\([^)]*\)")


def register(server: "KnowingServer") -> None:
    """Adds the handler."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: "KnowingServer", params: lsp.HoverParams) -> lsp.Hover | None:
        spot = await ls.spot(params.text_document.uri)
        if spot is None:
            return None
        lines = lines_of(ls, spot.folder)
        text = await ls.read(lambda cancel: _text(spot, params.position, lines, cancel), Lane.QUICK)
        return None if text is None else lsp.Hover(contents=_content(ls, text))


def _content(ls: "KnowingServer", text: str) -> lsp.MarkupContent:
    """Markdown, or the same without its marks for clients that show text as it is."""
    document = ls.client_capabilities.text_document
    shown = document.hover.content_format if document and document.hover else None
    if shown and lsp.MarkupKind.Markdown not in shown:
        plain = _LINK.sub(r"\1", text).replace("**", "")
        return lsp.MarkupContent(kind=lsp.MarkupKind.PlainText, value=plain)
    return lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=text)


def lines_of(ls: "KnowingServer", folder: Folder) -> convert.Lines:
    """Positions in the files of a folder as the client counts them."""
    return convert.Lines(folder.engine.text, ls.session.documents.encoding)


def symbol_at(spot: Spot, view: View, position: lsp.Position, lines: convert.Lines) -> int | None:
    """The symbol that is named at a position."""
    file = places.file_number(view, spot.path)
    if file is None:
        return None
    offset = lines.offset(spot.path, position)
    line, column = lines.place(spot.path, offset)
    word = places.word_at(lines.data(spot.path), offset)
    return places.named_at(view, file, line + 1, column, word)


def _text(spot: Spot, position: lsp.Position, lines: convert.Lines, cancel: Cancel) -> str | None:
    folder = spot.folder
    folder.settle(_WAIT_SECONDS, cancel)
    if not folder.engine.has_view:
        return None
    view = folder.engine.view()
    symbol = symbol_at(spot, view, position, lines)
    if symbol is None:
        return None
    return "\n\n".join(_lines(folder, view, symbol, cancel))


def _lines(folder: Folder, view: View, symbol: int, cancel: Cancel) -> list[str]:
    shown = view.symbol(symbol)
    where = convert.link(folder, shown.path, shown.path, shown.name_line) if shown.path else ""
    head = f"**{shown.name or view.identity(symbol)}** — {shown.kind.label}"
    lines = [f"{head}, {where}" if where else head, str(counts(view, symbol))]
    cancel.check()
    related = _related(folder, view, symbol)
    return [*lines, "Related: " + " · ".join(related)] if related else lines


def _related(folder: Folder, view: View, symbol: int) -> list[str]:
    """The closest symbols with the reason, as links."""
    found = []
    for near in closest(view, symbol, _RELATED):
        shown = view.symbol(near.symbol)
        link = convert.link(folder, shown.name or shown.path, shown.path, shown.name_line)
        found.append(f"{link} ({near.reason})")
    return found

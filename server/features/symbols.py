"""Symbols of a document and of the workspace."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from lsprotocol import types as lsp

from knowing.graph import View
from knowing.model import SymbolFlag, SymbolKind
from knowing.retrieve.locate import rows_of_file
from server import convert, places
from server.features.hover import lines_of
from server.folder import Folder
from server.session import Spot
from server.work import Cancel, Lane

if TYPE_CHECKING:
    from server.app import KnowingServer

_WAIT_SECONDS = 1.5
_MOST = 200
_LOOKED_AT = 5000


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document(
        ls: "KnowingServer", params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
        spot = await ls.spot(params.text_document.uri)
        if spot is None:
            return []
        lines = lines_of(ls, spot.folder)
        if _is_flat(ls):
            return await ls.read(lambda cancel: _listed(spot, lines, cancel), Lane.QUICK)
        return await ls.read(lambda cancel: _nested(spot, lines, cancel), Lane.QUICK)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace(
        ls: "KnowingServer", params: lsp.WorkspaceSymbolParams
    ) -> list[lsp.SymbolInformation]:
        await ls.settled()
        folders = list(ls.session.folders.values())
        lines = {folder.place.uri: lines_of(ls, folder) for folder in folders}

        def search(cancel: Cancel) -> list[lsp.SymbolInformation]:
            found: list[lsp.SymbolInformation] = []
            for folder in folders:
                cancel.check()
                found += _matching(folder, params.query, lines[folder.place.uri], cancel)
            return found[:_MOST]

        return await ls.read(search, Lane.QUICK)


def _is_flat(ls: "KnowingServer") -> bool:
    document = ls.client_capabilities.text_document
    symbol = document.document_symbol if document else None
    return not (symbol and symbol.hierarchical_document_symbol_support)


def _rows(spot: Spot, cancel: Cancel) -> tuple[View, list[int]] | None:
    """The symbols of a file that are code or headings, in order."""
    spot.folder.settle(_WAIT_SECONDS, cancel)
    if not spot.folder.engine.has_view:
        return None
    view = spot.folder.engine.view()
    file = places.file_number(view, spot.path)
    if file is None:
        return None
    rows = rows_of_file(view, file).tolist()
    kinds = view.symbols.kind
    return view, [
        row
        for row in rows
        if SymbolKind(int(kinds[row])) in convert.KINDS and kinds[row] != SymbolKind.MODULE
    ]


def _nested(spot: Spot, lines: convert.Lines, cancel: Cancel) -> list[lsp.DocumentSymbol]:
    found = _rows(spot, cancel)
    if found is None:
        return []
    view, rows = found
    table = view.symbols
    made: dict[int, lsp.DocumentSymbol] = {}
    top: list[lsp.DocumentSymbol] = []
    for row in rows:
        whole, name = convert.full_range(view, row, lines), convert.name_range(view, row, lines)
        symbol = lsp.DocumentSymbol(
            name=table.name[row] or "(unnamed)",
            kind=convert.KINDS[SymbolKind(int(table.kind[row]))],
            range=_around(whole, name),
            selection_range=name,
            children=[],
        )
        made[row] = symbol
        owner = made.get(int(table.owner[row]))
        siblings = owner.children if owner is not None else top
        if isinstance(siblings, list):
            siblings.append(symbol)
    return top


def _around(whole: lsp.Range, name: lsp.Range) -> lsp.Range:
    """A range that holds the name, as clients insist, even where it is written elsewhere."""
    first = min(whole.start, name.start, key=lambda place: (place.line, place.character))
    last = max(whole.end, name.end, key=lambda place: (place.line, place.character))
    return lsp.Range(start=first, end=last)


def _listed(spot: Spot, lines: convert.Lines, cancel: Cancel) -> list[lsp.SymbolInformation]:
    found = _rows(spot, cancel)
    if found is None:
        return []
    view, rows = found
    return [_information(spot.folder, view, row, lines) for row in rows]


def _matching(
    folder: Folder, query: str, lines: convert.Lines, cancel: Cancel
) -> list[lsp.SymbolInformation]:
    folder.settle(_WAIT_SECONDS, cancel)
    if not folder.engine.has_view or not query.strip():
        return []
    view = folder.engine.view()
    rows = sorted(_candidates(view, query.strip()), key=lambda row: _order(view, row, query))
    return [_information(folder, view, row, lines) for row in rows[:_MOST]]


def _candidates(view: View, query: str) -> Iterator[int]:
    """Symbols whose owner chain holds the query, in any case."""
    column = view.symbols.chain
    pattern = re.compile(re.escape(query.encode("utf-8", "surrogatepass")), re.IGNORECASE)
    bounds, last = np.asarray(column.bounds), -1
    data = column.data.tobytes()
    for count, match in enumerate(pattern.finditer(data)):
        if count >= _LOOKED_AT:
            return
        row = int(np.searchsorted(bounds, match.start(), side="right")) - 1
        inside = match.end() <= int(bounds[row + 1])
        if row == last or not inside or view.symbols.file[row] < 0:
            continue
        if SymbolKind(int(view.symbols.kind[row])) in convert.KINDS:
            last = row
            yield row


def _order(view: View, row: int, query: str) -> tuple[int, bool, int, str, int]:
    """Exact names first, then beginnings; code of the project before its tests."""
    name, wanted = view.symbols.name[row].casefold(), query.casefold().rpartition(".")[2]
    fit = 0 if name == wanted else 1 if name.startswith(wanted) else 2 if wanted in name else 3
    aside = bool(view.symbols.flags[row] & (SymbolFlag.TEST | SymbolFlag.VENDORED))
    return fit, aside, len(name), view.symbols.chain[row], row


def _information(
    folder: Folder, view: View, row: int, lines: convert.Lines
) -> lsp.SymbolInformation:
    table = view.symbols
    path = view.paths[int(table.file[row])]
    owner = table.chain[row].removesuffix(table.name[row]).rstrip(".:#")
    return lsp.SymbolInformation(
        name=table.name[row] or path,
        kind=convert.KINDS[SymbolKind(int(table.kind[row]))],
        location=lsp.Location(
            uri=convert.uri_of(folder, path), range=convert.name_range(view, row, lines)
        ),
        container_name=owner or path,
    )

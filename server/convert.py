"""Between the engine's values and those of the protocol; the only such place."""

from collections.abc import Callable

from lsprotocol import types as lsp

from knowing.graph import View
from knowing.model import SymbolKind
from knowing.text import Encoding, LineIndex, Position
from server import uris
from server.folder import Folder

KINDS = {
    SymbolKind.MODULE: lsp.SymbolKind.Module,
    SymbolKind.NAMESPACE: lsp.SymbolKind.Namespace,
    SymbolKind.CLASS: lsp.SymbolKind.Class,
    SymbolKind.STRUCT: lsp.SymbolKind.Struct,
    SymbolKind.INTERFACE: lsp.SymbolKind.Interface,
    SymbolKind.TRAIT: lsp.SymbolKind.Interface,
    SymbolKind.ENUM: lsp.SymbolKind.Enum,
    SymbolKind.TYPE: lsp.SymbolKind.Class,
    SymbolKind.FUNCTION: lsp.SymbolKind.Function,
    SymbolKind.METHOD: lsp.SymbolKind.Method,
    SymbolKind.CONSTRUCTOR: lsp.SymbolKind.Constructor,
    SymbolKind.PROPERTY: lsp.SymbolKind.Property,
    SymbolKind.FIELD: lsp.SymbolKind.Field,
    SymbolKind.VARIABLE: lsp.SymbolKind.Variable,
    SymbolKind.CONSTANT: lsp.SymbolKind.Constant,
    SymbolKind.MACRO: lsp.SymbolKind.Function,
    SymbolKind.ENUM_MEMBER: lsp.SymbolKind.EnumMember,
    SymbolKind.DOC_SECTION: lsp.SymbolKind.String,
    SymbolKind.ROUTE: lsp.SymbolKind.Event,
    SymbolKind.ENDPOINT: lsp.SymbolKind.Event,
}

Text = Callable[[str], bytes | None]


class Lines:
    """Positions in the files of a folder, in the encoding of the client; for one request."""

    def __init__(self, text: Text, encoding: Encoding) -> None:
        self._text = text
        self._encoding = encoding
        self._known: dict[str, tuple[bytes, LineIndex]] = {}

    def _lines(self, path: str) -> tuple[bytes, LineIndex]:
        if path not in self._known:
            data = self._text(path) or b""
            self._known[path] = data, LineIndex(data)
        return self._known[path]

    def data(self, path: str) -> bytes:
        return self._lines(path)[0]

    def offset(self, path: str, position: lsp.Position) -> int:
        """The byte of a file at a position of the client."""
        return self._lines(path)[1].offset(position.line, position.character, self._encoding)

    def place(self, path: str, offset: int) -> Position:
        """0-based line and column in bytes of a byte."""
        return self._lines(path)[1].position(offset)

    def range(self, path: str, start: int, end: int) -> lsp.Range:
        """The range of some bytes."""
        lines = self._lines(path)[1]
        first = lines.position(start, self._encoding)
        last = lines.position(max(start, end), self._encoding)
        return lsp.Range(start=_position(first), end=_position(last))

    def word(self, path: str, line: int, column: int, size: int) -> lsp.Range:
        """The range of some bytes of a 1-based line."""
        start, end = self._lines(path)[1].line_span(line - 1)
        first = min(start + column, end)
        return self.range(path, first, min(first + size, end))

    def found(self, path: str, line: int, name: str) -> lsp.Range:
        """Where a name stands in a 1-based line; the start of the line if it does not."""
        data, lines = self._lines(path)
        start, end = lines.line_span(line - 1)
        wanted = name.encode("utf-8", "surrogatepass")
        at = data.find(wanted, start, end) if wanted else -1
        return self.range(path, *((at, at + len(wanted)) if at >= 0 else (start, start)))


def _position(position: Position) -> lsp.Position:
    return lsp.Position(line=position.line, character=position.column)


def name_range(view: View, symbol: int, lines: Lines) -> lsp.Range:
    """Where the name of a symbol stands in its file."""
    table = view.symbols
    path = view.paths[int(table.file[symbol])]
    size = len(table.name[symbol].encode("utf-8"))
    return lines.word(path, int(table.name_line[symbol]), int(table.name_column[symbol]), size)


def full_range(view: View, symbol: int, lines: Lines) -> lsp.Range:
    """All of a symbol."""
    table = view.symbols
    path = view.paths[int(table.file[symbol])]
    return lines.range(path, int(table.start[symbol]), int(table.end[symbol]))


def uri_of(folder: Folder, path: str) -> str:
    return uris.from_path(folder.root / path)


def link(folder: Folder, name: str, path: str, line: int) -> str:
    """A Markdown link to a line."""
    shown = name.replace("[", "\\[").replace("]", "\\]")
    return f"[{shown}]({uri_of(folder, path)}#L{line})"

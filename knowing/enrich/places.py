"""Positions of servers to and from ours, and the symbol that stands at a position.

Ours are 1-based lines that end with LF and 0-based columns in bytes of UTF-8. Servers count from 0,
end lines with a lone CR, too, and choose what a column counts.
"""

import re
from bisect import bisect_right
from collections import OrderedDict
from functools import cached_property
from pathlib import Path

import numpy as np

from knowing.files import text_of
from knowing.files.decode import to_utf8
from knowing.model import Skipped, SymbolFlag, SymbolKind
from knowing.parse.facts import FileFacts, SymbolColumn
from knowing.parse.rows import EXTENSION
from knowing.text import Encoding, LineIndex

_KEYWORDS = re.compile(rb"[\w\s*&]*")
"""What may stand between the beginning of a definition and its name."""
_KEPT_TEXTS = 256
LONGEST_TEXT = 8 * 1024 * 1024


class Text:
    """The text of one file, with both ways to count."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        # In most files both ways to count agree.
        self._plain = data.isascii() and b"\r" not in data.replace(b"\r\n", b"")

    @cached_property
    def _index(self) -> LineIndex:
        return LineIndex(self.data)

    @cached_property
    def _starts(self) -> list[int]:
        codes = np.frombuffer(self.data, dtype=np.uint8)
        return [0, *(np.flatnonzero(codes == 10) + 1).tolist()]

    def offset(self, line: int, column: int) -> int:
        """The byte at one of our positions."""
        return self._starts[min(max(line, 1), len(self._starts)) - 1] + column

    def to_server(self, line: int, column: int, encoding: Encoding) -> tuple[int, int]:
        if self._plain:
            return line - 1, column
        found = self._index.position(self.offset(line, column), encoding)
        return found.line, found.column

    def from_server(self, line: int, character: int, encoding: Encoding) -> tuple[int, int]:
        if self._plain:
            return line + 1, character
        offset = self._index.offset(line, character, encoding)
        ours = bisect_right(self._starts, offset)
        return ours, offset - self._starts[ours - 1]


class Texts:
    """Texts of files by path, those used last kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, Text | None] = OrderedDict()

    def get(self, path: Path) -> Text | None:
        """The text of a file; None if it cannot be read as one."""
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        text = self._kept[path] = _read(path)
        if len(self._kept) > _KEPT_TEXTS:
            self._kept.popitem(last=False)
        return text

    def put(self, path: Path, text: Text) -> None:
        self._kept[path] = text

    def forget(self) -> None:
        """Files may have changed."""
        self._kept.clear()


def _read(path: Path) -> Text | None:
    try:
        if path.stat().st_size > LONGEST_TEXT:
            return None
        raw = path.read_bytes()
    except (OSError, ValueError):
        return None
    decoded = to_utf8(raw)
    return Text(decoded[0]) if decoded else None


def source_of(path: Path, raw: bytes) -> tuple[Text, bytes] | str:
    """Text and digest of a file of the workspace, or why there are none."""
    source = text_of(str(path), raw)
    if isinstance(source, Skipped):
        return source.reason
    return Text(source.data), source.digest


class Outline:
    """The symbols of one file, by the positions of their names."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        symbols = facts.symbols
        self._rows = np.flatnonzero(symbols[:, SymbolColumn.KIND] != EXTENSION)
        lines = symbols[self._rows, SymbolColumn.NAME_LINE].tolist()
        columns = symbols[self._rows, SymbolColumn.NAME_COLUMN].tolist()
        self._named: dict[tuple[int, int], int] = {}
        for row, line, column in zip(self._rows.tolist(), lines, columns, strict=True):
            if row:
                self._named.setdefault((line, column), row)

    @cached_property
    def _strings(self) -> list[str]:
        return self._facts.strings

    def symbol_at(self, line: int, column: int, text: Text | None) -> int:
        """The symbol whose name stands there, or whose definition begins there; else -1.

        Any other place inside a definition is a parameter, a receiver or a local variable: no
        symbol, and not the one around it either.
        """
        exact = self._named.get((line, column))
        if exact is not None:
            return exact
        if line == 1 and column == 0:
            return 0
        if text is None:
            return -1
        offset = text.offset(line, column)
        symbols = self._facts.symbols
        best = -1
        for row in self._rows[1:].tolist():
            start, name_line, name_column = symbols[row, _HEAD].tolist()
            if start <= offset and (line, column) <= (name_line, name_column):
                between = text.data[offset : text.offset(name_line, name_column)]
                if start == offset or _KEYWORDS.fullmatch(between):
                    best = row
        return best

    def name(self, row: int) -> str:
        return self._strings[self._facts.symbols[row, SymbolColumn.CHAIN]] if row else ""

    def overload(self, row: int) -> int:
        return int(self._facts.symbols[row, SymbolColumn.OVERLOAD]) if row else 0

    def kind(self, row: int) -> int:
        return int(self._facts.symbols[row, SymbolColumn.KIND])

    def is_overload(self, row: int) -> bool:
        """One of several signatures rather than the definition itself."""
        return bool(self._facts.symbols[row, SymbolColumn.FLAGS] & SymbolFlag.OVERLOAD)

    def abstract(self) -> list[int]:
        """Interfaces, and what is declared without being defined."""
        symbols = self._facts.symbols[self._rows]
        open_kinds = np.isin(
            symbols[:, SymbolColumn.KIND], (SymbolKind.INTERFACE, SymbolKind.TRAIT)
        )
        declared = (symbols[:, SymbolColumn.FLAGS] & SymbolFlag.ABSTRACT) != 0
        found: list[int] = self._rows[open_kinds | declared].tolist()
        return found

    def name_place(self, row: int) -> tuple[int, int]:
        line, column = self._facts.symbols[row, _NAME].tolist()
        return line, column


_HEAD = [SymbolColumn.START, SymbolColumn.NAME_LINE, SymbolColumn.NAME_COLUMN]
_NAME = [SymbolColumn.NAME_LINE, SymbolColumn.NAME_COLUMN]

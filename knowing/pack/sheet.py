"""One file as packing sees it: its lines, their cost, and whether symbols still stand there."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from knowing.graph import View
from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.text import LineIndex

_NO_SIGNS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How a language writes a comment, as far as packing needs it."""

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    doc_inside: bool = False
    prose: bool = False

    @classmethod
    def of(cls, language: Language) -> "Marks":
        return cls(
            line=language.line_comments,
            block=language.block_comments,
            doc_inside=language.doc_inside,
            prose=language.prose,
        )

    def elision(self, count: int, indent: str = "") -> str:
        """The line that stands for `count` lines that are not shown."""
        words = f"... {count} line{'s' if count != 1 else ''}"
        if self.prose or not (self.line or self.block):
            return f"{indent}{words}"
        if self.line:
            return f"{indent}{self.line[0]} {words}"
        opening, closing = self.block[0]
        return f"{indent}{opening} {words} {closing}"


@dataclass(slots=True)
class Sheet:
    """The lines of one file, from 0, and the state of its symbols."""

    path: str
    language: str
    marks: Marks
    data: bytes | None
    costs: dict[int, float] = field(default_factory=dict)
    """What each line costs as it is written, for the lines that any level may show."""
    _texts: dict[int, str] = field(default_factory=dict)
    _index: LineIndex | None = None

    @property
    def index(self) -> LineIndex:
        if self._index is None:
            self._index = LineIndex(self.data or b"")
        return self._index

    @property
    def last(self) -> int:
        """The last line; the empty one after a final line end is none."""
        count = len(self.index)
        return (
            count - 2 if count > 1 and self.index.starts[-1] == len(self.data or b"") else count - 1
        )

    def line(self, number: int) -> str:
        text = self._texts.get(number)
        if text is None:
            start, end = self.index.line_span(number)
            text = (self.data or b"")[start:end].decode("utf-8", "replace")
            self._texts[number] = text
        return text

    def blank(self, number: int) -> bool:
        return not self.line(number).strip()


@dataclass(frozen=True, eq=False)
class Standing:
    """Whether the symbols of one file are still where the index saw them."""

    view: View
    sheet: Sheet
    file: int

    @cached_property
    def members(self) -> tuple[int, int]:
        """The numbers of the file's symbols: symbols are sorted by file, then by position."""
        files = self.view.symbols.file
        # Symbols outside the code come last and have no file, so only those before are sorted.
        inside = bisect_left(range(len(files)), True, key=lambda number: bool(files[number] < 0))
        low, high = np.searchsorted(files[:inside], [self.file, self.file + 1])
        return int(low), int(high)

    @cached_property
    def unchanged(self) -> bool:
        """The text has the length that the index saw; then a look at the name is enough."""
        low, high = self.members
        table = self.view.symbols
        whole = low < high and int(table.kind[low]) == SymbolKind.MODULE
        return whole and int(table.end[low]) == len(self.sheet.data or b"")

    def holds(self, symbol: int) -> bool:
        """The symbol, all that is in it and what follows it are in their places."""
        if self.sheet.data is None or not self._stands(symbol):
            return False
        if self.unchanged:
            return True
        low, high = self.members
        table = self.view.symbols
        end = int(table.end[symbol])
        if end > len(self.sheet.data) or int(table.kind[symbol]) == SymbolKind.MODULE:
            return False
        after = [i for i in range(low, high) if int(table.start[i]) >= end]
        within = [i for i in range(low, high) if int(table.start[symbol]) < table.start[i] < end]
        follower = min(after, key=lambda i: int(table.start[i]), default=-1)
        return follower >= 0 and all(self._stands(i) for i in (*within, follower))

    def _stands(self, symbol: int) -> bool:
        table = self.view.symbols
        if int(table.kind[symbol]) == SymbolKind.MODULE:
            return True
        name, number = table.name[symbol], int(table.name_line[symbol]) - 1
        if not 0 <= number <= self.sheet.last or int(table.end[symbol]) > len(
            self.sheet.data or b""
        ):
            return False
        start, end = self.sheet.index.line_span(number)
        column = int(table.name_column[symbol])
        raw = (self.sheet.data or b"")[start:end]
        if raw[column:].startswith(name.encode()):
            return True
        # Some names are not written as such: quoted ones, headings with markup.
        bare = _NO_SIGNS.sub("", name)
        return not bare.isidentifier() or bare in _NO_SIGNS.sub("", self.sheet.line(number))

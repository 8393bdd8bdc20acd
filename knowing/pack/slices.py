"""A symbol at each level of detail, as numbers of lines of its file."""

import re
from dataclasses import dataclass

import numpy as np

from knowing.graph import View
from knowing.model import SymbolKind
from knowing.pack.compress import SHORTEST, Body, compress
from knowing.pack.sheet import Sheet, Standing
from knowing.pack.values import Step

_LONGEST_HEAD = 12
_LONGEST_LINE = 1000
_LONGEST_CONTEXT = 200
_LONGEST_DOC = 60
_PARAGRAPH = 8
_GAIN = 0.8
"""A compressed body is offered if it costs at most this share of the whole one."""
_WORD = re.compile(r"\w")
_QUOTES = re.compile(r"\s*[A-Za-z]{0,2}(\"\"\"|'''|\"|')")
_CONTAINERS = frozenset(
    {
        *(SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.CLASS, SymbolKind.STRUCT),
        *(SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM, SymbolKind.TYPE),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where the parts of a symbol stand, in lines from 0; ends are included."""

    top: int
    """First line with the comment before the definition."""
    start: int
    head_end: int
    end: int
    doc: tuple[int, int] | None
    """First and last line of the documentation."""


def span_of(view: View, sheet: Sheet, symbol: int) -> Span:
    table = view.symbols
    start = sheet.index.line_at(int(table.start[symbol]))
    end = max(start, min(int(table.end_line[symbol]) - 1, sheet.last))
    while end > start and sheet.blank(end):
        end -= 1
    head_end = _head_end(view, sheet, symbol, start, end)
    doc, top = None, start
    if table.doc[symbol]:
        if sheet.marks.prose:
            doc = _first_paragraph_of(sheet, head_end, end)
        elif sheet.marks.doc_inside:
            doc = _docstring(sheet, head_end + 1, end)
        if doc is None and not sheet.marks.prose:
            top = _comment_before(sheet, start)
            doc = (top, start - 1) if top < start else None
    return Span(top=top, start=start, head_end=head_end, end=end, doc=doc)


def _head_end(view: View, sheet: Sheet, symbol: int, start: int, end: int) -> int:
    """The last line of the signature: lines are taken in until they hold all of it."""
    table = view.symbols
    name_line = min(max(start, int(table.name_line[symbol]) - 1), end)
    signature = table.signature[symbol]
    words = [sheet.line(number) for number in range(start, name_line + 1)]
    for number in range(name_line, min(end, name_line + _LONGEST_HEAD) + 1):
        if number > name_line:
            words.append(sheet.line(number))
        if signature in " ".join(" ".join(words).split()):
            return number
    return name_line


def _docstring(sheet: Sheet, number: int, end: int) -> tuple[int, int] | None:
    if number > end:
        return None
    text = sheet.line(number)
    opening = _QUOTES.match(text)
    if opening is None:
        return None
    quote = opening[1]
    if quote in text[opening.end() :]:
        return number, number
    for last in range(number + 1, min(end, number + _LONGEST_DOC) + 1):
        if quote in sheet.line(last):
            return number, last
    return number, min(end, number + _LONGEST_DOC)


def _first_paragraph_of(sheet: Sheet, head_end: int, end: int) -> tuple[int, int] | None:
    """The first paragraph below a heading; underlines have no word character in them."""
    number = head_end + 1
    while number <= end and not _WORD.search(sheet.line(number)):
        number += 1
    last = number
    while last < end and not sheet.blank(last + 1):
        last += 1
    return (head_end + 1, last) if number <= end else None


def _comment_before(sheet: Sheet, start: int) -> int:
    """The first line of the comment that ends directly before a line."""
    top, lowest = start, max(0, start - _LONGEST_DOC)
    closings = tuple(closing for _, closing in sheet.marks.block)
    openings = tuple(opening for opening, _ in sheet.marks.block)
    while top > lowest:
        text = sheet.line(top - 1).strip()
        if sheet.marks.line and text.startswith(sheet.marks.line):
            top -= 1
        elif closings and text.endswith(closings):
            first = top - 1
            while first > lowest and not sheet.line(first).lstrip().startswith(openings):
                first -= 1
            if not sheet.line(first).lstrip().startswith(openings):
                return top
            top = first
        else:
            return top
    return top


def heads_around(view: View, sheet: Sheet, symbol: int, first: int) -> list[int]:
    """The first lines of what the symbol is nested in, so that a reader knows where it belongs."""
    if sheet.marks.prose:
        return []
    table = view.symbols
    start = int(table.start[symbol])
    # Symbols of a file are sorted by position, and the first is the file itself.
    around = first + 1 + np.flatnonzero(table.end[first + 1 : symbol] > start)
    numbers = [int(table.name_line[owner]) - 1 for owner in around]
    return [
        number
        for number in numbers
        if 0 <= number <= sheet.last and len(sheet.line(number)) <= _LONGEST_CONTEXT
    ]


class Slicer:
    """Cuts the symbols of one file; the lines are those of levels from signature to body."""

    def __init__(
        self, view: View, standing: Standing, wanted: frozenset[str], largest: int
    ) -> None:
        self._view, self._sheet, self._standing = view, standing.sheet, standing
        self._wanted = wanted
        self._largest = largest
        """Bytes of a body beyond which it cannot fit, so that its lines need not be looked at."""
        self._spans: dict[int, Span] = {}
        self._outer: dict[int, list[int]] = {}

    def span(self, symbol: int) -> Span:
        found = self._spans.get(symbol)
        if found is None:
            found = self._spans[symbol] = span_of(self._view, self._sheet, symbol)
        return found

    def _around(self, symbol: int) -> list[int]:
        found = self._outer.get(symbol)
        if found is None:
            first = self._standing.members[0]
            found = heads_around(self._view, self._sheet, symbol, first)
            self._outer[symbol] = found
        return found

    def everything(self, symbol: int) -> list[int]:
        """The lines whose cost must be known before `levels` compares them."""
        span = self.span(symbol)
        if self._oversized(symbol):
            return []
        return [*self._around(symbol), *range(span.top, span.end + 1)]

    def levels(self, symbol: int) -> list[tuple[Step, tuple[int, ...]]]:
        """From the least to the most, each showing more than the one before it."""
        span, sheet = self.span(symbol), self._sheet
        if int(self._view.symbols.kind[symbol]) == SymbolKind.MODULE:
            return self._module(symbol, span)
        around = self._around(symbol)
        head = [*around, *range(span.start, span.head_end + 1)]
        if sum(len(sheet.line(number)) for number in head) > _LONGEST_LINE:
            # A line that long holds more than a signature; the index knows what matters of it.
            return []
        doc = self._doc(span)
        least = [(Step.SIGNATURE, head), (Step.DOC, [*head, *doc])]
        if self._oversized(symbol):
            outline = [*head, *doc, *self._outline(symbol, span)]
            return _distinct(
                [*least, (Step.COMPRESSED, outline)] if self._outlined(symbol) else least
            )
        whole = [*around, *range(span.top, span.end + 1)]
        compressed = [*head, *doc, *self._compressed(symbol, span)]
        shorter = [(Step.COMPRESSED, compressed)] if self._gains(compressed, whole) else []
        return _distinct([*least, *shorter, (Step.BODY, whole)])

    def _module(self, symbol: int, span: Span) -> list[tuple[Step, tuple[int, ...]]]:
        whole = list(range(span.start, span.end + 1))
        if span.start == span.end and self._sheet.blank(span.start):
            return []
        outline = self._heads_inside(symbol)
        oversized = self._oversized(symbol)
        fits = bool(outline) and (oversized or self._gains(outline, whole))
        found = [(Step.COMPRESSED, outline)] if fits else []
        return _distinct([*found, *([] if oversized else [(Step.BODY, whole)])])

    def _doc(self, span: Span) -> list[int]:
        """The first paragraph of the documentation."""
        if span.doc is None:
            return []
        first, last = span.doc
        result: list[int] = []
        for number in range(first, min(last, first + _PARAGRAPH - 1) + 1):
            if not _WORD.search(self._sheet.line(number)) and _worded(self._sheet, result):
                break
            result.append(number)
        # Without its last line a comment or a string would look as if it went on.
        return result if self._sheet.marks.prose else [*result, last]

    def _compressed(self, symbol: int, span: Span) -> list[int]:
        """Of a container the heads of its members and its fields, of anything else what matters."""
        sheet = self._sheet
        inside = self._heads_inside(symbol)
        if self._outlined(symbol):
            return self._outline(symbol, span)
        if sheet.marks.prose or span.end - span.start < SHORTEST:
            return list(range(span.start, span.end + 1))
        skip = span.doc[1] + 1 if span.doc and span.doc[0] > span.head_end else span.head_end + 1
        numbers = range(skip, span.end + 1)
        return compress(
            Body(
                first=skip,
                lines=[sheet.line(number) for number in numbers],
                costs=[sheet.costs.get(number, 0.0) for number in numbers],
                marks=sheet.marks,
                locked=frozenset({*inside, span.end}),
                wanted=self._wanted,
            )
        )

    def _oversized(self, symbol: int) -> bool:
        table = self._view.symbols
        return int(table.end[symbol]) - int(table.start[symbol]) > self._largest

    def _outlined(self, symbol: int) -> bool:
        """Has members, whose heads say more than the lines between them."""
        kind = int(self._view.symbols.kind[symbol])
        return kind in _CONTAINERS and bool(self._heads_inside(symbol))

    def _outline(self, symbol: int, span: Span) -> list[int]:
        return [*self._heads_inside(symbol), span.end]

    def _heads_inside(self, symbol: int) -> list[int]:
        """The lines of the signatures of all that is defined directly inside a symbol."""
        table, high = self._view.symbols, self._standing.members[1]
        result: set[int] = set()
        for member in range(symbol + 1, high):
            if int(table.start[member]) >= int(table.end[symbol]):
                break
            if int(table.owner[member]) == symbol:
                span = self.span(member)
                numbers = range(span.start, span.head_end + 1)
                if sum(len(self._sheet.line(number)) for number in numbers) <= _LONGEST_LINE:
                    result.update(numbers)
        return sorted(result)

    def _gains(self, part: list[int], whole: list[int]) -> bool:
        costs = self._sheet.costs
        wanted = sum(costs.get(number, 0.0) for number in set(whole))
        return sum(costs.get(number, 0.0) for number in set(part)) <= _GAIN * wanted


def _worded(sheet: Sheet, numbers: list[int]) -> bool:
    return any(_WORD.search(sheet.line(number)) for number in numbers)


def _distinct(levels: list[tuple[Step, list[int]]]) -> list[tuple[Step, tuple[int, ...]]]:
    """Levels with their lines in order; of levels that show the same the most detailed one."""
    result: list[tuple[Step, tuple[int, ...]]] = []
    for step, numbers in levels:
        lines = tuple(sorted(set(numbers)))
        if result and set(lines) <= set(result[-1][1]):
            lines = result.pop()[1]
        result.append((step, lines))
    return result

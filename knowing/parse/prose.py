"""Text with headings: sections become symbols, code names in them become mentions.

Read line by line with the rules of the language rather than by a grammar: the grammars of
Markdown and reStructuredText end the process on deeply nested lists, take minutes for a paragraph
of stray quotes, and do not nest the sections of underlined headings.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse.facts import How
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine
from knowing.parse.markup import Match, Patterns, compiled_pattern, plain_text
from knowing.parse.mentions import Described, MentionReader, Span
from knowing.parse.rows import SymbolRow

_NAME_LIMIT = 200
_PARAGRAPH_LIMIT = 1000
_SAMPLE = 64 * 1024
_NEWLINE = 10
_BLANK_LINE = re.compile(rb"\n[ \t]*+\n")
_SPEAKING = re.compile(r"[^\s!-/:-@\[-`{-~]")


@dataclass(slots=True)
class Outline:
    """Headings and blocks of a text, in its order."""

    headings: list[SymbolRow] = field(default_factory=list)
    """Not yet nested: `parent` is the level."""
    names: list[str] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)
    """Where the text below each heading begins."""
    blocks: list[Span] = field(default_factory=list)
    """Where no running text is."""
    code: list[Span] = field(default_factory=list)
    described: list[Described] = field(default_factory=list)


def read_prose(
    source: bytes, language: Language, expired: Callable[[], bool]
) -> tuple[Machine, Explained, str]:
    """The sections of a text, the code names in them, and what is wrong with the text."""
    return _reader(language).read(source, expired)


class ProseReader:
    """The rules of a language, made ready for many texts."""

    def __init__(self, language: Language) -> None:
        rules = language.rules
        self._language = language
        self._looks_like = compiled_pattern(language, "looks_like", language.looks_like)
        self._lines = Patterns(
            language,
            {
                "skipped": rules.skipped,
                "code": rules.code,
                "headings": rules.headings,
                "described": rules.described,
            },
        )
        # A literal in front lets the search jump from line to line.
        self._next_line = re.compile(rf"\n(?:{self._lines.source})".encode(), re.MULTILINE)
        self._paragraph = compiled_pattern(language, "rules.paragraph", rules.paragraph)
        self._mentions = MentionReader(language)

    def read(self, source: bytes, expired: Callable[[], bool]) -> tuple[Machine, Explained, str]:
        machine, explained = Machine(source, self._language), Explained()
        # Patterns need not know about carriage returns, nor about a last line without an end.
        text = source.replace(b"\r\n", b" \n") + b"\n"
        if not self._looks_like.search(text, 0, _SAMPLE):
            return machine, explained, "nothing in it looks like documentation"
        outline = self._outline(text, expired)
        _nest(machine, outline)
        starts = [row.start for row in machine.symbols]
        self._describe(machine, outline, text, starts)
        names = machine.names
        for scope, start, owner, name in self._mentions.find(
            text, starts, outline.blocks, outline.code, outline.described, expired
        ):
            explained.index.append(len(explained.name))
            explained.name.append(names[name])
            explained.code.append(int(How.MENTION))
            explained.recv.append(names[owner] if owner else -1)
            explained.scope.append(scope)
            explained.start.append(start)
        problem = "reading took too long; a part of the file is missing" if expired() else ""
        return machine, explained, problem

    def _matches(self, text: bytes, expired: Callable[[], bool]) -> Iterator[Match]:
        """What the rules for lines find; a match may or may not take the end of its last line."""
        match = self._lines.pattern.match(text) or self._next_line.search(text)
        while match and not expired():
            yield match
            at = match.end() - (text[match.end() - 1] == _NEWLINE)
            match = self._next_line.search(text, max(at, match.start() + 1))

    def _outline(self, text: bytes, expired: Callable[[], bool]) -> Outline:
        outline, lines = Outline(), self._lines
        levels = dict(self._language.rules.levels)
        fixed = bool(levels)
        for match in self._matches(text, expired):
            kind = lines.kind(match)
            if kind == "headings":
                style = (lines.part(match, "over") or b"") + (lines.part(match, "level") or b"")
                name = plain_text(lines.part(match, "name") or b"", self._language)[:_NAME_LIMIT]
                if (fixed and style.decode() not in levels) or not _SPEAKING.search(name):
                    continue
                level = levels.setdefault(style.decode(), len(levels) + 1)
                outline.headings.append(_heading(match, lines, level))
                outline.names.append(name)
                outline.bodies.append(match.end())
            elif kind == "described":
                indent = lines.part(match, "indent") or b""
                context = lines.part(match, "context") or b""
                outline.described.append((len(indent), context, *lines.span(match, "name")))
            else:
                body = max(match.span(), lines.span(match, "body"))
                outline.blocks.append(body)
                if kind == "code":
                    outline.code.append(body)
        return outline

    def _describe(self, machine: Machine, outline: Outline, text: bytes, starts: list[int]) -> None:
        """Finds the first paragraph of the file and of every section."""
        blocks = outline.blocks
        block_starts = [start for start, _ in blocks]
        for row, begin, end in zip(
            machine.symbols, [0, *outline.bodies], [*starts[1:], len(text) - 1], strict=True
        ):
            at = begin
            while at < end and (match := self._paragraph.search(text, at, end)):
                at = match.start()
                before = bisect_right(block_starts, at)
                if before and blocks[before - 1][1] > at:
                    at = blocks[before - 1][1]
                    continue
                stop = min(end, at + _PARAGRAPH_LIMIT)
                if before < len(blocks):
                    stop = min(stop, block_starts[before])
                blank = _BLANK_LINE.search(text, at, stop)
                row.doc = (at, blank.start() if blank else stop)
                break


@cache
def _reader(language: Language) -> ProseReader:
    return ProseReader(language)


def _heading(match: Match, lines: Patterns, level: int) -> SymbolRow:
    """A row whose parent is not known yet; the level stands in its place."""
    start, end = match.span()
    # The end of the line before may be part of the match.
    start += match.string[start] == _NEWLINE
    name, _ = lines.span(match, "name")
    mark, _ = lines.span(match, "level")
    # `## Name` is shown with its mark, an underlined name without its lines.
    head = min(mark, name) if mark >= 0 else name
    row = SymbolRow(int(SymbolKind.DOC_SECTION), level, start, end, head)
    row.name_start = name
    return row


def _nest(machine: Machine, outline: Outline) -> None:
    """Gives sections their parents; one ends where the next of its level or above begins."""
    symbols = machine.symbols
    around: list[tuple[int, int]] = [(0, 0)]
    """Level and row of the open sections."""
    for row, name in zip(outline.headings, outline.names, strict=True):
        level = row.parent
        while around[-1][0] >= level:
            symbols[around.pop()[1]].end = row.start
        row.parent, row.end = around[-1][1], len(machine.source)
        row.name = machine.names[name.encode()]
        around.append((level, len(symbols)))
        symbols.append(row)

"""Text with headings: sections become symbols, code names in them become mentions.

Read line by line with the rules of the language rather than by a grammar: the grammars of
Markdown and reStructuredText end the process on deeply nested lists, take minutes for a paragraph
of stray quotes, and do not nest the sections of underlined headings.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse.facts import How
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine
from knowing.parse.markup import compiled_pattern, joined_pattern, kind_of, part, plain_text, span
from knowing.parse.mentions import MentionReader
from knowing.parse.rows import SymbolRow

_NAME_LIMIT = 200
_PARAGRAPH_LIMIT = 2000
_SAMPLE = 64 * 1024
_BLANK_LINE = re.compile(rb"\n[ \t]*+\n")
_SPEAKING = re.compile(r"[^\s!-/:-@\[-`{-~]")

Span = tuple[int, int]


@dataclass(slots=True)
class Outline:
    """Headings and blocks of a text, in its order."""

    headings: list[SymbolRow] = field(default_factory=list)
    """Not yet nested: `parent` is the level."""
    names: list[str] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)
    """Where the text below each heading begins."""
    skipped: list[Span] = field(default_factory=list)
    code: list[Span] = field(default_factory=list)


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
        self._blocks = joined_pattern(
            language, skipped=rules.skipped, code=rules.code, headings=rules.headings
        )
        self._paragraph = compiled_pattern(language, "rules.paragraph", rules.paragraph)
        self._mentions = MentionReader(language)

    def read(self, source: bytes, expired: Callable[[], bool]) -> tuple[Machine, Explained, str]:
        machine, explained = Machine(source, self._language), Explained()
        # Patterns need not know about carriage returns, nor about a last line without an end.
        text = source.replace(b"\r\n", b" \n") + b"\n"
        if not self._looks_like.search(text, 0, _SAMPLE):
            return machine, explained, f"does not look like {self._language.name} with headings"
        outline = self._outline(text, expired)
        _nest(machine, outline)
        starts = [row.start for row in machine.symbols]
        self._describe(machine, outline, text, starts)
        names = machine.names
        for scope, start, owner, name in self._mentions.find(
            text, starts, outline.skipped, outline.code, expired
        ):
            explained.index.append(len(explained.name))
            explained.name.append(names[name])
            explained.code.append(int(How.MENTION))
            explained.recv.append(names[owner] if owner else -1)
            explained.scope.append(scope)
            explained.start.append(start)
        problem = "reading took too long; a part of the file is missing" if expired() else ""
        return machine, explained, problem

    def _outline(self, text: bytes, expired: Callable[[], bool]) -> Outline:
        outline = Outline()
        levels = dict(self._language.rules.levels)
        fixed = bool(levels)
        for match in self._blocks.finditer(text):
            kind = kind_of(match)
            if kind == "code":
                outline.code.append(max(match.span(), span(match, "body")))
            elif kind == "skipped":
                outline.skipped.append(match.span())
            else:
                style = ((part(match, "over") or b"") + (part(match, "level") or b"")).decode()
                name = plain_text(part(match, "name") or b"", self._language)[:_NAME_LIMIT]
                if (fixed and style not in levels) or not _SPEAKING.search(name):
                    continue
                level = levels.setdefault(style, len(levels) + 1)
                outline.headings.append(_heading(match, level))
                outline.names.append(name)
                outline.bodies.append(match.end())
            if expired():
                break
        return outline

    def _describe(
        self, machine: Machine, outline: Outline, text: bytes, starts: list[int]
    ) -> None:
        """Finds the first paragraph of the file and of every section."""
        blocks = sorted(outline.skipped + outline.code)
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
                    stop = min(stop, max(block_starts[before], at + 1))
                blank = _BLANK_LINE.search(text, at, stop)
                row.doc = (at, blank.start() if blank else stop)
                break


@cache
def _reader(language: Language) -> ProseReader:
    return ProseReader(language)


def _heading(match: re.Match[bytes], level: int) -> SymbolRow:
    """A row whose parent is not known yet; the level stands in its place."""
    start, end = match.span()
    name, _ = span(match, "name")
    mark, _ = span(match, "level")
    # `## Name` is shown with its mark, an underlined name without its lines.
    return SymbolRow(
        SymbolKind.DOC_SECTION, level, start, end, name_start=name, head=min(mark, name)
    )


def _nest(machine: Machine, outline: Outline) -> None:
    """Gives sections their parents; one ends where the next of its level or above begins."""
    symbols, open_levels = machine.symbols, [0]
    open_rows = [0]
    for row, name in zip(outline.headings, outline.names, strict=True):
        level = row.parent
        while open_levels[-1] >= level:
            open_levels.pop()
            symbols[open_rows.pop()].end = row.start
        row.parent, row.end = open_rows[-1], len(machine.source)
        row.name = machine.names[name.encode()]
        open_levels.append(level)
        open_rows.append(len(symbols))
        symbols.append(row)

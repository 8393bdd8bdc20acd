"""Text with headings: sections become symbols, code names in them become mentions.

Read line by line with the rules of the language rather than by a grammar: the grammars of
Markdown and reStructuredText end the process on deeply nested lists and take minutes for a
paragraph of stray quotes, and neither nests the sections of underlined headings.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from knowing.errors import LanguageError
from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse.facts import How
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine
from knowing.parse.mentions import Mention, Mentions
from knowing.parse.rows import SymbolRow

_NAME_LIMIT = 200
_RAW_LIMIT = 1000
"""Bytes of a heading or paragraph that are looked at."""
_SAMPLE = 64 * 1024
_NESTED_MARKUP = 4
_BLANK_LINE = re.compile(rb"\n[ \t]*\n")
_GROUP = re.compile(r"\(\?P([<=])(\w+)")


class ProseReader:
    """The rules of a language made ready for many files."""

    def __init__(self, language: Language) -> None:
        rules = language.rules
        self._language = language
        self._looks_like = self._compile("looks_like", language.looks_like)
        self._blocks = joined(
            {
                **{f"skip_{i}": text for i, text in enumerate(rules.skipped)},
                **{f"code_{i}": text for i, text in enumerate(rules.code)},
                **{f"head_{i}": text for i, text in enumerate(rules.headings)},
            },
            self._compile,
        )
        self._markup = joined(
            {f"markup_{i}": text for i, text in enumerate(rules.markup)}, self._compile
        )
        self._paragraph = self._compile("rules.paragraph", rules.paragraph)
        self._mentions = Mentions(rules, self._compile)

    def _compile(self, key: str, pattern: str) -> re.Pattern[bytes]:
        try:
            return re.compile(pattern.encode(), re.MULTILINE)
        except re.error as error:
            raise LanguageError(f"{self._language.folder}/language.toml: {key}: {error}") from error

    def read(
        self, source: bytes, expired: Callable[[], bool]
    ) -> tuple[Machine, Explained, dict[int, str], str]:
        """Sections as rows, mentions, first paragraphs by row, and what is wrong with the file."""
        machine, explained = Machine(source, self._language), Explained()
        # Patterns need not know about carriage returns, nor about a last line without an end.
        text = source.replace(b"\r\n", b" \n") + b"\n"
        if self._language.looks_like and not self._looks_like.search(text, 0, _SAMPLE):
            return machine, explained, {}, f"does not look like {self._language.name} with headings"
        outline = self._outline(text, expired)
        starts = _add_sections(machine, outline)
        docs = {
            row: doc
            for row, (begin, end) in enumerate(zip(starts, [*starts[1:], len(source)], strict=True))
            if (doc := self._first_paragraph(text, outline, row, begin, end))
        }
        blocks = outline.skipped + outline.code
        found = self._mentions.find(text, sorted(blocks), outline.code, starts, expired)
        _add_mentions(machine, explained, found)
        problem = "reading took too long; names are missing" if expired() else ""
        return machine, explained, docs, problem

"""The patterns of a language of prose, made ready, and text without its markup."""

import html
import re
from collections.abc import Mapping, Sequence
from functools import cache

from knowing.errors import LanguageError
from knowing.languages import Language

_GROUP = re.compile(r"\(\?P([<=])(\w+)")
_NESTED = 4
"""How deep markup within markup is followed."""
_RAW_LIMIT = 1000

Match = re.Match[bytes]


def compiled_pattern(language: Language, key: str, pattern: str) -> re.Pattern[bytes]:
    try:
        return re.compile(pattern.encode(), re.MULTILINE)
    except re.error as error:
        raise LanguageError(f"{language.folder}/language.toml: {key}: {error}") from error


class Patterns:
    """Several patterns in one, so that a text is gone through once."""

    def __init__(self, language: Language, kinds: Mapping[str, Sequence[str]]) -> None:
        self._kinds: dict[int, str] = {}
        """Number of the last group of a pattern -> its kind."""
        self._groups: dict[int, dict[str, int]] = {}
        """Number of the last group of a pattern -> its groups and their numbers."""
        parts: list[str] = []
        base = 0
        for kind, patterns in kinds.items():
            for pattern in patterns:
                own = compiled_pattern(language, f"rules.{kind}", pattern)
                # The same names may stand in several patterns. The empty group at the end tells
                # which one matched, without one at the start that would slow the search down.
                renamed = _GROUP.sub(rf"(?P\1\2_{len(parts)}", pattern)
                parts.append(rf"{renamed}(?P<_{len(parts)}>)")
                last = base + own.groups + 1
                self._kinds[last] = kind
                self._groups[last] = {name: base + at for name, at in own.groupindex.items()}
                base = last
        self.source = "|".join(parts) or "(?!)"
        self.pattern = re.compile(self.source.encode(), re.MULTILINE)

    def kind(self, match: Match) -> str:
        return self._kinds[match.lastindex or 0]

    def span(self, match: Match, group: str) -> tuple[int, int]:
        """Where a group of the pattern that matched stands; (-1, -1) if it is not there."""
        number = self._groups[match.lastindex or 0].get(group)
        return (-1, -1) if number is None else match.span(number)

    def part(self, match: Match, group: str) -> bytes | None:
        number = self._groups[match.lastindex or 0].get(group)
        return None if number is None else match[number]


def plain_text(raw: bytes, language: Language) -> str:
    """A heading or paragraph on one line, as a reader sees it."""
    text = _without(raw[:_RAW_LIMIT], _markup(language), _NESTED).decode("utf-8", "ignore")
    return " ".join(html.unescape(text).replace("\0", " ").split())


@cache
def _markup(language: Language) -> Patterns:
    return Patterns(language, {"markup": language.rules.markup})


def _without(raw: bytes, markup: Patterns, depth: int) -> bytes:
    def kept(match: Match) -> bytes:
        text = markup.part(match, "text")
        if text is not None:
            return _without(text, markup, depth - 1) if depth else text
        return markup.part(match, "code") or b""

    return markup.pattern.sub(kept, raw)

"""The patterns of a language of prose, made ready, and text without its markup."""

import html
import re
from collections.abc import Sequence
from functools import cache

from knowing.errors import LanguageError
from knowing.languages import Language

_GROUP = re.compile(r"\(\?P([<=])(\w+)")
_NESTED = 4
"""How deep markup within markup is followed."""
_RAW_LIMIT = 2000

Pattern = re.Pattern[bytes]


def compiled_pattern(language: Language, key: str, pattern: str) -> Pattern:
    try:
        return re.compile(pattern.encode(), re.MULTILINE)
    except re.error as error:
        raise LanguageError(f"{language.folder}/language.toml: {key}: {error}") from error


def joined_pattern(language: Language, **kinds: Sequence[str]) -> Pattern:
    """One pattern for all, so that a text is gone through once; see `kind_of` and `part`.

    A group of the pattern with number `n` is called `name_n` in it, and the pattern itself is
    the group `kind_n`.
    """
    parts = []
    for kind, patterns in kinds.items():
        for pattern in patterns:
            compiled_pattern(language, f"rules.{kind}", pattern)
            renamed = _GROUP.sub(rf"(?P\1\2_{len(parts)}", pattern)
            parts.append(f"(?P<{kind}_{len(parts)}>{renamed})")
    return re.compile("|".join(parts or [r"(?!)"]).encode(), re.MULTILINE)


def kind_of(match: re.Match[bytes]) -> str:
    return (match.lastgroup or "").rpartition("_")[0]


def span(match: re.Match[bytes], group: str) -> tuple[int, int]:
    """Where a group of the pattern that matched stands; (-1, -1) if it is not there."""
    name = f"{group}_{(match.lastgroup or '').rpartition('_')[2]}"
    return match.span(name) if name in match.re.groupindex else (-1, -1)


def part(match: re.Match[bytes], group: str) -> bytes | None:
    start, end = span(match, group)
    return match.string[start:end] if start >= 0 else None


def plain_text(raw: bytes, language: Language) -> str:
    """A heading or paragraph on one line, as a reader sees it."""
    text = _without(raw[:_RAW_LIMIT], _markup(language), _NESTED).decode("utf-8", "ignore")
    return " ".join(html.unescape(text).replace("\0", " ").split())


@cache
def _markup(language: Language) -> Pattern:
    return joined_pattern(language, markup=language.rules.markup)


def _without(raw: bytes, markup: Pattern, depth: int) -> bytes:
    def kept(match: re.Match[bytes]) -> bytes:
        text = part(match, "text")
        if text is not None:
            return _without(text, markup, depth - 1) if depth else text
        return part(match, "code") or b""

    return markup.sub(kept, raw)

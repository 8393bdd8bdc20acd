"""Text that a grammar cannot read is read as blanks, so that what is around it keeps its place.

A macro between `class` and a name, or alone on its line, makes a parser take what follows for
something else, up to a whole namespace for the body of one function.
"""

import re
from functools import cache

from knowing.languages import Language

_VISIBLE = re.compile(rb"[^\r\n]")


@cache
def _patterns(language: Language) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.MULTILINE) for pattern in language.blank)


def readable(source: bytes, language: Language) -> bytes:
    """`source` with the language's `blank` patterns blanked out; every byte stays at its offset."""
    text: bytearray | None = None
    for pattern in _patterns(language):
        for found in pattern.finditer(source):
            text = text or bytearray(source)
            start, end = found.span(1)
            _hide(text, start, end)
    return source if text is None else bytes(text)


_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|else|endif)\b(.*)$", re.MULTILINE
)
_NEVER = re.compile(rb"[ \t]*0[ \t]*(?:/|$)")


def first_branches(source: bytes) -> bytes:
    """`source` without `#if` and the like, and without all branches but the first of each.

    A condition that begins or ends in the middle of a construct breaks a parser that sees both
    branches.
    """
    text = bytearray(source)
    open_conditions: list[bool] = []
    """For each condition around, whether its chosen branch has begun."""
    hidden_since = hidden_depth = -1
    for found in _DIRECTIVE.finditer(source):
        word, rest = found[1], found[2]
        depth = len(open_conditions)
        if word.startswith(b"if"):
            chosen = not (word == b"if" and _NEVER.match(rest))
            open_conditions.append(chosen)
            if not chosen and hidden_depth < 0:
                hidden_since, hidden_depth = found.start(), depth
        elif depth and hidden_depth in (-1, depth - 1):
            if hidden_depth >= 0 and (word == b"endif" or not open_conditions[-1]):
                _hide(text, hidden_since, found.start())
                hidden_depth = -1
                open_conditions[-1] = True
            elif hidden_depth < 0 and word != b"endif":
                hidden_since, hidden_depth = found.start(), depth - 1
        if word == b"endif" and open_conditions:
            open_conditions.pop()
        _hide(text, found.start(), _line_end(source, found.end()))
    if hidden_depth >= 0:
        _hide(text, hidden_since, len(text))
    return bytes(text)


def _line_end(source: bytes, at: int) -> int:
    """Where a directive ends, lines that go on after a backslash included."""
    while True:
        last = at - 2 if source[at - 1 : at] == b"\r" else at - 1
        if source[last : last + 1] != b"\\":
            return at
        following = source.find(b"\n", at + 1)
        if following < 0:
            return len(source)
        at = following


def _hide(text: bytearray, start: int, end: int) -> None:
    text[start:end] = _VISIBLE.sub(b" ", bytes(text[start:end]))

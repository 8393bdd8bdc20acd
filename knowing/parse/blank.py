"""Text that a grammar cannot read is read as blanks, so that what is around it keeps its place.

A macro between `class` and a name, or alone on its line, makes a parser take what follows for
something else, up to a whole namespace for the body of one function.
"""

import re
from functools import cache

from knowing.languages import Language


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
            text[start:end] = re.sub(rb"[^\r\n]", b" ", found[1])
    return source if text is None else bytes(text)

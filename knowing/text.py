"""Positions in text and words in names.

The engine counts in bytes of UTF-8; editors count lines and code units of an encoding they
negotiate. `LineIndex` turns one into the other. `split_identifier` turns a name into the words
people use when they talk about it.
"""

import re
import unicodedata
from bisect import bisect_right
from enum import StrEnum
from typing import NamedTuple

import numpy as np

_BOM = b"\xef\xbb\xbf"
_LF, _CR = 0x0A, 0x0D
_LONGEST_CHARACTER = 4


class Encoding(StrEnum):
    """What a column counts; the values are the names the language server protocol uses."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(NamedTuple):
    """A place in a text as editors name it; both numbers start at 0."""

    line: int
    column: int


class LineIndex:
    """Converts between byte offsets and positions in one text.

    A line ends with LF, CRLF or a lone CR, as in the language server protocol. (tree-sitter
    counts LF only, so lines shown to users come from byte offsets, not from its rows.) A leading
    byte order mark has no width: editors do not show it. Bytes that are not UTF-8 count one each.
    Nothing raises: a place outside the text, inside a character or inside CRLF is moved to the
    nearest place that exists, inside a character or a line end to its start.
    """

    __slots__ = ("_ascii", "_data", "starts")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._ascii = data.isascii()
        self.starts = _line_starts(data)
        """Offset of the first byte of each line, ascending; never empty."""

    def __len__(self) -> int:
        """Number of lines; a text that ends with a line end has an empty last line."""
        return len(self.starts)

    def line_at(self, offset: int) -> int:
        """Line that holds the byte at `offset`, from 0."""
        return max(0, bisect_right(self.starts, min(offset, len(self._data))) - 1)

    def line_span(self, line: int) -> tuple[int, int]:
        """Offsets of the start and the end of a line, without its line end."""
        line = min(max(line, 0), len(self.starts) - 1)
        start = self.starts[line]
        if line + 1 == len(self.starts):
            return start, len(self._data)
        end = self.starts[line + 1] - 1
        if end > start and self._data[end] == _LF and self._data[end - 1] == _CR:
            end -= 1
        return start, end

    def position(self, offset: int, encoding: Encoding = Encoding.UTF8) -> Position:
        """Line and column of a byte offset."""
        line = self.line_at(offset)
        start, end = self.line_span(line)
        offset = min(max(offset, start), end)
        if self._ascii:
            return Position(line, offset - start)
        offset = _character_start(self._data, start, offset)
        return Position(line, _units(self._data[start:offset], encoding))

    def offset(self, line: int, column: int, encoding: Encoding = Encoding.UTF8) -> int:
        """Byte offset of a position; a column past the end of its line is the end of the line."""
        if line < 0:
            return self.starts[0]
        if line >= len(self.starts):
            return len(self._data)
        start, end = self.line_span(line)
        if column <= 0:
            return start
        if self._ascii or encoding is Encoding.UTF8:
            offset = min(start + column, end)
            return offset if self._ascii else _character_start(self._data, start, offset)
        return start + _bytes_before(self._data[start:end], column, encoding)


def _line_starts(data: bytes) -> list[int]:
    """Offsets at which lines begin."""
    codes = np.frombuffer(data, dtype=np.uint8)
    ends = codes == _LF
    if _CR in data:
        lone = codes == _CR
        lone[:-1] &= codes[1:] != _LF
        ends |= lone
    first = len(_BOM) if data.startswith(_BOM) else 0
    return [first, *(np.flatnonzero(ends) + 1).tolist()]


def _character_start(data: bytes, start: int, offset: int) -> int:
    """Move an offset that is inside a UTF-8 character to the first byte of that character."""
    for lead in range(offset - 1, max(start, offset - _LONGEST_CHARACTER + 1) - 1, -1):
        if data[lead] & 0xC0 == 0x80:
            continue
        after = lead + _character_length(data[lead])
        return lead if after > offset and _is_utf8(data[lead:after]) else offset
    return offset


def _character_length(lead: int) -> int:
    """Bytes of the UTF-8 character that begins with this byte."""
    return 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _units(data: bytes, encoding: Encoding) -> int:
    """Number of code units that a piece of a line takes in an encoding."""
    if encoding is Encoding.UTF8 or data.isascii():
        return len(data)
    text = data.decode(errors="surrogateescape")
    if encoding is Encoding.UTF32:
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _bytes_before(data: bytes, units: int, encoding: Encoding) -> int:
    """Number of bytes of a line that its first `units` code units take."""
    if data[:units].isascii():
        return min(units, len(data))
    text = data.decode(errors="surrogateescape")
    if encoding is Encoding.UTF16:
        prefix = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
        # Half a surrogate pair at the cut is dropped: the place is the start of its character.
        # Escaped bytes are low surrogates, so only a high one can be such a half.
        if len(prefix) and 0xD8 <= prefix[-1] <= 0xDB:
            prefix = prefix[:-2]
        text = prefix.decode("utf-16-le", "surrogatepass")
    else:
        text = text[:units]
    return len(text.encode(errors="surrogateescape"))


_WORD = re.compile(
    r"""
      [A-Z]{2,}s(?![a-z])      # plural of an acronym: URLs
    | [A-Z]+(?=[A-Z][a-z])     # acronym before a word: HTTP in HTTPServer
    | [A-Z]?[a-z]+             # word
    | [A-Z]+                   # acronym or word in capitals
    | [0-9]+
    """,
    re.VERBOSE,
)


def split_identifier(name: str) -> tuple[str, ...]:
    """Lower-case words of a name: `HTTPServer` is http, server; `parseURL2` is parse, url, 2.

    Case, digits and everything that is neither letter nor digit separate words. Letters of other
    scripts count by their case; scripts without case are lower case.
    """
    if name.isascii():
        return tuple([word.lower() for word in _WORD.findall(name)])
    name = unicodedata.normalize("NFKC", name)
    shape = "".join([_shape(character) for character in name])
    return tuple([name[word.start() : word.end()].lower() for word in _WORD.finditer(shape)])


def _shape(character: str) -> str:
    """An ASCII character of the same class: capital, other letter, digit or separator."""
    if character.isascii():
        return character
    if character.isupper() or character.istitle():
        return "A"
    # Marks belong to the letter before them, and some scripts write vowels as marks.
    if character.isalpha() or unicodedata.category(character).startswith("M"):
        return "a"
    return "0" if character.isnumeric() else "_"

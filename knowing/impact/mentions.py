"""Where a name stands in the text of files, whether or not the graph knows why.

An edge that is missing does not show in a graph; the text it would have come from does. So a
name's mentions that nothing explains are what tells "nobody" from "nobody we know of".
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

Read = Callable[[str], bytes | None]
"""The bytes of a file by its path from the root; None if it cannot be read."""

MAX_BYTES = 256 * 1024 * 1024
MAX_SITES = 2000


class Shape(StrEnum):
    """What a mention looks like."""

    CALL = "call"
    """Before an opening parenthesis."""
    MEMBER = "member"
    """Behind a dot, an arrow or colons."""
    STRING = "string"
    """Alone in a string, or a symbol: what reflection and dynamic look-up are given."""
    WORD = "word"
    """Any other place in code."""
    REMARK = "remark"
    """In a comment, or in back-ticks as prose quotes code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One line on which a name stands, and the most telling way in which it does."""

    path: str
    line: int
    shape: Shape
    text: str
    """The line, shortened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """All mentions of some names, and how far the search went."""

    found: tuple[Mention, ...]
    searched: frozenset[str]
    """Paths of the files that were searched."""
    cut: bool = False
    """Whether the search stopped before its end."""


_CALL = re.compile(rb"\s*(?:!|\?\.)?(?:<[\w\s,<>.:?\[\]]*>|::<[^()]*>)?\(")
_MEMBER = re.compile(rb"(?:\.|->|::|&\.|\?\.|\\|@|&)\s*$")
_REMARK = re.compile(rb"^\s*(?:#(?!\[)|//|/\*|\*|--|;|<!--)|(?:\s#\s|//\s|/\*\s)")
_LONGEST_LINE = 160
_RANK = {Shape.CALL: 0, Shape.MEMBER: 1, Shape.STRING: 2, Shape.WORD: 3, Shape.REMARK: 4}


def find_mentions(
    names: Iterable[str], paths: Iterable[str], read: Read, *, max_bytes: int = MAX_BYTES
) -> Mentions:
    """Searches files for names as whole words; stops at `max_bytes` of text or many mentions."""
    wanted = sorted({name.encode("utf-8", "replace") for name in names if name})
    found: list[Mention] = []
    searched: list[str] = []
    read_bytes, cut = 0, False
    pattern = re.compile(
        rb"(?<![A-Za-z0-9_\x80-\xff])(?:%s)(?![A-Za-z0-9_\x80-\xff])"
        % b"|".join(re.escape(name) for name in wanted)
    )
    for path in paths:
        if read_bytes > max_bytes or len(found) >= MAX_SITES:
            cut = True
            break
        data = read(path) if wanted else None
        if data is None:
            continue
        searched.append(path)
        read_bytes += len(data)
        if any(name in data for name in wanted):
            found += _in_file(path, data, pattern)
    return Mentions(found=tuple(found), searched=frozenset(searched), cut=cut)


def _in_file(path: str, data: bytes, pattern: re.Pattern[bytes]) -> Iterator[Mention]:
    """One mention for each line that has the name."""
    line, counted = 1, 0
    best: dict[int, tuple[Shape, bytes]] = {}
    for match in pattern.finditer(data):
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        text = data[start : end if end >= 0 else len(data)]
        shape = _shape(text, match.start() - start, match.end() - start)
        if line not in best or _RANK[shape] < _RANK[best[line][0]]:
            best[line] = (shape, text)
    for number, (shape, text) in sorted(best.items()):
        shown = text.strip()[:_LONGEST_LINE].decode("utf-8", "replace")
        yield Mention(path=path, line=number, shape=shape, text=shown)


def _shape(line: bytes, start: int, end: int) -> Shape:
    before, after = line[:start], line[end:]
    if _REMARK.search(before):
        return Shape.REMARK
    if before.count(b"`") % 2 and b"`" in after and b"${" not in before:
        return Shape.REMARK
    quote = before[-1:]
    if quote in (b'"', b"'") and after[:1] == quote:
        return Shape.STRING
    if quote == b":" and before[-2:-1] != b":":
        return Shape.STRING
    if _CALL.match(after):
        return Shape.CALL
    if _MEMBER.search(before):
        return Shape.MEMBER
    return Shape.WORD

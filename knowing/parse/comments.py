"""Comments and docstrings as plain text."""

import re
from functools import cache

from knowing.languages import Language

_MAX_LINES = 400
_MARKUP = re.compile(
    r"</?(?:summary|remarks|returns|value|example|exception|typeparam|typeparamref|param|paramref"
    r"|para|see|seealso|inheritdoc|code|pre|p|ul|ol|li|br|em|strong)(?:\s[^<>]*?\"([^<>\"]*)\")?\s*/?>"
)
"""Tags of comments in XML or HTML; the name that one refers to is kept."""
_DOCSTRING = re.compile(r'[rRbBuUfF]*("""|\'\'\'|"|\')')


def leading_comment(source: bytes, start: int, language: Language) -> bytes:
    """The unbroken run of comment lines (and annotations between) that ends above `start`."""
    line_start = source.rfind(b"\n", 0, start) + 1
    above = source[source.rfind(b"\n", 0, max(line_start - 1, 0)) + 1 : line_start].strip()
    if not above:
        return b""
    _, _, block_ends, first = _marks(language)
    if not (above.startswith(first) or above.endswith(block_ends or (b"\0",))):
        return b""
    if source[line_start:start].strip():
        return b""
    lines: list[bytes] = []
    end = line_start - 1
    while end > 0 and len(lines) < _MAX_LINES:
        begin = source.rfind(b"\n", 0, end) + 1
        line = source[begin:end].strip()
        if not _is_comment(line, lines, language):
            break
        lines.append(line)
        end = begin - 1
    lines.reverse()
    return b"\n".join(line for line in lines if not line.startswith((b"@", b"#[")))


def _is_comment(line: bytes, below: list[bytes], language: Language) -> bool:
    """Whether `line` goes on the comment whose lower lines are `below`, nearest last."""
    if not line:
        return False
    line_prefixes, block_starts, block_ends, _ = _marks(language)
    if line.startswith(line_prefixes) or line.startswith((b"@", b"#[")):
        return True
    if block_ends and line.endswith(block_ends):
        return True
    inside = bool(below) and not below[-1].startswith(block_starts or (b"\0",))
    return inside and any(entry.endswith(block_ends or (b"\0",)) for entry in below)


Marks = tuple[bytes, ...]


@cache
def _marks(language: Language) -> tuple[Marks, Marks, Marks, Marks]:
    """Line comments, beginnings and ends of blocks, and beginnings of a comment's last line."""
    lines = tuple(mark.encode() for mark in language.line_comments) or (b"\0",)
    starts = tuple(pair[0].encode() for pair in language.block_comments)
    ends = tuple(pair[1].encode() for pair in language.block_comments)
    return lines, starts, ends, (*lines, *starts, *ends, b"*", b"@", b"#[")


@cache
def _decoration(language: Language) -> re.Pattern[str]:
    marks = [*language.line_comments, *(mark for pair in language.block_comments for mark in pair)]
    marks.sort(key=len, reverse=True)
    body = "|".join(re.escape(mark) + f"[{re.escape(mark[-1])}!]*" for mark in marks) or r"\0"
    return re.compile(rf"^\s*(?:{body}|\*+/?)?\s?|\s*\*+/\s*$")


def clean_doc(raw: bytes, language: Language, limit: int) -> str:
    """Comment marks, quotes and common indentation taken off; paragraphs kept apart."""
    text = raw.decode("utf-8", "replace").replace("\0", "").strip()
    if language.doc_inside:
        matched = _DOCSTRING.match(text)
        if matched:
            text = text[matched.end() :].removesuffix(matched[1])
            return _first_lines(text.strip().splitlines(), limit)
    pattern = _decoration(language)
    lines = [_undecorated(line, pattern) for line in text.splitlines()]
    plain = "\n".join(lines)
    if "<" in plain:
        plain = _MARKUP.sub(lambda tag: tag[1] or "", plain)
    return plain.strip()[:limit]


def _first_lines(lines: list[str], limit: int) -> str:
    """The first characters of lines that are stripped, without a look at those beyond."""
    taken: list[str] = []
    length = 0
    for line in lines:
        taken.append(line.strip())
        length += len(taken[-1]) + 1
        if length > limit:
            break
    return "\n".join(taken)[:limit]


def _undecorated(line: str, pattern: re.Pattern[str]) -> str:
    if "*/" in line:
        return pattern.sub("", line).strip()
    # The other half of the pattern cannot match, and looking for it at each place is slow.
    begin = pattern.match(line)
    return line[begin.end() if begin else 0 :].strip()

"""From the bytes of a file to UTF-8, as an editor would show them.

Line ends are kept, so that positions agree with the editor's. A byte order mark is taken off:
editors do not count it as a character either, and `encoding` tells that it was there.
"""

import codecs
import re

_NUL = b"\0"
_SAMPLE = 4096
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")
_BINARY_SHARE = 0.02
"""Of control characters, above which 8-bit text is not text."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""The mark of UTF-32 begins with that of UTF-16, so it comes first."""

_CODING_COOKIE = re.compile(
    rb"\A(?:[^\n]*\n)?[ \t\f]*(?:#|//|/\*|%|--|;)[^\n]*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)"
)
_NOT_CHARSETS = frozenset(
    {"idna", "mbcs", "oem", "palmos", "punycode", "raw_unicode_escape", "undefined"}
    | {"unicode_escape", "utf-7"}
)


def to_utf8(raw: bytes) -> tuple[bytes, str] | None:
    """The text of a file in UTF-8 and the encoding it was in, or None if it is binary."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _from_marked(raw[len(mark) :], encoding)
    if _NUL in raw:
        return _from_unmarked_utf16(raw)
    if raw.isascii() or _is_valid(raw, "utf-8"):
        return raw, "utf-8"
    return _from_8_bit(raw)


def _from_marked(body: bytes, encoding: str) -> tuple[bytes, str] | None:
    if encoding == "utf-8-sig":
        if _NUL in body:
            return None
        if _is_valid(body, "utf-8"):
            return body, encoding
        return body.decode("utf-8", "replace").encode("utf-8"), encoding
    text = body.decode(encoding, "replace")
    return None if "\0" in text else (text.encode("utf-8", "replace"), encoding)


def _from_unmarked_utf16(raw: bytes) -> tuple[bytes, str] | None:
    """Text in UTF-16 without a mark has its NULs all on one side of each pair."""
    sample = raw[:_SAMPLE]
    if len(raw) % 2:
        return None
    for encoding, high, low in (
        ("utf-16-le", sample[1::2], sample[0::2]),
        ("utf-16-be", sample[0::2], sample[1::2]),
    ):
        if _NUL in low or high.count(0) * 10 < len(high):
            continue
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        data = text.encode("utf-8")
        if _NUL not in data and not _is_mostly_control(data):
            return data, encoding
    return None


def _from_8_bit(raw: bytes) -> tuple[bytes, str] | None:
    """Text that is not valid UTF-8: a declared encoding, damaged UTF-8 or western 8-bit."""
    if _is_mostly_control(raw):
        return None
    declared = _declared(raw)
    if declared is not None:
        return declared
    text = raw.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    intact = sum(not character.isascii() for character in text) - damaged
    if intact > damaged:
        return text.encode("utf-8"), "utf-8 (damaged)"
    encoding = "cp1252" if _is_valid(raw, "cp1252") else "latin-1"
    return raw.decode(encoding).encode("utf-8"), encoding


def _declared(raw: bytes) -> tuple[bytes, str] | None:
    """The text by the coding cookie of its first two lines, as in Python, Ruby and Emacs."""
    cookie = _CODING_COOKIE.match(raw[:_SAMPLE])
    if cookie is None:
        return None
    try:
        codec = codecs.lookup(cookie[1].decode("ascii"))
        if codec.name in _NOT_CHARSETS:
            return None
        return raw.decode(codec.name).encode("utf-8"), codec.name
    except (LookupError, ValueError):
        return None


def _is_valid(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_mostly_control(data: bytes) -> bool:
    sample = data[: 16 * _SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROL)) > len(sample) * _BINARY_SHARE

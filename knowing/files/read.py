"""From a path to the text of a file in UTF-8, or the reason why there is none."""

import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from knowing.files import reasons
from knowing.files.decode import to_utf8
from knowing.files.markers import content_flags, is_minified
from knowing.model import Skipped, SymbolFlag

DIGEST_BYTES = 16
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe that took the place of a file must not wait for a writer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """The content of a file."""

    data: bytes
    """UTF-8 without byte order mark; line ends as in the file."""
    encoding: str
    """What the file was in: `utf-8`, `utf-8-sig` (with a mark), `utf-16-le`, `cp1252`, ..."""
    digest: bytes
    """Of the bytes on disk."""
    flags: SymbolFlag
    """GENERATED as far as the content tells."""


def digest_of(raw: bytes) -> bytes:
    """The digest by which contents are compared."""
    return blake2b(raw, digest_size=DIGEST_BYTES).digest()


def read(root: Path, path: str, max_bytes: int) -> SourceText | Skipped:
    """Read the file at `path`, relative to `root`; never raises for what is on the disk."""
    try:
        raw = _bytes_of(os.path.join(root, path), max_bytes)
    except OSError as error:
        return Skipped(path=path, reason=reasons.unreadable(error))
    except ValueError:
        return Skipped(path=path, reason=reasons.ABSENT)
    if isinstance(raw, str):
        return Skipped(path=path, reason=raw)
    return text_of(path, raw)


def text_of(path: str, raw: bytes) -> SourceText | Skipped:
    """The text that the bytes of a file stand for."""
    decoded = to_utf8(raw)
    if decoded is None:
        return Skipped(path=path, reason=reasons.BINARY)
    data, encoding = decoded
    if is_minified(data):
        return Skipped(path=path, reason=reasons.MINIFIED)
    return SourceText(
        data=data, encoding=encoding, digest=digest_of(raw), flags=content_flags(data)
    )


def _bytes_of(path: str, max_bytes: int) -> bytes | str:
    """The bytes of a regular file, or the reason for not reading it."""
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        reason = reasons.special_file(status.st_mode)
        if not reason and status.st_size > max_bytes:
            reason = reasons.too_large(status.st_size, max_bytes)
        if reason:
            return reason
        data = _read_all(descriptor, status.st_size, max_bytes)
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else reasons.too_large(len(data), max_bytes)


def _read_all(descriptor: int, size: int, max_bytes: int) -> bytes:
    """The content up to its end or one byte past the limit; it may be growing meanwhile."""
    data = os.read(descriptor, min(size, max_bytes) + 1)
    if len(data) == size:
        return data
    chunks = [data]
    total = len(data)
    while data and total <= max_bytes:
        data = os.read(descriptor, max_bytes + 1 - total)
        chunks.append(data)
        total += len(data)
    return b"".join(chunks)

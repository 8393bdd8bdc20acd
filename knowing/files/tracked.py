"""The paths that a git index holds: git never ignores what it tracks.

The index is read only when an ignore rule hits something, which in a clean checkout is never.
"""

import os
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path

_HEADER = 12
_ENTRY_STAT = 40
_EXTENDED = 0x4000
_SPLIT_INDEX = b"link"


class TrackedPaths:
    """Sorted paths of an index; answers for files and for the folders that hold them."""

    __slots__ = ("_paths",)

    def __init__(self, paths: list[bytes]) -> None:
        self._paths = paths

    def holds(self, path: str) -> bool:
        """Whether `path`, relative to the checkout, is tracked (also as a submodule)."""
        wanted = os.fsencode(path)
        at = bisect_left(self._paths, wanted)
        return at < len(self._paths) and self._paths[at] == wanted

    def holds_below(self, folder: str) -> bool:
        """Whether something in `folder` is tracked."""
        wanted = os.fsencode(folder) + b"/"
        at = bisect_left(self._paths, wanted)
        return at < len(self._paths) and self._paths[at].startswith(wanted)


def read_index(file: Path, hash_bytes: int) -> TrackedPaths:
    """What the index at `file` tracks; nothing when it is absent or in a form not known here."""
    try:
        data = file.read_bytes()
    except OSError:
        return TrackedPaths([])
    try:
        paths = list(_paths(data, hash_bytes))
    except (IndexError, ValueError):
        return TrackedPaths([])
    paths.sort()
    return TrackedPaths(paths)


def _paths(data: bytes, hash_bytes: int) -> Iterator[bytes]:
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not a git index of a known version")
    position = _HEADER
    path = b""
    for _ in range(int.from_bytes(data[8:12], "big")):
        start = position
        position += _ENTRY_STAT + hash_bytes
        flags = data[position] << 8 | data[position + 1]
        position += 4 if flags & _EXTENDED else 2
        if version == 4:
            dropped, position = _offset(data, position)
            end = data.index(0, position)
            path = path[: len(path) - dropped] + data[position:end]
            position = end + 1
        else:
            end = data.index(0, position)
            path = data[position:end]
            position = start + (end - start + 8) // 8 * 8
        yield path
    if data[position : position + 4] == _SPLIT_INDEX:
        raise ValueError("a split index keeps its entries in another file")


def _offset(data: bytes, position: int) -> tuple[int, int]:
    """A number in git's variable-length form, and the position after it."""
    byte = data[position]
    position += 1
    value = byte & 0x7F
    while byte & 0x80:
        byte = data[position]
        position += 1
        value = (value + 1) << 7 | byte & 0x7F
    return value, position

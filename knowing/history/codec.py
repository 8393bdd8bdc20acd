"""Commits as bytes, for the store.

One version byte, then zlib over JSON. A batch writes each path, name and person once and
refers to it by number, which keeps it small and lets decoded commits share their strings.
"""

import json
import sys
import zlib
from collections.abc import Sequence
from typing import Any

from knowing.errors import HistoryError
from knowing.history.commit import Commit, Rename, Touch

VERSION = 1
MAX_DECODED_BYTES = 1 << 30
_TOUCH_FIELDS = 5
_WEIGHT_STEPS = 100


class _Words:
    """Numbers for words, in the order in which they are first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers))

    def all(self) -> list[str]:
        return list(self._numbers)


def encode(commits: Sequence[Commit]) -> bytes:
    """Commits in their order; equal commits give equal bytes."""
    words = _Words()
    rows = [_row(commit, words) for commit in commits]
    # Plain ASCII: paths that are not valid UTF-8 hold lone surrogates, which only escapes carry.
    text = json.dumps({"words": words.all(), "commits": rows}, separators=(",", ":"))
    return bytes([VERSION]) + zlib.compress(text.encode("ascii"), 6)


def _row(commit: Commit, words: _Words) -> list[object]:
    number = words.number
    touches: list[int] = []
    for touch in commit.touches:
        touches += (number(touch.path), number(touch.name), number(touch.owner), touch.line)
        touches.append(round(touch.weight * _WEIGHT_STEPS))
    return [
        commit.hash,
        commit.time,
        number(commit.author),
        number(commit.email),
        commit.subject,
        commit.body,
        commit.file_count,
        [number(path) for path in commit.files],
        [[number(old), number(new)] for old, new in commit.renames],
        touches,
    ]


def decode(data: bytes) -> tuple[Commit, ...]:
    """The commits of one batch; raises `HistoryError` for bytes that `encode` did not write."""
    if data[:1] != bytes([VERSION]):
        raise _damaged("unknown version")
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data[1:], MAX_DECODED_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise _damaged("wrong length")
        content = json.loads(text)
        # Interned, because commits are kept one by one and name the same few files and people.
        words = [sys.intern(word) for word in content["words"]]
        return tuple(_commit(row, words) for row in content["commits"])
    except (zlib.error, ValueError, KeyError, IndexError, TypeError) as error:
        raise _damaged(str(error)) from error


def _commit(row: Sequence[Any], words: Sequence[str]) -> Commit:
    commit, time, author, email, subject, body, file_count, files, renames, flat = row
    if len(flat) % _TOUCH_FIELDS:
        raise ValueError("touches are not complete")
    columns = (flat[field::_TOUCH_FIELDS] for field in range(_TOUCH_FIELDS))
    return Commit(
        hash=commit,
        time=time,
        author=words[author],
        email=words[email],
        subject=subject,
        body=body,
        file_count=file_count,
        files=tuple([words[path] for path in files]),
        renames=tuple([Rename(words[old], words[new]) for old, new in renames]),
        touches=tuple(
            [
                Touch(words[path], words[name], words[owner], line, steps / _WEIGHT_STEPS)
                for path, name, owner, line, steps in zip(*columns, strict=True)
            ]
        ),
    )


def _damaged(why: str) -> HistoryError:
    return HistoryError(f"stored history is damaged: {why}", "it is read again from git")

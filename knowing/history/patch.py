"""Second pass over the log: which definitions a commit changed, from patches without context.

A hunk names the definition it lies in (git writes it into the hunk's header) and the lines it
changes may be definitions themselves. The text is searched with one pattern per family of
languages (`hunks.py`) instead of line by line: a patch is large and almost none of its lines
matter.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from knowing.history import definitions, git
from knowing.history.commit import Touch
from knowing.history.hunks import changed_definitions
from knowing.history.log import SHARED_OPTIONS, Change, path_text

MAX_TOUCHES = 400
"""Definitions kept of one commit."""
_MARK = b"\x01"
_BOUNDARY = re.compile(rb"\n(?=\x01|diff --git )")


def patch_line(renames: str, attributes: Path) -> list[str]:
    """The command; the commits to read are given on its standard input."""
    return git.command(
        "log",
        "--no-walk=unsorted",
        "--stdin",
        "--patch",
        "--unified=0",
        "--inter-hunk-context=0",
        "--diff-algorithm=myers",
        "--relative",
        "--format=%x01%H",
        renames,
        *SHARED_OPTIONS,
        settings=(f"core.attributesFile={attributes}", *definitions.driver_settings()),
    )


def read_patches(
    stream: git.Stream, wanted: Mapping[str, Sequence[Change]], suffixes: Sequence[str]
) -> Iterator[tuple[str, tuple[Touch, ...]]]:
    """Each commit's hash with the definitions it touched; only commits read to their end.

    A file's patch is taken apart as soon as it is there, so that no more than one is held.
    """
    commit = ""
    files: dict[bytes, bytes] = {}
    touches: list[Touch] = []
    for segment in segments(stream):
        if segment.startswith(_MARK):
            if commit:
                yield commit, tuple(touches[:MAX_TOUCHES])
            commit, touches = segment[1:].strip().decode("ascii", "replace"), []
            files = {patch_header(change): change.path for change in wanted.get(commit, ())}
        elif len(touches) < MAX_TOUCHES:
            path = files.get(segment[: segment.index(b"\n")])
            if path is not None:
                touches.extend(_touches(path_text(path), segment, suffixes))
    if commit and stream.ending is git.Ending.DONE:
        yield commit, tuple(touches[:MAX_TOUCHES])


def segments(stream: git.Stream) -> Iterator[bytes]:
    """Pieces that each begin with a commit's mark or a file's patch and end with a newline."""
    waiting: list[bytes] = []
    for chunk in stream:
        waiting.append(chunk)
        if b"\n" + _MARK not in chunk and b"\ndiff --git " not in chunk:
            continue
        pieces = _BOUNDARY.split(b"".join(waiting))
        waiting = [pieces.pop()]
        yield from (piece + b"\n" for piece in pieces)
    if stream.ending is git.Ending.DONE:
        yield from (piece + b"\n" for piece in _BOUNDARY.split(b"".join(waiting)))


def patch_header(change: Change) -> bytes:
    """The line with which git opens the patch of a file."""
    return b"diff --git " + _quoted(b"a/" + change.old) + b" " + _quoted(b"b/" + change.path)


_NEEDS_QUOTES = re.compile(rb'["\\\x00-\x1f\x7f]')
_ESCAPES = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}


def _quoted(path: bytes) -> bytes:
    if not _NEEDS_QUOTES.search(path):
        return path

    def escape(match: re.Match[bytes]) -> bytes:
        byte = match[0][0]
        return b"\\" + (_ESCAPES.get(byte) or b"%03o" % byte)

    return b'"' + _NEEDS_QUOTES.sub(escape, path) + b'"'


def _touches(path: str, patch: bytes, suffixes: Sequence[str]) -> Iterator[Touch]:
    suffix = max((s for s in suffixes if path.endswith(s)), key=len, default="")
    family = definitions.family_of(suffix)
    if family is None:
        return
    for found in changed_definitions(patch, family):
        yield Touch(path, found.name, found.owner, found.line, found.weight)

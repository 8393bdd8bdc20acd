"""Places that a task names: files, lines of a stack trace, the hunks of a pasted diff."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from knowing.graph.view import View
from knowing.retrieve.locate import at_line, files_at, rows_of_file
from knowing.retrieve.scene import Evidence, Scene

_PATH = r"(?:[A-Za-z]:)?[\w.@+~/\\-]*[\w@+-]\.[A-Za-z]\w{0,9}"
_LINED = re.compile(
    # Python says it in words, PHP after the path; most others by a colon or in brackets.
    rf'"(?P<quoted>[^"\n]{{1,500}})", line (?P<told>\d{{1,7}})'
    rf"|(?P<path>{_PATH})(?::line |:| on line |\()(?P<line>\d{{1,7}})\b"
    rf"|(?<![\w.])(?P<plain>{_PATH})(?![\w(])"
)
_CHANGED = re.compile(
    r"^\+\+\+ (?:b/)?(?P<path>[^\t\n]{1,500})"
    r"|^@@ -\d+(?:,\d+)? \+(?P<line>\d{1,7})(?:,(?P<count>\d{1,7}))? @@",
    re.MULTILINE,
)
_MOST_PLACES = 64
_MOST_FILES = 3
"""A name that more files have says nothing about which one is meant."""
_MOST_LINES = 40
_LONGEST_TASK = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file, and lines of it if the task tells any."""

    path: str
    lines: tuple[int, ...] = ()


def match_places(scene: Scene, evidence: Evidence) -> Evidence:
    """`place`: stands at a line that the task names, or fits the task in a file that it names."""
    values, weights = scene.nothing(), scene.tuning.names
    text = evidence["text"]
    for place in places_in(scene.task.text):
        for file in files_meant(scene.view, place.path):
            if not place.lines:
                rows = rows_of_file(scene.view, file)
                share = weights.in_file + (1 - weights.in_file) * text[rows]
                values[rows] = np.maximum(values[rows], np.float32(weights.file) * share)
            for line in place.lines:
                values[at_line(scene.view, file, line)] = 1
    return evidence.plus(place=values)


def places_in(task: str) -> list[Place]:
    """The places that a task names, each once, in the order of their first mention."""
    text = task[:_LONGEST_TASK]
    found: dict[Place, None] = {}
    for place in (*_in_diff(text), *_in_text(text)):
        if len(found) == _MOST_PLACES:
            break
        found[place] = None
    return list(found)


def _in_text(text: str) -> Iterator[Place]:
    for match in _LINED.finditer(text):
        path = match["quoted"] or match["path"] or match["plain"]
        line = match["told"] or match["line"]
        yield Place(path=path, lines=(int(line),) if line else ())


def _in_diff(text: str) -> Iterator[Place]:
    path = ""
    for match in _CHANGED.finditer(text):
        if match["path"]:
            path = match["path"].strip()
        elif path:
            first, count = int(match["line"]), int(match["count"] or 1)
            yield Place(path=path, lines=tuple(range(first, first + min(count, _MOST_LINES))))


def files_meant(view: View, path: str) -> list[int]:
    """The files that a path means, which may come from another machine or another folder."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        found = files_at(view, "/".join(parts[start:]))
        if found:
            return found if len(found) <= _MOST_FILES else []
    return []

"""Globs of the settings and the languages: include overrides and the marks of tests.

A glob is relative to the root. Without a slash it stands for a name at any depth, `**` stands
for any number of folders, and a glob that matches a folder matches all that is in it.
"""

import re
from collections.abc import Sequence

from knowing.files.wildmatch import byte_text, translate

_ANY_DEPTH = "**"


def _parts(glob: str) -> tuple[str, ...]:
    """The parts of a glob, between slashes; one that floats begins with `**`."""
    anchored = "/" in glob.strip("/") or glob.startswith("/")
    parts = [part for part in byte_text(glob).split("/") if part not in ("", ".")]
    return tuple(parts if anchored else [_ANY_DEPTH, *parts])


class _Glob:
    """A glob as a list of steps, each an expression for one part or None for `**`."""

    __slots__ = ("_steps",)

    def __init__(self, glob: str) -> None:
        self._steps = tuple(
            None if part == _ANY_DEPTH else re.compile(translate(part)) for part in _parts(glob)
        )

    def _closure(self, states: set[int]) -> set[int]:
        """`states` and those that are reached by letting a `**` stand for nothing."""
        closed = set(states)
        for state in range(len(self._steps)):
            if state in closed and self._steps[state] is None:
                closed.add(state + 1)
        return closed

    def _step(self, states: set[int], part: str, *, named: bool) -> set[int]:
        """The states after `part`; with `named` only those that got there without a `**`."""
        after = set()
        for state in states:
            if state == len(self._steps):
                continue
            step = self._steps[state]
            if step is None:
                if not named:
                    after.add(state)
            elif step.fullmatch(part):
                after.add(state + 1)
        return self._closure(after)

    def covers(self, parts: Sequence[str]) -> bool:
        """Whether the path of these parts, or a folder it lies in, matches."""
        states = self._closure({0})
        for part in parts:
            states = self._step(states, part, named=False)
            if len(self._steps) in states:
                return True
        return False

    def reaches(self, parts: Sequence[str], *, named: bool) -> bool:
        """Whether something in the folder of these parts may match.

        With `named` the last part has to be spelt out by the glob, not swallowed by a `**`.
        """
        states = self._closure({0})
        for part in parts[:-1]:
            states = self._step(states, part, named=False)
        return bool(self._step(states, parts[-1], named=named))


class Globs:
    """Several globs, asked as one."""

    __slots__ = ("_globs",)

    def __init__(self, globs: Sequence[str]) -> None:
        self._globs = tuple(_Glob(glob) for glob in globs if glob.strip("/"))

    def covers(self, path: str) -> bool:
        """Whether `path` or a folder it lies in matches one of the globs."""
        if not self._globs:
            return False
        parts = byte_text(path).split("/")
        return any(glob.covers(parts) for glob in self._globs)

    def reaches(self, folder: str, *, named: bool = False) -> bool:
        """Whether one of the globs may match in `folder` (see `_Glob.reaches`)."""
        if not self._globs:
            return False
        parts = byte_text(folder).split("/")
        return any(glob.reaches(parts, named=named) for glob in self._globs)


class PathMarks:
    """Globs that mark files, split so that most of the work is done once for each folder."""

    __slots__ = ("_folders", "_names", "_paths")

    def __init__(self, globs: Sequence[str]) -> None:
        names, folders, paths = [], [], []
        for glob in globs:
            parts = _parts(glob)
            if not parts or set(parts) == {_ANY_DEPTH}:
                continue
            if len(parts) == 2 and parts[0] == _ANY_DEPTH:
                names.append(translate(parts[1]))
            elif parts[-1] == _ANY_DEPTH:
                folders.append(translate("/".join((*parts[:-1], _ANY_DEPTH))))
            else:
                paths.append(translate("/".join(parts)))
        self._names = _joined(names)
        self._folders = _joined(folders)
        self._paths = _joined(paths)

    def mark_folder(self, folder: str) -> bool:
        """Whether all files of `folder`, given with a closing `/`, are marked."""
        return self._folders is not None and bool(self._folders.match(byte_text(folder)))

    def mark_file(self, path: str, name: str) -> bool:
        """Whether a file of an unmarked folder is marked."""
        if self._names is not None and self._names.match(byte_text(name)):
            return True
        return self._paths is not None and bool(self._paths.match(byte_text(path)))


def _joined(expressions: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(expressions)) if expressions else None

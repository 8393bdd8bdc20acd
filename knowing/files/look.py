"""What a scan would say about one path, without scanning."""

import os
from pathlib import Path

from knowing.files import reasons
from knowing.files.folder import Folder
from knowing.files.rules import FileRules, extension_of
from knowing.files.walk import TELLING_ENTRIES, Entry, Walk
from knowing.model import Skipped, SourceFile


class _PathEntry:
    """A path with the face of a directory entry."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.name

    def is_symlink(self) -> bool:
        return self._path.is_symlink()

    def stat(self) -> os.stat_result:
        return self._path.stat()


def look(root: Path, path: str, rules: FileRules) -> SourceFile | Skipped:
    """Judge one path as `scan` does; what is skipped may be a folder on the way to it.

    Costs a few file system calls for each folder on the way, so for many paths a scan is
    cheaper. A folder that two links lead to is taken once by a scan that follows links; one
    path alone cannot show that.
    """
    *above, name = path.split("/")
    if {"", ".", ".."} & {*above, name}:
        return Skipped(path=path, reason=reasons.OUTSIDE)
    walk = Walk(root, rules)
    folder: Folder | None = walk.ignore_files.root_folder(_telling_in(root))
    for part in above:
        folder = _entered(walk, folder, part) if folder is not None else None
    if folder is not None:
        entry = _PathEntry(root / path)
        if entry.is_symlink():
            walk.take_link(folder, entry)
        elif os.path.exists(root / path):
            walk.take_file(folder, entry)
        else:
            walk.skip(path, reasons.ABSENT)
    if walk.files:
        return walk.files[0]
    if walk.skipped:
        return walk.skipped[0]
    return Skipped(path=path, reason=reasons.unsupported(extension_of(name)))


def _entered(walk: Walk, parent: Folder, name: str) -> Folder | None:
    """The folder `name` of `parent`, or None when the walk has said why not."""
    path = parent.path + name
    absolute = walk.root / path
    entry: Entry = _PathEntry(absolute)
    if entry.is_symlink():
        if not walk.take_link(parent, entry):
            return None
    elif not absolute.is_dir():
        walk.skip(path, reasons.ABSENT)
        return None
    admission = walk.wants_folder(parent, name)
    if not admission.enter:
        return None
    return walk.open_folder(parent, name, _telling_in(absolute), admission)


def _telling_in(folder: Path) -> frozenset[str]:
    return frozenset(name for name in TELLING_ENTRIES if os.path.lexists(folder / name))

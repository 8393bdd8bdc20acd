"""From a root folder to the files that are to be read, with a reason for the others."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowing.errors import KnowingError, WorkspaceError
from knowing.files import reasons
from knowing.files.folder import GIT_IGNORE, OWN_IGNORE, Folder
from knowing.files.rules import FileRules
from knowing.files.walk import TELLING_ENTRIES, Walk
from knowing.model import Skipped, SourceFile


class ScanCancelled(KnowingError):
    """The caller asked the scan to stop; a part of a workspace is never passed off as all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a workspace holds, as far as its rules go; the same for the same tree and rules."""

    files: tuple[SourceFile, ...]
    """By path."""
    skipped: tuple[Skipped, ...]
    """Files of known languages, and folders, that are not read; by path."""
    unsupported: Mapping[str, int]
    """How many files that no rule ignores have no language, by extension."""
    ignore_files: Mapping[str, tuple[int, int]]
    """Size and modification time of the ignore files heeded: another value, another answer."""


def is_ignore_file(path: str) -> bool:
    """Whether a change to `path` can change what a scan finds."""
    name = path.rpartition("/")[2]
    return name in (GIT_IGNORE, OWN_IGNORE) or path.endswith(".git/info/exclude")


def scan(root: Path, rules: FileRules, cancelled: Callable[[], bool] = lambda: False) -> Scan:
    """Find the files of the workspace at `root`; raises only if the root cannot be listed."""
    walk = Walk(root, rules)
    try:
        entries = _listed(root)
    except OSError as error:
        raise _no_workspace(root, error) from error
    top = walk.ignore_files.root_folder(_telling(entries))
    pending = _visit(walk, top, entries)
    while pending and not cancelled():
        pending.extend(_enter(walk, *pending.pop()))
    if cancelled():
        raise ScanCancelled("the scan was cancelled", "Run it again to get an answer.")
    for path, reason in walk.ignore_files.unread.items():
        walk.skip(path, reason)
    return Scan(
        files=tuple(sorted(walk.files, key=lambda file: file.path)),
        skipped=tuple(sorted(walk.skipped, key=lambda item: item.path)),
        unsupported=dict(sorted(walk.unsupported.items())),
        ignore_files=dict(sorted(walk.ignore_files.stamps.items())),
    )


def _visit(walk: Walk, folder: Folder, entries: list[os.DirEntry[str]]) -> list[tuple[Folder, str]]:
    """Take the files of a folder; the folders in it, which are judged when their turn comes."""
    inner = []
    for entry in entries:
        try:
            if _leads_inside(walk, folder, entry):
                inner.append((folder, entry.name))
        except OSError as error:
            walk.skip(folder.path + entry.name, reasons.unreadable(error))
    return inner


def _leads_inside(walk: Walk, folder: Folder, entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder to be judged; what is not has been taken."""
    if entry.is_symlink():
        return walk.take_link(folder, entry)
    if entry.is_dir(follow_symlinks=False):
        return True
    walk.take_file(folder, entry)
    return False


def _enter(walk: Walk, parent: Folder, name: str) -> list[tuple[Folder, str]]:
    """Visit a folder that the rules let in."""
    admission = walk.wants_folder(parent, name)
    if not admission.enter:
        return []
    path = parent.path + name
    try:
        entries = _listed(os.path.join(walk.root, path))
    except OSError as error:
        walk.skip(path, reasons.unreadable(error))
        return []
    folder = walk.open_folder(parent, name, _telling(entries), admission)
    return [] if folder is None else _visit(walk, folder, entries)


def _listed(folder: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _telling(entries: list[os.DirEntry[str]]) -> frozenset[str]:
    return TELLING_ENTRIES.intersection(entry.name for entry in entries)


def _no_workspace(root: Path, error: OSError) -> WorkspaceError:
    return WorkspaceError(
        f"cannot read the folder {root}: {error.strerror}",
        "Give the path of a folder that exists and that you may list.",
    )

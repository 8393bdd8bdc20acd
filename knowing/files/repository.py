"""Where a git repository keeps what the scan needs: its ignore file, its case rule, its index.

Nothing here runs git. A repository is recognised by `.git`, a folder or, in worktrees and
submodules, a file that names the folder.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

_YES = r"[ \t]*(?:=[ \t]*(?:true|yes|on|1)[ \t]*)?$"
_IGNORE_CASE = re.compile(r"^[ \t]*ignorecase" + _YES, re.M | re.I)
_BARE = re.compile(r"^[ \t]*bare" + _YES, re.M | re.I)
_SHA256 = re.compile(r"^\s*objectformat\s*=\s*sha256\s*$", re.M | re.I)
_LINK_LIMIT = 4096
_CONFIG_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A git repository as seen from one of its checkouts."""

    top: Path
    """The folder that holds `.git`."""
    git_folder: Path
    """What belongs to this checkout alone: HEAD and the index."""
    common_folder: Path
    """What all worktrees share; the same folder where there are none."""
    is_bare: bool
    """It has no files of its own; a folder of worktrees around a bare repository is one."""
    ignore_case: bool
    hash_bytes: int

    @property
    def exclude_file(self) -> Path:
        return self.common_folder / "info" / "exclude"

    @property
    def index_file(self) -> Path:
        return self.git_folder / "index"

    def is_copy_of(self, around: "Repository") -> bool:
        """Whether this is a worktree of a repository that has its own files `around` it."""
        return self.common_folder == around.common_folder and not around.is_bare


def repository_at(folder: Path) -> Repository | None:
    """The repository whose checkout `folder` is, or None."""
    git_folder = _git_folder(folder)
    if git_folder is None or not (git_folder / "HEAD").is_file():
        return None
    common = _linked(git_folder / "commondir", b"")
    common_folder = git_folder if common is None else git_folder / common
    config = _text(common_folder / "config")
    return Repository(
        top=folder,
        git_folder=git_folder,
        common_folder=Path(os.path.realpath(common_folder)),
        is_bare=_BARE.search(config) is not None,
        ignore_case=_IGNORE_CASE.search(config) is not None,
        hash_bytes=32 if _SHA256.search(config) else 20,
    )


def repository_around(folder: Path) -> Repository | None:
    """The repository in which `folder` lies, or None; looks upwards to the file system's root."""
    for candidate in (folder, *folder.parents):
        repository = repository_at(candidate)
        if repository is not None:
            return repository
    return None


def _git_folder(folder: Path) -> Path | None:
    entry = folder / ".git"
    try:
        if entry.is_dir():
            return entry
        linked = _linked(entry, b"gitdir:") if entry.is_file() else None
    except OSError:
        return None
    return None if linked is None else folder / linked


def _linked(file: Path, prefix: bytes) -> str | None:
    """The path that `file` holds after `prefix`."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            data = stream.read(_LINK_LIMIT)
    except OSError:
        return None
    if not data.startswith(prefix):
        return None
    return os.fsdecode(data.removeprefix(prefix).strip()) or None


def _text(file: Path) -> str:
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as stream:
            return stream.read(_CONFIG_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""

"""Where symbolic links lead, and which folders are the same folder."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from knowing.files import reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTarget:
    """What a symbolic link points to."""

    real: str
    is_folder: bool = False
    problem: str = ""
    """Why the link is of no use even where links are followed; empty if it is."""
    is_broken: bool = False


class Links:
    """Resolves links of one workspace and knows the folders that were entered already."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._entered: dict[tuple[int, int], str] = {}
        for folder in (Path(self._real_root), *Path(self._real_root).parents):
            self._remember(folder, folder.as_posix())

    def _remember(self, folder: Path, name: str) -> str:
        """The name under which `folder` was entered before; empty the first time."""
        try:
            status = folder.stat()
        except OSError:
            return ""
        key = (status.st_dev, status.st_ino)
        return "" if self._entered.setdefault(key, name) == name else self._entered[key]

    def problem_of_entering(self, path: str) -> str:
        """Why the folder at `path` must not be entered a second time; empty the first time."""
        seen_as = self._remember(self._root / path, path)
        return reasons.link_loop(seen_as) if seen_as else ""

    def target(self, path: str) -> LinkTarget:
        """What the link at `path`, relative to the root, leads to."""
        absolute = os.path.join(self._root, path)
        real = os.path.realpath(absolute)
        try:
            mode = os.stat(absolute).st_mode
        except OSError as error:
            return LinkTarget(real=real, problem=reasons.broken_link(error), is_broken=True)
        is_folder = stat.S_ISDIR(mode)
        problem = ""
        if real == self._real_root:
            problem = reasons.link_loop("the root")
        elif real.startswith(os.path.join(self._real_root, "")):
            inside = os.path.relpath(real, self._real_root).replace(os.sep, "/")
            problem = reasons.link_inside(inside)
        return LinkTarget(real=real, is_folder=is_folder, problem=problem)

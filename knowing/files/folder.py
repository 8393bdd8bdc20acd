"""A folder on the way of the scan: the ignore rules that hold in it, and whose checkout it is.

Order of the rules, the first that decides wins: include overrides and the exclude setting
(asked by `walk`), `.knowingignore` from the folder up, `.gitignore` from the folder up to the
top of its checkout, `info/exclude`. What lies in an ignored folder is ignored, as in git.

A nested repository, be it a clone or a submodule, is judged from outside as one folder.
Inside it the outer `.gitignore` files have no say, as when git is run there, while
`.knowingignore` files and settings still hold. Ignore files outside the workspace count up to
the top of the repository in which the workspace lies; a user's own `core.excludesFile` does
not, so that one checkout gives one answer on every machine.
"""

import os
import stat
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from knowing.files import reasons
from knowing.files.ignore import NO_RULES, Rule, RuleSet, RuleStack, parse
from knowing.files.repository import Repository, repository_around, repository_at
from knowing.files.tracked import TrackedPaths, read_index
from knowing.model import SymbolFlag

GIT_IGNORE = ".gitignore"
OWN_IGNORE = ".knowingignore"
_IGNORE_FILE_LIMIT = 1 << 20


class Checkout:
    """A repository and the way between its top and the root of the scan."""

    def __init__(self, repository: Repository, *, base: str = "", outer: str = "") -> None:
        """`base` leads from the root to the top, `outer` from the top to the root."""
        self.repository = repository
        self.base = base
        self.outer = outer

    @cached_property
    def _tracked(self) -> TrackedPaths:
        return read_index(self.repository.index_file, self.repository.hash_bytes)

    def tracks(self, path: str) -> bool:
        return self._tracked.holds(self.outer + path[len(self.base) :])

    def tracks_below(self, folder: str) -> bool:
        return self._tracked.holds_below(self.outer + folder[len(self.base) :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a path is left out, and what could still let it in."""

    reason: str
    by_git: bool = False
    """Git's rules say so, which do not hold for what git tracks."""
    by_nature: bool = False
    """A cache, vendored code or a copy: an include override has to spell the folder out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """One folder that the scan enters."""

    path: str = ""
    """Relative to the root with a closing `/`; empty for the root."""
    own: RuleStack = NO_RULES
    git: RuleStack = NO_RULES
    checkout: Checkout | None = None
    flags: SymbolFlag = SymbolFlag(0)
    refusal: Refusal | None = None
    """Set when only exceptions are read: includes or tracked files in a refused folder."""

    def deciding(self, path: str, name: str, *, is_folder: bool) -> tuple[Rule | None, bool]:
        """The rule of an ignore file that decides about `path`, and whether it is git's."""
        rule = self.own.deciding(path, name, is_folder=is_folder)
        if rule is not None:
            return rule, False
        return self.git.deciding(path, name, is_folder=is_folder), True


class IgnoreFiles:
    """Reads ignore files and remembers which, so that a change to one can be noticed."""

    def __init__(self, root: Path, *, respect_gitignore: bool) -> None:
        self._root = root
        self._real_root = Path(os.path.realpath(root))
        self._respect_gitignore = respect_gitignore
        self.stamps: dict[str, tuple[int, int]] = {}
        """Size and modification time of each file that was read, in the order of reading."""
        self.unread: dict[str, str] = {}
        """Why an ignore file could not be read."""

    def root_folder(self, entries: frozenset[str]) -> Folder:
        """The root with the rules of the folders around it, up to the top of its repository."""
        folder = Folder()
        repository = repository_around(self._real_root)
        if repository is not None:
            around = self._real_root.relative_to(repository.top).parts
            folder = self._in_checkout(folder, Checkout(repository, outer=_joined(around)))
            if self._is_wanted(repository, around):
                for depth in range(len(around)):
                    outer = _joined(around[depth:])
                    above = repository.top.joinpath(*around[:depth])
                    folder = self._with_files_of(folder, above, outer=outer)
        return self._with_files_of(folder, self._root, entries=entries)

    def below(self, parent: Folder, path: str, entries: frozenset[str]) -> Folder:
        """The folder at `path` with the rules of its parent and its own ignore files."""
        folder = replace(parent, path=f"{path}/", refusal=None)
        if not entries:
            return folder
        if ".git" in entries:
            repository = repository_at(self._root / path)
            if repository is not None:
                folder = self._in_checkout(folder, Checkout(repository, base=folder.path))
        return self._with_files_of(folder, self._root / path, entries=entries)

    def _is_wanted(self, repository: Repository, around: tuple[str, ...]) -> bool:
        """Whether the ignore files above the root let the root in.

        Where they do not they have no say in it either: the root was asked for by name.
        """
        folder = self._in_checkout(Folder(), Checkout(repository))
        for depth, name in enumerate(around):
            folder = replace(folder, path=_joined(around[:depth]))
            folder = self._with_files_of(folder, repository.top / folder.path)
            rule, _ = folder.deciding(folder.path + name, name, is_folder=True)
            if rule is not None and not rule.negated:
                return False
        return True

    def _in_checkout(self, folder: Folder, checkout: Checkout) -> Folder:
        """The folder with the rules of its repository in place of those of the one around it."""
        folder = replace(folder, git=NO_RULES, checkout=checkout)
        if not self._respect_gitignore:
            return folder
        excluded = self._rules_in(checkout.repository.exclude_file, folder, checkout.outer)
        return replace(folder, git=folder.git.before(excluded))

    def _with_files_of(
        self,
        folder: Folder,
        absolute: Path,
        *,
        outer: str = "",
        entries: frozenset[str] = frozenset({GIT_IGNORE, OWN_IGNORE}),
    ) -> Folder:
        """The folder with the ignore files that stand in `absolute` asked first."""
        own, git = folder.own, folder.git
        if OWN_IGNORE in entries:
            own = own.before(self._rules_in(absolute / OWN_IGNORE, folder, outer))
        if GIT_IGNORE in entries and self._respect_gitignore:
            git = git.before(self._rules_in(absolute / GIT_IGNORE, folder, outer))
        return (
            folder if own is folder.own and git is folder.git else replace(folder, own=own, git=git)
        )

    def _rules_in(self, file: Path, folder: Folder, outer: str) -> RuleSet:
        """The rules of an ignore file of `folder`, or of one that `outer` leads down from."""
        label = self._label(file)
        return RuleSet(
            parse(self._bytes_of(file, label), label),
            base=folder.path,
            outer=outer,
            ignore_case=folder.checkout is not None and folder.checkout.repository.ignore_case,
        )

    def _bytes_of(self, file: Path, label: str) -> bytes:
        """The content of an ignore file; git does not follow links here, nor do we."""
        try:
            status = file.lstat()
            if not stat.S_ISREG(status.st_mode):
                return b""
            with file.open("rb") as stream:
                data = stream.read(_IGNORE_FILE_LIMIT)
        except FileNotFoundError:
            return b""
        except OSError as error:
            self.unread[label] = reasons.ignore_file(error)
            return b""
        self.stamps[label] = (status.st_size, status.st_mtime_ns)
        return data

    def _label(self, file: Path) -> str:
        """The name by which people know an ignore file: relative to the root if it is inside."""
        for root in (self._root, self._real_root):
            if file.is_relative_to(root):
                return file.relative_to(root).as_posix()
        return file.as_posix()


def _joined(parts: tuple[str, ...]) -> str:
    return "".join(f"{part}/" for part in parts)

"""The decisions of a scan: which folders are entered, which files are taken, and why not."""

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from knowing.files import known, reasons
from knowing.files.folder import GIT_IGNORE, OWN_IGNORE, Folder, IgnoreFiles, Refusal
from knowing.files.ignore import Rule
from knowing.files.links import Links
from knowing.files.repository import repository_at
from knowing.files.rules import (
    FileRules,
    extension_of,
    folder_flags,
    is_generated_name,
    is_vendored,
)
from knowing.model import Skipped, SourceFile, SymbolFlag

TELLING_ENTRIES = frozenset(
    {".git", GIT_IGNORE, OWN_IGNORE, *known.CACHE_MARKERS, *known.FIRST_PARTY_MARKERS}
)
"""Names whose presence in a folder says something about the folder."""


class Entry(Protocol):
    """What is asked of something found in a folder; `os.DirEntry[str]` is one."""

    @property
    def name(self) -> str: ...
    def is_symlink(self) -> bool: ...
    def stat(self) -> os.stat_result: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Whether a folder is entered; with a refusal, for the exceptions in it alone."""

    enter: bool
    refusal: Refusal | None = None
    by_name: bool = False
    """A rule such as `!vendor/` asks for this very folder, whatever its nature."""


class Walk:
    """One pass over a workspace; what it found is in its attributes."""

    def __init__(self, root: Path, rules: FileRules) -> None:
        self.root = root
        self.rules = rules
        self.ignore_files = IgnoreFiles(root, respect_gitignore=rules.respect_gitignore)
        self.files: list[SourceFile] = []
        self.skipped: list[Skipped] = []
        self.unsupported: Counter[str] = Counter()
        self._links = Links(root)
        self._test_folders: dict[tuple[str, str], bool] = {}

    def skip(self, path: str, reason: str) -> None:
        self.skipped.append(Skipped(path=reasons.readable(path), reason=reason))

    def wants_folder(self, parent: Folder, name: str) -> Admission:
        """What the rules and the name of a folder say, before it is listed."""
        path = parent.path + name
        reason = ""
        if name in known.VERSION_CONTROL_FOLDERS:
            reason = reasons.VERSION_CONTROL
        elif not reasons.is_utf8(name):
            reason = reasons.UNDECODABLE
        elif self.rules.follow_symlinks:
            reason = self._links.problem_of_entering(path)
        if reason:
            self.skip(path, reason)
            return Admission(enter=False)
        rule, by_git = self._deciding(parent, path, name, is_folder=True)
        if rule is not None and rule.negated and not by_git and rule.names(name):
            admission = self._admit(parent, path, parent.refusal)
            return replace(admission, by_name=True)
        if name in known.CACHE_FOLDERS:
            return self._admit(parent, path, _by_nature(reasons.cache(name)))
        return self._admit(parent, path, _weightier(parent.refusal, _refusal(rule, by_git)))

    def open_folder(
        self, parent: Folder, name: str, entries: frozenset[str], admission: Admission
    ) -> Folder | None:
        """The folder, now that its telling `entries` are known, or None to leave it out."""
        path = parent.path + name
        nature = self._refused_by_nature(parent, path, name, entries)
        if nature is not None and not admission.by_name:
            admission = self._admit(parent, path, nature)
            if not admission.enter:
                return None
        folder = self.ignore_files.below(parent, path, entries)
        flags = parent.flags | folder_flags(path, name, entries)
        return replace(folder, flags=flags, refusal=admission.refusal)

    def take_link(self, folder: Folder, entry: Entry) -> bool:
        """Handle a symbolic link; True when it leads to a folder that is to be entered."""
        path = folder.path + entry.name
        target = self._links.target(path)
        problem = target.problem
        if not problem and not self.rules.follow_symlinks:
            problem = reasons.link_outside(target.real)
        if not problem and target.is_folder:
            return True
        if problem and (target.is_folder or target.is_broken or self._is_supported(entry.name)):
            self.skip(path, problem)
        else:
            self.take_file(folder, entry)
        return False

    def take_file(self, folder: Folder, entry: Entry) -> None:
        """Add a file to those that are read, to the skipped or to the unsupported."""
        name = entry.name
        path = folder.path + name
        language = self.rules.language_of(name)
        reason = self._refused_file(folder, path, name)
        if language is None:
            if not reason:
                self.unsupported[extension_of(name)] += 1
            return
        try:
            reason = reason or self._take(folder, path, name, language, entry.stat())
        except OSError as error:
            reason = reasons.unreadable(error)
        if reason:
            self.skip(path, reason)

    def _take(
        self, folder: Folder, path: str, name: str, language: str, status: os.stat_result
    ) -> str:
        """Add a file that the rules let in; otherwise the reason why it cannot be read."""
        reason = reasons.special_file(status.st_mode)
        if reason:
            return reason
        if status.st_size > self.rules.max_file_bytes:
            return reasons.too_large(status.st_size, self.rules.max_file_bytes)
        if not reasons.is_utf8(name):
            return reasons.UNDECODABLE
        flags = folder.flags
        if is_generated_name(name):
            if self.rules.skip_generated and not self.rules.included.covers(path):
                return reasons.GENERATED
            flags |= SymbolFlag.GENERATED
        if self._is_test(folder, path, name, language):
            flags |= SymbolFlag.TEST
        self.files.append(
            SourceFile(
                path=path,
                language=language,
                size=status.st_size,
                mtime_ns=status.st_mtime_ns,
                flags=flags,
            )
        )
        return ""

    def _is_supported(self, name: str) -> bool:
        return self.rules.language_of(name) is not None

    def _is_test(self, folder: Folder, path: str, name: str, language: str) -> bool:
        marks = self.rules.tests.get(language)
        if marks is None:
            return False
        key = (folder.path, language)
        in_test_folder = self._test_folders.get(key)
        if in_test_folder is None:
            in_test_folder = self._test_folders[key] = marks.mark_folder(folder.path)
        return in_test_folder or marks.mark_file(path, name)

    def _refused_file(self, folder: Folder, path: str, name: str) -> str:
        """The reason for which the rules leave a file out, or an empty string."""
        rule, by_git = self._deciding(folder, path, name, is_folder=False)
        refusal = _weightier(folder.refusal, _refusal(rule, by_git))
        if refusal is None or self.rules.included.covers(path):
            return ""
        if refusal.by_git and folder.checkout is not None and folder.checkout.tracks(path):
            return ""
        return refusal.reason

    def _deciding(
        self, folder: Folder, path: str, name: str, *, is_folder: bool
    ) -> tuple[Rule | None, bool]:
        """The rule of the settings or of an ignore file that decides, and whether it is git's."""
        rule = self.rules.excluded.deciding(path, name, is_folder=is_folder)
        if rule is not None:
            return rule, False
        return folder.deciding(path, name, is_folder=is_folder)

    def _refused_by_nature(
        self, parent: Folder, path: str, name: str, entries: frozenset[str]
    ) -> Refusal | None:
        """What the content of a folder says: an environment, vendored code, a second copy."""
        for marker, what in known.CACHE_MARKERS.items():
            if marker in entries:
                return _by_nature(reasons.cache(what))
        if self.rules.skip_vendored and is_vendored(path, name, entries):
            return _by_nature(reasons.vendored(name))
        if ".git" in entries and parent.checkout is not None:
            repository = repository_at(self.root / path)
            if repository and repository.is_copy_of(parent.checkout.repository):
                return _by_nature(reasons.WORKTREE)
        return None

    def _admit(self, parent: Folder, path: str, refusal: Refusal | None) -> Admission:
        """Whether a folder is entered in spite of a refusal, wholly or for exceptions."""
        if refusal is None:
            return Admission(enter=True)
        included = self.rules.included
        anew = refusal is not parent.refusal
        covered = included.covers(path)
        if anew and refusal.by_nature:
            reached = included.reaches(path, named=True)
        else:
            reached = covered or included.reaches(path)
        if reached:
            return Admission(enter=True, refusal=None if covered else refusal)
        if refusal.by_git and parent.checkout is not None:
            if parent.checkout.tracks(path):
                return Admission(enter=True)
            if parent.checkout.tracks_below(path):
                return Admission(enter=True, refusal=refusal)
        self.skip(path, refusal.reason)
        return Admission(enter=False)


def _refusal(rule: Rule | None, by_git: bool) -> Refusal | None:
    if rule is None or rule.negated:
        return None
    return Refusal(reason=reasons.ignored(rule), by_git=by_git)


def _by_nature(reason: str) -> Refusal:
    return Refusal(reason=reason, by_nature=True)


def _weightier(inherited: Refusal | None, own: Refusal | None) -> Refusal | None:
    """Of the folder's refusal and a path's own the one that has fewer exceptions."""
    if inherited is not None and (own is None or not inherited.by_git):
        return inherited
    return own

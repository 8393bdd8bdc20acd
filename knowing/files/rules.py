"""What to read: the rules of one workspace, and what they say about a name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from knowing.files import known
from knowing.files.globs import Globs, PathMarks
from knowing.files.ignore import RuleSet, rule_of
from knowing.files.wildmatch import byte_text, translate
from knowing.model import SymbolFlag

DEFAULT_MAX_FILE_BYTES = 2 * 1024 * 1024
EXCLUDE_SETTING = "the exclude setting"

_GENERATED = re.compile("|".join(translate(glob) for glob in known.GENERATED_NAMES))
_NONE = SymbolFlag(0)


@dataclass(frozen=True, kw_only=True)
class FileRules:
    """Which files of a workspace are read, and in which language.

    Without slots, so that what is compiled from the rules is kept beside them.
    """

    languages: Mapping[str, str]
    """Language of an extension (`.py`, `.d.ts`) or of an exact file name (`Rakefile`)."""
    include: tuple[str, ...] = ()
    """Globs of what is read although a rule would skip it; wins over every other rule."""
    exclude: tuple[str, ...] = ()
    """Lines in the syntax of `.gitignore`, relative to the root; asked before ignore files."""
    respect_gitignore: bool = True
    max_file_bytes: int = DEFAULT_MAX_FILE_BYTES
    follow_symlinks: bool = False
    skip_vendored: bool = True
    skip_generated: bool = False
    test_patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Globs of the test files of each language."""

    @cached_property
    def included(self) -> Globs:
        return Globs(self.include)

    @cached_property
    def excluded(self) -> RuleSet:
        rules = (rule_of(byte_text(line), EXCLUDE_SETTING, 0) for line in self.exclude)
        return RuleSet([rule for rule in rules if rule is not None])

    @cached_property
    def tests(self) -> Mapping[str, PathMarks]:
        return {language: PathMarks(globs) for language, globs in self.test_patterns.items()}

    @cached_property
    def _compound(self) -> bool:
        """Whether some extension holds a second dot, so that more than the last one counts."""
        return any(key.startswith(".") and key.count(".") > 1 for key in self.languages)

    def language_of(self, name: str) -> str | None:
        """The language of a file name: by the whole name, then by its longest extension."""
        language = self.languages.get(name)
        if language is not None:
            return language
        at = name.find(".", 1) if self._compound else name.rfind(".")
        while at > 0:
            extension = name[at:]
            language = self.languages.get(extension) or self.languages.get(extension.lower())
            if language is not None:
                return language
            at = name.find(".", at + 1)
        return None


def extension_of(name: str) -> str:
    """The last extension in lower case, or an empty string."""
    at = name.rfind(".")
    return name[at:].lower() if at > 0 else ""


def is_generated_name(name: str) -> bool:
    """Whether the name alone says that a tool wrote the file."""
    return _GENERATED.match(byte_text(name.lower())) is not None


def folder_flags(path: str, name: str, entries: frozenset[str]) -> SymbolFlag:
    """What a folder's name says about all that is in it; `entries` are its telling entries."""
    if _in_jvm_sources(path):
        return _NONE
    flags = _NONE
    if name in known.MAYBE_VENDORED_FOLDERS or is_vendored(path, name, entries):
        flags |= SymbolFlag.VENDORED
    if known.TEST_FOLDER.fullmatch(name.lower()):
        flags |= SymbolFlag.TEST
    if name.lower() in known.EXAMPLE_FOLDERS:
        flags |= SymbolFlag.EXAMPLE
    return flags


def is_vendored(path: str, name: str, entries: frozenset[str]) -> bool:
    """Whether a folder holds copies of other projects' code."""
    if name not in known.VENDORED_FOLDERS:
        return False
    if name not in known.AMBIGUOUS_VENDORED_FOLDERS:
        return True
    return not (entries & known.FIRST_PARTY_MARKERS or _in_jvm_sources(path))


def _in_jvm_sources(path: str) -> bool:
    """Whether `path` lies below `src/<set>/java` or the like, where folders are packages."""
    parts = path.split("/")[:-1]
    return any(
        part in known.JVM_LANGUAGE_FOLDERS and at >= 2 and parts[at - 2] == "src"
        for at, part in enumerate(parts)
    )

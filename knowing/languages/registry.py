"""Reads language folders into `Language` values and finds the one for a path."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from knowing.errors import LanguageError
from knowing.languages.language import (
    CallNames,
    ImportStyle,
    Language,
    OpenNames,
    ServicePattern,
    Visibility,
)

_BUILT_IN = Path(__file__).parent
_ENUMS: Mapping[str, type] = {
    "call_names": CallNames,
    "imports": ImportStyle,
    "open_names": OpenNames,
    "visibility": Visibility,
}


class Registry:
    """All known languages, in a fixed order, with look-up by name and by path."""

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self.languages = languages
        self._by_name = {language.name: language for language in languages}
        self.by_suffix: dict[str, str] = {}
        for language in languages:
            for key in (*language.extensions, *language.filenames):
                self.by_suffix.setdefault(key, language.name)

    def __getitem__(self, name: str) -> Language:
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def for_path(self, path: str) -> Language | None:
        pure = PurePosixPath(path)
        name = self.by_suffix.get(pure.name) or self.by_suffix.get(pure.suffix.lower())
        return self._by_name[name] if name else None

    def index_of(self, name: str) -> int:
        return self.languages.index(self._by_name[name])


@cache
def load_languages(extra: Path | None = None) -> Registry:
    """The built-in languages, then those of `extra`, which replace built-in ones of the same name."""
    found: dict[str, Language] = {}
    for base in (_BUILT_IN, extra):
        if base is None:
            continue
        if not base.is_dir():
            raise LanguageError(
                f"no such folder of languages: {base}",
                "set index.languages_dir to a folder that holds one folder per language",
            )
        for folder in sorted(path for path in base.iterdir() if (path / "language.toml").is_file()):
            language = read_language(folder)
            found[language.name] = language
    return Registry(tuple(found[name] for name in sorted(found)))


def read_language(folder: Path) -> Language:
    """One folder as a `Language`; a mistake in it names the file and the key."""
    source = folder / "language.toml"
    try:
        table = tomllib.loads(source.read_text("utf-8"))
        tags = (folder / "tags.scm").read_text("utf-8")
        model = table.pop("keys_from", "")
        if model:
            table = tomllib.loads((folder.parent / model / source.name).read_text("utf-8")) | table
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LanguageError(f"{source}: {error}") from error
    inherited = table.pop("tags_from", "")
    for name in inherited.split():
        tags = (folder.parent / name / "tags.scm").read_text("utf-8") + tags
    fingerprint = blake2b(f"{sorted(table.items())}\0{tags}".encode(), digest_size=6).hexdigest()
    table.update(tags=tags, folder=str(folder), fingerprint=fingerprint)
    try:
        return Language(**{key: _value(key, value, source) for key, value in table.items()})
    except TypeError as error:
        raise LanguageError(f"{source}: {error}") from error


_NAMES = frozenset(item.name for item in fields(Language))


def _value(key: str, value: Any, source: Path) -> Any:
    if key not in _NAMES:
        raise LanguageError(f"{source}: unknown key {key!r}")
    if key == "services":
        return tuple(_service(item, source) for item in value)
    if key == "block_comments":
        return tuple((str(pair[0]), str(pair[1])) for pair in value)
    if key in _ENUMS:
        try:
            return _ENUMS[key](value)
        except ValueError as error:
            raise LanguageError(f"{source}: {key}: {error}") from error
    if isinstance(value, list):
        return tuple(str(item) for item in value)
    return value


def _service(item: Mapping[str, Any], source: Path) -> ServicePattern:
    try:
        return ServicePattern(
            **{key: tuple(value) if key == "callee" else value for key, value in item.items()}
        )
    except TypeError as error:
        raise LanguageError(f"{source}: services: {error}") from error

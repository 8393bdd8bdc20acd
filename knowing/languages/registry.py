"""Reads language folders into `Language` values and finds the one for a path."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, get_origin

from knowing.errors import LanguageError
from knowing.languages.language import (
    CallNames,
    ImportStyle,
    Language,
    MacroEffect,
    OpenNames,
    ServicePattern,
    Visibility,
)
from knowing.languages.prose import ProseRules
from knowing.model import EdgeKind, SymbolFlag

_BUILT_IN = Path(__file__).parent
_ENUMS: Mapping[str, type] = {
    "call_names": CallNames,
    "imports": ImportStyle,
    "open_names": OpenNames,
    "visibility": Visibility,
}
_EFFECTS = frozenset({"property", *(flag.name.lower() for flag in SymbolFlag if flag.name)})
_EDGES = frozenset(edge.label for edge in EdgeKind)
_SHAPES = frozenset({"call", "decorator", "lookup", "member"})
_WRITTEN_AS: Mapping[Any, type] = {tuple: list, Mapping: dict, ProseRules: dict}
_WORDS = {str: "a text", bool: "true or false", list: "a list", dict: "a table"}


_SNIFFED = 64 * 1024


class Registry:
    """All known languages, in a fixed order, with look-up by name and by path."""

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self.languages = languages
        self._by_name = {language.name: language for language in languages}
        self.by_suffix: dict[str, str] = {}
        for language in languages:
            for key in (*language.extensions, *language.filenames):
                self.by_suffix.setdefault(key, language.name)
        self._sniffers: dict[str, list[tuple[re.Pattern[bytes], Language]]] = {}
        for language in languages:
            for suffix in language.sniff_extensions:
                pattern = re.compile(language.sniff.encode(), re.MULTILINE)
                self._sniffers.setdefault(suffix, []).append((pattern, language))

    def __getitem__(self, name: str) -> Language:
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def for_path(self, path: str) -> Language | None:
        pure = PurePosixPath(path)
        name = self.by_suffix.get(pure.name) or self.by_suffix.get(pure.suffix.lower())
        return self._by_name[name] if name else None

    def for_content(self, path: str, language: Language, source: bytes) -> Language:
        """The language of a file that its name makes one of `language`, now that it is read."""
        suffix = PurePosixPath(path).suffix.lower()
        for pattern, claimant in self._sniffers.get(suffix, ()):
            if claimant is not language and pattern.search(source, 0, _SNIFFED):
                return claimant
        return language


@cache
def load_languages(extra: Path | None = None) -> Registry:
    """The built-in languages and those of `extra`, which replace built-in ones of the same name."""
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
    table = _table(source)
    model = table.pop("keys_from", "")
    if model:
        table = _table(folder.parent / model / source.name) | table
    tags = "" if table.get("prose") else _text(folder / "tags.scm")
    inherited = table.pop("tags_from", "")
    for name in inherited.split():
        tags = _text(folder.parent / name / "tags.scm") + tags
    fingerprint = blake2b(f"{sorted(table.items())}\0{tags}".encode(), digest_size=6).hexdigest()
    table.update(tags=tags, folder=str(folder), fingerprint=fingerprint)
    try:
        language = Language(**{key: _value(key, value, source) for key, value in table.items()})
    except TypeError as error:
        raise LanguageError(f"{source}: {error}") from error
    if not language.prose and not language.grammar:
        raise LanguageError(
            f"{source}: no grammar is named",
            "set `grammar` to a name of tree-sitter-language-pack, or `prose = true`",
        )
    return language


def _table(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(source))
    except tomllib.TOMLDecodeError as error:
        raise LanguageError(f"{source}: {error}") from error


def _text(source: Path) -> str:
    try:
        return source.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LanguageError(
            f"{source}: {reason}", "docs/add-a-language.md tells what a language folder holds"
        ) from error


_KINDS: Mapping[str, Any] = {
    item.name: _WRITTEN_AS.get(origin := get_origin(item.type) or item.type, origin)
    for item in fields(Language)
}
"""How TOML spells the value of each key."""


def _value(key: str, value: Any, source: Path) -> Any:
    if key not in _KINDS:
        raise LanguageError(f"{source}: unknown key {key!r}")
    if key not in _ENUMS and not isinstance(value, _KINDS[key]):
        raise LanguageError(f"{source}: {key}: expected {_WORDS[_KINDS[key]]}, got {value!r}")
    if key in _READERS:
        return _READERS[key](value, source)
    if key == "decorator_flags":
        for effect in value.values():
            _check(effect, _EFFECTS, f"{source}: {key}")
    if key in _ENUMS:
        try:
            return _ENUMS[key](value)
        except ValueError as error:
            raise LanguageError(f"{source}: {key}: {error}") from error
    if key in ("sniff", "blank"):
        _check_patterns(value if key == "blank" else [value], f"{source}: {key}")
    if isinstance(value, list):
        return tuple(str(item) for item in value)
    return value


def _check_patterns(patterns: list[str], where: str) -> None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise LanguageError(f"{where}: {error}") from error


def _service(item: Mapping[str, Any], source: Path) -> ServicePattern:
    _check(item.get("edge"), _EDGES, f"{source}: services: edge")
    _check(item.get("shape", "call"), _SHAPES, f"{source}: services: shape")
    try:
        values: dict[str, Any] = {
            key: tuple(value) if key == "callee" else value for key, value in item.items()
        }
        return ServicePattern(**values)
    except TypeError as error:
        raise LanguageError(f"{source}: services: {error}") from error


def _rules(table: Mapping[str, Any], source: Path) -> ProseRules:
    known = {item.name for item in fields(ProseRules)}
    for key in table:
        if key not in known:
            raise LanguageError(f"{source}: rules: unknown key {key!r}")
    values: dict[str, Any] = {
        key: tuple(item) if isinstance(item, list) else item for key, item in table.items()
    }
    return ProseRules(**values)


def _check(value: object, allowed: frozenset[str], where: str) -> None:
    if value not in allowed:
        raise LanguageError(f"{where}: {value!r} is none of {', '.join(sorted(allowed))}")


def _macros(table: Mapping[str, str], source: Path) -> dict[str, MacroEffect]:
    for effect in table.values():
        _check(effect, frozenset(MacroEffect), f"{source}: macros")
    return {name: MacroEffect(effect) for name, effect in table.items()}


_READERS: Mapping[str, Callable[[Any, Path], Any]] = {
    "rules": _rules,
    "macros": _macros,
    "services": lambda value, source: tuple(_service(item, source) for item in value),
    "block_comments": lambda value, _: tuple((str(pair[0]), str(pair[1])) for pair in value),
}
"""How the keys are read whose values are more than texts, switches and lists."""

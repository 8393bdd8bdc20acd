"""What build files say about names: module paths, crate names, path aliases.

Reading the files is the engine's business; here their text becomes values that are stored beside
the facts, since import resolution depends on them.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

PROJECT_FILES = frozenset(
    {"go.mod", "Cargo.toml", "package.json", "tsconfig.json", "jsconfig.json", "composer.json"}
)
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_GO_MODULE = re.compile(r"^\s*module\s+(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One build file: its folder, its kind (the file's name), the name it gives to the folder."""

    folder: str
    kind: str
    name: str = ""
    base: str = ""
    """Folder from which bare module paths are looked up, or a crate's root file."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Module pattern (`@app/*`) -> candidate paths relative to the root."""


def read_project(path: str, text: str) -> Project | None:
    """The project that a build file describes; None if the file is of no use or broken."""
    pure = PurePosixPath(path)
    folder = "" if str(pure.parent) == "." else str(pure.parent)
    try:
        match pure.name:
            case "go.mod":
                found = _GO_MODULE.search(text)
                name = found.group(1).strip('"') if found else ""
                return Project(folder=folder, kind=pure.name, name=name)
            case "Cargo.toml":
                return _cargo(folder, pure.name, tomllib.loads(text))
            case "package.json" | "composer.json":
                return _package(folder, pure.name, json.loads(text))
            case "tsconfig.json" | "jsconfig.json":
                return _typescript(folder, pure.name, _loose_json(text))
    except (ValueError, TypeError, AttributeError):
        return None
    return None


def _cargo(folder: str, kind: str, data: Mapping[str, Any]) -> Project:
    library = data.get("lib", {})
    name = library.get("name") or data.get("package", {}).get("name", "")
    path = library.get("path", "")
    return Project(
        folder=folder, kind=kind, name=str(name), base=_join(folder, str(path)) if path else ""
    )


def _package(folder: str, kind: str, data: Mapping[str, object]) -> Project:
    autoload = data.get("autoload", {})
    aliases: dict[str, tuple[str, ...]] = {}
    if isinstance(autoload, dict):
        for prefix, target in dict(autoload.get("psr-4", {})).items():
            targets = target if isinstance(target, list) else [target]
            aliases[str(prefix)] = tuple(_join(folder, str(item)) for item in targets)
    return Project(folder=folder, kind=kind, name=str(data.get("name", "")), aliases=aliases)


def _typescript(folder: str, kind: str, data: Mapping[str, object]) -> Project:
    options = data.get("compilerOptions", {})
    options = options if isinstance(options, dict) else {}
    base_url = str(options.get("baseUrl", "."))
    base = _join(folder, base_url)
    aliases = {
        str(pattern): tuple(_join(base, str(target)) for target in targets)
        for pattern, targets in dict(options.get("paths", {})).items()
        if isinstance(targets, list)
    }
    return Project(
        folder=folder, kind=kind, base=base if "baseUrl" in options else "", aliases=aliases
    )


def _loose_json(text: str) -> Mapping[str, object]:
    """JSON as TypeScript reads it: comments and trailing commas are allowed."""
    bare = _COMMENT.sub(lambda found: found.group(1) or "", text)
    data = json.loads(_TRAILING_COMMA.sub(r"\1", bare))
    return data if isinstance(data, dict) else {}


def _join(folder: str, path: str) -> str:
    parts: list[str] = [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)

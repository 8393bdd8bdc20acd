"""What lies outside the workspace, by name: package, version and module from the path of a file.

The same symbol may be told by a stub, by a source or from another folder on another machine, so
its path is no part of what it is called. Each file is parsed once, by our own parser, to learn
which symbol stands at a position.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knowing.enrich.answers import External
from knowing.enrich.places import Outline, Texts
from knowing.languages import Registry
from knowing.model import SymbolKind
from knowing.parse import extract

_FILE = Path(__file__).with_name("externals.toml")
_PARSE_MS = 5000
_CAPITAL = re.compile(r"!([a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A file of a dependency."""

    ecosystem: str
    package: str
    version: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """One entry of `externals.toml`, which says what each field means."""

    pattern: re.Pattern[str]
    ecosystem: str
    package: str = ""
    version: str = ""
    separator: str = "/"
    prefix: str = ""
    strip: tuple[str, ...] = ()

    def module(self, match: re.Match[str]) -> Module:
        groups = match.groupdict()
        package = self.package or groups.get("package") or ""
        version = groups.get("version") or ""
        path = groups.get("module") or ""
        parts = [part for part in path.split("/") if part]
        if self.version == "dist-info":
            package, version = _distribution(Path("/", groups["folder"]), parts)
            parts[0] = parts[0].removesuffix("-stubs")
        elif self.version == "package.json":
            version = _package_version(Path(groups["folder"]))
        while parts and parts[-1] in self.strip:
            parts.pop()
        if self.prefix:
            own = package if self.prefix == "package" else self.prefix
            parts = [own, *(part for part in parts if part not in self.strip and part != "src")]
        if self.ecosystem == "crates":
            parts[0] = parts[0].replace("-", "_")
        if self.ecosystem == "go":
            parts = [_CAPITAL.sub(lambda letter: letter[1].upper(), part) for part in parts]
            package = _CAPITAL.sub(lambda letter: letter[1].upper(), package)
        return Module(
            ecosystem=self.ecosystem,
            package=package,
            version=version,
            name=self.separator.join(parts),
        )


@cache
def _patterns() -> tuple[_Pattern, ...]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))["place"]
    return tuple(
        _Pattern(
            **{
                **table,
                "pattern": re.compile(table["pattern"]),
                "strip": tuple(table.get("strip", ())),
            }
        )
        for table in tables
    )


@cache
def _quiet() -> frozenset[str]:
    return frozenset(tomllib.loads(_FILE.read_text(encoding="utf-8"))["quiet"])


def is_everywhere(external: External) -> bool:
    """Whether a symbol belongs to what all code uses, so that using it tells nothing."""
    first = external.module.partition("::")[0]
    return f"{external.ecosystem}:{first}" in _quiet()


def module_of(path: str) -> Module:
    """The module that a file outside the workspace is; `path` may be an address, too."""
    text = path.replace("\\", "/")
    for pattern in _patterns():
        match = pattern.pattern.search(text)
        if match:
            return pattern.module(match)
    stem = text.rstrip("/").rpartition("/")[2].partition(".")[0]
    return Module(ecosystem="file", package="", version="", name=stem)


def is_dependency(path: str) -> bool:
    """Whether a file lies where dependencies are kept, be it within the workspace."""
    return any(pattern.pattern.search(path.replace("\\", "/")) for pattern in _patterns())


@cache
def _package_version(folder: Path) -> str:
    try:
        data = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    version = data.get("version") if isinstance(data, dict) else None
    return version if isinstance(version, str) else ""


def _distribution(folder: Path, parts: list[str]) -> tuple[str, str]:
    """Name and version of the distribution that a module was installed by."""
    top = parts[0].removesuffix("-stubs")
    return _distributions(folder).get(top, (top, ""))


@cache
def _distributions(folder: Path) -> dict[str, tuple[str, str]]:
    """Top-level module -> distribution, for all that is installed in a folder."""
    found: dict[str, tuple[str, str]] = {}
    for info in sorted(folder.glob("*.dist-info")):
        name, _, version = info.name.removesuffix(".dist-info").partition("-")
        try:
            record = (info / "RECORD").read_text(encoding="utf-8", errors="replace")
        except OSError:
            record = f"{name}/"
        for line in record.splitlines():
            top = line.partition(",")[0].partition("/")[0]
            top = top.removesuffix(".py").removesuffix("-stubs")
            if top and not top.endswith((".dist-info", "..", "__pycache__")):
                found.setdefault(top, (name, version))
    return found


class Externals:
    """Names for positions outside the workspace; each file is looked at once."""

    def __init__(self, registry: Registry, texts: Texts) -> None:
        self._registry = registry
        self._texts = texts
        self._modules: dict[str, Module] = {}
        self._outlines: dict[Path, Outline | None] = {}

    def name(self, path: Path, line: int, column: int, spelled: str) -> External:
        """The symbol at one of our positions; `spelled` is how the site calls it."""
        module = self._module(str(path.as_posix()))
        outline = self._outline(path)
        text = self._texts.get(path)
        row = outline.symbol_at(line, column, text) if outline else -1
        if outline is None or row < 0:
            return _external(module, spelled, SymbolKind.EXTERNAL)
        return _external(module, outline.name(row), outline.kind(row))

    def name_of_address(self, uri: str, spelled: str) -> External:
        """The symbol behind an address that is no file."""
        return _external(self._module(uri), spelled, SymbolKind.EXTERNAL)

    def _module(self, path: str) -> Module:
        known = self._modules.get(path)
        if known is None:
            known = self._modules[path] = module_of(path)
        return known

    def _outline(self, path: Path) -> Outline | None:
        if path not in self._outlines:
            language = self._registry.for_path(path.name)
            text = self._texts.get(path)
            self._outlines[path] = (
                Outline(extract(text.data, language, limit_ms=_PARSE_MS))
                if language is not None and text is not None
                else None
            )
        return self._outlines[path]


def _external(module: Module, name: str, kind: int) -> External:
    return External(module.ecosystem, module.package, module.version, module.name, name, int(kind))

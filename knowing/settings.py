"""Every setting, declared once; each surface is derived from the declaration.

Values come in layers, a later one wins over an earlier one:

    defaults < project file < editor < command line

A list replaces the list of the layer below it. Nothing here raises on bad input: an unknown key
or a bad value is a `Problem`, everything else is kept. Keys may be nested or dotted and written
in snake_case, camelCase or kebab-case. Adding a setting is adding one line to a section.

`knowing.settings_sources` reads the layers, `knowing.settings_surfaces` writes documentation and
the editor's schema. A `Settings` is a frozen value that is passed along, never kept globally.
"""

import dataclasses
import difflib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knowing.settings_schema import Leaf, Scope, Value, checked, leaves_of, setting, shown
from knowing.text import split_identifier

DEFAULT = "default"
"""Origin of a value that no layer sets."""

_PREFIX = "knowing"
_LONGEST_KEY = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesSettings:
    """Which files of the workspace are indexed."""

    include: tuple[str, ...] = setting((), "Globs of files to index although a rule ignores them.")
    exclude: tuple[str, ...] = setting((), "Globs of files to leave out, as in a `.gitignore`.")
    respect_gitignore: bool = setting(True, "Leave out what git ignores.")
    max_file_kb: int = setting(
        2048, "Skip files larger than this many KiB.", minimum=1, maximum=1_048_576
    )
    follow_symlinks: bool = setting(False, "Follow symbolic links to files and folders.")
    skip_vendored: bool = setting(
        True, "Skip vendored folders such as `node_modules`; if off, index and flag them."
    )
    skip_generated: bool = setting(False, "Skip generated code; if off, index and flag it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """How files are read."""

    workers: int = setting(
        0, "Processes that parse; 0 is one per core.", minimum=0, maximum=256, scope=Scope.WINDOW
    )
    parse_timeout_ms: int = setting(
        5000, "Give up on a file after this many milliseconds.", minimum=10, maximum=600_000
    )
    languages_dir: str = setting(
        "", "Absolute path of a folder with further language folders.", scope=Scope.MACHINE
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySettings:
    """What is read from git."""

    enabled: bool = setting(True, "Read the git history of the workspace.")
    max_commits: int = setting(
        5000, "Read at most this many commits, newest first.", minimum=0, maximum=1_000_000
    )
    max_seconds: int = setting(
        60, "Stop reading history after this many seconds.", minimum=1, maximum=86_400
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    """How much an answer holds."""

    budget: int = setting(
        8000, "Tokens that the context for a task may take.", minimum=0, maximum=1_000_000
    )
    limit: int = setting(50, "Symbols that an answer may hold.", minimum=1, maximum=1000)
    tokenizer: str = setting(
        "estimate",
        "What counts tokens; `estimate` needs no further package and never counts too few.",
        choices=("estimate", "o200k_base", "cl100k_base"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichSettings:
    """Which language servers are asked, and how much they may take."""

    enabled: bool = setting(
        False,
        "Ask language servers in the background, in workspaces that are trusted.",
        scope=Scope.MACHINE,
    )
    servers_file: str = setting(
        "",
        "Absolute path of a TOML file with further servers, or other commands, options and "
        "environments for known ones.",
        scope=Scope.MACHINE,
    )
    disabled: tuple[str, ...] = setting((), "Names of servers that are not used.")
    python: str = setting(
        "",
        "Folder of the virtual environment; looked for in the workspace if empty.",
        scope=Scope.MACHINE,
    )
    search: tuple[str, ...] = setting(
        (), "Further folders in which servers are looked for.", scope=Scope.MACHINE
    )
    memory_mb: int = setting(
        2048,
        "A server that takes more megabytes than this is started anew.",
        minimum=64,
        maximum=1_048_576,
        scope=Scope.MACHINE,
    )
    max_seconds: int = setting(
        1800, "Stop asking after this many seconds; 0 is never.", minimum=0, maximum=86_400
    )
    load_per_core: float = setting(
        1.5,
        "Hold back while the machine's load for each core is above this; 0 never holds back.",
        minimum=0,
        maximum=1000,
        scope=Scope.MACHINE,
    )
    on_battery: bool = setting(
        False, "Go on when the machine runs on battery.", scope=Scope.MACHINE
    )
    idle_seconds: int = setting(
        300, "End a server that nobody has asked for this long.", minimum=0, maximum=86_400
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSettings:
    """Whether answers get better with use; what is learned stays on this machine."""

    enabled: bool = setting(True, "Note what is shown and used, and let it change later answers.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What is written to the log."""

    level: str = setting(
        "warning",
        "Least severe message that is logged.",
        choices=("debug", "info", "warning", "error"),
        scope=Scope.WINDOW,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, in sections."""

    files: FilesSettings = FilesSettings()
    index: IndexSettings = IndexSettings()
    history: HistorySettings = HistorySettings()
    context: ContextSettings = ContextSettings()
    enrich: EnrichSettings = EnrichSettings()
    learn: LearnSettings = LearnSettings()
    log: LogSettings = LogSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings from one place, as they were found there."""

    name: str
    values: object
    """A mapping if all is well; anything else is reported."""
    trusted: bool = True
    """False for what arrives with the workspace: it cannot set what has `Scope.MACHINE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a layer that is not used as written, and why."""

    layer: str
    key: str
    """Dotted key as it was written; empty if the whole layer is meant."""
    message: str

    def __str__(self) -> str:
        """One line for the user."""
        return ": ".join(part for part in (self.layer, self.key, self.message) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The value a setting has, and the layer it comes from."""

    leaf: Leaf
    value: Value
    origin: str
    """Name of the layer, or `DEFAULT`."""


@functools.cache
def sections() -> Mapping[str, str]:
    """Names of the sections in the order of declaration, with what each is about."""
    return {
        section.name: type(section.default).__doc__ or ""
        for section in dataclasses.fields(Settings)
    }


@functools.cache
def leaves() -> Mapping[str, Leaf]:
    """Every declared setting by its dotted key, in the order of declaration."""
    return {
        leaf.key: leaf
        for section in dataclasses.fields(Settings)
        for leaf in leaves_of(section.name, section.default)
    }


def resolve(*layers: Layer) -> tuple[Settings, tuple[Problem, ...]]:
    """Merge layers, the last one strongest, over the defaults; never raises."""
    chosen, problems = explain(*layers)
    return settings_from(chosen), problems


def settings_from(chosen: tuple[Chosen, ...]) -> Settings:
    """The settings that a list of chosen values makes."""
    defaults = Settings()
    values: dict[str, dict[str, Value]] = {section: {} for section in sections()}
    for choice in chosen:
        values[choice.leaf.section][choice.leaf.name] = choice.value
    return dataclasses.replace(
        defaults,
        **{
            section: dataclasses.replace(getattr(defaults, section), **values[section])
            for section in values
        },
    )


def explain(*layers: Layer) -> tuple[tuple[Chosen, ...], tuple[Problem, ...]]:
    """The value of every setting with its origin, in the order of declaration."""
    chosen = {
        key: Chosen(leaf=leaf, value=leaf.default, origin=DEFAULT) for key, leaf in leaves().items()
    }
    problems: list[Problem] = []
    for layer in layers:
        given: dict[str, Chosen] = {}
        for written, raw in _flatten(layer, problems):
            leaf = leaves().get(normalise_key(written))
            value, message = _judge(leaf, raw, layer, written)
            if leaf is not None and value is not None:
                message = message or ("given twice; this one counts" if leaf.key in given else "")
                given[leaf.key] = Chosen(leaf=leaf, value=value, origin=layer.name)
            if message:
                problems.append(Problem(layer=layer.name, key=written, message=message))
        chosen |= given
    return tuple(chosen.values()), tuple(problems)


def normalise_key(key: str) -> str:
    """The declared spelling of a dotted key: `knowing.files.maxFileKb` is `files.max_file_kb`."""
    parts = ["_".join(split_identifier(part)) for part in key.split(".")]
    return ".".join(parts[1:] if parts[0] == _PREFIX else parts)


def _flatten(layer: Layer, problems: list[Problem]) -> Iterator[tuple[str, object]]:
    """Dotted keys and raw values of a layer; goes only as deep as sections are declared."""
    tables: list[tuple[str, object]] = [("", layer.values)]
    while tables:
        prefix, table = tables.pop(0)
        if table is None:
            continue
        if not isinstance(table, Mapping):
            message = f"expected a table of settings, got {shown(table)}"
            problems.append(Problem(layer=layer.name, key=prefix, message=message))
            continue
        for name, value in table.items():
            written = f"{prefix}.{name}" if prefix else str(name)
            if written == _PREFIX or normalise_key(written) in sections():
                tables.append((written, value))
            else:
                yield written, value


def _judge(leaf: Leaf | None, raw: object, layer: Layer, key: str) -> tuple[Value | None, str]:
    """The value a layer gives to a setting, if any, and what is wrong with it, if anything."""
    if leaf is None:
        return None, f"unknown setting{_suggestion(key)}"
    if raw is None:
        # Editors send null for a setting that nobody has set.
        return None, ""
    if leaf.scope is Scope.MACHINE and not layer.trusted:
        return None, "a project cannot set this; set it in the editor or on the command line"
    return checked(leaf, raw)


def _suggestion(key: str) -> str:
    """The known setting that an unknown key looks like."""
    # Comparing takes the square of the length, and no real key is near this long.
    close = difflib.get_close_matches(normalise_key(key)[:_LONGEST_KEY], leaves(), n=1)
    return f"; did you mean {close[0]}?" if close else ""

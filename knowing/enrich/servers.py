"""Language servers as data: what `servers.toml` and a user's file of the same form say."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from knowing.errors import KnowingError

_BUILT_IN = Path(__file__).with_name("servers.toml")
_PLACE = re.compile(r"\{(\w+)\}")
AT_ONCE, PROGRESS, NOTICE = "at once", "progress", "notice"


class ServerSpecError(KnowingError):
    """A file that describes servers cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """How a server lets it be known that it has read the workspace."""

    kind: str = AT_ONCE
    method: str = ""
    field: str = ""
    value: object = True

    def met_by(self, method: str, params: Any) -> bool:
        """Whether a notification is the awaited one."""
        if self.kind != NOTICE or method != self.method:
            return False
        if not self.field:
            return True
        return isinstance(params, dict) and params.get(self.field) == self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSpec:
    """One server; `servers.toml` says what each field means."""

    name: str
    languages: tuple[str, ...]
    command: tuple[str, ...]
    version: tuple[str, ...] = ()
    version_of: str = ""
    """Another program of the same folder that tells the version."""
    oldest: str = ""
    install: str = ""
    needs_open: bool = False
    in_flight: int = 4
    thorough: bool = False
    needs_file: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    language_ids: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    ready: Ready = Ready()
    ready_seconds: float = 60.0
    request_seconds: float = 20.0
    memory_mb: int = 0
    """0 is the general limit."""
    enabled: bool = True

    def language_id(self, path: str, language: str) -> str:
        """What the protocol calls the language of a file."""
        suffix = Path(path).suffix
        return self.language_ids.get(suffix) or self.language_ids.get(language) or language


def load_servers(extra: Path | None = None) -> tuple[ServerSpec, ...]:
    """The built-in servers; those of `extra` change ones of the same name and come first if new."""
    tables = {str(table["name"]): table for table in _read(_BUILT_IN)}
    if extra is not None:
        given = {str(table.get("name", "")): table for table in _read(extra)}
        fresh = {name: table for name, table in given.items() if name not in tables}
        tables = {name: {**table, **given.get(name, {})} for name, table in tables.items()}
        tables = fresh | tables
    return tuple(_spec(table, extra or _BUILT_IN) for table in tables.values())


def filled(value: Any, places: Mapping[str, str | Sequence[str]]) -> Any:
    """A copy of `value` with `{names}` replaced; what has a name without a value is left out."""
    if isinstance(value, str):
        whole = _PLACE.fullmatch(value)
        if whole and whole[1] in places:
            found = places[whole[1]]
            return found if isinstance(found, str) else list(found)
        return _PLACE.sub(lambda match: str(places.get(match[1], match[0])), value)
    if isinstance(value, Mapping):
        kept = {key: item for key, item in value.items() if not _lacks(item, places)}
        return {key: filled(item, places) for key, item in kept.items()}
    if isinstance(value, list | tuple):
        return [filled(item, places) for item in value if not _lacks(item, places)]
    return value


def _lacks(value: Any, places: Mapping[str, str | Sequence[str]]) -> bool:
    if not isinstance(value, str):
        return False
    return any(not places.get(match[1]) for match in _PLACE.finditer(value))


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8")).get("server", [])
    except (OSError, ValueError) as error:
        raise ServerSpecError(
            f"cannot read language servers from {file}: {error}",
            "see knowing/enrich/servers.toml for the form",
        ) from error
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ServerSpecError(f"{file}: write each server as a table [[server]]")
    return tables


_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "tuple[str, ...]": (list,),
    "Ready": (str, dict),
}


def _spec(table: Mapping[str, Any], file: Path) -> ServerSpec:
    """A checked description; the message names what is wrong with it."""
    known = {item.name: item for item in fields(ServerSpec)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        declared = known.get(key)
        if declared is None:
            raise ServerSpecError(f"{file}: a server has no field {key!r}")
        kind = declared.type if isinstance(declared.type, str) else _name_of(declared.type)
        if not isinstance(value, _TYPES.get(kind, (dict,))):
            raise ServerSpecError(f"{file}: bad value for {key!r} of a server: {value!r}")
        values[key] = tuple(map(str, value)) if isinstance(value, list) else value
    for key in ("name", "languages", "command"):
        if not values.get(key):
            raise ServerSpecError(f"{file}: a server needs {key!r}")
    values["ready"] = _ready(values.get("ready", AT_ONCE), file)
    return ServerSpec(**values)


def _name_of(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and kind is not tuple else str(kind)


def _ready(value: str | Mapping[str, Any], file: Path) -> Ready:
    if isinstance(value, str):
        if value not in (AT_ONCE, PROGRESS):
            raise ServerSpecError(f"{file}: a server is not ready {value!r}")
        return Ready(kind=value)
    if set(value) - {"method", "field", "value"} or not value.get("method"):
        raise ServerSpecError(f"{file}: readiness needs a method, and perhaps field and value")
    return Ready(
        kind=NOTICE,
        method=str(value["method"]),
        field=str(value.get("field", "")),
        value=value.get("value", True),
    )

"""Where settings come from: the project file, the editor, the command line.

Reading never raises; a file that cannot be read is a `Problem` and counts as empty.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowing.settings import (
    Chosen,
    Layer,
    Problem,
    Settings,
    explain,
    leaves,
    normalise_key,
    settings_from,
)

PROJECT_FILE = "knowing.toml"
PYPROJECT_FILE = "pyproject.toml"
EDITOR = "editor"
COMMAND_LINE = "command line"

_LARGEST_PROJECT_FILE = 1 << 20
"""Bytes; nobody writes a settings file of this size, so a larger one is a mistake or an attack."""

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings of one workspace, where each value comes from and what was wrong."""

    settings: Settings
    chosen: tuple[Chosen, ...]
    problems: tuple[Problem, ...]


def load(root: Path, *, editor: object = None, assignments: Sequence[str] = ()) -> Loaded:
    """Settings for a workspace: defaults < its project file < editor < `--set key=value`."""
    project, project_problems = read_project(root)
    command_line, command_line_problems = read_assignments(assignments)
    layers = (project, Layer(name=EDITOR, values=editor), command_line)
    chosen, problems = explain(*layers)
    return Loaded(
        settings=settings_from(chosen),
        chosen=chosen,
        problems=(*project_problems, *command_line_problems, *problems),
    )


def read_project(root: Path) -> tuple[Layer, tuple[Problem, ...]]:
    """The layer of `knowing.toml`, or else of `[tool.knowing]` in `pyproject.toml`.

    A `knowing.toml` counts even if it is broken: values from another file would surprise.
    """
    own, own_problems = _read_toml(root, PROJECT_FILE)
    shared, shared_problems = _read_toml(root, PYPROJECT_FILE)
    tool = shared.get("tool") if shared else None
    section = tool.get("knowing") if isinstance(tool, Mapping) else None
    if own is None and not own_problems:
        name = f"{PYPROJECT_FILE} [tool.knowing]"
        return Layer(name=name, values=section, trusted=False), shared_problems
    if section is not None:
        message = f"[tool.knowing] is not used because there is a {PROJECT_FILE}"
        own_problems = (*own_problems, Problem(layer=PYPROJECT_FILE, key="", message=message))
    return Layer(name=PROJECT_FILE, values=own, trusted=False), own_problems


def read_assignments(assignments: Sequence[str]) -> tuple[Layer, tuple[Problem, ...]]:
    """The layer of `key=value` arguments; the type of a value follows from its key.

    A list is written with commas, or as JSON if an item has a comma. A value that does not fit
    stays text, so that resolving the layer reports it like any other.
    """
    values: dict[str, object] = {}
    problems = []
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if equals:
            name = normalise_key(key.strip())
            values[name if name in leaves() else key.strip()] = _typed(name, text.strip())
        else:
            message = "expected key=value"
            problems.append(Problem(layer=COMMAND_LINE, key=assignment, message=message))
    return Layer(name=COMMAND_LINE, values=values), tuple(problems)


def _typed(key: str, text: str) -> object:
    """The text of an argument as the type that its setting has."""
    leaf = leaves().get(key)
    default = "" if leaf is None else leaf.default
    if isinstance(default, bool):
        return True if text.lower() in _TRUE else False if text.lower() in _FALSE else text
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            return text
    return _listed(text) if isinstance(default, tuple) else text


def _listed(text: str) -> object:
    """A list written with commas or as JSON."""
    if text.startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return [item.strip() for item in text.split(",") if item.strip()]


def _read_toml(root: Path, name: str) -> tuple[dict[str, object] | None, tuple[Problem, ...]]:
    """The content of a TOML file at the root; None if there is none or it cannot be read."""
    path = root / name
    try:
        if path.exists() and not path.is_file():
            # Opening a pipe would wait for a writer.
            return None, (Problem(layer=name, key="", message="not a regular file"),)
        with path.open("rb") as file:
            data = file.read(_LARGEST_PROJECT_FILE + 1)
        if len(data) > _LARGEST_PROJECT_FILE:
            message = f"larger than {_LARGEST_PROJECT_FILE >> 10} KiB, not read"
            return None, (Problem(layer=name, key="", message=message),)
        return tomllib.loads(data.decode("utf-8-sig")), ()
    except FileNotFoundError:
        return None, ()
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
    except RecursionError:
        message = "nested too deeply"
    except ValueError as error:
        # Covers bad TOML, bad UTF-8 and numbers that Python refuses to read.
        message = f"not valid TOML: {error}"
    return None, (Problem(layer=name, key="", message=message),)

"""`--set key=value`: settings of the engine and numbers of its ranking, changed for one run.

A key that is a declared setting goes into the settings; any other key is a field of `Tuning`,
written with dots where one lies within another.
"""

import dataclasses
import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from eval.failure import EvalError
from knowing.retrieve.tuning import DEFAULT, Tuning
from knowing.settings import Settings, leaves, normalise_key
from knowing.settings_sources import COMMAND_LINE, load

Values = TypeVar("Values")
"""A tree of frozen dataclasses."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What is changed, as it was written."""

    assignments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for assignment in self.assignments:
            if "=" not in assignment:
                raise EvalError(f"expected key=value: {assignment}")

    def settings(self, root: Path) -> Settings:
        """The settings of a workspace with those changes that are settings."""
        loaded = load(root, assignments=[text for text in self.assignments if is_setting(text)])
        for problem in loaded.problems:
            if problem.layer == COMMAND_LINE:
                raise EvalError(str(problem))
        return loaded.settings

    def tuning(self) -> Tuning:
        """The numbers of the ranking as they are shipped, with the other changes."""
        texts = [text for text in self.assignments if not is_setting(text)]
        return changed(DEFAULT, dict(_pair(text) for text in texts))


def is_setting(assignment: str) -> bool:
    """Whether a `key=value` is about a declared setting."""
    return normalise_key(_pair(assignment)[0]) in leaves()


def changed(tuning: Values, changes: Mapping[str, object]) -> Values:
    """A copy of a tree of dataclasses with other values at some dotted keys."""
    for key, value in changes.items():
        tuning = _replaced(tuning, key.split("."), value, key)
    return tuning


def float_leaves(tuning: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    """Dotted keys of the numbers with a fraction, and their values, in order of declaration."""
    for field in dataclasses.fields(tuning):
        value = getattr(tuning, field.name)
        key = f"{prefix}{field.name}"
        if dataclasses.is_dataclass(value):
            yield from float_leaves(value, f"{key}.")
        elif isinstance(value, float):
            yield key, value


def _replaced(node: Any, names: list[str], value: object, key: str) -> Any:
    fields = [field.name for field in dataclasses.fields(node)] if _is_node(node) else []
    if names[0] not in fields:
        close = difflib.get_close_matches(names[0], fields, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise EvalError(f"neither a setting nor a number of the ranking: {key}{hint}")
    old = getattr(node, names[0])
    if _is_node(old) and not names[1:]:
        raise EvalError(f"neither a setting nor a number of the ranking: {key} is a group of them")
    if names[1:]:
        new = _replaced(old, names[1:], value, key)
    else:
        new = _typed(value, old, key) if isinstance(value, str) else value
    return dataclasses.replace(node, **{names[0]: new})


def _is_node(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _typed(text: str, old: object, key: str) -> object:
    """A text as the type of the value that it replaces."""
    try:
        if isinstance(old, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(old, int | float):
            return type(old)(text)
        if isinstance(old, str):
            return text
        value = json.loads(text)
        return tuple(value) if isinstance(old, tuple) else value
    except (KeyError, ValueError, TypeError) as error:
        raise EvalError(f"{key}: {text!r} is no {type(old).__name__}") from error


def _pair(assignment: str) -> tuple[str, str]:
    key, _, value = assignment.partition("=")
    return key.strip(), value.strip()

"""How one setting is declared and how a raw value is checked against its declaration.

`knowing.settings` holds the settings themselves.
"""

import dataclasses
import reprlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeGuard, TypeVar

Value = bool | int | float | str | tuple[str, ...]
T = TypeVar("T", bool, int, float, str, tuple[str, ...])

_METADATA = "setting"


class Scope(StrEnum):
    """Who may set a value; the names are those of VS Code."""

    RESOURCE = "resource"
    """May differ from folder to folder; a project may set it."""
    WINDOW = "window"
    """One value for the whole process; a project may set it."""
    MACHINE = "machine"
    """Belongs to the person at the machine: a project file, which arrives with a clone, may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One declared setting, as resolution and the surfaces see it."""

    section: str
    name: str
    default: Value
    doc: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    scope: Scope = Scope.RESOURCE

    @property
    def key(self) -> str:
        """The dotted key in the project file and on the command line."""
        return f"{self.section}.{self.name}"


def setting(
    default: T,
    doc: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
    scope: Scope = Scope.RESOURCE,
) -> T:
    """Declare one setting as a dataclass field; its type is the type of its default."""
    rules = {
        "doc": doc,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
        "scope": scope,
    }
    return dataclasses.field(default=default, metadata={_METADATA: rules})


def leaves_of(section: str, declared: Any) -> list[Leaf]:
    """The settings that a section declares: a dataclass value whose fields are `setting`s."""
    return [
        Leaf(
            section=section,
            name=field.name,
            default=getattr(declared, field.name),
            **field.metadata[_METADATA],
        )
        for field in dataclasses.fields(declared)
    ]


def type_in_words(leaf: Leaf) -> str:
    """What a value of this setting looks like, for messages and documentation."""
    if leaf.choices:
        return f"one of {', '.join(leaf.choices)}"
    if isinstance(leaf.default, bool):
        return "true or false"
    if isinstance(leaf.default, int):
        return "a whole number"
    if isinstance(leaf.default, float):
        return "a number"
    return "a text" if isinstance(leaf.default, str) else "a list of texts"


def checked(leaf: Leaf, raw: object) -> tuple[Value | None, str]:
    """The value to use, if any, and what is wrong with the raw one, if anything."""
    if isinstance(leaf.default, tuple):
        return _checked_list(raw)
    value = _converted(leaf, raw)
    if value is None:
        return None, f"expected {type_in_words(leaf)}, got {shown(raw)}"
    if isinstance(value, int | float):
        if leaf.minimum is not None and value < leaf.minimum:
            return None, f"must be at least {leaf.minimum}, got {shown(raw)}"
        if leaf.maximum is not None and value > leaf.maximum:
            return None, f"must be at most {leaf.maximum}, got {shown(raw)}"
    return value, ""


def shown(raw: object) -> str:
    """A raw value, short enough for a message."""
    try:
        return reprlib.repr(raw)
    except ValueError:
        # Python refuses to write integers of thousands of digits.
        return "a very large number"


def _checked_list(raw: object) -> tuple[Value | None, str]:
    """The usable texts of a list; one bad item does not lose the others."""
    if not isinstance(raw, list | tuple):
        return None, f"expected a list of texts, got {shown(raw)}"
    good = tuple(item for item in raw if _is_text(item))
    bad = [shown(item) for item in raw if not _is_text(item)]
    return good, f"expected only texts in the list, left out {', '.join(bad)}" if bad else ""


def _converted(leaf: Leaf, raw: object) -> Value | None:
    """The raw value as the type of the setting, None if it is not one."""
    if isinstance(leaf.default, bool):
        return raw if isinstance(raw, bool) else None
    if isinstance(leaf.default, str):
        text = raw if _is_text(raw) else None
        if text is None or not leaf.choices:
            return text
        return next((choice for choice in leaf.choices if choice == text.lower()), None)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    return _float(raw) if isinstance(leaf.default, float) else _integer(raw)


def _float(raw: float) -> float | None:
    try:
        number = float(raw)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def _integer(raw: float) -> int | None:
    # Some editors send every number as a float.
    return int(raw) if isinstance(raw, int) or raw.is_integer() else None


def _is_text(raw: object) -> TypeGuard[str]:
    """Whether a value is text that can be used as a path or a pattern."""
    if not isinstance(raw, str) or "\0" in raw:
        return False
    try:
        raw.encode()
    except UnicodeEncodeError:
        return False
    return True

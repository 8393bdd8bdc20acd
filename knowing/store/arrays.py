"""Values that are made of arrays, taken apart to be written and put together again when read.

Such a value is a dataclass whose fields are arrays or such values themselves.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Value = TypeVar("Value")


def arrays_of(value: object, prefix: str = "") -> Iterator[tuple[str, Array]]:
    """Each array under the path of names that leads to it, joined by underscores."""
    for item in fields(value):  # type: ignore[arg-type]
        part, name = getattr(value, item.name), prefix + item.name
        if isinstance(part, np.ndarray):
            yield name, part
        else:
            yield from arrays_of(part, f"{name}_")


def assembled(cls: type[Value], read: Callable[[str], Array], prefix: str = "") -> Value:
    """The value whose arrays `read` gives by name."""
    parts = {
        item.name: assembled(item.type, read, f"{prefix}{item.name}_")
        if isinstance(item.type, type) and is_dataclass(item.type)
        else read(prefix + item.name)
        for item in fields(cls)  # type: ignore[arg-type]
    }
    return cls(**parts)


def array_names(cls: type[object], prefix: str = "") -> Iterator[str]:
    """The names under which the arrays of such a value are kept."""
    for item in fields(cls):  # type: ignore[arg-type]
        if isinstance(item.type, type) and is_dataclass(item.type):
            yield from array_names(item.type, f"{prefix}{item.name}_")
        else:
            yield prefix + item.name

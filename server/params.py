"""Parameters of our own requests: one object, each member optional or checked."""

from dataclasses import dataclass
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from knowing.engine_answers import Extent
from knowing.pack import Form

T = TypeVar("T")

_MOST_TEXT = 200_000
_MOST_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class Params:
    """Reads members of an object; what does not fit is an error that names it."""

    given: dict[str, Any]

    @classmethod
    def of(cls, given: object) -> "Params":
        if given is None:
            return cls({})
        if not isinstance(given, dict):
            raise JsonRpcInvalidParams(f"expected an object, got {type(given).__name__}")
        return cls(given)

    def text(self, name: str) -> str:
        """A text that has to be there."""
        found = self.maybe_text(name)
        if found is None:
            raise JsonRpcInvalidParams(f"{name!r} is missing")
        return found

    def maybe_text(self, name: str) -> str | None:
        found = self._typed(name, str, "a text")
        if found is not None and len(found) > _MOST_TEXT:
            raise JsonRpcInvalidParams(f"{name!r} is longer than {_MOST_TEXT:,} characters")
        return found

    def number(self, name: str, default: int | None = None) -> int | None:
        """A whole number from 0."""
        found = self.given.get(name)
        if found is None:
            return default
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= _MOST_NUMBER:
            raise JsonRpcInvalidParams(f"{name!r} is to be a number from 0 to {_MOST_NUMBER:,}")
        return found

    def limit(self, name: str, default: int) -> int:
        """A whole number from 1."""
        return max(1, self.number(name, default) or 0)

    def flag(self, name: str) -> bool:
        return bool(self._typed(name, bool, "true or false"))

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of some words, the first one unless said otherwise."""
        found = self.maybe_text(name) or choices[0]
        if found not in choices:
            raise JsonRpcInvalidParams(f"{name!r} is to be one of {', '.join(choices)}")
        return found

    def items(self, name: str) -> list[Any]:
        return self._typed(name, list, "a list") or []

    def texts(self, name: str) -> list[str]:
        found = self.items(name)
        if not all(isinstance(item, str) for item in found):
            raise JsonRpcInvalidParams(f"{name!r} is to be a list of texts")
        return found

    @property
    def uri(self) -> str | None:
        """Of the document that the request is about."""
        document = self._typed("textDocument", dict, "an object")
        uri = document.get("uri") if document else self.given.get("uri")
        return uri if isinstance(uri, str) else None

    @property
    def root(self) -> str | None:
        """The folder that is asked, by URI, path or name."""
        return self.maybe_text("root")

    @property
    def position(self) -> lsp.Position | None:
        return position_of(self.given.get("position"))

    @property
    def range(self) -> lsp.Range | None:
        return range_of(self.given.get("range"))

    @property
    def extent(self) -> Extent:
        """How much is asked for."""
        form = self.choice("format", (Form.MARKDOWN.value, Form.XML.value))
        limit = self.number("limit")
        return Extent(
            budget=self.number("budget"),
            limit=None if limit is None else max(1, limit),
            form=Form(form),
        )

    def _typed(self, name: str, kind: type[T], words: str) -> T | None:
        found = self.given.get(name)
        if found is None or isinstance(found, kind):
            return found
        raise JsonRpcInvalidParams(f"{name!r} is to be {words}")


def position_of(given: object) -> lsp.Position | None:
    """A position; None if nothing is given."""
    if given is None:
        return None
    if isinstance(given, dict):
        line, character = _count(given.get("line")), _count(given.get("character", 0))
        if line is not None and character is not None:
            return lsp.Position(line=line, character=character)
    raise JsonRpcInvalidParams("a position has a 'line' and a 'character', both from 0")


def range_of(given: object) -> lsp.Range | None:
    """A range; None if nothing is given."""
    if given is None:
        return None
    if isinstance(given, dict):
        start, end = position_of(given.get("start")), position_of(given.get("end"))
        if start is not None and end is not None:
            return lsp.Range(start=start, end=end)
    raise JsonRpcInvalidParams("a range has a 'start' and an 'end'")


def _count(number: object) -> int | None:
    """A number that the protocol allows; None for anything else."""
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if 0 <= number < 2**31 else None

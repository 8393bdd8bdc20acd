"""Rows of a file's tables while the file is being read."""

from dataclasses import dataclass
from functools import cache

from knowing.model import TYPE_KINDS, SymbolKind

EXTENSION = len(SymbolKind)
"""Kind of a row that adds members to a type elsewhere; it is never shown."""
VARIABLES = frozenset(
    map(int, (SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.ENUM_MEMBER))
)
HOLDERS = frozenset({*TYPE_KINDS, *VARIABLES, EXTENSION})
"""Kinds with members of their own; a variable is a scope only where its value has members."""

Span = tuple[int, int]
"""First byte, and the one after the last."""


@cache
def encoded(texts: tuple[str, ...]) -> frozenset[bytes]:
    """Names of a language as they stand in sources."""
    return frozenset(text.encode() for text in texts)


class Strings(dict[bytes, int]):
    """Numbers for texts: `strings[text]` is the text's number, given out on first sight."""

    def __init__(self) -> None:
        super().__init__({b"": 0})
        self.texts: list[bytes] = [b""]

    def __missing__(self, text: bytes) -> int:
        number = self[text] = len(self.texts)
        self.texts.append(text)
        return number

    def text(self, number: int) -> str:
        return self.texts[number].decode("utf-8", "replace") if number > 0 else ""

    def known(self, texts: tuple[str, ...]) -> frozenset[int]:
        """The numbers of those `texts` that have one."""
        return frozenset(map(self.__getitem__, encoded(texts).intersection(self)))


class Frame:
    """An open definition (`symbol` >= 0) or local declaration.

    Like `SymbolRow` a plain class: thousands are made, and what has its default costs nothing.
    """

    named: bool = False
    bound: bool = False
    """A field that is a local name, too: a constructor's parameter."""
    section: int = 0
    """Flags of what is defined here from now on."""
    names: tuple[tuple[int, int], ...] = ()
    """The names that are declared here, and where they stand."""
    type: Span | None = None
    value: Span | None = None

    def __init__(self, start: int, end: int, symbol: int, kind: int, outer_scope: int) -> None:
        self.start = start
        self.end = end
        self.symbol = symbol
        self.kind = kind
        self.outer_scope = outer_scope


class SymbolRow:
    """A symbol while its file is being read."""

    flags: int = 0
    name: int = -1
    name_start: int = -1
    owner: int = -1
    receiver: int = -1
    """Type that has this as a member beside the one that it stands in."""
    body: int = -1
    doc: Span | None = None
    type: Span | None = None
    value: Span | None = None
    titled: bool = False
    """The name is a sentence, in which dots and colons mean nothing."""

    def __init__(self, kind: int, parent: int, start: int, end: int, head: int = -1) -> None:
        self.kind = kind
        self.parent = parent
        self.start = start
        self.end = end
        self.head = head
        """Where the definition proper begins, after decorators."""


@dataclass(slots=True)
class ImportRow:
    module: int
    name: int
    alias: int
    scope: int
    start: int
    flags: int = 0


Binding = tuple[int, int, int, Span | None, Span | None]
"""A local name: its scope, the name, where it is bound, the type and the value it is given."""

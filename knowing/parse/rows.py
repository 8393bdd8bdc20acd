"""Rows of a file's tables while the file is being read."""

from dataclasses import dataclass, field

from knowing.model import TYPE_KINDS, SymbolKind

EXTENSION = len(SymbolKind)
"""Kind of a row that adds members to a type elsewhere; it is never shown."""
VARIABLES = frozenset(
    map(int, (SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.ENUM_MEMBER))
)
HOLDERS = frozenset({*TYPE_KINDS, *VARIABLES, EXTENSION})
"""Kinds with members of their own; a variable is a scope only where its value has members."""


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
        return frozenset(self[key] for key in (text.encode() for text in texts) if key in self)


@dataclass(slots=True)
class Frame:
    """An open definition (`symbol` >= 0) or local declaration."""

    start: int
    end: int
    symbol: int
    kind: int
    outer_scope: int
    named: bool = False
    bound: bool = False
    """A field that is a local name, too: a constructor's parameter."""
    section: int = 0
    """Flags of what is defined here from now on."""
    names: list[tuple[int, int]] = field(default_factory=list)
    type: tuple[int, int] | None = None
    value: tuple[int, int] | None = None


@dataclass(slots=True)
class SymbolRow:
    """A symbol while its file is being read."""

    kind: int
    parent: int
    start: int
    end: int
    flags: int = 0
    name: int = -1
    name_start: int = -1
    owner: int = -1
    receiver: int = -1
    """Type that has this as a member beside the one that it stands in."""
    head: int = -1
    """Where the definition proper begins, after decorators."""
    body: int = -1
    doc: tuple[int, int] | None = None
    type: tuple[int, int] | None = None
    value: tuple[int, int] | None = None
    titled: bool = False
    """The name is a sentence, in which dots and colons mean nothing."""


@dataclass(slots=True)
class ImportRow:
    module: int
    name: int
    alias: int
    scope: int
    start: int
    flags: int = 0


@dataclass(slots=True)
class Binding:
    """A local name: where it is bound and what the text says it holds."""

    scope: int
    name: int
    start: int
    type: tuple[int, int] | None = None
    value: tuple[int, int] | None = None

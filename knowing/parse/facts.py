"""What one file says, as integer tables over one table of strings.

`FileFacts` is the unit that is stored, compared and joined into the graph. It depends on nothing
but the file's bytes and its language, so equal bytes give equal facts in any process. Positions
are 1-based lines and 0-based UTF-8 columns.
"""

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from typing import Self
from zlib import crc32

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.int32]


class How(IntEnum):
    """How the first look at a reference explains it; `recv` means something else for each."""

    OPEN = 0
    """A bare name that the file does not define; nothing in `recv`."""
    LOCAL = 1
    """`recv` is a symbol of the same file."""
    IMPORT = 2
    """`recv` is an import of the same file."""
    ALIAS = 3
    """A local name; `recv` is the value it was given."""
    MEMBER = 4
    """`recv` is the value whose member is named, -1 when nothing is known about it."""
    SELF = 5
    """The current instance; `recv` is the enclosing type."""
    SUPER = 6
    """The base of the enclosing type `recv`."""
    MENTION = 7
    """Named in prose; `recv` is the string table's index of the owner, or -1."""


class Mode(IntEnum):
    """What a value is with regard to the reference it is made of. A value is `ref * 3 + mode`."""

    SAME = 0
    CALLED = 1
    INSTANCE = 2


class Role(IntFlag):
    """What a reference is used for."""

    CALL = 1
    TYPE = 2
    BASE = 4
    IMPLEMENTS = 8
    DECORATOR = 16
    THROW = 32
    NEW = 64
    ARGUMENT = 128


class ImportFlag(IntFlag):
    WILDCARD = 1
    EXPORTED = 2
    """Visible to those who import this file, where that is not the rule."""
    STATIC = 4


class SymbolColumn(IntEnum):
    NAME = 0
    CHAIN = 1
    """Display name: the owner chain joined by dots."""
    KIND = 2
    FLAGS = 3
    PARENT = 4
    START = 5
    END = 6
    LINE = 7
    END_LINE = 8
    NAME_LINE = 9
    NAME_COLUMN = 10
    OWNER = 11
    """Owner named in the text but not enclosing (`func (s *Server) Run`), or -1."""
    OVERLOAD = 12
    TYPE = 13
    """Value that gives the declared or assigned type, or -1."""


class RefColumn(IntEnum):
    NAME = 0
    CODE = 1
    """`How | Role << 4`."""
    RECV = 2
    SCOPE = 3
    LINE = 4
    COLUMN = 5


class ImportColumn(IntEnum):
    MODULE = 0
    NAME = 1
    """What is taken from the module; the empty string for the module itself."""
    ALIAS = 2
    SCOPE = 3
    LINE = 4
    FLAGS = 5


class ServiceColumn(IntEnum):
    EDGE = 0
    TEXT = 1
    SCOPE = 2
    HANDLER = 3
    """Symbol that answers, or `-2 - ref` for a reference to it, or -1."""
    LINE = 4


class DecorationColumn(IntEnum):
    REF = 0
    SYMBOL = 1


class WordColumn(IntEnum):
    SYMBOL = 0
    WORD = 1
    """Index into `word_data`."""
    COUNT = 2


_TABLES = (
    ("symbols", len(SymbolColumn)),
    ("refs", len(RefColumn)),
    ("imports", len(ImportColumn)),
    ("services", len(ServiceColumn)),
    ("decorations", len(DecorationColumn)),
    ("words", len(WordColumn)),
)
_HEADER = struct.Struct("<4sBI")
_SIZES = struct.Struct("<10I")
_MAGIC = b"kfct"
FORMAT = 3
"""Goes up whenever the meaning of stored facts changes; older ones are made anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """The symbols, references, imports and outside ties of one file."""

    string_data: bytes
    """All strings that the tables point to, in UTF-8, joined by NUL."""
    text_data: bytes
    """Signature and documentation of each symbol, two entries a symbol, likewise."""
    word_data: bytes
    """All different words of the file, likewise."""
    package: str
    """What the file declares itself part of (`package a.b;`), or the empty string."""
    problem: str
    """Why the file could only be read in part, or the empty string."""
    symbols: Table
    refs: Table
    imports: Table
    services: Table
    decorations: Table
    words: Table
    """Words of each symbol's own text."""

    @property
    def strings(self) -> list[str]:
        return self.string_data.decode("utf-8", "replace").split("\0")

    @property
    def texts(self) -> list[str]:
        return self.text_data.decode("utf-8", "replace").split("\0")

    def encode(self) -> bytes:
        parts = [
            self.string_data,
            self.text_data,
            self.word_data,
            f"{self.package}\0{self.problem}".encode("utf-8", "replace"),
        ]
        parts += [getattr(self, name).tobytes() for name, _ in _TABLES]
        body = _SIZES.pack(*map(len, parts)) + b"".join(parts)
        return _HEADER.pack(_MAGIC, FORMAT, crc32(body)) + body

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The facts in `data`; ValueError when they are damaged or of another format."""
        if len(data) < _HEADER.size + _SIZES.size:
            raise ValueError("facts are cut short")
        magic, version, checksum = _HEADER.unpack_from(data)
        if magic != _MAGIC or version != FORMAT:
            raise ValueError("facts are of another version")
        if checksum != crc32(memoryview(data)[_HEADER.size :]):
            raise ValueError("facts are damaged")
        sizes = _SIZES.unpack_from(data, _HEADER.size)
        parts: list[bytes] = []
        at = _HEADER.size + _SIZES.size
        for size in sizes:
            parts.append(data[at : at + size])
            at += size
        package, _, problem = parts[3].decode("utf-8").partition("\0")
        tables = {
            name: np.frombuffer(part, dtype=np.int32).reshape(-1, width)
            for (name, width), part in zip(_TABLES, parts[4:], strict=True)
        }
        return cls(
            string_data=parts[0],
            text_data=parts[1],
            word_data=parts[2],
            package=package,
            problem=problem,
            **tables,
        )

    def with_problem(self, problem: str) -> Self:
        return replace(self, problem=problem)


def numbers(values: Sequence[int]) -> Table:
    """A list of numbers as an array, several times quicker than asking numpy to look at each."""
    return np.frombuffer(bytearray(array("i", values)), dtype=np.int32)


def table(rows: Sequence[Sequence[int]], width: int) -> Table:
    """Rows as one table; quick for the few hundred rows that a file has."""
    return numbers([cell for row in rows for cell in row]).reshape(-1, width)

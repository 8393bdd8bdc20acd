"""The nouns of the engine: what a workspace is made of and how its parts are joined.

Closed sets are enums whose integer order is part of the stored format; values that leave
the engine are frozen dataclasses. Everything between lives in numpy columns (see
`knowing.graph`), so a `Symbol` or an `Edge` is made only for what a caller asked to see.
"""

from dataclasses import dataclass
from enum import IntEnum, IntFlag


class NamedEnum(IntEnum):
    """An integer that is stored and a lower-case label that is shown."""

    @property
    def label(self) -> str:
        return self.name.lower()


class SymbolKind(NamedEnum):
    """What a symbol is. New kinds are added at the end: the number is stored."""

    MODULE = 0
    NAMESPACE = 1
    CLASS = 2
    STRUCT = 3
    INTERFACE = 4
    TRAIT = 5
    ENUM = 6
    TYPE = 7
    FUNCTION = 8
    METHOD = 9
    CONSTRUCTOR = 10
    PROPERTY = 11
    FIELD = 12
    VARIABLE = 13
    CONSTANT = 14
    MACRO = 15
    ENUM_MEMBER = 16
    DOC_SECTION = 17
    ROUTE = 18
    ENV_VAR = 19
    PROCESS = 20
    ENDPOINT = 21
    OWNER = 22
    EXTERNAL = 23


TYPE_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
"""Kinds that own members and can be extended or named in a type position."""

CALLABLE_KINDS = frozenset(
    {
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.PROPERTY,
        SymbolKind.MACRO,
    }
)


class SymbolFlag(IntFlag):
    """Properties of a symbol that ranking, impact and packing ask for."""

    TEST = 1
    EXAMPLE = 2
    GENERATED = 4
    VENDORED = 8
    ABSTRACT = 16
    STATIC = 32
    PRIVATE = 64
    PROTECTED = 128
    EXPORTED = 256
    OVERLOAD = 512
    ASYNC = 1024
    TEST_CASE = 2048
    """A test that a runner runs, as opposed to a helper in a test file."""

    @property
    def labels(self) -> list[str]:
        return [flag.name.lower() for flag in type(self) if flag in self and flag.name]


class EdgeKind(NamedEnum):
    """How two symbols are joined. New kinds are added at the end: the number is stored."""

    CONTAINS = 0
    MEMBER_OF = 1
    IMPORTS = 2
    CALLS = 3
    REFERENCES = 4
    EXTENDS = 5
    IMPLEMENTS = 6
    OVERRIDES = 7
    INHERITS = 8
    TYPE_HINT_OF = 9
    DECORATES = 10
    THROWS = 11
    ACCESSES_FIELD = 12
    TESTS = 13
    CO_TESTED_WITH = 14
    DOCUMENTS = 15
    HANDLES_ROUTE = 16
    READS_ENV = 17
    EXECUTES_PROCESS = 18
    CONSUMES_ENDPOINT = 19
    OWNED_BY = 20
    SIMILAR_TO = 21


class Origin(NamedEnum):
    """Who says that an edge exists, from the surest to the least sure."""

    STRUCTURAL = 0
    LSP_RESOLVED = 1
    SCIP_RESOLVED = 2
    AST_RESOLVED = 3
    AST_INFERRED = 4
    DERIVED = 5
    HEURISTIC = 6


ORIGIN_CONFIDENCE = {
    Origin.STRUCTURAL: 1.0,
    Origin.LSP_RESOLVED: 0.95,
    Origin.SCIP_RESOLVED: 0.95,
    Origin.AST_RESOLVED: 0.85,
    Origin.AST_INFERRED: 0.7,
    Origin.DERIVED: 0.6,
    Origin.HEURISTIC: 0.5,
}
"""Confidence of an edge that carries nothing better; that of `HEURISTIC` is an upper bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of the workspace that is to be read: found by its rules, not yet opened."""

    path: str
    """Relative to the root, with `/`."""
    language: str
    size: int
    mtime_ns: int
    flags: SymbolFlag = SymbolFlag(0)
    """TEST, EXAMPLE, GENERATED and VENDORED as far as the path tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file or folder that is not in the index, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One symbol as callers see it; lines are 1-based, columns are 0-based UTF-8 bytes."""

    name: str
    """Owner chain without module or file: `Flask.before_request`."""
    path: str
    kind: SymbolKind
    line: int
    end_line: int
    name_line: int
    name_column: int
    signature: str
    doc: str
    flags: SymbolFlag
    overload: int = 0
    """0 for the first definition of this name in this file, then 1, 2, ..."""

    @property
    def qualified_name(self) -> str:
        """The stable identity `path::Owner.name`, with `#n` for later overloads."""
        return qualified_name(self.path, self.name, self.overload)


def qualified_name(path: str, name: str, overload: int) -> str:
    base = f"{path}::{name}" if name else path
    return f"{base}#{overload + 1}" if overload else base


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One edge as callers see it; `path` and `line` are the site that gave rise to it."""

    source: str
    target: str
    kind: EdgeKind
    origin: Origin
    confidence: float
    path: str
    line: int

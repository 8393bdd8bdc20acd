"""What goes into a pack and what comes out of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TypeAlias

from knowing.languages import Registry
from knowing.pack.tokens import Estimate, Tokenizer

Source: TypeAlias = Callable[[str], bytes | None]
"""Relative path to the file's text in UTF-8, as it was indexed; None if the file is gone."""


class Form(StrEnum):
    """How a pack is written."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"


class Detail(StrEnum):
    """How much of a symbol is shown; a body with marked elisions is a body."""

    BODY = "body"
    SIGNATURE = "signature"
    NAME = "name"


class Step(IntEnum):
    """The levels between which a budget chooses, from the least to the most."""

    NAME = 0
    SIGNATURE = 1
    DOC = 2
    """The signature and the first paragraph of the documentation."""
    COMPRESSED = 3
    BODY = 4

    @property
    def detail(self) -> Detail:
        if self is Step.NAME:
            return Detail.NAME
        return Detail.BODY if self >= Step.COMPRESSED else Detail.SIGNATURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A symbol that ranking found, with its reasons."""

    symbol: int
    score: float
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PackOptions:
    """What the reader of a pack asks for."""

    budget: int
    form: Form = Form.MARKDOWN
    tokenizer: Tokenizer = field(default_factory=Estimate)
    title: str = ""
    """The task, for the heading."""
    notes: tuple[str, ...] = ()
    """How fresh the index is and the like, one line each."""
    languages: Registry | None = None
    """Tells how each language writes comments; None is the languages that are built in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """One candidate that is in the block; `text` is what of it stands there."""

    candidate: Candidate
    detail: Detail
    tokens: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A block of text that is ready for a chat, and what is in it."""

    text: str
    used: int
    """Tokens of the whole text, by the tokenizer that is named; never above the budget."""
    tokenizer: str
    items: tuple[Packed, ...]
    """In the order of the candidates."""
    left_out: int
    notes: tuple[str, ...] = ()
    """What packing itself has to say, such as files that changed since they were indexed."""

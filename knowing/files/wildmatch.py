"""Git's wildcards as regular expressions.

Git matches bytes, so patterns and names are both latin-1 views of their bytes (`byte_text`):
`?` stands for one byte of a multi-byte character, as it does in git.

The expressions cannot backtrack without bound. Between two stars the leftmost match leaves
the most for what follows, so each star and the text after it form an atomic group.
"""

import os
import re

SPECIAL = frozenset("*?[\\")
_ANY = "[^/]"
_NEVER = r"(?!)"
_ALL_BYTES = range(1, 256)

_CLASSES: dict[str, frozenset[int]] = {
    "alnum": frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "alpha": frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "blank": frozenset(b" \t"),
    "cntrl": frozenset([*range(1, 32), 127]),
    "digit": frozenset(b"0123456789"),
    "graph": frozenset(range(33, 127)),
    "lower": frozenset(b"abcdefghijklmnopqrstuvwxyz"),
    "print": frozenset(range(32, 127)),
    "punct": frozenset(b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "space": frozenset(b" \t\n\v\f\r"),
    "upper": frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "xdigit": frozenset(b"0123456789abcdefABCDEF"),
}


class MalformedPattern(ValueError):
    """A pattern that git reads but that no name can match, such as an unclosed `[`."""


def byte_text(text: str) -> str:
    """The bytes of a file name as text with one character per byte."""
    if text.isascii():
        return text
    return os.fsencode(text).decode("latin-1")


def literal_length(pattern: str) -> int:
    """How many leading characters of `pattern` stand for themselves."""
    for position, character in enumerate(pattern):
        if character in SPECIAL:
            return position
    return len(pattern)


def translate(pattern: str) -> str:
    """The expression, to be used with `fullmatch`, of a pattern in which `*` stops at `/`."""
    try:
        return _Translation(pattern).run()
    except MalformedPattern:
        return _NEVER


class _Translation:
    """One pass over a pattern; `run` gives the expression."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.out: list[str] = []
        self.open_star = False
        self.open_deep = False

    def run(self) -> str:
        while self.position < len(self.pattern):
            character = self.pattern[self.position]
            if character == "*":
                self._star()
            elif character == "?":
                self.position += 1
                self.out.append(_ANY)
            elif character == "[":
                self._bracket()
            else:
                self._literal(character)
        self.out.append(r"\Z")
        self._close(deep=True)
        return "".join(self.out)

    def _literal(self, character: str) -> None:
        if character == "\\":
            self.position += 1
            if self.position == len(self.pattern):
                raise MalformedPattern(self.pattern)
            character = self.pattern[self.position]
        self.position += 1
        self.out.append(re.escape(character))

    def _close(self, *, deep: bool) -> None:
        """End the atomic group of the last star and, if `deep`, that of the last `**`."""
        if self.open_star:
            self.out.append(")")
            self.open_star = False
        if deep and self.open_deep:
            self.out.append(")")
            self.open_deep = False

    def _star(self) -> None:
        start = self.position
        while self.pattern.startswith("*", self.position):
            self.position += 1
        rest = self.pattern[self.position : self.position + 2]
        whole_component = (start == 0 or self.pattern[start - 1] == "/") and (
            rest == "" or rest[0] == "/" or rest == "\\/"
        )
        if self.position - start == 1 or not whole_component:
            self._close(deep=False)
            self.out.append(f"(?>{_ANY}*?")
            self.open_star = True
            return
        self._close(deep=True)
        self.open_deep = True
        if rest[:1] == "/":
            self.position += 1
            self.out.append(f"(?>(?:{_ANY}*/)*?")
        else:
            self.out.append(r"(?>[\s\S]*?")

    def _bracket(self) -> None:
        members, self.position = _bracket_members(self.pattern, self.position + 1)
        self.out.append(_character_class(members))


def _bracket_members(pattern: str, start: int) -> tuple[frozenset[int], int]:
    """The bytes that the bracket whose content begins at `start` accepts, and where it ends."""
    position = start
    negated = pattern[position : position + 1] in ("!", "^")
    if negated:
        position += 1
    members: set[int] = set()
    previous = 0
    first = True
    while first or _at(pattern, position) != "]":
        first = False
        character = _at(pattern, position)
        following = pattern[position + 1 : position + 2]
        if character == "-" and previous and following and following != "]":
            last, position = _one(pattern, position + 1)
            members.update(range(previous, last + 1))
            previous = 0
        elif character == "[" and following == ":":
            named, position = _named_class(pattern, position)
            members |= named
            previous = ord("[") if named == {ord("[")} else 0
        else:
            previous, position = _one(pattern, position)
            members.add(previous)
    accepted = frozenset(_ALL_BYTES) - members if negated else frozenset(members)
    return accepted - {ord("/")}, position + 1


def _at(pattern: str, position: int) -> str:
    if position >= len(pattern):
        raise MalformedPattern(pattern)
    return pattern[position]


def _one(pattern: str, position: int) -> tuple[int, int]:
    """The byte at `position`, which a backslash may quote, and the position after it."""
    character = _at(pattern, position)
    if character == "\\":
        position += 1
        character = _at(pattern, position)
    return ord(character), position + 1


def _named_class(pattern: str, position: int) -> tuple[frozenset[int], int]:
    """A class such as `[:alpha:]`, or a plain `[` when the `:]` that would end it is missing."""
    end = pattern.find("]", position + 2)
    if end < 0:
        raise MalformedPattern(pattern)
    if end == position + 2 or pattern[end - 1] != ":":
        return frozenset({ord("[")}), position + 1
    name = pattern[position + 2 : end - 1]
    if name not in _CLASSES:
        raise MalformedPattern(pattern)
    return _CLASSES[name], end + 1


def _character_class(members: frozenset[int]) -> str:
    """The expression of a set of bytes."""
    if not members:
        return _NEVER
    return "[" + "".join(f"\\x{byte:02x}" for byte in sorted(members)) + "]"

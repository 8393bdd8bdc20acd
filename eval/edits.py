"""Typical edits of a source file, made from what an index says stands in it.

They need no knowledge of a language beyond how a statement ends: a new function is a copy of an
existing one under another name, a new statement is a call of the function it stands in.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.index import Symbol

FUNCTIONS = frozenset({"function", "method"})
SHORTEST = 3
"""Lines a function has at least: a head, a body and something to tell the end by."""

SUFFIX = "Edited"
NO_SEMICOLON = frozenset({"python", "ruby", "go", "kotlin", "lua"})
NO_CLOSING_LINE = frozenset({"python"})
"""Languages whose functions end with their last statement."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A file's text after one edit."""

    kind: str
    text: str


def editable(symbols: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    """Path -> functions long enough to edit, in order; files without one are left out."""
    found: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        is_word = symbol.plain.isidentifier()
        if symbol.kind in FUNCTIONS and is_word and symbol.end_line - symbol.line + 1 >= SHORTEST:
            found.setdefault(symbol.path, []).append(symbol)
    return {path: sorted(found[path], key=lambda each: each.line) for path in sorted(found)}


def append_statement(text: str, function: Symbol, language: str) -> Edit:
    """Call the function at the end of its own body."""
    lines = text.splitlines(keepends=True)
    last = function.end_line - 1
    body = _last_line(lines, function.line, last + (language in NO_CLOSING_LINE))
    indent = body[: len(body) - len(body.lstrip())]
    end = "" if language in NO_SEMICOLON else ";"
    statement = f"{indent}{function.plain}(){end}\n"
    at = last + 1 if language in NO_CLOSING_LINE else last
    if at == len(lines) and lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return Edit("append statement", "".join([*lines[:at], statement, *lines[at:]]))


def _last_line(lines: Sequence[str], start: int, end: int) -> str:
    """The last line of a body that is not blank; `start` is the index after the head."""
    filled = [line for line in lines[start:end] if line.strip()]
    return filled[-1] if filled else "    \n"


def add_function(text: str, function: Symbol, _language: str) -> Edit:
    """Copy a function under another name, right behind it."""
    lines = text.splitlines(keepends=True)
    own = "".join(lines[function.line - 1 : function.end_line])
    own = own if own.endswith("\n") else own + "\n"
    copy = _renamed(own, function.plain)
    head = "".join(lines[: function.line - 1]) + own
    return Edit("add function", f"{head}\n{copy}" + "".join(lines[function.end_line :]))


def rename_function(text: str, function: Symbol, _language: str) -> Edit:
    """Give a function another name where it is defined; its callers keep the old one."""
    lines = text.splitlines(keepends=True)
    own = "".join(lines[function.line - 1 : function.end_line])
    rest = "".join(lines[function.end_line :])
    renamed = _renamed(own, function.plain)
    return Edit("rename function", "".join(lines[: function.line - 1]) + renamed + rest)


def _renamed(text: str, name: str) -> str:
    """Rename at the first place where the name is followed by what can follow in a head."""
    pattern = re.compile(rf"\b{re.escape(name)}\b(?=\s*[(<\[=:{{]|\s*$)", re.MULTILINE)
    return pattern.sub(name + SUFFIX, text, count=1)


EDITS = (append_statement, add_function, rename_function)

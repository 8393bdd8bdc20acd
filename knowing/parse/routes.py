"""Routes that decorators declare (`@GetMapping("/x")` on a method, its type's prefix before it) and
handlers that a string names (`to: "posts#show"`)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from knowing.languages import ServicePattern
from knowing.model import TYPE_KINDS
from knowing.parse.facts import How
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine

ANY = "ANY"
_STATEMENT = re.compile(rb"(?:[^\n]|(?<=,)\n){1,400}")
"""The rest of a statement: lines that end in a comma go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One decorator that declares a route, or a part of one."""

    symbol: int
    verb: str
    path: str | None
    """None when the decorator names no path: `@GET`."""
    relative: bool
    start: int


Matcher = Callable[[int], ServicePattern | None]
Verb = Callable[[ServicePattern, int], str]


def declared_routes(
    machine: Machine, paths: Mapping[int, tuple[str, int]], pattern_of: Matcher, verb_of: Verb
) -> list[tuple[int, str, int]]:
    """Handler, `VERB /path` and place of each route; `paths` are the literals by reference."""
    by_symbol: dict[int, list[Declared]] = {}
    computed: set[int] = set()
    for end, symbol in machine.decorators:
        value = machine.value_at.get(end, -1)
        ref = value // 3
        pattern = pattern_of(ref) if value >= 0 else None
        if pattern is None:
            continue
        if ref not in paths and not _bare(machine, ref):
            computed.add(symbol)
            continue
        path, start = paths.get(ref, (None, machine.ref_start[ref]))
        if path is None and not pattern.relative:
            continue
        verb = verb_of(pattern, ref)
        item = Declared(symbol=symbol, verb=verb, path=path, relative=pattern.relative, start=start)
        by_symbol.setdefault(symbol, []).append(item)
    routes: list[tuple[int, str, int]] = []
    for symbol, items in by_symbol.items():
        if machine.symbols[symbol].kind not in TYPE_KINDS and symbol not in computed:
            prefix = _prefix(machine, by_symbol, symbol)
            routes += [(symbol, text, at) for text, at in _routes_of(items, prefix)]
    return routes


def _bare(machine: Machine, ref: int) -> bool:
    """Whether a decorator has no arguments: what they hold might be the path."""
    end = machine.ref_start[ref] + len(machine.names.texts[machine.ref_name[ref]])
    after = machine.source[end : end + 2]
    return after[:1] != b"(" or after == b"()"


def _prefix(machine: Machine, by_symbol: Mapping[int, list[Declared]], symbol: int) -> str | None:
    """What the type around a handler puts before its paths, None if it declares nothing."""
    parent = machine.symbols[symbol].parent
    if parent <= 0 or parent not in by_symbol:
        return None
    return next((item.path for item in by_symbol[parent] if item.path is not None), "")


def _routes_of(items: list[Declared], prefix: str | None) -> list[tuple[str, int]]:
    """The routes of one handler: `@GET @Path("/x")` are one, `@get("/a") @post("/b")` two."""
    verbs = [item.verb for item in items if item.path is None and item.verb != ANY]
    whole = [item for item in items if item.path is not None]
    if not whole:
        if prefix is None:
            return []
        return [(f"{item.verb} {_join(prefix, '')}", item.start) for item in items]
    routes = []
    for item in whole:
        path = item.path or ""
        if not item.relative and not path.startswith("/"):
            continue
        verb = verbs[0] if item.verb == ANY and verbs else item.verb
        routes.append((f"{verb} {_join(prefix or '', path)}", item.start))
    return routes


def _join(prefix: str, path: str) -> str:
    if path.startswith("~/"):
        return path[1:]
    if not prefix and path.startswith("/"):
        return path
    return "/" + "/".join(part.strip("/") for part in (prefix, path) if part.strip("/"))


class _Word(str):
    """A part of a handler's name; `{:type}` writes `admin/blog_posts` as `Admin.BlogPosts`."""

    def __format__(self, spec: str) -> str:
        if spec != "type":
            return super().__format__(spec)
        parts = (part.split("_") for part in self.split("/"))
        return ".".join("".join(word[:1].upper() + word[1:] for word in part) for part in parts)


def named_handler(
    machine: Machine, explained: Explained, pattern: ServicePattern, start: int, scope: int
) -> int:
    """A reference to the handler that the statement at `start` names in a string; -1 if none."""
    statement = _STATEMENT.match(machine.source, start)
    text = statement[0].decode("utf-8", "replace") if statement else ""
    found = re.search(pattern.handler, text)
    if found is None:
        return -1
    name = pattern.handler_name.format(*map(_Word, found.groups()))
    how, recv, ref = How.OPEN, -1, -1
    for part in name.split("."):
        ref = explained.add(machine.names[part.encode()], int(how), recv, scope, start)
        how, recv = How.MEMBER, ref * 3
    return -2 - ref

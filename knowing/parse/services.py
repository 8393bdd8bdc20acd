"""Ties to the outside that a call with a literal reveals: routes, environment, processes, URLs."""

from bisect import bisect_right
from functools import cache

from knowing.languages import Language, ServicePattern
from knowing.model import EdgeKind
from knowing.parse.facts import Role
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine

_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "websocket"})
_TEXT_LIMIT = 200

ServiceRow = tuple[int, int, int, int, int]


@cache
def _patterns(language: Language) -> dict[tuple[str, str], ServicePattern]:
    return {
        (pattern.shape, callee): pattern
        for pattern in reversed(language.services)
        for callee in pattern.callee
    }


def service_rows(machine: Machine, explained: Explained) -> list[ServiceRow]:
    """A row for each literal whose call, decorator or lookup the language knows."""
    patterns = _patterns(machine.language)
    if not patterns:
        return []
    decorated = {
        machine.value_at[end] // 3: symbol
        for end, symbol in machine.decorators
        if end in machine.value_at
    }
    rows: list[ServiceRow] = []
    for value, lookup, start, end, scope in machine.literals:
        ref = value // 3
        shape = "lookup" if lookup else "decorator" if ref in decorated else "call"
        pattern = _matching(machine, patterns, shape, ref)
        if pattern is None:
            continue
        text = machine.source[start:end].decode("utf-8", "replace").lstrip("rRbBuUfF@$").strip("\"'`")[:_TEXT_LIMIT]
        edge = EdgeKind[pattern.edge.upper()]
        handler = -1
        if edge == EdgeKind.HANDLES_ROUTE:
            handler = decorated.get(ref, -1)
            if shape == "call":
                handler = _handler(machine, explained, end, scope)
            if handler == -1 or (shape == "decorator" and not text.startswith("/")):
                continue
            text = f"{_verb(machine, pattern, ref)} {text}"
        elif edge == EdgeKind.CONSUMES_ENDPOINT and "/" not in text:
            continue
        elif edge == EdgeKind.EXECUTES_PROCESS:
            text = text.split(maxsplit=1)[0] if text.split() else "dynamic"
        rows.append((edge, machine.names[text.encode()], scope, handler, start))
    return rows


def _matching(
    machine: Machine, patterns: dict[tuple[str, str], ServicePattern], shape: str, ref: int
) -> ServicePattern | None:
    name = machine.names.text(machine.ref_name[ref])
    recv = machine.ref_recv[ref]
    if recv >= 0:
        owner = machine.names.text(machine.ref_name[recv // 3])
        found = patterns.get((shape, f"{owner}.{name}"))
        if found:
            return found
    return patterns.get((shape, name))


def _verb(machine: Machine, pattern: ServicePattern, ref: int) -> str:
    name = machine.names.text(machine.ref_name[ref]).lower()
    if pattern.method:
        return pattern.method
    stem = name.removesuffix("mapping").removeprefix("map").removeprefix("http")
    return stem.upper() if stem in _VERBS else "ANY"


def _handler(machine: Machine, explained: Explained, start: int, scope: int) -> int:
    """The last reference among the arguments after `start` that is handed over, not called."""
    starts = machine.ref_start
    end = _closing(machine.source, start)
    chosen = -1
    index = bisect_right(starts, start)
    while index < len(starts) and starts[index] < end:
        if machine.ref_scope[index] == scope:
            while (
                index + 1 < len(starts)
                and machine.ref_recv[index + 1] == index * 3
                and not machine.ref_role[index + 1] & Role.CALL
            ):
                index += 1
            if not machine.ref_role[index] & Role.CALL and explained.index[index] >= 0:
                chosen = explained.index[index]
        index += 1
    return -2 - chosen if chosen >= 0 else -1


def _closing(source: bytes, start: int) -> int:
    """Where the parenthesis around `start` closes; strings inside are not looked into."""
    depth = 0
    for at in range(start, min(len(source), start + 2000)):
        byte = source[at]
        if byte in b"([{":
            depth += 1
        elif byte in b")]}":
            depth -= 1
            if depth < 0:
                return at
    return start

"""Ties to the outside that a call with a literal reveals: routes, environment, processes, URLs."""

from bisect import bisect_right
from functools import cache, partial

from knowing.languages import Language, ServicePattern
from knowing.model import EdgeKind
from knowing.parse.facts import Role
from knowing.parse.lexical import Explained
from knowing.parse.machine import Machine
from knowing.parse.routes import ANY, declared_routes, named_handler

_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "websocket"})
_TEXT_LIMIT = 200

ServiceRow = tuple[int, int, int, int, int]
Literal = tuple[int, int, int, int, int]
"""As in `Machine.literals`."""


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
    paths: dict[int, tuple[str, int]] = {}
    for literal in machine.literals:
        value, lookup, start, end, _ = literal
        ref = value // 3
        shape = "lookup" if lookup else "decorator" if ref in decorated else "call"
        pattern = _matching(machine, patterns, shape, ref)
        if pattern is None:
            continue
        text = _text(machine.source[start:end])
        if pattern.path_contains not in text:
            continue
        if pattern.edge != "handles_route":
            rows += _plain_row(machine, pattern, text, literal)
        elif shape == "decorator":
            paths.setdefault(ref, (text, start))
        else:
            rows += _route_row(machine, explained, pattern, text, literal)
    return rows + _declared(machine, patterns, paths) + _member_rows(machine)


def _plain_row(
    machine: Machine, pattern: ServicePattern, text: str, literal: Literal
) -> list[ServiceRow]:
    _, _, start, _, scope = literal
    edge = EdgeKind[pattern.edge.upper()]
    if edge == EdgeKind.CONSUMES_ENDPOINT and "/" not in text:
        return []
    if edge == EdgeKind.EXECUTES_PROCESS:
        text = text.split(maxsplit=1)[0] if text.split() else "dynamic"
    return [(edge, machine.names[text.encode()], scope, -1, start)]


def _route_row(
    machine: Machine, explained: Explained, pattern: ServicePattern, text: str, literal: Literal
) -> list[ServiceRow]:
    """The route that a call declares, if it says who answers."""
    value, _, start, end, scope = literal
    if pattern.handler:
        handler = named_handler(machine, explained, pattern, start, scope)
    else:
        handler = _handler(machine, explained, end, scope)
    path = pattern.path or text
    if pattern.relative and not path.startswith("/"):
        path = f"/{path}"
    if handler == -1:
        if not (pattern.inline and path.startswith("/")):
            return []
        handler = scope
    route = f"{_verb(machine, pattern, value // 3)} {path}"
    return [(EdgeKind.HANDLES_ROUTE, machine.names[route.encode()], scope, handler, start)]


def _member_rows(machine: Machine) -> list[ServiceRow]:
    """A row for each member that is itself the thing: `process.env.HOME`."""
    rows: list[ServiceRow] = []
    names, refs, recvs = machine.names, machine.ref_name, machine.ref_recv
    for pattern in machine.language.services:
        if pattern.shape != "member":
            continue
        chains = [callee.rpartition(".")[::2] for callee in pattern.callee]
        wanted = {tuple(names.get(part.encode(), -1) for part in chain) for chain in chains}
        edge = EdgeKind[pattern.edge.upper()]
        for ref, recv in enumerate(recvs):
            if recv >= 0 and recvs[recv // 3] >= 0:
                chain = refs[recvs[recv // 3] // 3], refs[recv // 3]
                if chain in wanted:
                    rows.append(
                        (edge, refs[ref], machine.ref_scope[ref], -1, machine.ref_start[ref])
                    )
    return rows


def _declared(
    machine: Machine,
    patterns: dict[tuple[str, str], ServicePattern],
    paths: dict[int, tuple[str, int]],
) -> list[ServiceRow]:
    """The routes that decorators declare."""

    def pattern_of(ref: int) -> ServicePattern | None:
        found = _matching(machine, patterns, "decorator", ref)
        return found if found and found.edge == "handles_route" else None

    return [
        (EdgeKind.HANDLES_ROUTE, machine.names[text.encode()], symbol, symbol, start)
        for symbol, text, start in declared_routes(
            machine, paths, pattern_of, partial(_verb, machine)
        )
    ]


def _text(literal: bytes) -> str:
    """What a string literal says, without its prefix and quotes."""
    text = literal.decode("utf-8", "replace").lstrip("rRbBuUfF@$:")
    return text.strip("\"'`")[:_TEXT_LIMIT]


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
    found = patterns.get((shape, name))
    return None if found and found.bare and recv != -2 else found


def _verb(machine: Machine, pattern: ServicePattern, ref: int) -> str:
    name = machine.names.text(machine.ref_name[ref]).lower()
    if pattern.method:
        return pattern.method
    stem = name.removesuffix("mapping").removeprefix("map").removeprefix("http")
    return stem.upper() if stem in _VERBS else ANY


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
    if chosen >= 0:
        return -2 - chosen
    # A function written on the spot answers for what it stands in.
    index = bisect_right(machine.closures, (start, 0))
    written = machine.closures[index : index + 1]
    return written[0][1] if written and written[0][0] < end else -1


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

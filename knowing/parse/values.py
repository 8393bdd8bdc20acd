"""Values of spans of text: the type an annotation names, the chain an expression is."""

from bisect import bisect_left

from knowing.parse.facts import Mode, Role
from knowing.parse.machine import Machine

# Plain integers: arithmetic on enum members costs several times as much.
_CALL, _TYPE, _DECORATOR = int(Role.CALL), int(Role.TYPE), int(Role.DECORATOR)
_INSTANCE = int(Mode.INSTANCE)
_PREFIXES = frozenset(
    {b"", b"await", b"new", b"&", b"*", b"&mut", b"yield", b"$", b"(", b"<-", b"!"}
)
"""What may stand before a chain without changing what is known of it."""


def type_value(machine: Machine, span: tuple[int, int] | None) -> int:
    """The value that a type annotation stands for: its first name that is not a mere wrapper."""
    if span is None:
        return -1
    start, end = span
    starts, recvs = machine.ref_start, machine.ref_recv
    transparent = machine.transparent
    index = bisect_left(starts, start)
    while index < len(starts) and starts[index] < end:
        # A chain `a.b.C` is one type: its last member counts.
        while index + 1 < len(starts) and recvs[index + 1] == index * 3 and starts[index + 1] < end:
            index += 1
        if machine.ref_name[index] not in transparent:
            return index * 3 + _INSTANCE
        index += 1
    return -1


def expression_value(machine: Machine, span: tuple[int, int] | None) -> int:
    """The value of an expression that is one chain of names, members and calls; else -1."""
    if span is None:
        return -1
    start, end = span
    value = machine.value_at.get(end, -1)
    if value < 0:
        return -1
    begin = machine.chain_start[value // 3]
    if begin == start or machine.source[start:begin].strip() in _PREFIXES:
        return value
    return -1


def assign_roles(machine: Machine) -> None:
    """Marks the references that stand as bases, types, decorators and thrown values."""
    starts, roles = machine.ref_start, machine.ref_role
    for start, end, role in machine.roles:
        if role == _TYPE:
            for index in range(bisect_left(starts, start), bisect_left(starts, end)):
                roles[index] |= _TYPE
            continue
        value = machine.value_at.get(end, -1)
        if value >= 0:
            roles[value // 3] |= role
    # `@Path("/x")` calls nothing where a decorator is no function.
    kept = ~0 if machine.language.decorators_call else ~_CALL
    marks = [(end, _DECORATOR) for end, _ in machine.decorators] + [
        (end, 0) for end in machine.notes
    ]
    for end, mark in marks:
        value = machine.value_at.get(end, -1)
        if value >= 0:
            roles[value // 3] = roles[value // 3] & kept | mark

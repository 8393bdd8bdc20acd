"""The event machine: sorted captures in, raw tables of one file out.

Captures arrive outer before inner, left before right. Definitions and local declarations are
frames on a stack; whatever is captured inside belongs to the innermost frame. Expressions need no
tree: a name, a member or an argument list is a *value* that ends at some byte, and what follows
finds it there (`a.b(c).d`: `.d` finds the value that ends at `)`).
"""

from collections.abc import Callable
from functools import cache, partial

from knowing.languages import Language
from knowing.languages.language import ImportStyle
from knowing.model import SymbolFlag
from knowing.parse.captures import Op
from knowing.parse.definitions import Definitions
from knowing.parse.facts import Role
from knowing.parse.grammar import Event
from knowing.parse.imports import lift_supers, outside_trees
from knowing.parse.rows import VARIABLES
from knowing.parse.state import SEPARATORS

# Plain integers: arithmetic on enum members costs several times as much.
_SUFFIXES = b"?!"
"""Last bytes of names in some languages (`valid?.to_s`) although they are separators in others."""
_DASH = ord("-")
_GREATER = ord(">")
_PAREN = ord("(")
_DOLLAR = ord("$")
_REF = int(Op.REF)
_MEMBER = int(Op.MEMBER)
_MEMBER_CALL = int(Op.MEMBER_CALL)
_SPAN = int(Op.SPAN)
_FLAG = int(Op.FLAG)
_FLAG_COUNT = len(SymbolFlag)
_IMPORT_OPS = tuple(op for op in Op if op.name.startswith(("IMPORT", "EXPORT")))
_NAME_QUALIFIED = int(Op.NAME_QUALIFIED)
_GIVING = frozenset({int(Op.NAME), int(Op.BIND_NAME)})
_CALL = int(Role.CALL)


class Machine(Definitions):
    """Runs the events of one file; read the tables off it afterwards."""

    def __init__(self, source: bytes, language: Language) -> None:
        super().__init__(source, language)
        self._handlers = self._handler_table()

    def run(self, events: list[Event]) -> None:
        """Handles all events; uses of names, by far the commonest, are handled here."""
        source, value_at, chain = self._padded, self.value_at, self.chain_start
        starts, ref_names, recvs = self.ref_start, self.ref_name, self.ref_recv
        scopes, roles, names = self.ref_scope, self.ref_role, self.names
        parens = self.language.calls_by_paren
        last = -1
        top_end = self._frames[-1].end
        for start, negative_end, op in outside_trees(events):
            if start >= top_end:
                top_end = self._close(start)
            if _REF <= op <= _MEMBER_CALL:
                end = -negative_end
                if start == last:
                    self._use_again(op, start, end)
                    continue
                last = start
                recv = -2
                if op >= _MEMBER:
                    recv = self._receiver(start)
                called = op & 1
                value_at[end] = len(starts) * 3 + called
                chain.append(start if recv < 0 else chain[recv // 3])
                roles.append(_CALL if parens and source[end] == _PAREN else called)
                starts.append(start)
                ref_names.append(names[source[start:end]])
                recvs.append(recv)
                scopes.append(self._scope)
            else:
                self._given = -1
                self._handle(op, start, -negative_end)
                if self._given >= 0:
                    # A name where it is given is not a use of itself.
                    last = self._given
                top_end = self._frames[-1].end
        self._finish()

    def _handle(self, op: int, start: int, end: int) -> None:
        if op < _SPAN:
            self._define(op, start, end)
            return
        if op in _GIVING:
            self._given = start
        elif op == _NAME_QUALIFIED:
            self._given = self.source.rfind(b":", start, end) + 1
        self._handlers[op](start, end)

    def _use_again(self, op: int, start: int, end: int) -> None:
        """The same name by another pattern: it may tell more than the first."""
        if start == self._given or not self.ref_start or self.ref_start[-1] != start:
            return
        if op & 1:
            self.ref_role[-1] |= _CALL
            self.value_at[end] = len(self.ref_start) * 3 - 2
        if op >= _MEMBER and self.ref_recv[-1] == -2:
            # A general pattern has taken the member for a bare name.
            self.ref_recv[-1] = recv = self._value_before_dot(start)
            self.chain_start[-1] = start if recv < 0 else self.chain_start[recv // 3]

    def _receiver(self, start: int) -> int:
        """The value whose member is named at `start`; -1 if nothing is known of it."""
        source, value_at = self._padded, self.value_at
        at = start - 1
        while source[at] in SEPARATORS:
            at -= 1
        if source[at] == _GREATER and source[at - 1] == _DASH:
            at = self._skip_arrow(at)
        recv = value_at.get(at + 1, -1)
        if recv < 0:
            if source[at + 1] in _SUFFIXES:
                recv = value_at.get(at + 2, -1)
            elif source[at] == _DOLLAR:  # `Shelf::$count`
                recv = self._value_before_dot(at)
        return recv

    def _finish(self) -> None:
        self._close(len(self.source) + 2)
        self.exported = self._importing.finish(self.package)
        if self.language.imports == ImportStyle.CRATE:
            lift_supers(self.imports, self.symbols, self.names)
        # Names that are taken from nowhere, because the statement is not finished.
        self.imports[:] = [row for row in self.imports if row.module >= 0]
        self.transparent = self.names.known(self.language.transparent_types)

    def _handler_table(self) -> list[Callable[[int, int], None]]:
        """What handles each operation, by number: no look-up by name in the loop."""
        table: list[Callable[[int, int], None]] = [self._ignore] * (_FLAG + _FLAG_COUNT)
        for op in _IMPORT_OPS:
            table[op] = partial(self._import, op)
        for number, name in _handler_names():
            if hasattr(self, name):
                table[number] = getattr(self, name)
        for bit in range(_FLAG_COUNT):
            table[_FLAG + bit] = partial(self._on_flag, 1 << bit)
        return table

    def _ignore(self, start: int, end: int) -> None:
        """Helper captures do nothing."""

    def _import(self, op: Op, start: int, end: int) -> None:
        top = self._frames[-1]
        if op == Op.IMPORT and top.start == start and top.end == end and top.kind in VARIABLES:
            # `const a = require("a")` gives a name to a module and makes nothing itself.
            if top.symbol == len(self.symbols) - 1:
                del self.symbols[-1]
            top.symbol, top.kind = -1, int(op)
        self._importing.handle(op, start, end, self._scope)


@cache
def _handler_names() -> tuple[tuple[int, str], ...]:
    """Operations and the methods that may handle them."""
    return tuple((int(op), f"_on_{op.name.lower()}") for op in Op)

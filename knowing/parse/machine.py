"""The event machine: sorted captures in, raw tables of one file out.

Captures arrive outer before inner, left before right. Definitions and local declarations are
frames on a stack; whatever is captured inside belongs to the innermost frame. Expressions need no
tree: a name, a member or an argument list is a *value* that ends at some byte, and what follows
finds it there (`a.b(c).d`: `.d` finds the value that ends at `)`).
"""

from collections.abc import Callable
from functools import cache

from knowing.languages.language import ImportStyle
from knowing.model import SymbolFlag, SymbolKind
from knowing.parse.captures import Op
from knowing.parse.definitions import Definitions
from knowing.parse.facts import Role
from knowing.parse.grammar import Events
from knowing.parse.imports import ImportReader, lift_supers
from knowing.parse.refs import BARE, PENDING
from knowing.parse.rows import VARIABLES

# Plain integers: arithmetic on enum members costs several times as much.
_REF, _MEMBER, _MEMBER_CALL = int(Op.REF), int(Op.MEMBER), int(Op.MEMBER_CALL)
_GIVING = frozenset({int(Op.NAME), int(Op.BIND_NAME)})
_NAME_QUALIFIED, _TREE = int(Op.NAME_QUALIFIED), int(Op.IMPORT_TREE)
_CALL = int(Role.CALL)
_PAREN = ord("(")
_FLAG = int(Op.FLAG)
_FLAG_COUNT = len(SymbolFlag)
_IMPORT = int(Op.IMPORT)

Handler = Callable[["Machine", int, int], None]


class Machine(Definitions):
    """Runs the events of one file; read the tables off it afterwards."""

    def run(self, events: Events) -> None:
        """Handles all events, then completes what uses of names, by far the commonest, need."""
        value_at, frames = self.value_at, self._frames
        starts, ends, scopes = self.ref_start, self.ref_end, self.ref_scope
        recvs, roles = self.ref_recv, self.ref_role
        handlers = self._handlers()
        top_end, last, tree_end = frames[-1].end, -1, -1
        for start, end, op in zip(*(column.tolist() for column in events), strict=True):
            if start >= top_end:
                top_end = self._close(start)
            if _REF <= op <= _MEMBER_CALL:
                if start < tree_end:
                    continue  # Names in use trees are imports and nothing else.
                if start == last:
                    self._use_again(op, start, end)
                    continue
                last = start
                value_at[end] = len(starts) * 3 + (op & 1)
                starts.append(start)
                ends.append(end)
                scopes.append(self._scope)
                roles.append(op & 1)
                recvs.append(PENDING if op >= _MEMBER else BARE)
            else:
                handlers[op](self, start, end)
                top_end = frames[-1].end
                if op in _GIVING:
                    # A name where it is given is not a use of itself.
                    last = start
                elif op == _NAME_QUALIFIED:
                    last = self.source.rfind(b":", start, end) + 1
                elif op == _TREE:
                    tree_end = end
        self._close(len(self.source) + 2)
        self._complete_uses()
        self._finish()

    def _use_again(self, op: int, start: int, end: int) -> None:
        """The same name by another pattern: it may tell more than the first."""
        if not self.ref_start or self.ref_start[-1] != start:
            return
        if op & 1:
            self.ref_role[-1] |= _CALL
            self.value_at[end] = len(self.ref_start) * 3 - 2
        if op >= _MEMBER and self.ref_recv[-1] == BARE:
            # A general pattern has taken the member for a bare name.
            self.ref_recv[-1] = PENDING

    def _complete_uses(self) -> None:
        """Gives uses their names and members their receivers."""
        names, source, recvs = self.names, self._padded, self.ref_recv
        spans = list(zip(self.ref_start, self.ref_end, strict=True))
        self.ref_name = [names[source[start:end]] for start, end in spans]
        for ref, name in self._renamed:
            self.ref_name[ref] = name
        if self.language.calls_by_paren:
            called = [source[end] == _PAREN for end in self.ref_end]
            self.ref_role = [role | mark for role, mark in zip(self.ref_role, called, strict=True)]
        chain = self.chain_start = self.ref_start.copy()
        for ref, start in self._cast.items():
            chain[ref] = start
        for ref in [ref for ref, recv in enumerate(recvs) if recv != BARE]:
            recv = self._receiver_of(ref)
            if recv >= 0 and ref not in self._cast:
                chain[ref] = chain[recv // 3]

    def _finish(self) -> None:
        self.exported = self._importing.finish(self.package)
        if self.language.imports == ImportStyle.CRATE:
            lift_supers(self.imports, self.symbols, self.names)
        # Names that are taken from nowhere, because the statement is not finished.
        self.imports[:] = [row for row in self.imports if row.module >= 0]
        self.transparent = self.names.known(self.language.transparent_types)

    def _on_import(self, start: int, end: int) -> None:
        top = self._frames[-1]
        if top.start == start and top.end == end and top.kind in VARIABLES:
            # `const a = require("a")` gives a name to a module and makes nothing itself.
            if top.symbol == len(self.symbols) - 1:
                del self.symbols[-1]
            top.symbol, top.kind = -1, _IMPORT
        self._importing.begin(start, end)

    @classmethod
    @cache
    def _handlers(cls) -> tuple[Handler, ...]:
        """What handles each operation, by number: no look-up by name in the loop."""
        table: list[Handler] = [_ignore] * (_FLAG + _FLAG_COUNT)
        for kind in SymbolKind:
            table[Op.DEF + kind] = _defines(int(kind))
        for op in Op:
            name = f"on_{op.name.lower()}"
            if hasattr(ImportReader, name):
                table[op] = _imports(getattr(ImportReader, name))
            elif hasattr(cls, f"_{name}"):
                table[op] = getattr(cls, f"_{name}")
        for bit in range(_FLAG_COUNT):
            table[_FLAG + bit] = _flags(1 << bit)
        return tuple(table)


def _ignore(machine: Machine, start: int, end: int) -> None:
    """Helper captures do nothing."""


def _defines(kind: int) -> Handler:
    def define(machine: Machine, start: int, end: int) -> None:
        machine._define(kind, start, end)

    return define


def _flags(flag: int) -> Handler:
    def give_flag(machine: Machine, start: int, end: int) -> None:
        machine._on_flag(flag)

    return give_flag


def _imports(read: Callable[[ImportReader, int, int, int], None]) -> Handler:
    def read_import(machine: Machine, start: int, end: int) -> None:
        read(machine._importing, start, end, machine._scope)

    return read_import

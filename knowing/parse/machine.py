"""The event machine: sorted captures in, raw tables of one file out.

Captures arrive outer before inner, left before right. Definitions and local declarations are
frames on a stack; whatever is captured inside belongs to the innermost frame. Expressions need no
tree: a name, a member or an argument list is a *value* that ends at some byte, and what follows
finds it there (`a.b(c).d`: `.d` finds the value that ends at `)`).
"""

from collections.abc import Callable
from functools import partial

from knowing.languages import Language
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.captures import Op
from knowing.parse.facts import Mode, Role
from knowing.parse.grammar import Event
from knowing.parse.imports import ImportReader
from knowing.parse.rows import EXTENSION, Binding, Frame, Strings, SymbolRow

_VARIABLES = frozenset(
    map(int, (SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.ENUM_MEMBER))
)
_SCOPES = frozenset(
    {*TYPE_KINDS, *CALLABLE_KINDS, SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.DOC_SECTION}
)
_SEPARATORS = frozenset(b" \t\r\n.?!:\\")
_DASH, _GREATER, _PAREN = b"->("
# Plain integers: arithmetic on enum members costs several times as much.
_REF, _MEMBER, _MEMBER_CALL = int(Op.REF), int(Op.MEMBER), int(Op.MEMBER_CALL)
_SPAN, _ATTRIBUTE = int(Op.SPAN), int(Op.ATTRIBUTE)
_CALL, _NEW, _TEST = int(Role.CALL), int(Role.NEW), int(SymbolFlag.TEST)
_SAME, _CALLED = int(Mode.SAME), int(Mode.CALLED)
class Machine:
    """Runs the events of one file; read the tables off it afterwards."""

    def __init__(self, source: bytes, language: Language) -> None:
        self.source = source
        self.language = language
        self.names = Strings()
        self.symbols = [SymbolRow(SymbolKind.MODULE, -1, 0, len(source), name=0, name_start=0)]
        self.bindings: list[Binding] = []
        self.package = b""
        self.ref_name: list[int] = []
        self.ref_start: list[int] = []
        self.ref_scope: list[int] = []
        self.ref_recv: list[int] = []
        """The receiver's value, -1 unknown receiver, -2 a bare name."""
        self.ref_role: list[int] = []
        self.chain_start: list[int] = []
        self.value_at: dict[int, int] = {}
        self.roles: list[tuple[int, int, Role]] = []
        self.decorators: list[tuple[int, int]] = []
        """End of a decorator's expression, and the symbol it decorates."""
        self.literals: list[tuple[int, int, int, int, int]] = []
        """Value, whether it is a lookup, start and end of the text, scope."""
        self._frames: list[Frame] = [Frame(0, len(source) + 1, 0, SymbolKind.MODULE, 0, True)]
        self._scope = 0
        self._type_scope: dict[tuple[int, int], int] = {}
        self._pending_decorators: list[int] = []
        self._spans: dict[int, int] = {}
        self._importing = ImportReader(source, self.names, language.import_separator)
        self.imports = self._importing.rows
        self._handlers = self._handler_table()

    def run(self, events: list[Event]) -> None:
        """Handles all events; the commonest are handled here, the others by their method."""
        # The byte after the last is looked at, too.
        source = self.source + b"\n"
        value_at, chain, names = self.value_at, self.chain_start, self.names
        starts, ref_names, recvs = self.ref_start, self.ref_name, self.ref_recv
        scopes, roles, handlers = self.ref_scope, self.ref_role, self._handlers
        parens, last = self.language.calls_by_paren, -1
        top_end = self._frames[-1].end
        for start, end, op in events:
            end = -end
            if start >= top_end:
                top_end = self._close(start)
            if _REF <= op <= _MEMBER_CALL:
                if start == last:
                    if op & 1:
                        roles[-1] |= _CALL
                        value_at[end] = len(starts) * 3 - 2
                    continue
                last = start
                if op >= _MEMBER:
                    at = start - 1
                    while source[at] in _SEPARATORS:
                        at -= 1
                    if source[at] == _GREATER and source[at - 1] == _DASH:
                        at = self._skip_arrow(at)
                    recv = value_at.get(at + 1, -1)
                    chain.append(start if recv < 0 else chain[recv // 3])
                else:
                    recv = -2
                    chain.append(start)
                called = op & 1
                if parens and source[end] == _PAREN:
                    roles.append(_CALL)
                else:
                    roles.append(called)
                value_at[end] = len(starts) * 3 + called
                starts.append(start)
                ref_names.append(names[source[start:end]])
                recvs.append(recv)
                scopes.append(self._scope)
            elif op < _SPAN:
                self._define(op, start, end)
                top_end = self._frames[-1].end
            else:
                handlers[op](start, end)
                top_end = self._frames[-1].end
        self._close(len(source) + 2)

    def _skip_arrow(self, at: int) -> int:
        """The last byte of what stands before `->`, which ends at `at`."""
        at -= 2
        while at > 0 and self.source[at] in _SEPARATORS:
            at -= 1
        return at

    def _handler_table(self) -> list[Callable[[int, int], None]]:
        """What handles each operation, by number: no look-up by name in the loop."""
        table: list[Callable[[int, int], None]] = [self._ignore] * (Op.FLAG + len(SymbolFlag))
        for op in Op:
            method = getattr(self, f"_on_{op.name.lower()}", None)
            if method:
                table[op] = method
            elif Op.IMPORT <= op <= Op.IMPORT_STATIC:
                table[op] = partial(self._import, op)
        for bit in range(len(SymbolFlag)):
            table[Op.FLAG + bit] = partial(self._on_flag, 1 << bit)
        return table

    def _ignore(self, start: int, end: int) -> None:
        """Helper captures do nothing."""

    def _import(self, op: Op, start: int, end: int) -> None:
        self._importing.handle(op, start, end, self._scope)

    # -- definitions ---------------------------------------------------------------------------

    def _define(self, kind: int, start: int, end: int) -> None:
        top = self._frames[-1]
        if kind in _VARIABLES:
            if top.start == start and top.end == end and top.symbol >= 0 and not top.named:
                return
            if self.symbols[self._scope].kind in CALLABLE_KINDS:
                self._frames.append(Frame(start, end, -1, kind, self._scope))
                return
        self._push(kind, start, end)

    def _push(self, kind: int, start: int, end: int) -> SymbolRow:
        symbol = len(self.symbols)
        row = SymbolRow(kind, self._scope, self._spans.pop(end, start), end, head=start)
        self.symbols.append(row)
        self._frames.append(Frame(start, end, symbol, kind, self._scope))
        if kind in _SCOPES or kind == EXTENSION:
            self._scope = symbol
        if self._pending_decorators and kind not in _VARIABLES:
            self.decorators += [(end, symbol) for end in self._pending_decorators]
            self._pending_decorators.clear()
        return row

    def _close(self, start: int) -> int:
        """Pops the frames that end at or before `start`; returns where the next one ends."""
        frames = self._frames
        while len(frames) > 1 and frames[-1].end <= start:
            frame = frames.pop()
            if frame.symbol >= 0:
                self._scope = frame.outer_scope
            else:
                for name, at in frame.names:
                    self.bindings.append(
                        Binding(frame.outer_scope, name, at, frame.type, frame.value)
                    )
        return frames[-1].end

    def _on_name(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        name = self._intern(start, end)
        if frame.symbol < 0:
            frame.names.append((name, start))
            return
        row = self.symbols[frame.symbol]
        if frame.kind == _ATTRIBUTE:
            self._name_attribute(frame, row, name, start)
        elif not frame.named:
            frame.named = True
            row.name, row.name_start = name, start
        elif frame.kind in _VARIABLES:
            twin = SymbolRow(
                row.kind, row.parent, row.start, row.end, row.flags, name, start, head=row.head
            )
            self.symbols.append(twin)

    def _on_extension(self, start: int, end: int) -> None:
        row = self._push(EXTENSION, start, end)
        self._frames[-1].named = True
        row.name, row.name_start = 0, start

    def _on_test(self, start: int, end: int) -> None:
        self._push(SymbolKind.FUNCTION, start, end).flags |= _TEST

    def _on_owner(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol > 0:
            self.symbols[frame.symbol].owner = self._intern(start, end)
            if frame.kind == EXTENSION:
                self.symbols[frame.symbol].name = self.symbols[frame.symbol].owner

    def _on_span(self, start: int, end: int) -> None:
        self._spans[end] = start

    def _on_body(self, start: int, _end: int) -> None:
        row = self.symbols[self._frames[-1].symbol]
        if row.body < 0:
            row.body = start

    def _on_doc(self, start: int, end: int) -> None:
        row = self.symbols[self._scope]
        if row.doc is None:
            row.doc = (start, end)

    def _on_flag(self, flag: int, _start: int, _end: int) -> None:
        symbol = self._frames[-1].symbol
        if symbol > 0:
            self.symbols[symbol].flags |= flag

    # -- attributes of the instance ------------------------------------------------------------

    def _on_attribute(self, start: int, end: int) -> None:
        owner = self.enclosing_type(self._scope)
        if owner < 0 or owner == self._scope:
            self._frames.append(Frame(start, end, -1, SymbolKind.VARIABLE, self._scope))
            return
        self.symbols.append(SymbolRow(SymbolKind.FIELD, owner, start, end, head=start))
        self._frames.append(Frame(start, end, len(self.symbols) - 1, Op.ATTRIBUTE, self._scope))

    def _on_self_owner(self, start: int, end: int) -> None:
        text = self.source[start:end].decode("utf-8", "replace")
        frame = self._frames[-1]
        if frame.kind == _ATTRIBUTE and text not in self.language.self_names:
            frame.named = True

    def _name_attribute(self, frame: Frame, row: SymbolRow, name: int, start: int) -> None:
        """Names the field, unless another object's attribute is set or the field exists."""
        if frame.named:
            return
        frame.named = True
        known = self._type_scope.setdefault((row.parent, name), frame.symbol)
        if known == frame.symbol:
            row.name, row.name_start = name, start
        else:
            frame.symbol = known

    # -- local names and types -----------------------------------------------------------------

    def _on_bind(self, start: int, end: int) -> None:
        self._frames.append(Frame(start, end, -1, Op.BIND, self._scope))

    def _on_bind_name(self, start: int, end: int) -> None:
        self.bindings.append(Binding(self._scope, self._intern(start, end), start))

    def _on_type(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        self.roles.append((start, end, Role.TYPE))
        if frame.symbol < 0:
            frame.type = frame.type or (start, end)
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.type = row.type or (start, end)

    def _on_package(self, start: int, end: int) -> None:
        self.package = self.package or self.source[start:end]

    def _on_value(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol < 0:
            frame.value = (start, end)
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.value = row.value or (start, end)

    # -- uses ----------------------------------------------------------------------------------

    def _value_before(self, start: int) -> int:
        value = self.value_at.get(start)
        if value is None:
            at = start - 1
            while at >= 0 and self.source[at] in b" \t!":
                at -= 1
            value = self.value_at.get(at + 1, -1)
        return value

    def _on_args(self, start: int, end: int) -> None:
        value = self._value_before(start)
        if value >= 0:
            ref, mode = divmod(value, 3)
            self.ref_role[ref] |= _CALL
            if mode == _SAME or start not in self.value_at:
                self.value_at[end] = ref * 3 + _CALLED
            elif value % 3 == _CALLED and self.source[start - 1 : start] != b")":
                # A language whose members are calls by themselves: `foo.bar(1)` is one call.
                self.value_at[end] = value

    def _on_fields(self, start: int, end: int) -> None:
        value = self._value_before(start)
        if value >= 0:
            self.ref_role[value // 3] |= _NEW
            self.value_at[end] = value // 3 * 3 + _CALLED

    def _on_pass(self, start: int, end: int) -> None:
        at = start
        while at > 0 and self.source[at - 1] in _SEPARATORS:
            at -= 1
        value = self.value_at.get(at, -1)
        if value >= 0:
            self.value_at[end] = value

    def _on_base(self, start: int, end: int) -> None:
        self.roles.append((start, end, Role.BASE))

    def _on_implements(self, start: int, end: int) -> None:
        self.roles.append((start, end, Role.IMPLEMENTS))

    def _on_throw(self, start: int, end: int) -> None:
        self.roles.append((start, end, Role.THROW))

    def _on_decorator(self, _start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol > 0 and not frame.named:
            self.decorators.append((end, frame.symbol))
        else:
            self._pending_decorators.append(end)

    def _on_string(self, start: int, end: int) -> None:
        value = self._value_before_bracket(start, b"( \r\n\t")
        if value >= 0:
            self.literals.append((value, 0, start, end, self._scope))

    def _on_string_key(self, start: int, end: int) -> None:
        value = self._value_before_bracket(start, b"[ ")
        if value >= 0:
            self.literals.append((value, 1, start, end, self._scope))

    def _value_before_bracket(self, start: int, skipped: bytes) -> int:
        """The value that a literal is the first argument or the key of."""
        at = start - 1
        while at > 0 and self.source[at] in skipped:
            at -= 1
        return self.value_at.get(at + 1, -1)

    # -- helpers -------------------------------------------------------------------------------

    def _intern(self, start: int, end: int) -> int:
        return self.names[self.source[start:end]]

    def enclosing_type(self, symbol: int) -> int:
        """The nearest type, extension or member of a named owner around `symbol`; -1 if none."""
        while symbol > 0:
            row = self.symbols[symbol]
            if row.kind in TYPE_KINDS or row.kind == EXTENSION or row.owner >= 0:
                return symbol
            symbol = self.symbols[symbol].parent
        return -1

"""The event machine: sorted captures in, raw tables of one file out.

Captures arrive outer before inner, left before right. Definitions and local declarations are
frames on a stack; whatever is captured inside belongs to the innermost frame. Expressions need no
tree: a name, a member or an argument list is a *value* that ends at some byte, and what follows
finds it there (`a.b(c).d`: `.d` finds the value that ends at `)`).
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cache, partial

from knowing.languages import Language
from knowing.languages.language import ImportStyle
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.captures import Op
from knowing.parse.facts import Mode, Role
from knowing.parse.grammar import Event
from knowing.parse.imports import ImportReader, lift_supers, outside_trees
from knowing.parse.rows import EXTENSION, HOLDERS, VARIABLES, Binding, Frame, Strings, SymbolRow

_SCOPES = frozenset(
    {*TYPE_KINDS, *CALLABLE_KINDS, SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.DOC_SECTION}
)
_SEPARATORS = frozenset(b" \t\r\n.?!:\\")
_SUFFIXES = b"?!"
"""Last bytes of names in some languages (`valid?.to_s`) although they are separators in others."""
_SECTIONS = {
    b"public": 0,
    b"private": int(SymbolFlag.PRIVATE),
    b"protected": int(SymbolFlag.PROTECTED),
    b"class": int(SymbolFlag.PRIVATE),
}
"""Words that begin a section of a body, or the keyword of a body whose first section is private."""
_NAMED_ARGUMENT = re.compile(rb"\([^()\"']*[=:{\[]\s*\Z")
_AFTER_DECORATOR = re.compile(rb"[\s\],]*")
_MACRO_CALLS = (b"!(", b"![", b"!{")
_DASH, _GREATER, _PAREN, _COLON, _SEMICOLON, _COMMA, _CLOSING, _AT, _DOLLAR, _BANG = (
    b"->(:;,)@$!"
)
_OPENING, _BRACKET = b"[]"
# Plain integers: arithmetic on enum members costs several times as much.
_REF, _MEMBER, _MEMBER_CALL = int(Op.REF), int(Op.MEMBER), int(Op.MEMBER_CALL)
_SPAN, _ATTRIBUTE = int(Op.SPAN), int(Op.ATTRIBUTE)
_FLAG, _FLAG_COUNT = int(Op.FLAG), len(SymbolFlag)
_IMPORT_OPS = tuple(op for op in Op if op.name.startswith(("IMPORT", "EXPORT")))
_NAME, _BIND_NAME, _CLOSURE = int(Op.NAME), int(Op.BIND_NAME), int(Op.CLOSURE)
_ANONYMOUS, _CAST, _NAME_QUALIFIED = int(Op.ANONYMOUS), int(Op.CAST), int(Op.NAME_QUALIFIED)
_CALL, _NEW, _TEST = int(Role.CALL), int(Role.NEW), int(SymbolFlag.TEST)
_ABSTRACT = int(SymbolFlag.ABSTRACT)
_SAME, _CALLED, _INSTANCE = int(Mode.SAME), int(Mode.CALLED), int(Mode.INSTANCE)
_BASE = int(Role.BASE)
_BINDING = VARIABLES | {int(Op.BIND)}
"""Frames whose names are local when they are no symbols."""


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
        self.notes: list[int] = []
        """Ends of decorators of parameters and local names, which have no symbol."""
        self.literals: list[tuple[int, int, int, int, int]] = []
        """Value, whether it is a lookup, start and end of the text, scope."""
        self._frames: list[Frame] = [Frame(0, len(source) + 1, 0, SymbolKind.MODULE, 0, True)]
        self._scope = 0
        self._type_scope: dict[tuple[int, int], int] = {}
        self._owner_names: set[int] = set()
        self._assigned: set[int] = set()
        """Fields of which only assignments have been seen."""
        self._pending_decorators: list[tuple[int, int]] = []
        self._spans: dict[int, int] = {}
        self._title: tuple[int, int] | None = None
        self.closures: list[tuple[int, int]] = []
        """Starts of functions without a name, and their rows."""
        self._importing = ImportReader(source, self.names, language.import_separator)
        self.imports = self._importing.rows
        self.transparent: frozenset[int] = frozenset()
        """Names of types that are looked through."""
        self.exported: frozenset[int] = frozenset()
        """Names of the file's own that a list or a later statement exports."""
        self._transparent = frozenset(name.encode() for name in language.transparent_members)
        self._handlers = self._handler_table()

    def run(self, events: list[Event]) -> None:
        """Handles all events; the commonest are handled here, the others by their method."""
        # The byte after the last is looked at, too.
        source = self.source + b"\n"
        value_at, chain, names = self.value_at, self.chain_start, self.names
        starts, ref_names, recvs = self.ref_start, self.ref_name, self.ref_recv
        scopes, roles, handlers = self.ref_scope, self.ref_role, self._handlers
        parens, last, given = self.language.calls_by_paren, -1, -1
        top_end = self._frames[-1].end
        for start, end, op in outside_trees(events):
            end = -end
            if start >= top_end:
                top_end = self._close(start)
            if _REF <= op <= _MEMBER_CALL:
                if start == last:
                    if start == given:
                        continue
                    if op & 1:
                        roles[-1] |= _CALL
                        value_at[end] = len(starts) * 3 - 2
                    if op >= _MEMBER and recvs[-1] == -2:
                        # A general pattern has taken the member for a bare name.
                        recvs[-1] = recv = self._value_before_dot(start)
                        chain[-1] = start if recv < 0 else chain[recv // 3]
                    continue
                last = start
                if op >= _MEMBER:
                    at = start - 1
                    while source[at] in _SEPARATORS:
                        at -= 1
                    if source[at] == _GREATER and source[at - 1] == _DASH:
                        at = self._skip_arrow(at)
                    recv = value_at.get(at + 1, -1)
                    if recv < 0:
                        if source[at + 1] in _SUFFIXES:
                            recv = value_at.get(at + 2, -1)
                        elif source[at] == _DOLLAR:  # `Shelf::$count`
                            recv = self._value_before_dot(at)
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
                if op == _NAME or op == _BIND_NAME:
                    # A name where it is given is not a use of itself.
                    last = given = start
                elif op == _NAME_QUALIFIED:
                    last = given = source.rfind(b":", start, end) + 1
                handlers[op](start, end)
                top_end = self._frames[-1].end
        self._close(len(source) + 2)
        self.exported = self._importing.finish(self.package)
        if self.language.imports == ImportStyle.CRATE:
            lift_supers(self.imports, self.symbols, self.names)
        self.transparent = self.names.known(self.language.transparent_types)

    def _value_before_dot(self, start: int) -> int:
        """The value whose member begins at `start`; -1 if nothing is known of it."""
        at = start - 1
        while at > 0 and self.source[at] in _SEPARATORS:
            at -= 1
        if self.source[at - 1 : at + 1] == b"->":
            at = self._skip_arrow(at)
        return self.value_at.get(at + 1, -1)

    def _skip_arrow(self, at: int) -> int:
        """The last byte of what stands before `->`, which ends at `at`."""
        at -= 2
        while at > 0 and self.source[at] in _SEPARATORS:
            at -= 1
        return at

    def _handler_table(self) -> list[Callable[[int, int], None]]:
        """What handles each operation, by number: no look-up by name in the loop."""
        table: list[Callable[[int, int], None]] = [self._ignore] * (_FLAG + _FLAG_COUNT)
        for op in _IMPORT_OPS:
            table[op] = partial(self._import, op)
        for number, name in _handler_names(type(self)):
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

    # -- definitions ---------------------------------------------------------------------------

    def _define(self, kind: int, start: int, end: int) -> None:
        top = self._frames[-1]
        again = top.start == start and top.end == end and top.symbol > 0 and not top.named
        if again and kind not in VARIABLES and top.kind in _SCOPES:
            # A module that has methods beside the general pattern: the special one counts.
            top.kind = self.symbols[top.symbol].kind = kind
            return
        if kind in VARIABLES:
            if again:
                if top.kind in VARIABLES:
                    # `const` beside the general pattern for fields: the special one counts.
                    top.kind = self.symbols[top.symbol].kind = kind
                return
            if self.symbols[self._scope].kind in CALLABLE_KINDS:
                self._frames.append(Frame(start, end, -1, kind, self._scope))
                return
        self._push(kind, start, end)

    def _push(self, kind: int, start: int, end: int) -> SymbolRow:
        symbol = len(self.symbols)
        row = SymbolRow(
            kind,
            self._scope,
            self._spans.pop(end, start),
            end,
            self._frames[-1].section,
            head=start,
        )
        self.symbols.append(row)
        self._frames.append(Frame(start, end, symbol, kind, self._scope))
        if kind in _SCOPES or kind == EXTENSION:
            self._scope = symbol
        if self._pending_decorators and kind not in VARIABLES:
            self.decorators += [(end, symbol) for _, end in self._pending_decorators]
            row.start = min(row.start, self._pending_decorators[0][0])
            self._pending_decorators.clear()
        return row

    def _close(self, start: int) -> int:
        """Pops the frames that end at or before `start`; returns where the next one ends."""
        frames = self._frames
        while len(frames) > 1 and frames[-1].end <= start:
            frame = frames.pop()
            if frame.symbol >= 0:
                self._scope = frame.outer_scope
                if frame.bound:
                    row = self.symbols[frame.symbol]
                    self.bindings.append(
                        Binding(frame.outer_scope, row.name, row.name_start, row.type, row.value)
                    )
            elif frame.kind == _CAST:
                self._end_cast(frame)
            else:
                for name, at in frame.names:
                    # In `x = f(x)` the new name holds from the end of its value on.
                    since = frame.value[1] if frame.value else at
                    self.bindings.append(
                        Binding(frame.outer_scope, name, since, frame.type, frame.value)
                    )
        return frames[-1].end

    def _on_name(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if self.source[start] == _COLON:
            start += 1
        name = self._intern(start, end)
        if frame.symbol < 0:
            if frame.kind in _BINDING or self.source[start] == _AT:
                frame.names.append((name, start))
            return
        row = self.symbols[frame.symbol]
        if frame.kind == _ANONYMOUS:
            if not frame.named:
                frame.named = True
                self._name_anonymous(row, name, start)
        elif frame.kind == _ATTRIBUTE:
            self._name_attribute(frame, row, name, start)
        elif not frame.named:
            frame.named = True
            row.name, row.name_start = name, start
            if self.symbols[row.parent].kind in TYPE_KINDS:
                self._declare(row.parent, name, frame.symbol)
        elif frame.kind in VARIABLES:
            twin = SymbolRow(
                row.kind, row.parent, row.start, row.end, row.flags, name, start, head=row.head
            )
            twin.type = row.type
            self.symbols.append(twin)

    def _on_name_used(self, start: int, end: int) -> None:
        self._on_name(start, end)

    def _on_extension(self, start: int, end: int) -> None:
        row = self._push(EXTENSION, start, end)
        self._frames[-1].named = True
        row.name, row.name_start = 0, start

    def _on_test(self, start: int, end: int) -> None:
        top = self._frames[-1]
        if (top.start, top.end, top.kind) == (start, end, SymbolKind.FUNCTION):
            self.symbols[top.symbol].flags |= _TEST
            return
        row = self._push(SymbolKind.FUNCTION, start, end)
        row.flags |= _TEST
        row.titled = True
        if self._title:
            title, self._title = self._title, None
            row.head = row.start = self.source.rfind(b"\n", 0, title[0]) + 1
            row.body = start
            self._on_name(*title)

    def _on_title(self, start: int, end: int) -> None:
        self._title = (start, end)

    def _on_owner(self, start: int, end: int) -> None:
        # The owner may stand in a declaration of its own: `func (s *Server) Run`.
        frame = next(frame for frame in reversed(self._frames) if frame.symbol >= 0)
        if frame.symbol > 0:
            owner = self.symbols[frame.symbol].owner = self._intern(start, end)
            self._owner_names.add(owner)
            if frame.kind == EXTENSION:
                self.symbols[frame.symbol].name = self.symbols[frame.symbol].owner

    def _on_receiver(self, start: int, end: int) -> None:
        frame = next(frame for frame in reversed(self._frames) if frame.symbol >= 0)
        self.symbols[frame.symbol].receiver = self._intern(start, end)

    def _on_span(self, start: int, end: int) -> None:
        """The outermost counts; a statement's semicolon is not part of what it defines."""
        self._spans.setdefault(end, start)
        if self.source[end - 1] == _SEMICOLON:
            self._spans.setdefault(end - 1, start)

    def _on_body(self, start: int, _end: int) -> None:
        # A body that is one definition and nothing else begins where that begins.
        symbol = next((f.symbol for f in reversed(self._frames) if f.start < start), 0)
        if symbol > 0 and self.symbols[symbol].body < 0:
            self.symbols[symbol].body = start

    def _on_closure(self, start: int, end: int) -> None:
        """A row without a name: a scope while the file is read, left out of its symbols."""
        top = self._frames[-1]
        if top.symbol > 0 and top.end == end and top.kind in CALLABLE_KINDS:
            return  # `const f = () => ...`: the function that is being defined.
        self.closures.append((start, len(self.symbols)))
        self.symbols.append(SymbolRow(SymbolKind.FUNCTION, self._scope, start, end, head=start))
        self._frames.append(
            Frame(start, end, len(self.symbols) - 1, _CLOSURE, self._scope, named=True)
        )
        self._scope = len(self.symbols) - 1

    def _on_members(self, _start: int, _end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol > 0 and frame.kind in VARIABLES:
            self._scope = frame.symbol

    def _on_doc(self, start: int, end: int) -> None:
        row = self.symbols[self._scope]
        if row.doc is None:
            row.doc = (start, end)
        elif not self.source[row.doc[1] : start].strip():
            row.doc = (row.doc[0], end)

    def _on_flag(self, flag: int, _start: int, _end: int) -> None:
        symbol = self._frames[-1].symbol
        if symbol > 0:
            self.symbols[symbol].flags |= flag

    def _on_section(self, start: int, end: int) -> None:
        flags = _SECTIONS.get(self.source[start:end].strip(b" \t:"))
        if flags is not None:
            self._frames[-1].section = flags

    def _on_prototype(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol <= 0 or (frame.start, frame.end) != (start, end):
            return
        row = self.symbols[frame.symbol]
        row.flags |= _ABSTRACT
        if frame.kind in VARIABLES:
            row.kind = frame.kind = SymbolKind.FUNCTION
            self._scope = frame.symbol

    def _on_name_qualified(self, start: int, end: int) -> None:
        text = self.source[start:end]
        at = text.rfind(b"::")
        owner = text[:at].strip().removeprefix(b"::") if at > 0 else b""
        frame = self._frames[-1]
        if owner and frame.symbol > 0 and not frame.named:
            self.symbols[frame.symbol].owner = self.names[owner]
        last = text[at + 2 :] if at >= 0 else text
        self._on_name(end - len(last.lstrip()), end)

    def _on_alias(self, start: int, end: int) -> None:
        made = next(
            row
            for row in reversed(self.symbols)
            if (row.parent == self._scope and row.kind in TYPE_KINDS) or row.parent < 0
        )
        if made.parent < 0 or made.end > start or made.name == self._intern(start, end):
            return
        row = SymbolRow(SymbolKind.TYPE, self._scope, made.start, end, head=made.head)
        row.name, row.name_start, row.body = self._intern(start, end), start, made.body
        row.type = (start, end)
        self.symbols.append(row)
        self._add_ref(made.name, start, end)

    # -- types without a name ------------------------------------------------------------------

    def _on_anonymous(self, start: int, end: int) -> None:
        """A body is called after what stands before it: a type it extends, or an enum's member."""
        outer, value = self._frames[-1], self._value_before(start)
        row = self._push(SymbolKind.CLASS, start, end)
        self._frames[-1].kind = _ANONYMOUS
        if value >= 0:
            ref = value // 3
            self.ref_scope[ref] = self._scope
            self.ref_role[ref] |= _BASE
            row.start, row.head, row.body = self.ref_start[ref], self.chain_start[ref], start
            self._name_anonymous(row, self.ref_name[ref], self.ref_start[ref])
        elif outer.symbol > 0 and outer.kind == SymbolKind.ENUM_MEMBER:
            member = self.symbols[outer.symbol]
            row.head, row.body = member.head, start
            self._name_anonymous(row, member.name, start)

    def _name_anonymous(self, row: SymbolRow, name: int, start: int) -> None:
        """The braces keep it apart from the type that it is called after."""
        row.name, row.name_start = self.names[self.names.texts[name] + b"{}"], start

    # -- attributes of the instance ------------------------------------------------------------

    def _on_attribute(self, start: int, end: int) -> None:
        owner = self.enclosing_type(self._scope)
        if owner < 0:
            self._frames.append(Frame(start, end, -1, _ATTRIBUTE, self._scope))
            return
        around = self.symbols[owner]
        row = SymbolRow(SymbolKind.FIELD, owner, start, end, head=start)
        if around.owner >= 0 and around.kind in CALLABLE_KINDS:
            # The method stands outside its type, and so does what it sets.
            row.parent, row.owner = around.parent, around.owner
        self.symbols.append(row)
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
        # A type that stands elsewhere is known by its name only.
        key = (row.parent if row.owner < 0 else -2 - row.owner, name)
        if self.language.declared_fields and not frame.bound:
            known = self._type_scope.get(key, -1)
        else:
            known = self._type_scope.setdefault(key, frame.symbol)
        if known < 0:
            frame.symbol = -1
        elif known == frame.symbol:
            row.name, row.name_start = name, start
            self._assigned.add(known)
        else:
            # A method that is bound anew, `this.f = this.f.bind(this)`, stays what it is.
            frame.symbol = -1 if self.symbols[known].kind in CALLABLE_KINDS else known

    def _declare(self, owner: int, name: int, symbol: int) -> None:
        """A declared member takes the place of a field that was only seen to be assigned."""
        known = self._type_scope.get((owner, name))
        if known is None or known in self._assigned:
            self._type_scope[owner, name] = symbol
            if known is not None:
                self.symbols[known].name = -1

    # -- local names and types -----------------------------------------------------------------

    def _on_bind(self, start: int, end: int) -> None:
        top = self._frames[-1]
        if top.kind == _ATTRIBUTE and top.start == start and top.end == end and top.symbol > 0:
            top.bound = True
            return
        self._frames.append(Frame(start, end, -1, Op.BIND, self._scope))

    def _on_bind_name(self, start: int, end: int) -> None:
        if start < self._importing.end:
            return
        self.bindings.append(Binding(self._scope, self._intern(start, end), start))

    def _on_cast(self, start: int, end: int) -> None:
        self._frames.append(Frame(start, end, -1, Op.CAST, self._scope))

    def _end_cast(self, frame: Frame) -> None:
        """The whole expression is an instance of the type named in it, or what a part of it is."""
        if frame.value and not frame.type:
            value = self.value_at.get(frame.value[1], -1)
            if value >= 0:
                self.value_at[frame.end] = value
            return
        start, end = frame.type or (0, 0)
        ref = bisect_left(self.ref_start, start)
        known = len(self.ref_start)
        while (
            ref + 1 < known and self.ref_recv[ref + 1] == ref * 3 and self.ref_start[ref + 1] < end
        ):
            ref += 1
        if ref < known and self.ref_start[ref] < end:
            self.value_at[frame.end] = ref * 3 + _INSTANCE
            self.chain_start[ref] = frame.start

    def _on_type(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        self.roles.append((start, end, Role.TYPE))
        if frame.symbol < 0:
            if frame.type is None:
                frame.type = (start, end)
            elif frame.names and start >= frame.type[1]:
                # `switch x := v.(type)`: each case gives the name another type.
                self.bindings += [
                    Binding(frame.outer_scope, name, start, (start, end)) for name, _ in frame.names
                ]
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.type = row.type or (start, end)

    def _on_type_use(self, start: int, end: int) -> None:
        self.roles.append((start, end, Role.TYPE))

    def _on_package(self, start: int, end: int) -> None:
        self.package = self.package or self.source[start:end]

    def _on_value(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol < 0:
            frame.value = (start, end)
        elif frame.symbol > 0:
            row = self.symbols[frame.symbol]
            row.value = row.value or (start, end)

    def _on_result(self, start: int, end: int) -> None:
        row = self.symbols[self._scope]
        if row.kind in CALLABLE_KINDS:
            row.value = row.value or (start, end)

    # -- uses ----------------------------------------------------------------------------------

    def _on_member_quoted(self, start: int, end: int) -> None:
        self._on_ref_quoted(start, end)
        at = start
        while at > 0 and self.source[at - 1] in b" \t\r\n,'\"":
            at -= 1
        self.ref_recv[-1] = recv = self.value_at.get(at, -1)
        self.chain_start[-1] = self.chain_start[recv // 3] if recv >= 0 else start

    def _on_ref_quoted(self, start: int, end: int) -> None:
        text = self.source[start:end]
        name = text.strip(b":\"'")
        start += text.find(name)
        self._add_ref(self.names[name], start, start + len(name))

    def _on_token(self, start: int, end: int) -> None:
        before, after = self.source[start - 2 : start], self.source[end : end + 2]
        member = before == b"::" or (before[-1:] == b"." and before != b"..")
        recv = self._value_before_dot(start) if member else -2
        self._add_ref(self._intern(start, end), start, end, recv)
        if after[:1] == b"(" or after in _MACRO_CALLS:
            self.ref_role[-1] = _CALL

    def _add_ref(self, name: int, start: int, end: int, recv: int = -2) -> None:
        """A use that the loop over all events has not seen as one."""
        self.value_at[end] = len(self.ref_start) * 3
        self.chain_start.append(start if recv < 0 else self.chain_start[recv // 3])
        self.ref_role.append(0)
        self.ref_start.append(start)
        self.ref_name.append(name)
        self.ref_recv.append(recv)
        self.ref_scope.append(self._scope)

    def _value_before(self, start: int) -> int:
        value = self.value_at.get(start)
        if value is None:
            at = start - 1
            while at >= 0 and self.source[at] in b" \t\r\n!":
                at -= 1
            if self.source[at - 1 : at + 1] == b"?.":
                at -= 2
            value = self.value_at.get(at + 1, -1)
        return value

    def _on_args(self, start: int, end: int) -> None:
        value = self._value_before(start)
        if value >= 0:
            ref, mode = divmod(value, 3)
            self.ref_role[ref] |= _CALL
            if self._transparent and self.names.texts[self.ref_name[ref]] in self._transparent:
                if self.ref_recv[ref] >= 0:
                    self.value_at[end] = self.ref_recv[ref]
                    return
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
        if self.source[at] == _BRACKET:
            # An element of an array that is declared by its elements: `Item items[]`.
            depth = 1
            while depth and at > 0:
                at -= 1
                depth += (self.source[at] == _BRACKET) - (self.source[at] == _OPENING)
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

    def _on_decorator(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        if frame.symbol > 0 and not frame.named:
            self.decorators.append((end, frame.symbol))
            row = self.symbols[frame.symbol]
            if not self.source[row.head : start].strip(b" \t\r\n@[#"):
                after = _AFTER_DECORATOR.match(self.source, end)
                row.head = after.end() if after else end
        elif frame.symbol < 0:
            self.notes.append(end)
        else:
            while start and self.source[start - 1] in b"@[#!":
                start -= 1
            self._pending_decorators.append((start, end))

    def _on_string(self, start: int, end: int) -> None:
        value = self._value_before_bracket(start, b"( \r\n\t")
        if value >= 0:
            self.literals.append((value, 0, start, end, self._scope))

    def _on_string_key(self, start: int, end: int) -> None:
        value = self._value_before_bracket(start, b"[ ")
        if value >= 0:
            self.literals.append((value, 1, start, end, self._scope))

    def _value_before_bracket(self, start: int, skipped: bytes) -> int:
        """The value that a literal is an argument or the key of."""
        at = start - 1
        while at > 0 and self.source[at] in skipped:
            at -= 1
        if self.source[at] == _COMMA:
            at = self._before_arguments(at)
        value = self.value_at.get(at + 1, -1)
        if value < 0 and self.source[at] == _BANG:
            value = self.value_at.get(at, -1)
        if value < 0:
            # `@GetMapping(value = "/x")`
            named = _NAMED_ARGUMENT.search(self.source, max(0, start - 120), start)
            value = self.value_at.get(named.start(), -1) if named else -1
        return value

    def _before_arguments(self, at: int) -> int:
        """The last byte before the parenthesis that is open at `at`; -1 if it is far."""
        depth = 0
        for back in range(at, max(at - 200, 0), -1):
            byte = self.source[back]
            if byte == _CLOSING:
                depth += 1
            elif byte == _PAREN:
                if depth == 0:
                    return back - 1
                depth -= 1
        return -1

    # -- helpers -------------------------------------------------------------------------------

    def _intern(self, start: int, end: int) -> int:
        return self.names[self.source[start:end]]

    def enclosing_type(self, symbol: int) -> int:
        """The nearest type, extension, object or member of a named owner; -1 if there is none."""
        while symbol > 0:
            row = self.symbols[symbol]
            if row.kind in HOLDERS or row.owner >= 0:
                return symbol
            if row.parent == 0 and row.name in self._owner_names:
                return symbol  # A function that makes instances: `Shelf.prototype.fill = ...`.
            symbol = self.symbols[symbol].parent
        return -1


@cache
def _handler_names(machine: type[Machine]) -> tuple[tuple[int, str], ...]:
    """Operations and the methods that handle them: found once, as a machine serves one file."""
    names = ((int(op), f"_on_{op.name.lower()}") for op in Op)
    return tuple((number, name) for number, name in names if hasattr(machine, name))

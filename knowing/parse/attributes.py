"""Fields that assignments make, and types without a name."""

from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolKind
from knowing.parse.captures import Op
from knowing.parse.facts import Role
from knowing.parse.local_names import LocalNames
from knowing.parse.rows import EXTENSION, VARIABLES, Frame, SymbolRow, encoded

# Plain integers: arithmetic on enum members costs several times as much.
_SCOPES = frozenset(
    {
        *TYPE_KINDS,
        *CALLABLE_KINDS,
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
        SymbolKind.DOC_SECTION,
        EXTENSION,
    }
)
_FIELD, _CLASS = int(SymbolKind.FIELD), int(SymbolKind.CLASS)
_ATTRIBUTE = int(Op.ATTRIBUTE)
_ANONYMOUS = int(Op.ANONYMOUS)
_BASE = int(Role.BASE)


class Attributes(LocalNames):
    """Handles what defines something without a keyword."""

    def _push(self, kind: int, start: int, end: int) -> SymbolRow:
        symbol, scope = len(self.symbols), self._scope
        begin = self._spans.pop(end, start) if self._spans else start
        row = SymbolRow(kind, scope, begin, end, start)
        section = self._frames[-1].section
        if section:
            row.flags = section
        self.symbols.append(row)
        self._frames.append(Frame(start, end, symbol, kind, scope))
        if kind in _SCOPES:
            self._scope = symbol
        if self._pending_decorators and kind not in VARIABLES:
            self.decorators += [(end, symbol) for _, end in self._pending_decorators]
            row.start = min(row.start, self._pending_decorators[0][0])
            self._pending_decorators.clear()
        return row

    def _on_anonymous(self, start: int, end: int) -> None:
        """A body is called after what stands before it: a type it extends, or an enum's member."""
        outer, value = self._frames[-1], self._value_before(start)
        row = self._push(_CLASS, start, end)
        self._frames[-1].kind = _ANONYMOUS
        if value >= 0:
            ref = value // 3
            self.ref_scope[ref] = self._scope
            self.ref_role[ref] |= _BASE
            row.start, row.head, row.body = self.ref_start[ref], self._chain_start_of(ref), start
            self._name_anonymous(
                row, self._intern(self.ref_start[ref], self.ref_end[ref]), self.ref_start[ref]
            )
        elif outer.symbol > 0 and outer.kind == SymbolKind.ENUM_MEMBER:
            member = self.symbols[outer.symbol]
            row.head, row.body = member.head, start
            self._name_anonymous(row, member.name, start)

    def _name_anonymous(self, row: SymbolRow, name: int, start: int) -> None:
        """The braces keep it apart from the type that it is called after."""
        row.name, row.name_start = self.names[self.names.texts[name] + b"{}"], start

    def _on_attribute(self, start: int, end: int) -> None:
        owner = self.enclosing_type(self._scope)
        if owner < 0:
            self._frames.append(Frame(start, end, -1, _ATTRIBUTE, self._scope))
            return
        around = self.symbols[owner]
        row = SymbolRow(_FIELD, owner, start, end, start)
        if around.owner >= 0 and around.kind in CALLABLE_KINDS:
            # The method stands outside its type, and so does what it sets.
            row.parent, row.owner = around.parent, around.owner
        self.symbols.append(row)
        self._frames.append(Frame(start, end, len(self.symbols) - 1, _ATTRIBUTE, self._scope))

    def _on_self_owner(self, start: int, end: int) -> None:
        frame = self._frames[-1]
        own = encoded(self.language.self_names)
        if frame.kind == _ATTRIBUTE and self.source[start:end] not in own:
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

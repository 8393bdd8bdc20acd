"""Definitions: frames, names, owners, flags."""

from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.attributes import Attributes
from knowing.parse.captures import Op
from knowing.parse.rows import EXTENSION, VARIABLES, Frame, SymbolRow

# Plain integers: arithmetic on enum members costs several times as much.
_SCOPES = frozenset(
    {*TYPE_KINDS, *CALLABLE_KINDS, SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.DOC_SECTION}
)
_SECTIONS = {
    b"public": 0,
    b"private": int(SymbolFlag.PRIVATE),
    b"protected": int(SymbolFlag.PROTECTED),
    b"class": int(SymbolFlag.PRIVATE),
}
"""Words that begin a section of a body, or the keyword of a body whose first section is private."""
_COLON = ord(":")
_SEMICOLON = ord(";")
_AT = ord("@")
_ATTRIBUTE = int(Op.ATTRIBUTE)
_CLOSURE = int(Op.CLOSURE)
_ANONYMOUS = int(Op.ANONYMOUS)
_CAST = int(Op.CAST)
_FUNCTION = int(SymbolKind.FUNCTION)
_TEST = int(SymbolFlag.TEST)
_ABSTRACT = int(SymbolFlag.ABSTRACT)
_BINDING = VARIABLES | {int(Op.BIND)}
"""Frames whose names are local when they are no symbols."""


class Definitions(Attributes):
    """Handles the captures that open, name and describe symbols."""

    def _define(self, kind: int, start: int, end: int) -> None:
        top = self._frames[-1]
        again = top.start == start and top.end == end and top.symbol > 0 and not top.named
        if kind in VARIABLES:
            if again:
                if top.kind in VARIABLES:
                    # `const` beside the general pattern for fields: the special one counts.
                    top.kind = self.symbols[top.symbol].kind = kind
                return
            if self.symbols[self._scope].kind in CALLABLE_KINDS:
                self._frames.append(Frame(start, end, -1, kind, self._scope))
                return
        elif again and top.kind in _SCOPES:
            # A module that has methods beside the general pattern: the special one counts.
            top.kind = self.symbols[top.symbol].kind = kind
            return
        self._push(kind, start, end)

    def _close(self, start: int) -> int:
        """Pops the frames that end at or before `start`; returns where the next one ends."""
        frames = self._frames
        frame = frames[-1]
        while frame.end <= start and len(frames) > 1:
            frames.pop()
            if frame.symbol >= 0:
                self._scope = frame.outer_scope
                if frame.bound:
                    row = self.symbols[frame.symbol]
                    self.bindings.append(
                        (frame.outer_scope, row.name, row.name_start, row.type, row.value)
                    )
            elif frame.kind == _CAST:
                self._end_cast(frame)
            else:
                for name, at in frame.names:
                    # In `x = f(x)` the new name holds from the end of its value on.
                    since = frame.value[1] if frame.value else at
                    self.bindings.append((frame.outer_scope, name, since, frame.type, frame.value))
            frame = frames[-1]
        return frame.end

    def _on_name(self, start: int, end: int) -> None:
        frame, source = self._frames[-1], self.source
        if source[start] == _COLON:
            start += 1
        name = self.names[source[start:end]]
        if frame.symbol < 0:
            if frame.kind in _BINDING or source[start] == _AT:
                frame.names += ((name, start),)
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
            twin = SymbolRow(row.kind, row.parent, row.start, row.end, row.head)
            twin.flags, twin.name, twin.name_start = row.flags, name, start
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
        row = self._push(_FUNCTION, start, end)
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
        frame = self._frames[-1]
        if frame.start >= start:
            frame = next((f for f in reversed(self._frames) if f.start < start), self._frames[0])
        if frame.symbol > 0 and self.symbols[frame.symbol].body < 0:
            self.symbols[frame.symbol].body = start

    def _on_closure(self, start: int, end: int) -> None:
        """A row without a name: a scope while the file is read, left out of its symbols."""
        top = self._frames[-1]
        if top.symbol > 0 and top.end == end and top.kind in CALLABLE_KINDS:
            return  # `const f = () => ...`: the function that is being defined.
        self.closures.append((start, len(self.symbols)))
        self.symbols.append(SymbolRow(_FUNCTION, self._scope, start, end, start))
        frame = Frame(start, end, len(self.symbols) - 1, _CLOSURE, self._scope)
        frame.named = True
        self._frames.append(frame)
        self._scope = frame.symbol

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

    def _on_flag(self, flag: int) -> None:
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
            row.kind = frame.kind = _FUNCTION
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
        if start == end:
            return  # A name that is missing in the text.
        made = next(
            row
            for row in reversed(self.symbols)
            if (row.parent == self._scope and row.kind in TYPE_KINDS) or row.parent < 0
        )
        if made.parent < 0 or made.end > start or made.name == self._intern(start, end):
            return
        row = SymbolRow(int(SymbolKind.TYPE), self._scope, made.start, end, made.head)
        row.name, row.name_start, row.body = self._intern(start, end), start, made.body
        row.type = (start, end)
        self.symbols.append(row)
        self._renamed.append((len(self.ref_start), made.name))
        self._add_ref(start, end)

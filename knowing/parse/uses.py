"""Uses of names: members, arguments, literals, decorators.

A value ends at some byte, and what follows finds it there.
"""

import re

from knowing.parse.facts import Mode, Role
from knowing.parse.refs import BARE, PENDING
from knowing.parse.state import SEPARATORS, State

# Plain integers: arithmetic on enum members costs several times as much.
_NAMED_ARGUMENT = re.compile(rb"\([^()\"']*[=:{\[]\s*\Z")
_AFTER_DECORATOR = re.compile(rb"[\s\],]*")
_MACRO_CALLS = (b"!(", b"![", b"!{")
_PAREN = ord("(")
_COMMA = ord(",")
_CLOSING = ord(")")
_BANG = ord("!")
_OPENING = ord("[")
_BRACKET = ord("]")
_CALL = int(Role.CALL)
_BASE, _IMPLEMENTS, _THROW = int(Role.BASE), int(Role.IMPLEMENTS), int(Role.THROW)
_NEW = int(Role.NEW)
_SAME = int(Mode.SAME)
_CALLED = int(Mode.CALLED)


class Uses(State):
    """Handles the captures that stand for uses."""

    def _on_member_quoted(self, start: int, end: int) -> None:
        at = start
        while at > 0 and self.source[at - 1] in b" \t\r\n,'\"":
            at -= 1
        recv = self.value_at.get(at, -1)
        self._on_ref_quoted(start, end)
        self.ref_recv[-1] = recv

    def _on_ref_quoted(self, start: int, end: int) -> None:
        text = self.source[start:end]
        name = text.strip(b":\"'")
        start += text.find(name)
        self._add_ref(start, start + len(name))

    def _on_token(self, start: int, end: int) -> None:
        before, after = self.source[start - 2 : start], self.source[end : end + 2]
        member = before == b"::" or (before[-1:] == b"." and before != b"..")
        self._add_ref(start, end, PENDING if member else BARE)
        if after in _MACRO_CALLS:
            self.ref_role[-1] = _CALL

    def _add_ref(self, start: int, end: int, recv: int = BARE) -> None:
        """A use that the loop over all events has not seen as one."""
        self.value_at[end] = len(self.ref_start) * 3
        self.ref_start.append(start)
        self.ref_end.append(end)
        self.ref_scope.append(self._scope)
        self.ref_role.append(0)
        self.ref_recv.append(recv)

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
        value_at = self.value_at
        value = value_at.get(start, -1)
        adjacent = value >= 0
        if not adjacent:
            value = self._value_before(start)
            if value < 0:
                return
        ref, mode = divmod(value, 3)
        self.ref_role[ref] |= _CALL
        if self._transparent and self._is_transparent(ref):
            value_at[end] = self.ref_recv[ref]
        elif mode == _SAME or not adjacent:
            value_at[end] = ref * 3 + _CALLED
        elif mode == _CALLED and self.source[start - 1] != _CLOSING:
            # A language whose members are calls by themselves: `foo.bar(1)` is one call.
            value_at[end] = value

    def _is_transparent(self, ref: int) -> bool:
        """Whether a call of this gives what it is called on."""
        name = self.source[self.ref_start[ref] : self.ref_end[ref]]
        return name in self._transparent and self._receiver_of(ref) >= 0

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
        while at > 0 and self.source[at - 1] in SEPARATORS:
            at -= 1
        value = self.value_at.get(at, -1)
        if value >= 0:
            self.value_at[end] = value

    def _on_base(self, start: int, end: int) -> None:
        self.roles.append((start, end, _BASE))

    def _on_implements(self, start: int, end: int) -> None:
        self.roles.append((start, end, _IMPLEMENTS))

    def _on_throw(self, start: int, end: int) -> None:
        self.roles.append((start, end, _THROW))

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

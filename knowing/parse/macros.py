"""Languages in which calls define things: `attr_reader :name`, `include Countable`, `it "adds" do`.

Which call does what is a table of the language (`macros`), so that one capture for all calls takes
the place of a pattern for each, which would make every file slower to read.
"""

import re
from bisect import bisect_left
from functools import cache

from knowing.languages import Language
from knowing.languages.language import MacroEffect
from knowing.model import SymbolFlag, SymbolKind
from knowing.parse.captures import Op
from knowing.parse.facts import Role
from knowing.parse.grammar import Events
from knowing.parse.machine import Machine
from knowing.parse.rows import Frame, SymbolRow

_WORD = re.compile(rb"\w+[?!]?")
_BLOCK_ENDS = (b"end", b"}")
_KINDS = {
    MacroEffect.FIELD: SymbolKind.FIELD,
    MacroEffect.FIELDS: SymbolKind.FIELD,
    MacroEffect.FUNCTION: SymbolKind.FUNCTION,
}
_FLAGS = {
    MacroEffect.PRIVATE: SymbolFlag.PRIVATE,
    MacroEffect.PROTECTED: SymbolFlag.PROTECTED,
}
_ROLES = {MacroEffect.IMPLEMENTS: Role.IMPLEMENTS, MacroEffect.THROW: Role.THROW}
_MEMBERS = (SymbolKind.FUNCTION, SymbolKind.FIELD)


@cache
def _effects(language: Language) -> dict[bytes, MacroEffect]:
    return {name.encode(): effect for name, effect in language.macros.items()}


class MacroMachine(Machine):
    """The event machine with the table of macros at hand."""

    def __init__(self, source: bytes, language: Language) -> None:
        super().__init__(source, language)
        self._effects = _effects(language)
        self._open: list[tuple[int, MacroEffect | None]] = []
        """End and effect of the calls around; a call of no effect hides the outer one."""
        self._claims: list[tuple[int, int, MacroEffect]] = []

    def run(self, events: Events) -> None:
        super().run(events)
        self._give_roles()

    def _push(self, kind: int, start: int, end: int) -> SymbolRow:
        if kind in _MEMBERS:
            self._mix_in()
        return super()._push(kind, start, end)

    def _mix_in(self) -> None:
        """A namespace with members of its own can be mixed into types."""
        scope = self.symbols[self._scope]
        if self.language.mixin_namespaces and scope.kind == SymbolKind.NAMESPACE:
            scope.kind = SymbolKind.TRAIT

    def _on_macro(self, start: int, end: int) -> None:
        self._settle(start)
        word = _WORD.match(self.source, start)
        effect = self._effects.get(word[0]) if word else None
        if effect is MacroEffect.TEST and not self.source.endswith(_BLOCK_ENDS, start, end):
            effect = None
        if effect is None and not self._open:
            return
        self._open.append((end, effect))
        if effect in _KINDS:
            self._define(_KINDS[effect], start, end)
        elif effect in _FLAGS:
            frame = Frame(start, end, -1, int(Op.BIND), self._scope)
            frame.section = int(_FLAGS[effect])
            self._frames.append(frame)
        elif effect in _ROLES:
            self._claims.append((start, end, effect))
            if effect is MacroEffect.IMPLEMENTS:
                self._mix_in()
        elif effect is MacroEffect.TEST:
            self._on_test(start, end)
        elif effect is MacroEffect.IMPORT:
            self._on_import(start, end)

    def _on_symbol(self, start: int, end: int) -> None:
        match self._effect_at(start):
            case MacroEffect.FIELDS:
                self._on_name(start, end)
            case MacroEffect.FIELD | MacroEffect.FUNCTION as effect:
                if not self._frames[-1].named and not self._frames[-1].names:
                    self._on_name(start, end)
                elif effect is MacroEffect.FUNCTION:
                    self._on_ref_quoted(start, end)
            case MacroEffect.LITERAL:
                super()._on_string(start, end)
            case MacroEffect.NAMES:
                self._on_ref_quoted(start, end)

    def _on_string(self, start: int, end: int) -> None:
        super()._on_string(start, end)
        match self._effect_at(start):
            case MacroEffect.TEST | MacroEffect.FUNCTION as effect:
                if not self._frames[-1].named and end - start > 2:
                    self._on_name(start + 1, end - 1)
                    if effect is MacroEffect.TEST:
                        self._on_body(end, end)
            case MacroEffect.IMPORT:
                self._importing.on_import_module(start, end, self._scope)

    def _effect_at(self, start: int) -> MacroEffect | None:
        self._settle(start)
        return self._open[-1][1] if self._open else None

    def _settle(self, start: int) -> None:
        while self._open and self._open[-1][0] <= start:
            self._open.pop()

    def _give_roles(self) -> None:
        """Names among the arguments are what is mixed in or, if first, what is thrown."""
        for start, end, effect in self._claims:
            inside = range(bisect_left(self.ref_start, start + 1), bisect_left(self.ref_start, end))
            if effect is MacroEffect.THROW:
                chosen = self._thrown(start, inside)
            else:
                owners = {self.ref_recv[ref] // 3 for ref in inside}
                chosen = [ref for ref in inside if ref not in owners]
            for ref in chosen:
                if not self.ref_role[ref] & Role.CALL:
                    self.ref_role[ref] |= int(_ROLES[effect])

    def _thrown(self, start: int, inside: range) -> list[int]:
        """The last name before a call in the first argument: `Stop` in `raise Net::Stop.new(1)`."""
        word = _WORD.match(self.source, start)
        if not inside or word is None:
            return []
        ref = inside[0]
        if self.source[word.end() : self.ref_start[ref]].strip(b" (:"):
            return []
        while ref + 1 in inside and self.ref_recv[ref + 1] == ref * 3:
            if self.ref_role[ref + 1] & Role.CALL:
                break
            ref += 1
        return [ref]

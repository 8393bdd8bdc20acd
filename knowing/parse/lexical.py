"""Explains each reference as far as its own file can: scopes, local values, imports.

What remains open is the business of `knowing.graph`, which sees all files. Everything here is a
function of one file, so an edit elsewhere never changes it.
"""

from knowing.languages import Language
from knowing.languages.language import CallNames, ImportStyle, OpenNames
from knowing.model import CALLABLE_KINDS
from knowing.parse.facts import How, ImportFlag, Mode, Role
from knowing.parse.machine import Machine
from knowing.parse.refs import BARE
from knowing.parse.scopes import TYPE_PLACE, Entry, find, nearest, pick, scope_tables

# Plain integers: arithmetic on enum members costs several times as much.
_OPEN, _LOCAL, _ALIAS = int(How.OPEN), int(How.LOCAL), int(How.ALIAS)
_MEMBER, _SELF, _SUPER = int(How.MEMBER), int(How.SELF), int(How.SUPER)
_CALL, _INSTANCE = int(Role.CALL), int(Mode.INSTANCE)
_WILDCARD = int(ImportFlag.WILDCARD)
_GONE = -1
_BUILTIN = -2
_SEVERAL = -3
"""Instead of an explanation: there are several, and the place decides."""

Verdict = tuple[int, int, int, int]
"""How a bare name is explained, by what, the name that counts, and where this does not hold."""


class Explained:
    """References after the first look: parallel columns, dropped ones left out."""

    def __init__(self) -> None:
        self.name: list[int] = []
        self.code: list[int] = []
        self.recv: list[int] = []
        self.scope: list[int] = []
        self.start: list[int] = []
        self.index: list[int] = []
        """Old number of a reference -> new number, negative when it was dropped."""
        self.kept: list[int] = []
        """Old numbers of those that were not dropped."""
        self.aliases: list[int] = []
        self.plain: set[int] = set()
        """Old numbers of names that looked like calls without parentheses but hold a value."""

    def value(self, value: int) -> int:
        """A value in old numbers as one in new numbers, -1 when what it rests on is unknown."""
        if value < 0:
            return -1
        old = value // 3
        new = self.index[old]
        if new < 0:
            return -1
        return new * 3 if old in self.plain else new * 3 + value - old * 3

    def bound(self, value: int) -> int:
        """An instance of a type's parameter is one of the type that bounds it: `x: T, T: Shape`."""
        for _ in range(4):
            ref, mode = divmod(value, 3)
            if value < 0 or mode != _INSTANCE or self.code[ref] & 15 != _ALIAS:
                break
            if self.recv[ref] % 3 != _INSTANCE:
                break
            value = self.recv[ref]
        return value

    def add(self, name: int, how: int, recv: int, scope: int, start: int) -> int:
        """One more reference, which stands in no expression; its number."""
        self.name.append(name)
        self.code.append(how)
        self.recv.append(recv)
        self.scope.append(scope)
        self.start.append(start)
        return len(self.name) - 1

    def finish(self, scopes: list[int], starts: list[int]) -> None:
        """Columns that stay as they are, and aliases, which may point forward."""
        self.scope = [scopes[ref] for ref in self.kept]
        self.start = [starts[ref] for ref in self.kept]
        recvs = self.recv
        for new in self.aliases:
            recvs[new] = self.value(recvs[new])
        for new in self.aliases:
            recvs[new] = self.bound(recvs[new])


def explain(machine: Machine) -> Explained:
    """Looks every reference up in the scopes around it."""
    return _Explainer(machine).run()


class _Explainer:
    """One pass over the references of a file."""

    def __init__(self, machine: Machine) -> None:
        language, names_of = machine.language, machine.names.known
        self._machine = machine
        self._tables = scope_tables(machine)
        self._self_ids = names_of(language.self_names)
        self._super_ids = names_of(language.super_names)
        self._builtin_ids = names_of(language.builtins)
        self._own_ids = names_of(language.self_types)
        self._special = self._self_ids | self._super_ids | self._own_ids
        self._choose = nearest if language.shadowing else pick
        self._sorts = _sorts(language)
        self._bare_calls = not language.calls_by_paren
        self._unexplained = _OPEN if _keeps_open(machine) else _GONE
        self._out = Explained()
        self._verdicts: dict[tuple[int, int], Verdict] = {}
        self._several: dict[tuple[int, int], list[Entry]] = {}

    def run(self) -> Explained:
        out, index, machine = self._out, self._out.index, self._machine
        verdicts, sorts, bare_calls = self._verdicts, self._sorts, self._bare_calls
        names, codes, recvs, kept = out.name, out.code, out.recv, out.kept
        refs = machine.ref_recv, machine.ref_name, machine.ref_scope, machine.ref_start
        for ref, (owner, written, scope, start, used_as) in enumerate(
            zip(*refs, machine.ref_role, strict=True)
        ):
            how, recv, name, role = _MEMBER, owner, written, used_as
            if owner == BARE:
                key = (scope << 8 | role & sorts, written)
                how, recv, name, except_at = verdicts.get(key) or self._judge(key, role)
                if how == _SEVERAL or start == except_at:
                    how, recv = self._look_up(key, start, role)
                if how < 0:
                    index.append(how)
                    continue
                if how == _ALIAS:
                    if recv // 3 < ref and index[recv // 3] == _BUILTIN:
                        # What holds a value of the language's own is left out with its members.
                        index.append(_BUILTIN)
                        continue
                    out.aliases.append(len(names))
                if bare_calls and role & _CALL and _holds(machine, how, recv):
                    role &= ~_CALL
                    out.plain.add(ref)
            elif owner >= 0:
                # In broken code what a member belongs to may come after it; then it is unknown.
                known = owner // 3 < ref
                if known and index[owner // 3] == _BUILTIN:
                    index.append(_BUILTIN)
                    continue
                recv = out.value(owner) if known else -1
            index.append(len(names))
            names.append(name)
            codes.append(how | role << 4)
            recvs.append(recv)
            kept.append(ref)
        out.finish(machine.ref_scope, machine.ref_start)
        return out

    def _judge(self, key: tuple[int, int], role: int) -> Verdict:
        """What all uses of a name in a scope have in common."""
        scope, written = key[0] >> 8, key[1]
        name = written
        if name in self._special:
            if name in self._own_ids:
                name = _own_type(self._machine, scope, name)
            if name in self._self_ids or name in self._super_ids:
                how = _SELF if name in self._self_ids else _SUPER
                recv = self._machine.enclosing_type(scope)
                if recv >= 0:
                    self._verdicts[key] = how, recv, name, -1
                    return self._verdicts[key]
        entries = find(self._machine, self._tables, scope, name, role)
        how, recv, except_at = _SEVERAL, -1, -1
        if entries and len(entries) > 1:
            self._several[key] = entries
        else:
            how, recv = self._settled(name, entries[0] if entries else None)
            if how == _ALIAS:
                except_at = self._machine.chain_start[recv // 3]
        self._verdicts[key] = how, recv, name, except_at
        return self._verdicts[key]

    def _settled(self, name: int, entry: Entry | None) -> tuple[int, int]:
        """How and by what one binding, or none, explains a name; negative if it is left out."""
        if entry is None:
            return (_BUILTIN if name in self._builtin_ids else self._unexplained), -1
        _, how, recv = entry
        return (how, recv) if recv >= 0 else (_GONE, -1)

    def _look_up(self, key: tuple[int, int], start: int, role: int) -> tuple[int, int]:
        """What a name means at one place."""
        machine, scope, name = self._machine, key[0] >> 8, self._verdicts[key][2]
        entries = self._several.get(key) or find(machine, self._tables, scope, name, role)
        entry = self._choose(entries, start, role) if entries else None
        how, recv = self._settled(name, entry)
        if how == _ALIAS and machine.chain_start[recv // 3] == start:
            others = find(machine, self._tables, scope, name, role, recv)
            entry = self._choose(others, start, role) if others else None
            how, recv = self._settled(name, entry)
        return how, recv


def _own_type(machine: Machine, scope: int, name: int) -> int:
    """The name of the type that `Self` stands for; itself outside of types."""
    symbol = machine.enclosing_type(scope)
    if symbol < 0:
        return name
    row = machine.symbols[symbol]
    return row.owner if row.owner >= 0 else row.name


def _keeps_open(machine: Machine) -> bool:
    """Whether other files may explain a name that this one does not."""
    language = machine.language
    return language.open_names != OpenNames.NONE or any(
        row.flags & _WILDCARD and language.imports != ImportStyle.PATH for row in machine.imports
    )


def _sorts(language: Language) -> int:
    """The roles that make a difference to what a bare name can mean."""
    calls = 0 if language.call_names == CallNames.SHARED else _CALL
    return calls | (TYPE_PLACE if language.type_names else 0)


def _holds(machine: Machine, how: int, recv: int) -> bool:
    """Whether a bare name is a variable or field rather than something that is called."""
    return how == _ALIAS or (how == _LOCAL and machine.symbols[recv].kind not in CALLABLE_KINDS)

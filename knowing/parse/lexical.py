"""Explains each reference as far as its own file can: scopes, local values, imports.

What remains open is the business of `knowing.graph`, which sees all files. Everything here is a
function of one file, so an edit elsewhere never changes it.
"""

import re
from collections.abc import Mapping

from knowing.languages import Language
from knowing.languages.language import CallNames, ImportStyle, OpenNames
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolKind
from knowing.parse.facts import How, ImportFlag, Mode, Role
from knowing.parse.machine import Machine
from knowing.parse.rows import EXTENSION
from knowing.parse.values import expression_value, type_value

Entry = tuple[int, int, int]
"""Where a name is bound, how, and the symbol, import or value behind it; -1 if nothing is known."""

# Plain integers: arithmetic on enum members costs several times as much.
_OPEN, _LOCAL, _IMPORT, _ALIAS = int(How.OPEN), int(How.LOCAL), int(How.IMPORT), int(How.ALIAS)
_MEMBER, _SELF, _SUPER = int(How.MEMBER), int(How.SELF), int(How.SUPER)
_CALL, _INSTANCE = int(Role.CALL), int(Mode.INSTANCE)
_BUILTIN = -2
_FUNCTIONS = CALLABLE_KINDS - {SymbolKind.PROPERTY}
_TYPE_PLACE = int(Role.TYPE | Role.BASE | Role.IMPLEMENTS | Role.NEW)
_TYPE_LIKE = frozenset({*TYPE_KINDS, SymbolKind.NAMESPACE, SymbolKind.MODULE})
_MEMBER_KINDS = frozenset({int(SymbolKind.METHOD), int(SymbolKind.PROPERTY)})
_NAMELESS = frozenset({EXTENSION, int(SymbolKind.CONSTRUCTOR)})
"""Kinds that no bare name leads to: a constructor is called through its type."""
_VERSION = re.compile(r"[./]v\d+$")


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
        self.plain: set[int] = set()
        """Old numbers of names that looked like calls without parentheses but hold a value."""

    def value(self, value: int) -> int:
        """A value in old numbers as one in new numbers, -1 when what it rests on is unknown."""
        if value < 0:
            return -1
        old, mode = divmod(value, 3)
        index = self.index[old]
        return -1 if index < 0 else index * 3 + (0 if old in self.plain else mode)

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

    def gone_with(self, how: int, value: int) -> int:
        """What holds a value of the language's own is left out together with its members."""
        old = value // 3
        builtin = how == _ALIAS and old < len(self.index) and self.index[old] == _BUILTIN
        return _BUILTIN if builtin else 0


class Scopes(dict[int, dict[int, list[Entry]]]):
    """For each scope the names bound directly in it."""

    def bind(self, scope: int, name: int, entry: Entry) -> None:
        self.setdefault(scope, {}).setdefault(name, []).append(entry)


def scope_tables(machine: Machine) -> Scopes:
    """The names that symbols, imports and local declarations bind."""
    tables = Scopes()
    _bind_symbols(machine, tables)
    _bind_imports(machine, tables)
    for binding in machine.bindings:
        value = type_value(machine, binding.type)
        if value < 0:
            value = expression_value(machine, binding.value)
        tables.bind(binding.scope, binding.name, (binding.start, _ALIAS, value))
    return tables


def _bind_symbols(machine: Machine, tables: Scopes) -> None:
    language, symbols = machine.language, machine.symbols
    for index, row in enumerate(symbols):
        if row.kind == SymbolKind.NAMESPACE and language.imports == ImportStyle.CRATE:
            tables.bind(index, machine.names[b"super"], (row.start, _LOCAL, row.parent))
        if not index or row.name <= 0 or row.owner >= 0 or row.kind in _NAMELESS:
            continue
        if row.titled or (row.kind in _MEMBER_KINDS and _free(machine, row.parent)):
            continue
        if not language.implicit_self and symbols[row.parent].kind == EXTENSION:
            continue
        tables.bind(row.parent, row.name, (row.start, _LOCAL, index))
        if row.kind == SymbolKind.ENUM_MEMBER and language.open_enums:
            tables.bind(symbols[row.parent].parent, row.name, (row.start, _LOCAL, index))


def _bind_imports(machine: Machine, tables: Scopes) -> None:
    by_path = machine.language.imports == ImportStyle.PATH
    for index, item in enumerate(machine.imports):
        if item.flags & ImportFlag.EXPORTED and (item.module == 0 or by_path):
            continue  # `export {a} from "./b"` gives out a name that it does not bring in.
        local = item.alias or item.name
        names: tuple[int, ...] = (local,) if local else ()
        if not local and not item.flags & ImportFlag.WILDCARD:
            names = _module_names(machine, item.module)
        for name in names:
            tables.bind(item.scope, name, (item.start, _IMPORT, index))


def _free(machine: Machine, parent: int) -> bool:
    """Whether a member stands in an object rather than a type: no bare name leads to it."""
    kind = machine.symbols[parent].kind
    return not (machine.language.implicit_self or kind in TYPE_KINDS or kind == EXTENSION)


def _module_names(machine: Machine, module: int) -> tuple[int, ...]:
    """The local name of a module imported as a whole: first or last part of its path.

    An included file has none: its definitions come in by their own names.
    """
    if machine.language.imports in ("file", "path"):
        return ()
    text = machine.names.text(module)
    separator = machine.language.import_separator
    if machine.language.imports == "dotted":
        local = text.split(".")[0]
    elif separator in text and separator != "/":
        local = text.rsplit(separator, 1)[-1]
    else:
        local = _folder_name(text)
    return (machine.names[local.encode()],) if local else ()


def _folder_name(path: str) -> str:
    """What a folder's package is called by habit: `a/yaml.v3`, `a/klog/v2`, `a/go-toml`."""
    bare = _VERSION.sub("", path.rstrip("/")).rsplit("/", 1)[-1]
    return bare.removeprefix("go-").removesuffix("-go").removesuffix(".go")


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
        self._unexplained = 0 if _keeps_open(machine) else -1
        self._out = Explained()
        self._cache: dict[tuple[int, int], list[Entry] | None] = {}

    def run(self) -> Explained:
        out, index, machine = self._out, self._out.index, self._machine
        refs = machine.ref_recv, machine.ref_name, machine.ref_scope, machine.ref_start
        for recv, written, scope, start, role in zip(*refs, machine.ref_role, strict=True):
            code, value, name = _MEMBER | role << 4, recv, written
            if recv == -2:
                code, value, name = self._bare(written, scope, start, role)
                if code < 0:
                    index.append(code)
                    continue
            elif recv >= 0:
                if index[recv // 3] == _BUILTIN:
                    index.append(_BUILTIN)
                    continue
                value = out.value(recv)
            index.append(len(out.name))
            out.name.append(name)
            out.code.append(code)
            out.recv.append(value)
            out.scope.append(scope)
            out.start.append(start)
        _finish_aliases(out)
        return out

    def _bare(self, name: int, scope: int, start: int, role: int) -> tuple[int, int, int]:
        """Code, receiver and name of a bare name; a negative code says that it is left out."""
        if name in self._special:
            if name in self._own_ids:
                name = _own_type(self._machine, scope, name)
            if name in self._self_ids or name in self._super_ids:
                how = _SELF if name in self._self_ids else _SUPER
                recv = self._machine.enclosing_type(scope)
                if recv >= 0:
                    return how | role << 4, recv, name
        how, recv = self._look_up(name, scope, start, role)
        if how == _OPEN:
            gone = _BUILTIN if name in self._builtin_ids else self._unexplained
        else:
            gone = -1 if recv < 0 else self._out.gone_with(how, recv)
        if gone:
            return gone, -1, name
        if self._bare_calls and role & _CALL and _holds(self._machine, how, recv):
            role &= ~_CALL
            self._out.plain.add(len(self._out.index))
        return how | role << 4, recv, name

    def _look_up(self, name: int, scope: int, start: int, role: int) -> tuple[int, int]:
        key = (scope << 8 | role & self._sorts, name)
        if key not in self._cache:
            self._cache[key] = find(self._machine, self._tables, scope, name, role)
        entries = self._cache[key]
        if entries is None:
            return _OPEN, -1
        _, how, recv = entries[0] if len(entries) == 1 else self._choose(entries, start, role)
        if how == _ALIAS and recv >= 0 and self._machine.chain_start[recv // 3] == start:
            others = find(self._machine, self._tables, scope, name, role, recv)
            _, how, recv = self._choose(others, start, role) if others else (0, _OPEN, -1)
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
        row.flags & ImportFlag.WILDCARD and language.imports != ImportStyle.PATH
        for row in machine.imports
    )


def _sorts(language: Language) -> int:
    """The roles that make a difference to what a bare name can mean."""
    calls = 0 if language.call_names == CallNames.SHARED else _CALL
    return calls | (_TYPE_PLACE if language.type_names else 0)


def _holds(machine: Machine, how: int, recv: int) -> bool:
    """Whether a bare name is a variable or field rather than something that is called."""
    return how == _ALIAS or (how == _LOCAL and machine.symbols[recv].kind not in CALLABLE_KINDS)


def find(
    machine: Machine,
    tables: Mapping[int, Mapping[int, list[Entry]]],
    scope: int,
    name: int,
    role: int,
    own_value: int = -1,
) -> list[Entry] | None:
    """The bindings of `name` that are visible from `scope`, innermost scope first.

    In `x = x.strip()` the `x` on the right is part of `own_value`, which binds nothing yet.
    """
    symbols, at = machine.symbols, scope
    implicit_self = machine.language.implicit_self
    nested, outer_members = False, machine.language.outer_members
    while at >= 0:
        table = tables.get(at)
        kind = symbols[at].kind
        if table is not None and name in table:
            entries = table[name]
            if kind in TYPE_KINDS and at != scope and not implicit_self:
                # A type's parameters are visible in its members, unlike the members themselves.
                entries = [entry for entry in entries if entry[1] == _ALIAS]
            if entries:
                if own_value >= 0:
                    entries = [e for e in entries if e[1] != _ALIAS or e[2] != own_value]
                entries = _fitting(machine, entries, role)
                if nested and not outer_members and kind in TYPE_KINDS:
                    entries = [entry for entry in entries if not _is_member(machine, entry)]
                if entries:
                    return entries
        nested = nested or kind in TYPE_KINDS
        at = symbols[at].parent
    return None


def _is_member(machine: Machine, entry: Entry) -> bool:
    """Whether a binding in a type is something that an instance has, rather than a name in it."""
    kind = machine.symbols[entry[2]].kind if entry[1] == _LOCAL else -1
    return kind in CALLABLE_KINDS or kind == SymbolKind.FIELD


def _fitting(machine: Machine, entries: list[Entry], role: int) -> list[Entry]:
    """Those bindings that a name in this role can mean."""
    language, symbols = machine.language, machine.symbols
    if language.type_names and role & _TYPE_PLACE:
        # A type's parameter holds nothing; a local name that holds a value is no type.
        return [
            e
            for e in entries
            if (e[1] != _LOCAL or symbols[e[2]].kind in _TYPE_LIKE) and (e[1] != _ALIAS or e[2] < 0)
        ]
    if language.call_names == CallNames.SHARED:
        return entries
    fitting = [entry for entry in entries if _fits(machine, entry, role & _CALL)]
    return fitting if fitting or language.call_names == CallNames.SEPARATE else entries


def _fits(machine: Machine, entry: Entry, called: int) -> bool:
    """Whether a binding is of the sort that a call, or anything but a call, can mean."""
    _, how, target = entry
    if how != _LOCAL:
        return how == _IMPORT or not called
    kind = machine.symbols[target].kind
    return kind in TYPE_KINDS or (kind in _FUNCTIONS) == bool(called)


def pick(entries: list[Entry], at: int, _role: int) -> Entry:
    """Of several bindings one with a declared type; the last before `at`, else the first."""
    declared = [e for e in entries if e[1] == _ALIAS and e[2] >= 0 and e[2] % 3 == Mode.INSTANCE]
    return last_before(declared or entries, at)


def nearest(entries: list[Entry], at: int, role: int) -> Entry:
    """The last binding before `at`; what bounds a type's parameter may stand below its use."""
    return pick(entries, at, role) if role & _TYPE_PLACE else last_before(entries, at)


def last_before(entries: list[Entry], at: int) -> Entry:
    """The last binding before `at`, else the first."""
    before = [entry for entry in entries if entry[0] <= at]
    if not before:
        return min(entries)
    return max(before, key=lambda entry: (entry[0], entry[2] >= 0, entry[1]))


def _finish_aliases(out: Explained) -> None:
    """Aliases were written in old numbers, as they may point forward; members follow them."""
    aliases = [new for new, code in enumerate(out.code) if code & 15 == _ALIAS]
    for new in aliases:
        out.recv[new] = out.value(out.recv[new])
    for new in aliases:
        out.recv[new] = out.bound(out.recv[new])

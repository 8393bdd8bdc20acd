"""The names that are bound in each scope of a file, and what one of them means at some place."""

import re
from collections.abc import Mapping

from knowing.languages.language import CallNames, ImportStyle
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolKind
from knowing.parse.facts import How, ImportFlag, Mode, Role
from knowing.parse.machine import Machine
from knowing.parse.rows import EXTENSION
from knowing.parse.values import expression_value, type_value

Entry = tuple[int, int, int]
"""Where a name is bound, how, and the symbol, import or value behind it; -1 if nothing is known."""

# Plain integers: arithmetic on enum members costs several times as much.
_LOCAL, _IMPORT, _ALIAS = int(How.LOCAL), int(How.IMPORT), int(How.ALIAS)
_CALL, _INSTANCE = int(Role.CALL), int(Mode.INSTANCE)
_WILDCARD, _EXPORTED = int(ImportFlag.WILDCARD), int(ImportFlag.EXPORTED)
_NAMESPACE, _ENUM_MEMBER = int(SymbolKind.NAMESPACE), int(SymbolKind.ENUM_MEMBER)
_FUNCTIONS = CALLABLE_KINDS - {SymbolKind.PROPERTY}
TYPE_PLACE = int(Role.TYPE | Role.BASE | Role.IMPLEMENTS | Role.NEW)
_TYPE_LIKE = frozenset({*TYPE_KINDS, SymbolKind.NAMESPACE, SymbolKind.MODULE})
_MEMBER_KINDS = frozenset({int(SymbolKind.METHOD), int(SymbolKind.PROPERTY)})
_NAMELESS = frozenset({EXTENSION, int(SymbolKind.CONSTRUCTOR)})
"""Kinds that no bare name leads to: a constructor is called through its type."""
_VERSION = re.compile(r"[./]v\d+$")


class Scopes(dict[int, dict[int, list[Entry]]]):
    """For each scope the names bound directly in it."""

    def bind(self, scope: int, name: int, entry: Entry) -> None:
        table = self.get(scope)
        if table is None:
            self[scope] = {name: [entry]}
        elif name in table:
            table[name].append(entry)
        else:
            table[name] = [entry]


def scope_tables(machine: Machine) -> Scopes:
    """The names that symbols, imports and local declarations bind."""
    tables = Scopes()
    _bind_symbols(machine, tables)
    _bind_imports(machine, tables)
    for scope, name, start, of_type, given in machine.bindings:
        value = type_value(machine, of_type) if of_type else -1
        if value < 0 and given:
            value = expression_value(machine, given)
        tables.bind(scope, name, (start, _ALIAS, value))
    return tables


def _bind_symbols(machine: Machine, tables: Scopes) -> None:
    language, symbols = machine.language, machine.symbols
    submodules = language.imports == ImportStyle.CRATE
    implicit_self, open_enums = language.implicit_self, language.open_enums
    for index, row in enumerate(symbols):
        kind = row.kind
        if submodules and kind == _NAMESPACE:
            tables.bind(index, machine.names[b"super"], (row.start, _LOCAL, row.parent))
        if not index or row.name <= 0 or row.owner >= 0 or kind in _NAMELESS:
            continue
        if row.titled or (kind in _MEMBER_KINDS and _free(machine, row.parent)):
            continue
        if not implicit_self and symbols[row.parent].kind == EXTENSION:
            continue
        tables.bind(row.parent, row.name, (row.start, _LOCAL, index))
        if open_enums and kind == _ENUM_MEMBER:
            tables.bind(symbols[row.parent].parent, row.name, (row.start, _LOCAL, index))


def _bind_imports(machine: Machine, tables: Scopes) -> None:
    by_path = machine.language.imports == ImportStyle.PATH
    for index, item in enumerate(machine.imports):
        if item.flags & _EXPORTED and (item.module == 0 or by_path):
            continue  # `export {a} from "./b"` gives out a name that it does not bring in.
        local = item.alias or item.name
        names: tuple[int, ...] = (local,) if local else ()
        if not local and not item.flags & _WILDCARD:
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
    if language.type_names and role & TYPE_PLACE:
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
    declared = [e for e in entries if e[1] == _ALIAS and e[2] >= 0 and e[2] % 3 == _INSTANCE]
    return last_before(declared or entries, at)


def nearest(entries: list[Entry], at: int, role: int) -> Entry:
    """The last binding before `at`; what bounds a type's parameter may stand below its use."""
    return pick(entries, at, role) if role & TYPE_PLACE else last_before(entries, at)


def last_before(entries: list[Entry], at: int) -> Entry:
    """The last binding before `at`, else the first."""
    before = [entry for entry in entries if entry[0] <= at]
    if not before:
        return min(entries)
    return max(before, key=lambda entry: (entry[0], entry[2] >= 0, entry[1]))

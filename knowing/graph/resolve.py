"""What each reference of the workspace means, in vectorised rounds.

A bare name is explained by its file, its imports, its package or its type; a member is explained
once the value before it is. Each round explains the members whose receivers the round before has
explained, so `a.b().c` takes three. Nothing is bound by its bare name alone: a member of an unknown
value stays open, and guessing is left to `guess`.
"""

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.imports import Imports
from knowing.graph.keys import Ids, Ints, Mask, pair
from knowing.graph.members import Members, linearise
from knowing.graph.places import EXTERNAL
from knowing.graph.resolution import Bases, Resolution, rows_of
from knowing.languages.language import OpenNames
from knowing.model import SymbolKind
from knowing.parse.facts import How, Mode, RefColumn, Role, SymbolColumn

_ROUNDS = 8
_NOTHING = -1
_DEEPEST = 8
"""Levels of namespaces that are looked through."""
_TYPE_PLACE = Role.TYPE | Role.BASE | Role.IMPLEMENTS | Role.NEW


class Resolver:
    """One run over all files of a corpus, or over some when the rest is already explained."""

    def __init__(
        self,
        corpus: Corpus,
        members: Members,
        before: Resolution | None = None,
        files: Mask | None = None,
    ) -> None:
        self._corpus = corpus
        self._members = members
        self._imports = Imports(members)
        refs = corpus.refs
        self._name: Ids = refs[:, RefColumn.NAME]
        self._how: Ids = refs[:, RefColumn.CODE] & 15
        self._role: Ids = refs[:, RefColumn.CODE] >> 4
        self._recv: Ids = refs[:, RefColumn.RECV]
        self._scope: Ids = refs[:, RefColumn.SCOPE]
        self._cont: Ids = np.full(len(refs), _NOTHING, dtype=np.int32)
        typed = corpus.symbols[:, SymbolColumn.TYPE] >= 0
        self._before = before
        if before is None or files is None:
            self._rows: Ints = np.arange(len(refs))
            self._typed: Ints = np.flatnonzero(typed)
            self._target: Ids = np.full(len(refs), _NOTHING, dtype=np.int32)
            self._inferred: Mask = np.zeros(len(refs), dtype=bool)
            self._known: Mask = np.zeros(len(refs), dtype=bool)
            self._symbol_cont: Ids = np.full(len(corpus.symbols), _NOTHING, dtype=np.int32)
            self._symbol_value: Ids = np.full(len(corpus.symbols), _NOTHING, dtype=np.int32)
            self._import_target: Ids = self._imports.targets(np.arange(len(corpus.imports)))
        else:
            self._take_over(before, files, typed)
        kind = members.kind
        self._callable: Mask = members.is_callable & (kind != SymbolKind.PROPERTY)
        self._holds_value: Mask = np.isin(kind, _VALUE_KINDS)
        self._alias_type: Mask = (kind == SymbolKind.TYPE) & typed

    def _take_over(self, before: Resolution, files: Mask, typed: Mask) -> None:
        """What is known of the other files stays; the chosen ones are explained anew."""
        corpus = self._corpus
        self._rows = rows_of(corpus.ref_base, files)
        self._typed = np.flatnonzero(typed & files[corpus.symbol_file])
        self._target = before.target
        self._inferred = before.inferred
        self._known = before.known_receiver
        for column, blank in ((self._target, _NOTHING), (self._inferred, 0), (self._known, 0)):
            column[self._rows] = blank
        self._symbol_cont, self._symbol_value = before.symbol_container, before.symbol_value
        for column in (self._symbol_cont, self._symbol_value):
            column[files[corpus.symbol_file]] = _NOTHING
        self._import_target = before.import_target
        chosen = rows_of(corpus.import_base, files)
        self._import_target[chosen] = self._imports.targets(chosen)

    def run(self) -> Resolution:
        self._first_look()
        self._open_names()
        pending = self._rounds(self._chained())
        bases = self._bases()
        if self._before is None:
            one = self._members.one
            self._members.hierarchy = linearise(one[bases.child], one[bases.base])
        self._imports.forget()
        self._inherited_names()
        self._super_calls()
        self._rounds(pending)
        return Resolution(
            target=self._target,
            inferred=self._inferred,
            known_receiver=self._known,
            import_target=self._import_target,
            symbol_container=self._symbol_cont,
            symbol_value=self._symbol_value,
            bases=bases,
        )

    # -- bare names ----------------------------------------------------------------------------

    def _first_look(self) -> None:
        """What the file itself has told."""
        how, recv, target, rows = self._how[self._rows], self._recv, self._target, self._rows
        local = rows[how == How.LOCAL]
        target[local] = recv[local]
        imported = rows[how == How.IMPORT]
        target[imported] = self._import_target[recv[imported]]
        self._defaults(imported)
        own = rows[how == How.SELF]
        self._cont[own] = self._enclosing_type(recv[own])
        base = rows[how == How.SUPER]
        types = self._enclosing_type(recv[base])
        self._cont[base] = np.where(types >= 0, self._members.super_of(types), _NOTHING)

    def _defaults(self, imported: Ints) -> None:
        """A module that is called or extended stands for its default export."""
        members = self._members
        used = imported[(self._role[imported] & (Role.CALL | Role.BASE | Role.NEW)) != 0]
        module = used[(self._target[used] >= 0) & (self._target[used] < members.count)]
        module = module[members.kind[self._target[module]] == SymbolKind.MODULE]
        for ref in module.tolist():
            self._target[ref] = self._imports.default(int(self._target[ref]))

    def _enclosing_type(self, symbols: Ids) -> Ids:
        """The type behind a type, an extension of it or a member with a named owner."""
        members = self._members
        stands = members.stands_for[symbols]
        own = members.is_type | members.is_holder
        types = np.where(own[stands], stands, members.owner[symbols])
        safe = np.maximum(types, 0)
        return np.where((types >= 0) & own[safe], types, _NOTHING).astype(np.int32)

    def _open_names(self) -> None:
        """Bare names that the file does not define: package, includes, whole family, wildcards."""
        members, corpus = self._members, self._corpus
        open_refs = self._rows[self._how[self._rows] == How.OPEN]
        files = corpus.ref_file[open_refs]
        names = self._name[open_refs]
        rules = np.array([_RULES[lang.open_names] for lang in members.languages], dtype=np.int32)
        rule = rules[files]
        package = np.array(members.places.package_of_file, dtype=np.int32)[files]
        inside = (rule == _RULES[OpenNames.PACKAGE]) & (package >= 0)
        found = np.full(len(open_refs), _NOTHING, dtype=np.int32)
        found[inside] = members.direct.find(
            pair(members.count + package[inside].astype(np.int64), names[inside])
        )
        found = self._enclosing_names(open_refs, found)
        found = self._root_names(open_refs, found)
        anywhere = (rule >= _RULES[OpenNames.GLOBAL]) & (found < 0)
        family = members.family_of_file[files]
        found[anywhere] = members.by_family.find(pair(family[anywhere], names[anywhere]))
        self._target[open_refs] = found
        self._wildcard_names(open_refs[found < 0])

    def _enclosing_names(self, refs: Ints, found: Ids) -> Ids:
        """What a namespace or type around the name offers, also from another file, nearest first.

        Only where namespaces are written in parts: elsewhere the file shows all that is around.
        """
        members = self._members
        parted = np.array([lang.reopened_types for lang in members.languages], dtype=bool)
        rows = np.flatnonzero((found < 0) & parted[self._corpus.ref_file[refs]])
        around = members.stands_for[self._scope[refs[rows]]]
        names = self._name[refs[rows]]
        for _ in range(_DEEPEST):
            hit = members.direct.find(pair(members.one[around], names))
            named = (hit >= 0) & (members.is_type | members.is_outer)[np.maximum(hit, 0)]
            found[rows[named]] = hit[named]
            around = members.owner[around]
            inside = ~named & (around >= 0)
            rows, names, around = rows[inside], names[inside], around[inside]
        return found

    def _root_names(self, refs: Ints, found: Ids) -> Ids:
        """A function without a namespace can be called in all of them."""
        members = self._members
        spaces = np.array([lang.imports == "namespace" for lang in members.languages], dtype=bool)
        files = self._corpus.ref_file[refs]
        called = (found < 0) & spaces[files] & ((self._role[refs] & Role.CALL) != 0)
        root = np.array([members.places.root_package(f) for f in files[called].tolist()], np.int64)
        target = members.direct.find(pair(members.count + root, self._name[refs[called]]))
        useful = (root >= 0) & (target >= 0)
        useful &= members.kind[np.maximum(target, 0)] == SymbolKind.FUNCTION
        found[called] = np.where(useful, target, found[called])
        return found

    def _wildcard_names(self, refs: Ints) -> None:
        wild = np.isin(self._corpus.ref_file[refs], self._imports.files_with_wildcards())
        for ref in refs[wild].tolist():
            file, name = int(self._corpus.ref_file[ref]), int(self._name[ref])
            self._target[ref] = self._imports.wildcard(file, name)
        self._crate_names(refs[self._target[refs] < 0])

    def _crate_names(self, refs: Ints) -> None:
        """Bare names that begin a module path: `crate`, `super`, a sibling module."""
        places = self._members.places
        for ref in refs.tolist():
            file = int(self._corpus.ref_file[ref])
            if self._members.languages[file].imports == "crate":
                place, rest = places.locate(file, self._corpus.names.texts[self._name[ref]])
                if place >= 0 and not rest:
                    self._target[ref] = place

    def _inherited_names(self) -> None:
        """Bare names inside a type of a language where they may be inherited members."""
        members, corpus = self._members, self._corpus
        implicit = np.array([lang.implicit_self for lang in members.languages], dtype=bool)
        open_refs = self._rows[self._how[self._rows] == How.OPEN]
        refs = open_refs[implicit[corpus.ref_file[open_refs]]]
        types = self._scope[refs].copy()
        for _ in range(6):
            types = members.stands_for[types]
            outside = ~members.is_type[types] & (members.owner[types] >= 0)
            if not outside.any():
                break
            types[outside] = members.owner[types[outside]]
        called = (self._role[refs] & Role.CALL) != 0
        found = np.where(
            members.is_type[types], members.find(types, self._name[refs], called), _NOTHING
        )
        # In a type's place a name means a type although a member of that name is nearer.
        strict = np.array([lang.type_names for lang in members.languages], dtype=bool)
        placed = strict[corpus.ref_file[refs]] & ((self._role[refs] & _TYPE_PLACE) != 0)
        found = np.where(placed & ~members.is_type[np.maximum(found, 0)], _NOTHING, found)
        self._target[refs] = np.where(found >= 0, found, self._target[refs])

    def _super_calls(self) -> None:
        """`super` by itself: the overridden method, or the constructor of the base."""
        members = self._members
        rules = np.array([_SUPER_CALLS.get(lang.super_call, 0) for lang in members.languages])
        rows = self._rows[self._how[self._rows] == How.SUPER]
        rows = rows[(self._role[rows] & Role.CALL) != 0]
        rule = rules[self._corpus.ref_file[rows]]
        method = rows[rule == _SUPER_CALLS["method"]]
        known = method[self._cont[method] >= 0]
        self._target[known] = members.find(self._cont[known], self._name_of_scope(known))
        constructor = rows[rule == _SUPER_CALLS["constructor"]]
        types = self._enclosing_type(self._recv[constructor])
        which, ancestors = members.hierarchy.of(members.one[np.maximum(types, 0)])
        first, at = np.unique(which, return_index=True)
        self._target[constructor[first]] = np.where(types[first] >= 0, ancestors[at], _NOTHING)

    def _name_of_scope(self, refs: Ints) -> Ids:
        names: Ids = self._members.name[self._scope[refs]]
        return names

    # -- members -------------------------------------------------------------------------------

    def _chained(self) -> Ints:
        how = self._how[self._rows]
        chained = (how == How.MEMBER) | (how == How.ALIAS)
        rows: Ints = self._rows[chained & (self._recv[self._rows] >= 0)]
        return rows

    def _containers(self, values: Ids) -> Ids:
        """The container in which members of these values are looked up; -1 unknown, -2 outside."""
        ref, mode = values // 3, values % 3
        target = self._target[ref]
        result = np.where(mode == Mode.SAME, self._cont[ref], _NOTHING)
        # An instance that was called or annotated with is as good as itself for look-ups.
        itself = np.isin(self._how[ref], (How.SELF, How.SUPER))
        result = np.where((target < 0) & itself, self._cont[ref], result)
        inside = (target >= 0) & (target < self._members.count)
        symbol = np.where(inside, target, 0)
        container = (self._members.is_type | self._members.is_outer | self._members.is_holder)[
            symbol
        ]
        container &= inside
        result = np.where(container, symbol, result)
        held = inside & self._holds_value[symbol] & (mode == Mode.SAME)
        made = inside & self._callable[symbol] & (mode == Mode.CALLED)
        alias = inside & self._alias_type[symbol]
        given = (held | made | alias) & ~self._members.is_holder[symbol]
        result = np.where(given, self._symbol_cont[symbol], result)
        # Calling a variable that holds a type makes an instance; one that holds a function, its
        # result.
        value = np.where(inside & self._holds_value[symbol], self._symbol_value[symbol], _NOTHING)
        safe = np.maximum(value, 0)
        called = (value >= 0) & (mode == Mode.CALLED)
        result = np.where(called & self._members.is_type[safe], value, result)
        result = np.where(called & self._callable[safe], self._symbol_cont[safe], result)
        result = np.where(target >= self._members.count, target, result)
        return np.where(target == EXTERNAL, EXTERNAL, result).astype(np.int32)

    def _held(self, values: Ids) -> Ids:
        """The type or function that a value is, as it stands and not called; else -1."""
        target = np.where(values % 3 == Mode.SAME, self._target[values // 3], _NOTHING)
        inside = (target >= 0) & (target < self._members.count)
        safe = np.where(inside, target, 0)
        meant = inside & (self._members.is_type | self._callable)[safe]
        return np.where(meant, target, _NOTHING).astype(np.int32)

    def _rounds(self, pending: Ints) -> Ints:
        """Explains members until a round explains nothing; returns what is still open."""
        missed: list[Ints] = []
        for _ in range(_ROUNDS):
            values = self._corpus.symbols[self._typed, SymbolColumn.TYPE]
            holding = self._holds_value[self._typed]
            self._symbol_value[self._typed[holding]] = self._held(values[holding])
            self._symbol_cont[self._typed] = self._containers(values)
            container = self._containers(self._recv[pending])
            outside = container == EXTERNAL
            self._target[pending[outside]] = EXTERNAL
            self._known[pending[outside]] = True
            done = outside | self._aliases(pending, container)
            found, unknown = self._find_members(pending, container)
            missed.append(pending[unknown])
            done |= found | unknown
            if not done.any():
                break
            pending = pending[~done]
        return np.sort(np.concatenate((pending, *missed)))

    def _aliases(self, pending: Ints, container: Ids) -> Mask:
        """Local names take over what they were given."""
        alias = self._how[pending] == How.ALIAS
        rows = pending[alias]
        value = self._recv[rows]
        same = value % 3 == Mode.SAME
        target = np.where(same, self._target[value // 3], _NOTHING)
        self._target[rows] = np.where(target >= 0, target, self._target[rows])
        self._cont[rows] = container[alias]
        self._inferred[rows] = (value % 3 != Mode.INSTANCE) | self._inferred[value // 3]
        done = np.zeros(len(pending), dtype=bool)
        done[alias] = (target >= 0) | (container[alias] >= 0)
        return done

    def _find_members(self, pending: Ints, container: Ids) -> tuple[Mask, Mask]:
        """Looks members up in known containers: those found, and those that are not there."""
        members = self._members
        ready = (self._how[pending] == How.MEMBER) & (container >= 0)
        rows, inside = pending[ready], container[ready]
        found = members.find(inside, self._name[rows], (self._role[rows] & Role.CALL) != 0)
        missing = np.flatnonzero((found < 0) & (inside < members.count))
        made = missing[members.is_type[inside[missing]] & self._is_factory(rows[missing])]
        found[made] = inside[made]
        missing = missing[members.kind[inside[missing]] == SymbolKind.MODULE]
        for at in missing.tolist():
            found[at] = self._imports.lookup(int(inside[at]), int(self._name[rows[at]]))
        self._target[rows] = found
        self._known[rows] = True
        recv = self._recv[rows]
        through = self._target[recv // 3]
        direct = (through >= 0) & (recv % 3 != Mode.CALLED)
        own = np.isin(self._how[recv // 3], (How.SELF, How.SUPER))
        value_like = (through >= 0) & (through < members.count)
        held = value_like & self._holds_value[np.where(value_like, through, 0)]
        self._inferred[rows] = (~(direct | own) | held) | self._inferred[recv // 3]
        done = np.zeros(len(pending), dtype=bool)
        done[ready] = found >= 0
        return done, ready & ~done

    def _is_factory(self, refs: Ints) -> Mask:
        """Members that every type has and that make an instance of it: `Shelf.new`."""
        members, names = self._members, self._corpus.names
        made = {
            (index, names[name])
            for index, language in enumerate(members.languages)
            if language.factories
            for name in language.factories
            if name in names
        }
        if not made:
            return np.zeros(len(refs), dtype=bool)
        files, wanted = self._corpus.ref_file[refs].tolist(), self._name[refs].tolist()
        return np.array([key in made for key in zip(files, wanted, strict=True)], dtype=bool)

    # -- hierarchy -----------------------------------------------------------------------------

    def _bases(self) -> Bases:
        """Each type beside each of its direct bases; those of files left alone are taken over."""
        members = self._members
        refs = self._rows[(self._role[self._rows] & (Role.BASE | Role.IMPLEMENTS)) != 0]
        base = self._target[refs]
        inside = (base >= 0) & (base < members.count)
        refs, base = refs[inside], base[inside]
        usable = members.is_type | (members.kind == SymbolKind.NAMESPACE)
        child = members.stands_for[self._scope[refs]]
        good = usable[base] & usable[child]
        refs, child, base = self._with_class_parts(refs[good], child[good], base[good])
        if self._before is not None:
            old = self._before.bases
            kept = ~np.isin(old.ref, self._rows)
            refs = np.concatenate((old.ref[kept], refs))
            order = np.argsort(refs, kind="stable")
            refs = refs[order]
            child = np.concatenate((old.child[kept], child))[order]
            base = np.concatenate((old.base[kept], base))[order]
        return Bases(ref=refs, child=child, base=base)


    def _with_class_parts(self, refs: Ints, child: Ids, base: Ids) -> tuple[Ints, Ids, Ids]:
        """Who mixes a namespace in also gets the part of it that is meant for the type itself."""
        members, names = self._members, self._corpus.names
        parts = sorted({lang.class_part for lang in members.languages if lang.class_part})
        for part in parts:
            if part not in names:
                continue
            wanted = np.full(len(base), names[part], dtype=np.int32)
            found = members.direct.find(pair(members.one[base], wanted))
            extra = np.flatnonzero(found >= 0)
            refs = np.concatenate((refs, refs[extra]))
            child = np.concatenate((child, child[extra]))
            base = np.concatenate((base, found[extra]))
        order = np.argsort(refs, kind="stable")
        return refs[order], child[order], base[order]


_SUPER_CALLS = {"method": 1, "constructor": 2}
_VALUE_KINDS = (
    SymbolKind.PROPERTY,
    SymbolKind.FIELD,
    SymbolKind.VARIABLE,
    SymbolKind.CONSTANT,
)
_RULES = {
    OpenNames.NONE: 0,
    OpenNames.PACKAGE: 1,
    OpenNames.GLOBAL: 2,
    OpenNames.INCLUDED: 3,
}

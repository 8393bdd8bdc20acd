"""What each reference of the workspace means, in vectorised rounds.

A bare name is explained by its file, its imports, its package or its type; a member is explained
once the value before it is. Each round explains the members whose receivers the round before has
explained, so `a.b().c` takes three. Nothing is bound by its bare name alone: a member of an unknown
value stays open, and guessing is left to `guess`.
"""

import numpy as np

from knowing.graph.bases import direct_bases
from knowing.graph.corpus import Corpus
from knowing.graph.imports import Imports
from knowing.graph.keys import Ids, Ints, Mask, pair, pieces
from knowing.graph.members import NO_HIERARCHY, Members, linearise
from knowing.graph.namespaces import enclosing_names
from knowing.graph.places import EXTERNAL
from knowing.graph.resolution import Bases, Resolution, rows_of
from knowing.graph.traits import kind_set
from knowing.languages.language import ImportStyle, OpenNames
from knowing.model import SymbolKind
from knowing.parse.facts import How, Mode, Role, SymbolColumn

_ROUNDS = 8
_NOTHING = -1
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
        self._before = before
        self._chosen: Mask = np.ones(len(corpus.paths), dtype=bool) if files is None else files
        chosen = self._references = corpus.references.of(self._chosen)
        self._refs, self._file = chosen.refs, chosen.file
        self._name, self._how, self._role = chosen.name, chosen.how, chosen.role
        self._recv, self._scope = chosen.recv, chosen.scope
        symbols = rows_of(corpus.symbol_base, self._chosen)
        self._typed: Ints = symbols[corpus.symbols[symbols, SymbolColumn.TYPE] >= 0]
        values = corpus.symbols[self._typed, SymbolColumn.TYPE]
        self._values: Ids = values - 3 * chosen.gap[corpus.symbol_file[self._typed]]
        size = len(self._how)
        self._target: Ids = np.full(size, _NOTHING, dtype=np.int32)
        self._cont: Ids = np.full(size, _NOTHING, dtype=np.int32)
        self._inferred: Mask = np.zeros(size, dtype=bool)
        self._known: Mask = np.zeros(size, dtype=bool)
        kind = members.kind
        typed = corpus.symbols[:, SymbolColumn.TYPE] >= 0
        self._callable: Mask = members.is_callable & (kind != SymbolKind.PROPERTY)
        self._holds_value: Mask = _VALUES[kind]
        self._alias_type: Mask = (kind == SymbolKind.TYPE) & typed
        self._container: Mask = members.is_type | members.is_outer | members.is_holder
        if before is None:
            self._symbol_cont: Ids = np.full(len(kind), _NOTHING, dtype=np.int32)
            self._symbol_value: Ids = np.full(len(kind), _NOTHING, dtype=np.int32)
            self._import_target: Ids = self._imports.targets(np.arange(len(corpus.imports)))
        else:
            self._take_over(before)

    def _take_over(self, before: Resolution) -> None:
        """What is known of the other files stays; the chosen ones are explained anew."""
        self._symbol_cont, self._symbol_value = before.symbol_container, before.symbol_value
        symbols = rows_of(self._corpus.symbol_base, self._chosen)
        for column in (self._symbol_cont, self._symbol_value):
            column[symbols] = _NOTHING
        self._import_target = before.import_target
        imports = rows_of(self._corpus.import_base, self._chosen)
        self._import_target[imports] = self._imports.targets(imports)

    def run(self) -> Resolution:
        members = self._members
        # What types inherit is not known before their bases are, so it is not used before.
        hierarchy, members.hierarchy = members.hierarchy, NO_HIERARCHY
        self._first_look()
        self._open_names()
        pending = self._rounds(self._chained())
        bases = direct_bases(members, self._references, self._target)
        if self._before is not None:
            files = self._corpus.references.files_of(self._before.bases.ref)
            bases = bases.joined_with(self._before.bases, ~self._chosen[files])
        if self._before is None:
            hierarchy = linearise(members.one[bases.child], members.one[bases.base])
        members.hierarchy = hierarchy
        self._imports.forget()
        self._inherited_names()
        self._super_calls()
        self._rounds(pending)
        return self._outcome(bases)

    def _outcome(self, bases: Bases) -> Resolution:
        target, inferred, known = self._target, self._inferred, self._known
        if self._before is not None:
            before = self._before
            columns = before.target, before.inferred, before.known_receiver
            for column, own in zip(columns, (target, inferred, known), strict=True):
                column[self._refs] = own
            target, inferred, known = columns
        return Resolution(
            target=target,
            inferred=inferred,
            known_receiver=known,
            import_target=self._import_target,
            symbol_container=self._symbol_cont,
            symbol_value=self._symbol_value,
            bases=bases,
        )

    # -- bare names ----------------------------------------------------------------------------

    def _first_look(self) -> None:
        """What the file itself has told."""
        how, recv, target = self._how, self._recv, self._target
        local = np.flatnonzero(how == How.LOCAL)
        target[local] = recv[local]
        imported = np.flatnonzero(how == How.IMPORT)
        target[imported] = self._import_target[recv[imported]]
        self._defaults(imported)
        own = np.flatnonzero(how == How.SELF)
        self._cont[own] = self._enclosing_type(recv[own])
        base = np.flatnonzero(how == How.SUPER)
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
        owns = members.is_type[stands] | members.is_holder[stands]
        types = np.where(owns, stands, members.owner[symbols])
        safe = np.maximum(types, 0)
        owns = (types >= 0) & (members.is_type[safe] | members.is_holder[safe])
        return np.where(owns, types, _NOTHING).astype(np.int32)

    def _open_names(self) -> None:
        """Bare names that the file does not define: package, includes, whole family, wildcards."""
        members, places = self._members, self._members.places
        open_refs = np.flatnonzero(self._how == How.OPEN)
        files = self._file[open_refs]
        names = self._name[open_refs]
        rule = places.numbers_of_files(lambda language: _RULES[language.open_names])[files]
        package = places.package_numbers[files]
        inside = (rule == _RULES[OpenNames.PACKAGE]) & (package >= 0)
        found = np.full(len(open_refs), _NOTHING, dtype=np.int32)
        found[inside] = members.direct.find(
            pair(members.count + package[inside].astype(np.int64), names[inside])
        )
        found = enclosing_names(members, self._references, open_refs, found)
        found = self._root_names(open_refs, found)
        anywhere = (rule >= _RULES[OpenNames.GLOBAL]) & (found < 0)
        family = members.family_of_file[files]
        found[anywhere] = members.find_in_family(family[anywhere], names[anywhere])
        self._target[open_refs] = found
        self._wildcard_names(open_refs[found < 0])

    def _root_names(self, refs: Ints, found: Ids) -> Ids:
        """A function without a namespace can be called in all of them."""
        members = self._members
        spaces = members.places.marked_files(lambda lang: lang.imports == ImportStyle.NAMESPACE)
        files = self._file[refs]
        called = (found < 0) & spaces[files] & ((self._role[refs] & Role.CALL) != 0)
        root = np.array([members.places.root_package(f) for f in files[called].tolist()], np.int64)
        target = members.direct.find(pair(members.count + root, self._name[refs[called]]))
        useful = (root >= 0) & (target >= 0)
        useful &= members.kind[np.maximum(target, 0)] == SymbolKind.FUNCTION
        found[called] = np.where(useful, target, found[called])
        return found

    def _wildcard_names(self, refs: Ints) -> None:
        files = self._file[refs]
        wild = self._imports.files_with_wildcards(files)[files]
        for ref in refs[wild].tolist():
            file, name = int(self._file[ref]), int(self._name[ref])
            self._target[ref] = self._imports.wildcard(file, name)
        self._crate_names(refs[self._target[refs] < 0])

    def _crate_names(self, refs: Ints) -> None:
        """Bare names that begin a module path: `crate`, `super`, a sibling module."""
        places, texts = self._members.places, self._corpus.names.texts
        crated = places.marked_files(lambda language: language.imports == ImportStyle.CRATE)
        for ref in refs[crated[self._file[refs]]].tolist():
            place, rest = places.locate(int(self._file[ref]), texts[self._name[ref]])
            if place >= 0 and not rest:
                self._target[ref] = place

    def _inherited_names(self) -> None:
        """Bare names inside a type of a language where they may be inherited members."""
        members, places = self._members, self._members.places
        implicit = places.marked_files(lambda language: language.implicit_self)
        open_refs = np.flatnonzero(self._how == How.OPEN)
        refs = open_refs[implicit[self._file[open_refs]]]
        if not len(refs):
            return
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
        strict = places.marked_files(lambda language: language.type_names)
        placed = strict[self._file[refs]] & ((self._role[refs] & _TYPE_PLACE) != 0)
        found = np.where(placed & ~members.is_type[np.maximum(found, 0)], _NOTHING, found)
        self._target[refs] = np.where(found >= 0, found, self._target[refs])

    def _super_calls(self) -> None:
        """`super` by itself: the overridden method, or the constructor of the base."""
        members = self._members
        rules = members.places.numbers_of_files(
            lambda language: _SUPER_CALLS.get(language.super_call, 0)
        )
        rows = np.flatnonzero((self._how == How.SUPER) & ((self._role & Role.CALL) != 0))
        rule = rules[self._file[rows]]
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
        chained = (self._how == How.MEMBER) | (self._how == How.ALIAS)
        return np.flatnonzero(chained & (self._recv >= 0))

    def _containers(self, values: Ids) -> Ids:
        """The container in which members of these values are looked up; -1 unknown, -2 outside."""
        found: Ids = np.empty(len(values), dtype=np.int32)
        for part, some in zip(pieces(found), pieces(values), strict=True):
            part[:] = self._containers_of(some)
        return found

    def _containers_of(self, values: Ids) -> Ids:
        ref = values // 3
        mode = values - 3 * ref
        target = self._target[ref]
        result = np.where(mode == Mode.SAME, self._cont[ref], _NOTHING)
        # An instance that was called or annotated with is as good as itself for look-ups.
        itself = _CURRENT[self._how[ref]]
        result = np.where((target < 0) & itself, self._cont[ref], result)
        inside = (target >= 0) & (target < self._members.count)
        symbol = np.where(inside, target, 0)
        container = self._container[symbol] & inside
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
        receiver = self._recv[pending] // 3
        for _ in range(_ROUNDS):
            values = self._values
            holding = self._holds_value[self._typed]
            self._symbol_value[self._typed[holding]] = self._held(values[holding])
            self._symbol_cont[self._typed] = self._containers(values)
            # Where nothing is known of the receiver there is nothing to be found yet.
            awake = (self._target[receiver] != _NOTHING) | (self._cont[receiver] != _NOTHING)
            ready = pending[awake]
            container = self._containers(self._recv[ready])
            outside = container == EXTERNAL
            self._target[ready[outside]] = EXTERNAL
            self._known[ready[outside]] = True
            done = outside | self._aliases(ready, container)
            found, unknown = self._find_members(ready, container)
            missed.append(ready[unknown])
            done |= found | unknown
            if not done.any():
                break
            awake[awake] = done
            pending, receiver = pending[~awake], receiver[~awake]
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
        own = _CURRENT[self._how[recv // 3]]
        value_like = (through >= 0) & (through < members.count)
        held = value_like & self._holds_value[np.where(value_like, through, 0)]
        self._inferred[rows] = (~(direct | own) | held) | self._inferred[recv // 3]
        done = np.zeros(len(pending), dtype=bool)
        done[ready] = found >= 0
        return done, ready & ~done

    def _is_factory(self, refs: Ints) -> Mask:
        """Members that every type has and that make an instance of it: `Shelf.new`."""
        places, names = self._members.places, self._corpus.names
        found: Mask = np.zeros(len(refs), dtype=bool)
        for language in places.spoken:
            made = [names[name] for name in language.factories if name in names]
            if made:
                own = places.files_in(language)
                found |= own[self._file[refs]] & np.isin(self._name[refs], made)
        return found


_SUPER_CALLS = {"method": 1, "constructor": 2}
_VALUE_KINDS = (
    SymbolKind.PROPERTY,
    SymbolKind.FIELD,
    SymbolKind.VARIABLE,
    SymbolKind.CONSTANT,
)
_VALUES = kind_set(_VALUE_KINDS)
_CURRENT = kind_set((How.SELF, How.SUPER))
_RULES = {
    OpenNames.NONE: 0,
    OpenNames.PACKAGE: 1,
    OpenNames.GLOBAL: 2,
    OpenNames.INCLUDED: 3,
}

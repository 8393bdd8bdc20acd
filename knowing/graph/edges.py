"""The edges that references and imports give directly, and guesses where they are not explained."""

import numpy as np

from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand, pair
from knowing.graph.members import Members
from knowing.graph.refs import Chosen
from knowing.graph.resolution import Resolution, rows_of
from knowing.graph.table import Bytes, EdgeTable
from knowing.graph.traits import kind_set
from knowing.model import EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.parse.facts import DecorationColumn, How, ImportColumn, Role

__all__ = ["EdgeTable", "ReferenceEdges", "guesses"]

_ABSTRACT = kind_set((SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.NAMESPACE))
_FIELDS = kind_set((SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER))
_OUTER = kind_set((SymbolKind.MODULE, SymbolKind.NAMESPACE))


class ReferenceEdges:
    """Turns the explained references of some files into edges."""

    def __init__(
        self,
        members: Members,
        resolution: Resolution,
        files: Mask,
        chosen: Chosen | None = None,
    ) -> None:
        """`chosen` are the references of `files`, where they are at hand."""
        self._members = members
        self._corpus = members.corpus
        self._resolution = resolution
        self._files = files
        self._chosen = chosen or self._corpus.references.of(files)
        target = resolution.target[self._chosen.refs]
        # Columns of the references that lead somewhere inside the workspace.
        self._rows: Ints = np.flatnonzero((target >= 0) & (target < members.count))
        self._target: Ids = target[self._rows]
        self._role: Ids = self._chosen.role[self._rows]
        self._how: Ids = self._chosen.how[self._rows]
        self._source: Ids = members.stands_for[self._chosen.scope[self._rows]]
        self._is_called: Mask = (members.is_callable | members.is_type)[self._target]

    def all(self) -> list[EdgeTable]:
        return [
            *self._calls(),
            self._bases(),
            self._decorates(),
            self._plain(Role.THROW, EdgeKind.THROWS),
            self._plain(Role.TYPE, EdgeKind.TYPE_HINT_OF),
            self._reads(),
            self._imports(),
        ]

    def _table(
        self, at: Ints, target: Ids, kind: EdgeKind | Bytes, through: Mask | None = None
    ) -> EdgeTable:
        """Edges of some references; `through` marks those that a variable's value leads to."""
        rows = self._rows[at]
        inferred = self._resolution.inferred[self._chosen.refs[rows]]
        if through is not None:
            inferred = inferred | through
        origin = np.where(inferred, Origin.AST_INFERRED, Origin.AST_RESOLVED).astype(np.uint8)
        return EdgeTable.of(
            self._source[at],
            target,
            kind,
            origin,
            file=self._chosen.file[rows],
            line=self._chosen.line[rows],
        )

    def _plain(self, role: Role, kind: EdgeKind) -> EdgeTable:
        at = np.flatnonzero(((self._role & role) != 0) & self._is_called)
        return self._table(at, self._target[at], kind)

    def _calls(self) -> list[EdgeTable]:
        """Calls of functions and types; a call of a type also calls its constructor."""
        applies = self._members.places.marked_files(lambda language: language.decorators_call)
        decorating = np.flatnonzero((self._role & (Role.CALL | Role.DECORATOR)) == Role.DECORATOR)
        called = (self._role & Role.CALL) != 0
        called[decorating] = applies[self._chosen.file[self._rows[decorating]]]
        at = np.flatnonzero(called)
        named = self._target[at]
        held = self._resolution.symbol_value[named]
        target = np.where(held >= 0, held, named)
        members = self._members
        callable_ = members.is_callable[target] | members.is_type[target]
        at, target, held = at[callable_], target[callable_], held[callable_]
        created = np.flatnonzero(members.is_type[target])
        made = self._constructors(target[created])
        has = made >= 0
        return [
            self._table(at, target, EdgeKind.CALLS, through=held >= 0),
            self._table(
                at[created[has]], made[has], EdgeKind.CALLS, through=held[created[has]] >= 0
            ),
        ]

    def _constructors(self, types: Ids) -> Ids:
        """The constructor of each type: its own, else the nearest inherited one that has a name."""
        members = self._members
        rows = np.flatnonzero(members.kind == SymbolKind.CONSTRUCTOR)
        rows = rows[members.owner[rows] >= 0]
        own = KeyTable.first_wins(members.owner[rows].astype(np.int64), rows.astype(np.int32))
        found = own.find(types.astype(np.int64))
        named = members.places.marked_files(lambda language: bool(language.constructors))
        open_ = np.flatnonzero((found < 0) & named[self._corpus.symbol_file[types]])
        distinct, back = np.unique(types[open_], return_inverse=True)
        which, ancestors = members.hierarchy.of(distinct)
        inherited = own.find(ancestors.astype(np.int64))
        good = np.flatnonzero(inherited >= 0)
        first, at = np.unique(which[good], return_index=True)
        nearest = np.full(len(distinct), -1, dtype=np.int32)
        nearest[first] = inherited[good[at]]
        found[open_] = nearest[back]
        return found

    def _bases(self) -> EdgeTable:
        """`extends`, or `implements` where a concrete type names an interface or trait."""
        at = np.flatnonzero((self._role & (Role.BASE | Role.IMPLEMENTS)) != 0)
        target, kinds = self._target[at], self._members.kind
        implements = _ABSTRACT[kinds[target]] & ~_ABSTRACT[kinds[self._source[at]]]
        implements |= (self._role[at] & Role.IMPLEMENTS) != 0
        kind = np.where(implements, EdgeKind.IMPLEMENTS, EdgeKind.EXTENDS).astype(np.uint8)
        return self._table(at, target, kind)

    def _decorates(self) -> EdgeTable:
        chosen = rows_of(self._corpus.decoration_base, self._files)
        rows = self._corpus.decorations[chosen]
        refs = rows[:, DecorationColumn.REF].astype(np.int64)
        target = self._resolution.target[refs]
        inside = (target >= 0) & (target < self._members.count)
        refs, decorated = refs[inside], rows[inside, DecorationColumn.SYMBOL]
        at = refs - self._chosen.gap[self._corpus.references.files_of(refs)]
        return EdgeTable.of(
            target[inside],
            decorated,
            EdgeKind.DECORATES,
            Origin.AST_RESOLVED,
            file=self._chosen.file[at],
            line=self._chosen.line[at],
        )

    def _reads(self) -> EdgeTable:
        """Other uses: functions handed over, constants read, fields accessed."""
        used = Role.CALL | Role.TYPE | Role.BASE | Role.IMPLEMENTS | Role.DECORATOR | Role.THROW
        callable_ = self._is_called | (self._resolution.symbol_value[self._target] >= 0)
        # What is called but cannot be, a field that holds a function, is at least read.
        called = ((self._role & Role.CALL) != 0) & ~callable_
        plain = (((self._role & used) == 0) | called) & (self._how != How.MENTION)
        at = np.flatnonzero(plain)
        target = self._target[at]
        kind = self._members.kind[target]
        shown = ~_OUTER[kind] & (target != self._source[at])
        at, target, kind = at[shown], target[shown], kind[shown]
        edge = np.where(_FIELDS[kind], EdgeKind.ACCESSES_FIELD, EdgeKind.REFERENCES)
        return self._table(at, target, edge.astype(np.uint8))

    def _imports(self) -> EdgeTable:
        imports = self._corpus.imports
        rows = rows_of(self._corpus.import_base, self._files)
        target = self._resolution.import_target[rows]
        inside = (target >= 0) & (target < self._members.count)
        rows = rows[inside]
        return EdgeTable.of(
            imports[rows, ImportColumn.SCOPE],
            target[inside],
            EdgeKind.IMPORTS,
            Origin.AST_RESOLVED,
            file=self._corpus.import_file[rows],
            line=imports[rows, ImportColumn.LINE],
        )


_MAX_GUESSES = 5


def guesses(
    members: Members, resolution: Resolution, files: Mask, chosen: Chosen | None = None
) -> EdgeTable:
    """Calls of unknown members, to the few methods of that name; the guess tier.

    A bare name may be a member where the language lets out the receiver.
    """
    refs = chosen or members.corpus.references.of(files)
    open_ = (resolution.target[refs.refs] == -1) & ~resolution.known_receiver[refs.refs]
    rows = np.flatnonzero(open_ & ((refs.role & Role.CALL) != 0))
    implicit = members.places.marked_files(lambda language: language.implicit_self)
    bare = (refs.how[rows] == How.OPEN) & implicit[refs.file[rows]]
    rows = rows[(refs.how[rows] == How.MEMBER) | bare]
    names = refs.name[rows]
    asked = np.zeros(len(members.corpus.names), dtype=bool)
    asked[names] = True
    # Names that members of built-in types have say nothing about who is meant.
    asked[_builtin_members(members)] = False
    rows = rows[asked[names]]
    methods = np.flatnonzero(asked[members.name] & (members.kind == SymbolKind.METHOD))
    methods = methods[members.owner[methods] >= 0]
    family, files_of = members.family_of_file, members.corpus.symbol_file
    # Code under test does not call its tests, and its tests rather call it than each other.
    testing = (members.flags & SymbolFlag.TEST) != 0
    keys = pair(family[files_of[methods]], members.name[methods])
    order = np.lexsort((testing[methods], keys))
    keys, methods = keys[order], methods[order]
    plain_keys = keys[~testing[methods]]
    wanted = pair(family[refs.file[rows]], refs.name[rows])
    start = np.searchsorted(keys, wanted, side="left")
    every = np.searchsorted(keys, wanted, side="right") - start
    plain = np.searchsorted(plain_keys, wanted, side="right")
    plain -= np.searchsorted(plain_keys, wanted, side="left")
    among_tests = (plain == 0) & testing[members.stands_for[refs.scope[rows]]]
    count = np.where(among_tests, every, plain)
    few = (count > 0) & (count <= _MAX_GUESSES)
    rows, start, count = rows[few], start[few], count[few]
    which, at = expand(start, count)
    rows = rows[which]
    source = members.stands_for[refs.scope[rows]]
    target = methods[at]
    return EdgeTable.of(
        source,
        target,
        EdgeKind.CALLS,
        Origin.HEURISTIC,
        confidence=(0.5 / count[which]).astype(np.float32),
        file=refs.file[rows],
        line=refs.line[rows],
    )


def _builtin_members(members: Members) -> list[int]:
    names = {name for language in members.places.spoken for name in language.builtin_members}
    return [members.corpus.names[name] for name in sorted(names) if name in members.corpus.names]

"""Edges as parallel columns, and the edges that references give directly."""

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints, KeyTable, Mask, expand, pair
from knowing.graph.members import Members
from knowing.graph.resolution import Resolution, rows_of
from knowing.model import (
    ORIGIN_CONFIDENCE,
    EdgeKind,
    Origin,
    SymbolFlag,
    SymbolKind,
)
from knowing.parse.facts import DecorationColumn, How, ImportColumn, RefColumn, Role

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeTable:
    """Parallel columns; `file` and `line` are the site, -1 and 0 where there is none."""

    source: Ids
    target: Ids
    kind: Bytes
    origin: Bytes
    confidence: Floats
    file: Ids
    line: Ids

    def __len__(self) -> int:
        return len(self.source)

    @classmethod
    def of(
        cls,
        source: Ids | Ints,
        target: Ids | Ints,
        kind: EdgeKind | Bytes,
        origin: Origin | Bytes,
        *,
        confidence: float | Floats | None = None,
        file: Ids | None = None,
        line: Ids | None = None,
    ) -> Self:
        """A table from columns and constants."""
        size = len(source)
        origins = np.broadcast_to(np.asarray(origin, dtype=np.uint8), size)
        if confidence is None:
            confidence = _CONFIDENCE[origins]
        return cls(
            source=np.asarray(source, dtype=np.int32),
            target=np.asarray(target, dtype=np.int32),
            kind=np.broadcast_to(np.asarray(kind, dtype=np.uint8), size),
            origin=origins,
            confidence=np.broadcast_to(np.asarray(confidence, dtype=np.float32), size),
            file=np.full(size, -1, np.int32) if file is None else file.astype(np.int32),
            line=np.zeros(size, np.int32) if line is None else line.astype(np.int32),
        )

    @classmethod
    def concatenate(cls, tables: list[Self]) -> Self:
        return cls(
            **{
                item.name: np.concatenate([getattr(table, item.name) for table in tables])
                for item in fields(cls)
            }
        )

    def take(self, rows: Ints | Mask) -> Self:
        return type(self)(**{item.name: getattr(self, item.name)[rows] for item in fields(self)})

    def renumbered(self, numbers: Ids) -> Self:
        """The same edges between symbols that have got other numbers."""
        columns = {item.name: getattr(self, item.name) for item in fields(self)}
        columns["source"] = numbers[self.source]
        columns["target"] = numbers[self.target]
        return type(self)(**columns)

    def replaced(self, kept: Mask, numbers: Ids, added: Self) -> Self:
        """The `kept` rows in other numbers together with `added` ones, all in canonical order.

        `added` is canonical and has no edge that is kept. The numbers rise with the old ones for
        nearly all symbols, so the kept rows are as good as sorted and the others are fitted in.
        """
        old = np.flatnonzero(kept)
        source, target = numbers[self.source[old]], numbers[self.target[old]]
        keys = pair(source, target)
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            old, source, target, keys = old[order], source[order], target[order], keys[order]
        new = pair(added.source, added.target)
        place = np.searchsorted(keys, new, side="right") + np.arange(len(new))
        taken = np.zeros(len(keys) + len(new), dtype=bool)
        taken[place] = True
        rest = ~taken

        def fitted(mine: npt.NDArray[Any], others: npt.NDArray[Any]) -> npt.NDArray[Any]:
            column = np.empty(len(taken), dtype=others.dtype)
            column[place] = others
            column[rest] = mine
            return column

        table = type(self)(
            source=fitted(source, added.source),
            target=fitted(target, added.target),
            **{
                name: fitted(getattr(self, name)[old], getattr(added, name))
                for name in ("kind", "origin", "confidence", "file", "line")
            },
        )
        table._sort_ties(fitted(keys, new), new)
        return table

    def _sort_ties(self, keys: Ints, wanted: Ints) -> None:
        """Sorts, in place, the rows of each of the `wanted` keys by kind, file and line."""
        distinct = np.unique(wanted)
        start = np.searchsorted(keys, distinct, side="left")
        count = np.searchsorted(keys, distinct, side="right") - start
        several = count > 1
        _, rows = expand(start[several], count[several])
        order = rows[np.lexsort((self.line[rows], self.file[rows], self.kind[rows], keys[rows]))]
        for name in ("kind", "origin", "confidence", "file", "line"):
            column = getattr(self, name)
            column[rows] = column[order]

    def canonical(self) -> Self:
        """Sorted by source, target, kind, file and line, one row for each of these."""
        ends = pair(self.source, self.target)
        site = (self.kind.astype(np.int64) << 56) | pair(self.file + 1, self.line)
        order = np.lexsort((site, ends))
        ends, site = ends[order], site[order]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (ends[1:] != ends[:-1]) | (site[1:] != site[:-1])
        return self.take(order if fresh.all() else order[fresh])


_CONFIDENCE = np.array([ORIGIN_CONFIDENCE[origin] for origin in Origin], dtype=np.float32)


class ReferenceEdges:
    """Turns the explained references of some files into edges."""

    def __init__(self, members: Members, resolution: Resolution, files: Mask) -> None:
        self._members = members
        self._corpus = members.corpus
        self._resolution = resolution
        self._files = files
        self._rows = rows_of(self._corpus.ref_base, files)
        refs = self._corpus.refs
        self._role: Ids = refs[:, RefColumn.CODE] >> 4
        target = resolution.target
        self._inside: Mask = (target >= 0) & (target < members.count)
        self._source: Ids = members.stands_for[refs[:, RefColumn.SCOPE]]
        self._is_type, self._is_callable = members.is_type, members.is_callable

    def all(self) -> list[EdgeTable]:
        return [
            *self._calls(),
            self._bases(),
            self._decorates(),
            self._plain(Role.THROW, EdgeKind.THROWS),
            self._plain(Role.TYPE, EdgeKind.TYPE_HINT_OF),
            *self._reads(),
            self._imports(),
        ]

    def _table(
        self, rows: Ints, target: Ids, kind: EdgeKind | Bytes, through: Mask | None = None
    ) -> EdgeTable:
        """Edges of some references; `through` marks those that a variable's value leads to."""
        refs = self._corpus.refs
        inferred = self._resolution.inferred[rows]
        if through is not None:
            inferred = inferred | through
        origin = np.where(inferred, Origin.AST_INFERRED, Origin.AST_RESOLVED).astype(np.uint8)
        return EdgeTable.of(
            self._source[rows],
            target,
            kind,
            origin,
            file=self._corpus.ref_file[rows],
            line=refs[rows, RefColumn.LINE],
        )

    def _with_role(self, role: int) -> Ints:
        rows = self._rows
        chosen: Ints = rows[self._inside[rows] & ((self._role[rows] & role) != 0)]
        return chosen

    def _plain(self, role: Role, kind: EdgeKind) -> EdgeTable:
        rows = self._with_role(role)
        target = self._resolution.target[rows]
        useful = self._is_type[target] | self._is_callable[target]
        rows = rows[useful]
        return self._table(rows, self._resolution.target[rows], kind)

    def _calls(self) -> list[EdgeTable]:
        """Calls of functions and types; a call of a type also calls its constructor."""
        rows = self._with_role(Role.CALL | Role.DECORATOR)
        applies = np.array([lang.decorators_call for lang in self._members.languages], dtype=bool)
        called = (self._role[rows] & Role.CALL) != 0
        rows = rows[called | applies[self._corpus.ref_file[rows]]]
        named = self._resolution.target[rows]
        held = self._resolution.symbol_value[named]
        target = np.where(held >= 0, held, named)
        callable_ = self._is_callable[target] | self._is_type[target]
        rows, target, held = rows[callable_], target[callable_], held[callable_]
        created = np.flatnonzero(self._is_type[target])
        made = self.constructors.find(target[created].astype(np.int64))
        has = made >= 0
        return [
            self._table(rows, target, EdgeKind.CALLS, through=held >= 0),
            self._table(
                rows[created[has]], made[has], EdgeKind.CALLS, through=held[created[has]] >= 0
            ),
        ]

    @property
    def constructors(self) -> KeyTable:
        """The constructor of each type: its own, else the nearest inherited one that has a name."""
        members, hierarchy = self._members, self._members.hierarchy
        rows = np.flatnonzero((members.kind == SymbolKind.CONSTRUCTOR) & (members.owner >= 0))
        own = KeyTable.first_wins(members.owner[rows].astype(np.int64), rows.astype(np.int32))
        inherited = own.find(hierarchy.ancestors.astype(np.int64))
        files = self._corpus.symbol_file
        named = np.array([bool(lang.constructors) for lang in members.languages], dtype=bool)
        usable = (inherited >= 0) & named[files[hierarchy.types]]
        return KeyTable.first_wins(
            np.concatenate((own.keys, hierarchy.types[usable].astype(np.int64))),
            np.concatenate((own.values, inherited[usable])),
        )

    def _bases(self) -> EdgeTable:
        """`extends`, or `implements` where a concrete type names an interface or trait."""
        rows = self._with_role(Role.BASE | Role.IMPLEMENTS)
        target = self._resolution.target[rows]
        abstract = (SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.NAMESPACE)
        concrete = ~np.isin(self._members.kind[self._source[rows]], abstract)
        implements = np.isin(self._members.kind[target], abstract) & concrete
        implements |= (self._role[rows] & Role.IMPLEMENTS) != 0
        kind = np.where(implements, EdgeKind.IMPLEMENTS, EdgeKind.EXTENDS).astype(np.uint8)
        return self._table(rows, target, kind)

    def _decorates(self) -> EdgeTable:
        chosen = rows_of(self._corpus.decoration_base, self._files)
        rows = self._corpus.decorations[chosen]
        refs = rows[:, DecorationColumn.REF]
        inside = self._inside[refs]
        refs, decorated = refs[inside], rows[inside, DecorationColumn.SYMBOL]
        return EdgeTable.of(
            self._resolution.target[refs],
            decorated,
            EdgeKind.DECORATES,
            Origin.AST_RESOLVED,
            file=self._corpus.ref_file[refs],
            line=self._corpus.refs[refs, RefColumn.LINE],
        )

    def _reads(self) -> list[EdgeTable]:
        """Other uses: functions handed over, constants read, fields accessed."""
        used = Role.CALL | Role.TYPE | Role.BASE | Role.IMPLEMENTS | Role.DECORATOR | Role.THROW
        rows = self._rows
        how = self._corpus.refs[rows, RefColumn.CODE] & 15
        rows = rows[self._inside[rows] & (how != How.MENTION)]
        target = self._resolution.target[rows]
        # What is called but cannot be, a field that holds a function, is at least read.
        callable_ = self._is_callable[target] | self._is_type[target]
        callable_ |= self._resolution.symbol_value[target] >= 0
        called = (self._role[rows] & Role.CALL != 0) & ~callable_
        plain = ((self._role[rows] & used) == 0) | called
        rows, target = rows[plain], target[plain]
        kind = self._members.kind[target]
        field = np.isin(kind, (SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER))
        shown = ~np.isin(kind, (SymbolKind.MODULE, SymbolKind.NAMESPACE)) & (
            target != self._source[rows]
        )
        edge = np.where(field, EdgeKind.ACCESSES_FIELD, EdgeKind.REFERENCES).astype(np.uint8)
        return [self._table(rows[shown], target[shown], edge[shown])]

    def _imports(self) -> EdgeTable:
        imports = self._corpus.imports
        target = self._resolution.import_target
        rows = rows_of(self._corpus.import_base, self._files)
        rows = rows[(target[rows] >= 0) & (target[rows] < self._members.count)]
        return EdgeTable.of(
            imports[rows, ImportColumn.SCOPE],
            target[rows],
            EdgeKind.IMPORTS,
            Origin.AST_RESOLVED,
            file=self._corpus.import_file[rows],
            line=imports[rows, ImportColumn.LINE],
        )


_MAX_GUESSES = 5


def guesses(members: Members, resolution: Resolution, files: Mask) -> EdgeTable:
    """Calls of unknown members, to the few methods of that name; the guess tier.

    A bare name may be a member where the language lets out the receiver.
    """
    refs = members.corpus.refs
    rows = rows_of(members.corpus.ref_base, files)
    code = refs[rows, RefColumn.CODE]
    open_ = (resolution.target[rows] == -1) & ~resolution.known_receiver[rows]
    implicit = np.array([lang.implicit_self for lang in members.languages], dtype=bool)
    bare = (code & 15 == How.OPEN) & implicit[members.corpus.ref_file[rows]]
    rows = rows[open_ & ((code >> 4) & Role.CALL != 0) & ((code & 15 == How.MEMBER) | bare)]
    rows = rows[~np.isin(refs[rows, RefColumn.NAME], _builtin_members(members))]
    methods = np.flatnonzero((members.kind == SymbolKind.METHOD) & (members.owner >= 0))
    family = members.family_of_file[members.corpus.symbol_file]
    keys = pair(family[methods], members.name[methods])
    order = np.argsort(keys, kind="stable")
    keys, methods = keys[order], methods[order]
    wanted = pair(family[members.corpus.refs[rows, RefColumn.SCOPE]], refs[rows, RefColumn.NAME])
    start = np.searchsorted(keys, wanted, side="left")
    count = np.searchsorted(keys, wanted, side="right") - start
    few = (count > 0) & (count <= _MAX_GUESSES)
    rows, start, count = rows[few], start[few], count[few]
    which = np.repeat(np.arange(len(rows)), count)
    within = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    chosen = rows[which]
    source = members.stands_for[refs[chosen, RefColumn.SCOPE]]
    target = methods[start[which] + within]
    # Code under test does not call its tests.
    in_test = (members.flags & SymbolFlag.TEST) != 0
    likely = in_test[source] | ~in_test[target]
    source, target, chosen, which = source[likely], target[likely], chosen[likely], which[likely]
    return EdgeTable.of(
        source,
        target,
        EdgeKind.CALLS,
        Origin.HEURISTIC,
        confidence=(0.5 / count[which]).astype(np.float32),
        file=members.corpus.ref_file[chosen],
        line=refs[chosen, RefColumn.LINE],
    )


def _builtin_members(members: Members) -> list[int]:
    """Names that members of built-in types have: they say nothing about who is meant."""
    languages = dict.fromkeys(members.languages)
    names = {name for language in languages for name in language.builtin_members}
    return [members.corpus.names[name] for name in sorted(names) if name in members.corpus.names]

"""The references of all files: one table as it was joined, and blocks of files replaced since.

References only ever build on references of their own file, so whole files can be looked at without
the others, and a file can be replaced without touching what the others say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from knowing.graph.keys import Ids, Ints, Mask, pieces
from knowing.graph.resolution import rows_of
from knowing.parse.facts import How, RefColumn, Table

_MANY = 256
"""Replaced files from which on all are joined again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where each file's symbols, references and imports begin."""

    symbols: Ints
    refs: Ints
    imports: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Columns parallel to the references of the chosen files, which are numbered without gaps."""

    refs: Ints
    """Their numbers in the corpus."""
    name: Ids
    how: Ids
    role: Ids
    recv: Ids
    """As in the corpus, but values are made of the numbers of this table."""
    scope: Ids
    line: Ids
    file: Ids
    gap: Ids
    """For each file of the workspace, how much lower the numbers of this table are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class References:
    """All references; see `knowing.parse.facts` for their columns."""

    joined: Table
    """In the numbers of the corpus that it was joined for."""
    then: Bounds
    """Of that corpus."""
    now: Bounds
    replaced: Mapping[int, Table]
    """Files that have changed since, in numbers of the file."""

    def __len__(self) -> int:
        return int(self.now.refs[-1])

    def with_file(self, file: int, block: Table, now: Bounds) -> "References":
        """With another block for a file; `now` are the bounds with it."""
        changed = replace(self, replaced={**self.replaced, file: block}, now=now)
        if len(changed.replaced) < _MANY:
            return changed
        return References(joined=changed.table, then=now, now=now, replaced={})

    @cached_property
    def table(self) -> Table:
        """All of them in the numbers of the present corpus."""
        if self.then is self.now:
            return self.joined
        chosen = self.of(np.ones(len(self.now.refs) - 1, dtype=bool))
        table = np.empty((len(self), len(RefColumn)), dtype=np.int32, order="F")
        table[:, RefColumn.NAME] = chosen.name
        table[:, RefColumn.CODE] = chosen.how | (chosen.role << 4)
        table[:, RefColumn.RECV] = chosen.recv
        table[:, RefColumn.SCOPE] = chosen.scope
        table[:, RefColumn.LINE] = chosen.line
        blocks = self._blocks(np.arange(len(self.now.refs) - 1))
        np.concatenate([block[:, RefColumn.COLUMN] for block in blocks], out=table[:, -1])
        return table

    @cached_property
    def file(self) -> Ids:
        """The file of each."""
        files = np.arange(len(self.now.refs) - 1, dtype=np.int32)
        return np.repeat(files, np.diff(self.now.refs))

    def files_of(self, refs: Ints) -> Ints:
        """The files of some."""
        return np.searchsorted(self.now.refs, refs, side="right") - 1

    def using(self, names: Mask) -> Mask:
        """The files that use one of the marked names."""
        column = self.joined[:, RefColumn.NAME]
        found = np.zeros(len(column), dtype=bool)
        for part, values in zip(pieces(found), pieces(column), strict=True):
            part[:] = names[values]
        files: Mask = np.zeros(len(self.now.refs) - 1, dtype=bool)
        rows = np.flatnonzero(found)
        files[np.searchsorted(self.then.refs, rows, side="right") - 1] = True
        for file, block in self.replaced.items():
            files[file] = names[block[:, RefColumn.NAME]].any()
        return files

    def of(self, files: Mask) -> Chosen:
        """The references of the chosen files."""
        if self.then is self.now and files.all():
            return self._all()
        chosen = np.flatnonzero(files)
        sizes = self.now.refs[chosen + 1] - self.now.refs[chosen]
        rows = np.empty((int(sizes.sum()), len(RefColumn)), dtype=np.int32, order="F")
        np.concatenate(self._blocks(chosen), out=rows)
        file = np.repeat(chosen.astype(np.int32), sizes)
        first = np.cumsum(sizes) - sizes
        gap = np.zeros(len(files), dtype=np.int32)
        gap[chosen] = self.now.refs[chosen] - first
        self._move(rows, chosen, sizes, first)
        code = rows[:, RefColumn.CODE]
        return Chosen(
            refs=rows_of(self.now.refs, files),
            name=rows[:, RefColumn.NAME],
            how=code & 15,
            role=code >> 4,
            recv=rows[:, RefColumn.RECV],
            scope=rows[:, RefColumn.SCOPE],
            line=rows[:, RefColumn.LINE],
            file=file,
            gap=gap,
        )

    def _all(self) -> Chosen:
        code = self.joined[:, RefColumn.CODE]
        return Chosen(
            refs=np.arange(len(self.joined)),
            name=self.joined[:, RefColumn.NAME],
            how=code & 15,
            role=code >> 4,
            recv=self.joined[:, RefColumn.RECV],
            scope=self.joined[:, RefColumn.SCOPE],
            line=self.joined[:, RefColumn.LINE],
            file=self.file,
            gap=np.zeros(len(self.now.refs) - 1, dtype=np.int32),
        )

    def _blocks(self, files: Ints) -> list[Table]:
        """The block of each file, in whatever numbers it is kept."""
        bounds = self.then.refs.tolist()
        empty = np.empty((0, len(RefColumn)), dtype=np.int32)
        return [
            empty,
            *(
                self.replaced[file]
                if file in self.replaced
                else self.joined[bounds[file] : bounds[file + 1]]
                for file in files.tolist()
            ),
        ]

    def _move(self, rows: Table, files: Ints, sizes: Ints, first: Ints) -> None:
        """Numbers of blocks to numbers of the present corpus, values to the numbers of `rows`."""
        local = np.array([file in self.replaced for file in files.tolist()], dtype=bool)

        def distance(now: Ints, then: Ints) -> Ids:
            by_file = now - np.where(local, 0, then[files])
            return np.repeat(by_file.astype(np.int32), sizes)

        symbols = distance(self.now.symbols[files], self.then.symbols)
        steps = {
            How.IMPORT: distance(self.now.imports[files], self.then.imports),
            **dict.fromkeys((How.LOCAL, How.SELF, How.SUPER), symbols),
            **dict.fromkeys((How.ALIAS, How.MEMBER), 3 * distance(first, self.then.refs)),
        }
        scope, recv = rows[:, RefColumn.SCOPE], rows[:, RefColumn.RECV]
        scope += symbols * (scope >= 0)
        how = rows[:, RefColumn.CODE] & 15
        known = recv >= 0
        for kind, step in steps.items():
            recv += step * (known & (how == kind))

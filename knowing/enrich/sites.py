"""Where in a file a server is asked: the references that it can say something about.

The same name within the same import or the same type means the same thing, so it is asked about
once and the answer holds for all its places.
"""

from dataclasses import dataclass

import numpy as np

from knowing.graph import Graph
from knowing.graph.keys import Ids, Ints, Mask
from knowing.parse.facts import How, ImportColumn, Mode, RefColumn, Role

_USED = int(
    Role.CALL
    | Role.TYPE
    | Role.BASE
    | Role.IMPLEMENTS
    | Role.DECORATOR
    | Role.THROW
    | Role.NEW
    | Role.ARGUMENT
)
_OWN = (int(How.SELF), int(How.SUPER))


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Places to ask about, and the references that each answer is for."""

    places: tuple[tuple[int, int], ...]
    """Line and column of each question, ours."""
    names: tuple[str, ...]
    """How each is spelled."""
    sites: tuple[tuple[tuple[int, int], ...], ...]
    """For each question all places that mean the same."""

    def __len__(self) -> int:
        return len(self.places)


def questions(graph: Graph, file: int, *, thorough: bool) -> Questions:
    """What to ask about a file; unless `thorough`, only what the syntax has left in doubt."""
    corpus = graph.corpus
    low, high = int(corpus.ref_base[file]), int(corpus.ref_base[file + 1])
    refs = corpus.refs[low:high]
    rows = _askable(graph, low, high, thorough)
    top = corpus.imports[:, ImportColumn.SCOPE] == corpus.symbol_base[file]
    meanings = _Meanings(refs, low, top)
    groups: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    names: list[str] = []
    for row in rows.tolist():
        name, _, _, _, line, column = refs[row].tolist()
        group = groups.setdefault(meanings.of(row), [])
        if not group:
            names.append(corpus.names.texts[name])
        group.append((line, column))
    return Questions(
        places=tuple(group[0] for group in groups.values()),
        names=tuple(names),
        sites=tuple(tuple(group) for group in groups.values()),
    )


def _askable(graph: Graph, low: int, high: int, thorough: bool) -> Ints:
    refs = graph.corpus.refs[low:high]
    how, role = refs[:, RefColumn.CODE] & 15, refs[:, RefColumn.CODE] >> 4
    used = (role & _USED) != 0
    wanted = (how != How.MENTION) & (refs[:, RefColumn.LINE] > 0)
    # A local name that is merely passed on is defined a few lines above; nobody needs to be asked.
    wanted &= used | ((how != How.ALIAS) & ~np.isin(how, _OWN))
    wanted &= ~(np.isin(how, _OWN) & ((role & Role.CALL) == 0))
    if not thorough:
        target = graph.resolution.target[low:high]
        wanted &= (target == -1) | ((target >= 0) & graph.resolution.inferred[low:high])
        wanted &= used
    return np.flatnonzero(wanted)


class _Meanings:
    """Keys that are equal for references that must mean the same."""

    def __init__(self, refs: Ids, base: int, top: Mask) -> None:
        self._refs = refs
        self._base = base
        self._top = top
        """Imports that hold for the whole file."""
        self._known: dict[int, tuple[object, ...]] = {}

    def of(self, row: int) -> tuple[object, ...]:
        known = self._known.get(row)
        if known is None:
            known = self._known[row] = self._find(row)
        return known

    def _find(self, row: int) -> tuple[object, ...]:
        name, code, recv, scope, *_ = self._refs[row].tolist()
        how = code & 15
        if how == How.IMPORT and recv >= 0:
            return (how, recv, name, -1 if self._top[recv] else scope)
        if how == How.LOCAL and recv >= 0:
            return (how, recv, name)
        if how == How.SELF:
            # Within one method only: elsewhere a variable may bear the same name.
            return (how, recv, name, scope)
        if how == How.MEMBER and recv >= 0 and recv % 3 == Mode.SAME:
            before = recv // 3 - self._base
            if 0 <= before < row:
                whole = self.of(before)
                # What a variable holds may change from line to line; an import or `self` does not.
                if whole[0] in (How.IMPORT, How.SELF, How.MEMBER):
                    return (How.MEMBER, whole, name)
        return (row,)

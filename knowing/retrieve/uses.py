"""Who uses whom: calls, references and the like, as one weighted relation between symbols."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knowing.graph.keys import Ids, Ints, Mask, expand
from knowing.graph.view import View
from knowing.model import EdgeKind, SymbolFlag
from knowing.retrieve.bags import Floats

_FORWARD = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.THROWS,
)
_BACKWARD = (EdgeKind.DECORATES,)
"""Kinds whose target uses their source."""
ASIDE = int(SymbolFlag.TEST | SymbolFlag.EXAMPLE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Uses:
    """Pairs of a user and what it uses, each once, sorted by user; and the same by what is used."""

    out_bounds: Ints
    used: Ids
    weight: Floats
    in_bounds: Ints
    users: Ids
    in_weight: Floats

    @classmethod
    def of(cls, view: View) -> Self:
        user, used, weight = _pairs(view)
        count = len(view.symbols)
        order = np.lexsort((user, used))
        return cls(
            out_bounds=_bounds(user, count),
            used=used,
            weight=weight,
            in_bounds=_bounds(used, count),
            users=user[order],
            in_weight=weight[order],
        )

    def user_column(self) -> Ids:
        """The user of each pair."""
        return np.repeat(
            np.arange(len(self.out_bounds) - 1, dtype=np.int32), np.diff(self.out_bounds)
        )

    def of_users(self, symbols: Ints) -> tuple[Ints, Ids, Floats]:
        """What each of some symbols uses: which of them, what, how surely."""
        starts = self.out_bounds[symbols]
        which, at = expand(starts, self.out_bounds[symbols + 1] - starts)
        return which, self.used[at], self.weight[at]

    def of_used(self, symbols: Ints) -> tuple[Ints, Ids, Floats]:
        """Who uses each of some symbols: which of them, who, how surely."""
        starts = self.in_bounds[symbols]
        which, at = expand(starts, self.in_bounds[symbols + 1] - starts)
        return which, self.users[at], self.in_weight[at]


def _pairs(view: View) -> tuple[Ids, Ids, Floats]:
    edges, inside = view.edges, view.symbols.file >= 0
    forward = np.isin(edges.kind, _FORWARD)
    backward = np.isin(edges.kind, _BACKWARD)
    chosen = (forward | backward) & inside[edges.source] & inside[edges.target]
    chosen &= edges.source != edges.target
    rows = np.flatnonzero(chosen)
    turned = backward[rows]
    source, target = edges.source[rows], edges.target[rows]
    user, used = np.where(turned, target, source), np.where(turned, source, target)
    weight = edges.confidence[rows].astype(np.float32)
    keys = (user.astype(np.int64) << 32) | used
    order = np.lexsort((-weight, keys))
    keys = keys[order]
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    kept = order[fresh]
    return user[kept].astype(np.int32), used[kept].astype(np.int32), weight[kept]


def _bounds(sorted_or_not: Ids, count: int) -> Ints:
    bounds = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_or_not, minlength=count), out=bounds[1:])
    return bounds


def aside(view: View) -> Mask:
    """Which symbols are tests or examples."""
    found: Mask = (view.symbols.flags & ASIDE) != 0
    return found

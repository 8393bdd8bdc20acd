"""The graph as a random walker sees it: where to go from each symbol, and how readily."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knowing.graph.keys import Ids, Ints, expand
from knowing.graph.view import View
from knowing.model import EdgeKind
from knowing.retrieve.bags import Floats
from knowing.retrieve.tuning import EdgeWeights
from knowing.retrieve.uses import aside

_WALKED = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.DECORATES,
    EdgeKind.THROWS,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
    EdgeKind.CONTAINS,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """Steps from each symbol with their probabilities, which add up to 1."""

    bounds: Ints
    targets: Ids
    chances: Floats

    @classmethod
    def of_edges(cls, view: View, weights: EdgeWeights) -> Self:
        """All kinds of edges, each with its own weight in both directions."""
        edges, inside = view.edges, view.symbols.file >= 0
        forwards = np.zeros(len(EdgeKind), dtype=np.float32)
        backwards = np.zeros(len(EdgeKind), dtype=np.float32)
        for kind in _WALKED:
            forwards[kind] = getattr(weights, kind.label)
            backwards[kind] = getattr(weights, f"{kind.label}_back")
        rows = np.flatnonzero(
            (forwards[edges.kind] > 0) & inside[edges.source] & inside[edges.target]
        )
        source, target = edges.source[rows], edges.target[rows]
        kinds, confidence = edges.kind[rows], edges.confidence[rows].astype(np.float32)
        dampen = np.where(aside(view), np.float32(weights.aside), np.float32(1))
        return cls._made(
            np.concatenate((source, target)),
            np.concatenate((target, source)),
            np.concatenate(
                (
                    forwards[kinds] * confidence * dampen[target],
                    backwards[kinds] * confidence * dampen[source],
                )
            ),
            len(view.symbols),
        )

    @classmethod
    def of_families(cls, view: View) -> Self:
        """Only what contains what."""
        member = np.flatnonzero(view.symbols.owner >= 0).astype(np.int32)
        owner = view.symbols.owner[member]
        return cls._made(
            np.concatenate((owner, member)),
            np.concatenate((member, owner)),
            np.ones(2 * len(member), dtype=np.float32),
            len(view.symbols),
        )

    @classmethod
    def _made(cls, source: Ids, target: Ids, weight: Floats, count: int) -> Self:
        """Steps to much frequented symbols are dampened, then all from one symbol add up to 1."""
        keys = (source.astype(np.int64) << 32) | target
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        fresh = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
        first = np.flatnonzero(fresh)
        if len(first):
            weight = np.add.reduceat(weight[order], first, dtype=np.float32)
        source = (keys[first] >> 32).astype(np.int32)
        target = (keys[first] & 0xFFFFFFFF).astype(np.int32)
        inflow = np.bincount(target, weights=weight, minlength=count)
        reached = inflow[inflow > 0]
        average = float(reached.mean()) if len(reached) else 1.0
        dampened = weight / np.sqrt(1 + inflow[target] / average)
        outflow = np.bincount(source, weights=dampened, minlength=count)
        bounds = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=count), out=bounds[1:])
        chances = (dampened / np.maximum(outflow[source], 1e-12)).astype(np.float32)
        return cls(bounds=bounds, targets=target, chances=chances)

    def walk(
        self, seeds: Ints, strengths: Floats, restart: float, rounds: int, least: float
    ) -> Floats:
        """Where a walker from the seeds is found who goes back to them now and then.

        Only symbols that hold more than `least` pass their share on, so a walk stays near its
        seeds and costs the same in a large workspace as in a small one.
        """
        count = len(self.bounds) - 1
        found = np.zeros(count, dtype=np.float64)
        total = float(strengths.sum())
        if total <= 0:
            return found.astype(np.float32)
        home = strengths.astype(np.float64) / total
        here, share = seeds, home
        found[seeds] = home
        for _ in range(rounds):
            starts = self.bounds[here]
            which, at = expand(starts, self.bounds[here + 1] - starts)
            there = self.targets[at]
            steps = (1 - restart) * share[which] * self.chances[at]
            found = np.bincount(there, weights=steps, minlength=count).astype(np.float64)
            found[seeds] += (1 - float(found.sum())) * home
            here = np.flatnonzero(found > least)
            share = found[here]
        return found.astype(np.float32)

"""Documents that speak of symbols in other words than the code: tests, sections, examples, commits.

A bridge is a set of documents, found by their text, and the symbols that each is linked to. The
documents that fit a task best vote for what they are linked to.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints, Mask, expand
from knowing.graph.view import View
from knowing.model import EdgeKind, SymbolFlag, SymbolKind
from knowing.retrieve.bags import Bag, Floats, Postings, ranked_documents, texts_of
from knowing.retrieve.fields import Field
from knowing.retrieve.tuning import FieldWeights
from knowing.retrieve.uses import Uses

_TELLS_OF_CHANGES = re.compile(
    rb"(?i)(change(s|log)|release|history|news|licen[cs]e|upgrad|migrat)[^/]*(/|$)"
    rb"|(^|/)(locale|locales|i18n|translations?)/"
    rb"|/(zh|zh-\w+|es|fr|de|ja|ko|pt|pt-br|ru|uk|tr|it|pl|vi|fa|id|hu|he|bn|nl|sv|ta|te|ur|az|hi|cs|da|el)/"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Documents:
    """Texts, found by their terms."""

    postings: Postings
    sizes: Floats
    """How many terms each has."""

    @classmethod
    def of(cls, bag: Bag, count: int, terms: int, tuning: FieldWeights) -> Self:
        return cls(
            postings=ranked_documents(bag, count, terms, tuning.document_length, tuning.saturation),
            sizes=bag.lengths(count),
        )

    def best(
        self, terms: Sequence[tuple[int, float]], top: int, fewest: int = 1
    ) -> tuple[Ints, Floats]:
        """The documents that fit best, best first, and how well compared with the first.

        None at all if there are not `fewest` to choose from.
        """
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        if len(self.sizes) < fewest:
            return nothing
        scores = self.postings.scores(terms, len(self.sizes))
        order = np.argsort(-scores, kind="stable")[:top]
        order = order[scores[order] > 0]
        if not len(order):
            return nothing
        return order, scores[order] / scores[order[0]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linked:
    """For each document what it is linked to."""

    bounds: Ints
    targets: Ids
    weights: Floats
    popularity: Floats
    """For each target how much all documents together speak of it."""

    @classmethod
    def of(
        cls,
        documents: npt.NDArray[np.integer],
        targets: npt.NDArray[np.integer],
        weights: Floats,
        shape: tuple[int, int],
    ) -> Self:
        """Of pairs in any order; `shape` is the number of documents and of targets."""
        order = np.lexsort((targets, documents))
        bounds = np.zeros(shape[0] + 1, dtype=np.int64)
        np.cumsum(np.bincount(documents, minlength=shape[0]), out=bounds[1:])
        popularity = np.bincount(targets, weights=weights, minlength=shape[1])
        return cls(
            bounds=bounds,
            targets=targets[order].astype(np.int32),
            weights=weights[order].astype(np.float32),
            popularity=popularity.astype(np.float32),
        )

    def votes(self, documents: Ints, strengths: Floats, size: float) -> Floats:
        """What each target gains; a document with many links says less about each."""
        starts = self.bounds[documents]
        which, at = expand(starts, self.bounds[documents + 1] - starts)
        weights = self.weights[at]
        mass = np.bincount(which, weights=weights, minlength=len(documents))
        shares = strengths / np.maximum(mass, 1e-9) ** size
        gained = np.bincount(
            self.targets[at],
            weights=weights * shares[which],
            minlength=len(self.popularity),
        )
        return gained.astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bridge:
    """Documents and the symbols they are linked to."""

    documents: Documents
    links: Linked


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bridges:
    """Those that are made of the workspace's own files."""

    tests: Bridge
    sections: Bridge
    examples: Bridge


def bridges(
    view: View, uses: Uses, bags: Mapping[Field, Bag], terms: int, tuning: FieldWeights
) -> Bridges:
    """The bridges of a view; their documents are symbols that are not answers themselves."""
    builder = _Builder(view, bags, terms, tuning)
    flags = view.symbols.flags
    test = (flags & int(SymbolFlag.TEST)) != 0
    example = (flags & int(SymbolFlag.EXAMPLE)) != 0
    users = uses.user_column()
    testing = test[users] & ~test[uses.used] & ~example[uses.used]
    showing = (example & ~test)[users] & ~test[uses.used] & ~example[uses.used]
    title = tuning.document_title
    texts = {Field.NAME: title, Field.OWNER: 1.0, Field.DOC: 1.0}
    return Bridges(
        tests=builder.bridge(users[testing], uses.used[testing], uses.weight[testing], texts),
        sections=builder.bridge(
            *_mentions(view, uses), {Field.NAME: title, Field.OWNER: 1.0, Field.BODY: 1.0}
        ),
        examples=builder.bridge(
            users[showing],
            uses.used[showing],
            uses.weight[showing],
            {**texts, Field.PATH: tuning.example_path},
        ),
    )


def _mentions(view: View, uses: Uses) -> tuple[Ids, Ids, Floats]:
    """Sections and the symbols they name, but for lists of changes and translations."""
    edges = view.edges
    aside = np.array([bool(_TELLS_OF_CHANGES.search(path)) for path in texts_of(view.paths)])
    rows = np.flatnonzero(edges.kind == EdgeKind.DOCUMENTS)
    source = edges.source[rows]
    section = view.symbols.kind[source] == SymbolKind.DOC_SECTION
    told: Mask = aside[view.symbols.file[source]] if len(aside) else section
    rows = rows[section & ~told]
    sections, targets = edges.source[rows], edges.target[rows]
    weights = edges.confidence[rows].astype(np.float32)
    return sections, targets, _by_use(sections, targets, weights, view, uses)


def _by_use(sections: Ids, targets: Ids, weights: Floats, view: View, uses: Uses) -> Floats:
    """The weight of a name that can mean several symbols goes to those that are used more."""
    distinct, place = np.unique(targets, return_inverse=True)
    numbers: dict[str, int] = {}
    names = [numbers.setdefault(view.symbols.name[row], len(numbers)) for row in distinct.tolist()]
    name = np.array(names, dtype=np.int64)[place]
    _, mention = np.unique((sections.astype(np.int64) << 32) | name, return_inverse=True)
    used = 1.0 + np.bincount(uses.used, weights=uses.weight, minlength=len(view.symbols))
    likely = weights * used[targets]
    share = np.bincount(mention, weights=weights) / np.bincount(mention, weights=likely)
    result: Floats = (likely * share[mention]).astype(np.float32)
    return result


def restricted(
    bags: Mapping[Field, Bag], weights: Mapping[Field, float], symbols: Ids, count: int
) -> Bag:
    """Some fields of some symbols, weighted; rows are places in `symbols`."""
    place = np.full(count, -1, dtype=np.int32)
    place[symbols] = np.arange(len(symbols), dtype=np.int32)
    parts = []
    for field, weight in weights.items():
        bag = bags[field]
        rows = place[bag.rows]
        kept = rows >= 0
        parts.append(Bag(rows[kept], bag.terms[kept], bag.counts[kept] * np.float32(weight)))
    return Bag.joined(parts)


class _Builder:
    def __init__(
        self, view: View, bags: Mapping[Field, Bag], terms: int, tuning: FieldWeights
    ) -> None:
        self._count = len(view.symbols)
        self._bags = bags
        self._terms = terms
        self._tuning = tuning

    def bridge(
        self, documents: Ids, targets: Ids, weights: Floats, texts: Mapping[Field, float]
    ) -> Bridge:
        """A bridge whose documents are symbols, found by the given fields."""
        distinct, numbers = np.unique(documents, return_inverse=True)
        bag = restricted(self._bags, texts, distinct, self._count)
        count = len(distinct)
        return Bridge(
            documents=Documents.of(bag, count, self._terms, self._tuning),
            links=Linked.of(numbers, targets, weights, (count, self._count)),
        )

"""Bags of terms for many rows at once, and the postings that are made of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids, Ints, expand
from knowing.graph.view import StringColumn
from knowing.retrieve.terms import code

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint64]
Tokenise = Callable[[str], tuple[str, ...]]


class TermTable(dict[str, int]):
    """Numbers for terms in the order in which they are met."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """For each key a run of numbers."""

    bounds: Ints
    items: Ids

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> Self:
        parts = list(lists)
        bounds = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part) for part in parts], out=bounds[1:])
        items = np.fromiter((item for part in parts for item in part), np.int32, int(bounds[-1]))
        return cls(bounds, items)

    @classmethod
    def grouped(cls, keys: npt.NDArray[np.integer], items: Ids, count: int) -> Self:
        """Items by key; of one key in the order given."""
        order = np.argsort(keys, kind="stable")
        bounds = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(keys, minlength=count), out=bounds[1:])
        return cls(bounds, items[order].astype(np.int32))

    def expand(self, keys: npt.NDArray[np.integer]) -> tuple[Ints, Ids]:
        """For many keys: which of them each item belongs to, and the items."""
        starts = self.bounds[keys]
        which, at = expand(starts, self.bounds[keys.astype(np.int64) + 1] - starts)
        return which, self.items[at]


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """How often each row uses which term; a pair may stand more than once until merged."""

    rows: Ids
    terms: Ids
    counts: Floats

    @classmethod
    def empty(cls) -> Self:
        none = np.zeros(0, dtype=np.int32)
        return cls(none, none, np.zeros(0, dtype=np.float32))

    @classmethod
    def spread(
        cls,
        rows: npt.NDArray[np.integer],
        keys: npt.NDArray[np.integer],
        terms: Runs,
        counts: Floats | None = None,
    ) -> Self:
        """Each row has the terms of its key."""
        which, items = terms.expand(keys)
        weights = np.ones(len(which), np.float32) if counts is None else counts[which]
        return cls(rows[which].astype(np.int32), items, weights)

    @classmethod
    def joined(cls, bags: Iterable["Bag"]) -> Self:
        parts = list(bags)
        if not parts:
            return cls.empty()
        return cls(
            np.concatenate([bag.rows for bag in parts]),
            np.concatenate([bag.terms for bag in parts]),
            np.concatenate([bag.counts for bag in parts]),
        )

    def times(self, factor: float) -> "Bag":
        return Bag(self.rows, self.terms, self.counts * np.float32(factor))

    def only(self, rows: npt.NDArray[np.bool_]) -> "Bag":
        """Without what is said of other rows."""
        kept = rows[self.rows]
        return Bag(self.rows[kept], self.terms[kept], self.counts[kept])

    def merged(self) -> "Bag":
        """Each pair once, sorted by term and then row."""
        keys = (self.terms.astype(np.int64) << 32) | self.rows
        order = np.argsort(keys)
        keys = keys[order]
        first = _firsts(keys)
        if not len(first):
            return self
        counts = np.add.reduceat(self.counts[order], first, dtype=np.float32)
        keys = keys[first]
        return Bag((keys & 0xFFFFFFFF).astype(np.int32), (keys >> 32).astype(np.int32), counts)

    def lengths(self, count: int) -> Floats:
        """How many terms each row has."""
        return np.bincount(self.rows, weights=self.counts, minlength=count).astype(np.float32)

    def scaled(self, count: int, length_weight: float) -> "Bag":
        """Counts as BM25 has them: less in a row that is longer than the others."""
        lengths = self.lengths(count)
        filled = lengths[lengths > 0]
        average = float(filled.mean()) if len(filled) else 1.0
        divisor = 1 - length_weight + length_weight * lengths / average
        return Bag(self.rows, self.terms, self.counts / divisor[self.rows])


def _firsts(keys: Ints) -> Ints:
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return np.flatnonzero(fresh)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Postings:
    """For each term the rows that use it, ascending, and what that is worth."""

    bounds: Ints
    rows: Ids
    values: Floats

    @classmethod
    def of(cls, bag: Bag, terms: int) -> Self:
        """Of a merged bag."""
        bounds = np.zeros(terms + 1, dtype=np.int64)
        np.cumsum(np.bincount(bag.terms, minlength=terms), out=bounds[1:])
        return cls(bounds=bounds, rows=bag.rows, values=bag.counts)

    def run(self, term: int) -> slice:
        return slice(int(self.bounds[term]), int(self.bounds[term + 1]))

    def scores(self, terms: Sequence[tuple[int, float]], count: int) -> Floats:
        """The sum of what some weighted terms are worth to each of `count` rows."""
        found = np.zeros(count, dtype=np.float32)
        for term, weight in terms:
            run = self.run(term)
            found[self.rows[run]] += np.float32(weight) * self.values[run]
        return found


def inverse_frequency(frequency: Ints, rows: int) -> Floats:
    """What a term tells about where it stands: the rarer, the more."""
    found: Floats = np.log(1 + (rows - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    return found


def saturated(bag: Bag, saturation: float) -> Bag:
    """Counts with diminishing returns."""
    counts = bag.counts * (saturation + 1) / (bag.counts + saturation)
    return Bag(bag.rows, bag.terms, counts.astype(np.float32))


def ranked_documents(bag: Bag, documents: int, terms: int, length: float, k: float) -> Postings:
    """Postings whose values are what a term adds to a document's score."""
    merged = bag.merged()
    idf = inverse_frequency(np.bincount(merged.terms, minlength=terms), documents)
    scored = saturated(merged.scaled(documents, length), k)
    return Postings.of(Bag(scored.rows, scored.terms, scored.counts * idf[scored.terms]), terms)


def vocabulary(table: TermTable) -> tuple[Codes, Ids]:
    """Codes of all terms, ascending, and for each number in the table its place among them."""
    codes = np.array([code(term) for term in table], dtype=np.uint64)
    order = np.argsort(codes)
    place = np.empty(len(codes), dtype=np.int32)
    place[order] = np.arange(len(codes), dtype=np.int32)
    return codes[order], place


def texts_of(column: StringColumn) -> list[bytes]:
    """All strings of a column, quicker than one by one."""
    data, bounds = column.data.tobytes(), column.bounds.tolist()
    return [data[low:high] for low, high in pairwise(bounds)]


def tokenised(texts: Sequence[bytes], tokenise: Tokenise, terms: TermTable) -> tuple[Ids, Runs]:
    """Terms of each different text; for each text which of those it is."""
    distinct: dict[bytes, int] = {}
    keys = np.fromiter(
        (distinct.setdefault(text, len(distinct)) for text in texts), np.int32, len(texts)
    )
    runs = Runs.of(
        [terms[term] for term in tokenise(text.decode("utf-8", "replace"))] for text in distinct
    )
    return keys, runs

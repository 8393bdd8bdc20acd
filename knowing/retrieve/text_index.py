"""The words of a workspace, inverted: for each term the symbols, files and documents it finds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knowing.graph.corpus import FileEntry
from knowing.graph.keys import Ids, Ints
from knowing.graph.view import View
from knowing.retrieve.bags import (
    Bag,
    Codes,
    Floats,
    Postings,
    inverse_frequency,
    ranked_documents,
    saturated,
    texts_of,
    vocabulary,
)
from knowing.retrieve.fields import OWN_FIELDS, Field, Fields, answerable, collect
from knowing.retrieve.terms import code, plain
from knowing.retrieve.tuning import FieldWeights
from knowing.retrieve.uses import Uses

_NOWHERE = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextIndex:
    """Terms are numbers into `codes`, rows are symbols of one view."""

    codes: Codes
    symbols: Postings
    """Values are BM25F without the rarity of the term."""
    fields: npt.NDArray[np.uint8]
    """For each posting of `symbols` in which fields the term stands."""
    rarity: Floats
    name_rarity: Floats
    file_rarity: Floats
    files: Postings
    name_mass: Floats
    """Sum of the rarities of the terms of each symbol's name."""
    lengths: Floats
    """The length of each symbol's words as a vector."""
    doc_terms: Floats
    """Length of each symbol's documentation."""
    name_codes: Codes
    """Codes of all names without case and separators, ascending; one for each symbol."""
    name_symbols: Ids

    def term(self, text: str) -> int:
        """The number of a term, -1 if the workspace does not use it."""
        wanted = code(text)
        at = int(np.searchsorted(self.codes, np.uint64(wanted)))
        return at if at < len(self.codes) and int(self.codes[at]) == wanted else -1

    def named(self, text: str) -> Ids:
        """The symbols with this name, in plain form."""
        wanted = np.uint64(code(text))
        low = int(np.searchsorted(self.name_codes, wanted, side="left"))
        high = int(np.searchsorted(self.name_codes, wanted, side="right"))
        return self.name_symbols[low:high] if high > low else _NOWHERE


def index_text(
    files: Sequence[FileEntry], view: View, uses: Uses, tuning: FieldWeights
) -> tuple[TextIndex, Fields]:
    """The index of all symbols' words; a pure function of its arguments."""
    fields = collect(files, view, uses, tuning)
    codes, place = vocabulary(fields.terms)
    bags = {
        field: Bag(bag.rows, place[bag.terms], bag.counts) for field, bag in fields.bags.items()
    }
    fields = Fields(terms=fields.terms, bags=bags)
    count, terms = len(view.symbols), len(codes)
    shown = answerable(view)
    postings, where = _symbol_postings(
        {field: bag.only(shown) for field, bag in bags.items()}, count, terms, tuning
    )
    own = (where & int(OWN_FIELDS)) != 0
    term_column = np.repeat(np.arange(terms, dtype=np.int32), np.diff(postings.bounds))
    inside = int(shown.sum())
    rarity = inverse_frequency(np.bincount(term_column[own], minlength=terms), inside)
    named = (where & int(Field.NAME)) != 0
    name_frequency = np.bincount(term_column[named], minlength=terms)
    name_rarity = inverse_frequency(name_frequency, inside)
    mass = np.bincount(
        postings.rows[named], weights=name_rarity[term_column[named]], minlength=count
    )
    file_postings, file_rarity = _file_postings(bags, view, terms, tuning)
    name_codes, name_symbols = _names(view)
    index = TextIndex(
        codes=codes,
        symbols=postings,
        fields=where,
        rarity=rarity,
        name_rarity=name_rarity,
        file_rarity=file_rarity,
        files=file_postings,
        name_mass=mass.astype(np.float32),
        lengths=np.sqrt(
            np.bincount(
                postings.rows, weights=(postings.values * rarity[term_column]) ** 2, minlength=count
            )
        ).astype(np.float32),
        doc_terms=bags[Field.DOC].lengths(count),
        name_codes=name_codes,
        name_symbols=name_symbols,
    )
    return index, fields


def _symbol_postings(
    bags: dict[Field, Bag], count: int, terms: int, tuning: FieldWeights
) -> tuple[Postings, npt.NDArray[np.uint8]]:
    """BM25F: counts of all fields, weighted, are added up before they saturate."""
    weighted, marks = [], []
    for field, bag in bags.items():
        label = (field.name or "").lower()
        weight = getattr(tuning, label)
        if weight > 0:
            merged = bag.merged().scaled(count, getattr(tuning, f"{label}_length"))
            weighted.append(merged.times(weight))
            marks.append(np.full(len(merged.rows), int(field), dtype=np.uint8))
    everything = Bag.joined(weighted)
    mark = np.concatenate(marks)
    keys: Ints = (everything.terms.astype(np.int64) << 32) | everything.rows
    order = np.argsort(keys)
    sorted_keys = keys[order]
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(sorted_keys[1:], sorted_keys[:-1], out=fresh[1:])
    first = np.flatnonzero(fresh)
    if not len(first):
        return Postings.of(Bag.empty(), terms), np.zeros(0, dtype=np.uint8)
    summed = Bag(
        (sorted_keys[first] & 0xFFFFFFFF).astype(np.int32),
        (sorted_keys[first] >> 32).astype(np.int32),
        np.add.reduceat(everything.counts[order], first, dtype=np.float32),
    )
    where = np.bitwise_or.reduceat(mark[order], first)
    return Postings.of(saturated(summed, tuning.saturation), terms), where


def _file_postings(
    bags: dict[Field, Bag], view: View, terms: int, tuning: FieldWeights
) -> tuple[Postings, Floats]:
    """Each file as one document: names count most, then its path."""
    files = len(view.paths)
    home = view.symbols.file
    parts = []
    for field, weight in ((Field.NAME, tuning.file_name), (Field.DOC, 1.0), (Field.BODY, 1.0)):
        bag = bags[field]
        rows = home[bag.rows]
        kept = rows >= 0
        parts.append(Bag(rows[kept], bag.terms[kept], bag.counts[kept] * np.float32(weight)))
    path = bags[Field.PATH]
    first = np.full(files, -1, dtype=np.int64)
    inside = np.flatnonzero(home >= 0)
    first[home[inside][::-1]] = inside[::-1]
    once = np.isin(path.rows, first)
    parts.append(
        Bag(
            home[path.rows[once]],
            path.terms[once],
            path.counts[once] * np.float32(tuning.file_path),
        )
    )
    merged = Bag.joined(parts).merged()
    rarity = inverse_frequency(np.bincount(merged.terms, minlength=terms), files)
    return ranked_documents(merged, files, terms, tuning.file_length, tuning.saturation), rarity


def _names(view: View) -> tuple[Codes, Ids]:
    """Names in plain form, to be looked up."""
    known: dict[bytes, int] = {}
    for name in texts_of(view.symbols.name):
        if name not in known:
            known[name] = code(plain(name.decode("utf-8", "replace")))
    codes = np.array([known[name] for name in texts_of(view.symbols.name)], dtype=np.uint64)
    inside = np.flatnonzero(answerable(view))
    order = inside[np.argsort(codes[inside], kind="stable")]
    return codes[order], order.astype(np.int32)

"""What is written in and around each symbol, field by field, as bags of terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import chain

import numpy as np

from knowing.graph.corpus import FileEntry
from knowing.graph.keys import Ids, Mask
from knowing.graph.view import View
from knowing.model import SymbolKind
from knowing.parse.facts import SymbolColumn, WordColumn
from knowing.parse.rows import EXTENSION
from knowing.parse.words import words_in
from knowing.retrieve.bags import Bag, Runs, TermTable, texts_of, tokenised
from knowing.retrieve.terms import parts, parts_and_whole, text_words
from knowing.retrieve.tuning import FieldWeights
from knowing.retrieve.uses import Uses, aside

_UNSAID = frozenset({"src", "main", "java", "lib", "org", "com"})
"""Folders that stand in the paths of all kinds of files."""


class Field(IntFlag):
    """Where a term stands with regard to a symbol."""

    NAME = 1
    OWNER = 2
    PATH = 4
    DOC = 8
    BODY = 16
    CHILDREN = 32
    CALLERS = 64
    FAR_CALLERS = 128


OWN_FIELDS = Field.NAME | Field.OWNER | Field.PATH | Field.DOC | Field.BODY
"""Fields that do not speak of other symbols; how rare a term is, is counted in these."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fields:
    """The bags of all fields; rows are symbols."""

    terms: TermTable
    bags: Mapping[Field, Bag]


def collect(files: Sequence[FileEntry], view: View, uses: Uses, tuning: FieldWeights) -> Fields:
    """All fields of all symbols."""
    terms = TermTable()
    table = view.symbols
    count = len(table)
    every = np.arange(count, dtype=np.int32)
    names = texts_of(table.name)
    owners = [
        whole[: max(0, len(whole) - len(name) - 1)]
        for whole, name in zip(texts_of(table.chain), names, strict=True)
    ]
    name_keys, name_terms = tokenised(names, _of_name, terms)
    owner_keys, owner_terms = tokenised(owners, _of_name, terms)
    _, path_terms = tokenised(texts_of(view.paths), _of_path, terms)
    inside = np.flatnonzero(table.file >= 0).astype(np.int32)
    name = Bag.spread(every, name_keys, name_terms)
    owner = Bag.spread(every, owner_keys, owner_terms)
    owned = np.flatnonzero(table.owner >= 0).astype(np.int32)
    callers, far = _callers(view, uses, tuning)
    bags = {
        Field.NAME: name,
        Field.OWNER: owner,
        Field.PATH: Bag.spread(inside, table.file[inside], path_terms),
        Field.DOC: _docs(view, terms),
        Field.BODY: _bodies(files, view, terms),
        Field.CHILDREN: Bag.spread(table.owner[owned], name_keys[owned], name_terms),
        Field.CALLERS: Bag.joined(
            [
                Bag.spread(callers[0], name_keys[callers[1]], name_terms),
                Bag.spread(callers[0], owner_keys[callers[1]], owner_terms),
            ]
        ),
        Field.FAR_CALLERS: Bag.spread(far[0], name_keys[far[1]], name_terms),
    }
    return Fields(terms=terms, bags=bags)


def _of_name(text: str) -> tuple[str, ...]:
    """Of one name, or of a title of several words."""
    return tuple(chain(*map(parts_and_whole, text_words(text))))


def _of_path(path: str) -> tuple[str, ...]:
    folder, _, file = path.rpartition("/")
    words = text_words(f"{folder} {file.rpartition('.')[0] or file}")
    return tuple(chain(*(parts_and_whole(word) for word in words if word not in _UNSAID)))


def _docs(view: View, terms: TermTable) -> Bag:
    """Words of the documentation; a text is cut into words once for all symbols."""
    rows: list[int] = []
    words: list[bytes] = []
    for row, doc in enumerate(texts_of(view.symbols.doc)):
        if doc:
            found = words_in(doc)
            rows += [row] * len(found)
            words += found
    keys, runs = tokenised(words, parts, terms)
    return Bag.spread(np.array(rows, dtype=np.int32), keys, runs)


def _bodies(files: Sequence[FileEntry], view: View, terms: TermTable) -> Bag:
    """Words of each symbol's own text, as counted when the file was read."""
    numbered: dict[bytes, int] = {}
    rows, keys, counts = [], [], []
    first = 0
    for entry in files:
        facts = entry.facts
        shown = facts.symbols[:, SymbolColumn.KIND] != EXTENSION
        # What stands in a block that only adds members to a type has no symbol of its own.
        numbers = np.where(shown, first + np.cumsum(shown) - 1, -1)
        first += int(shown.sum())
        local = [numbered.setdefault(word, len(numbered)) for word in facts.word_data.split(b"\0")]
        rows.append(numbers[facts.words[:, WordColumn.SYMBOL]])
        keys.append(np.array(local, dtype=np.int32)[facts.words[:, WordColumn.WORD]])
        counts.append(facts.words[:, WordColumn.COUNT])
    if not rows:
        return Bag.empty()
    row, key = np.concatenate(rows), np.concatenate(keys)
    count = np.concatenate(counts).astype(np.float32)
    kept = row >= 0
    _, runs = tokenised(list(numbered), parts, terms)
    return Bag.spread(row[kept], key[kept], runs, count[kept])


def _callers(
    view: View, uses: Uses, tuning: FieldWeights
) -> tuple[tuple[Ids, Ids], tuple[Ids, Ids]]:
    """Pairs of a symbol and one that uses it, and of a symbol and one that uses such a one."""
    plain = ~aside(view)
    count = len(view.symbols)
    used = np.repeat(np.arange(count, dtype=np.int32), np.diff(uses.in_bounds))
    kept = plain[uses.users] & (uses.in_weight >= tuning.least_caller)
    near = used[kept], uses.users[kept]
    rank = _rank_within(near[0])
    some = rank < tuning.max_callers
    few = rank < tuning.max_far_callers
    fewer = rank < tuning.max_callers_of_caller
    runs = Runs.grouped(near[0][fewer], near[1][fewer], count)
    which, callers = runs.expand(near[1][few])
    target = near[0][few][which]
    within = _rank_within(target) < tuning.max_far_pairs
    return (near[0][some], near[1][some]), (target[within], callers[within])


def _rank_within(keys: Ids) -> Ids:
    """For sorted keys, how many equal ones stand before each."""
    fresh = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    starts = np.flatnonzero(fresh)
    lengths = np.diff(np.append(starts, len(keys)))
    return (np.arange(len(keys)) - np.repeat(starts, lengths)).astype(np.int32)


def answerable(view: View) -> Mask:
    """Symbols that can be an answer: code of the workspace."""
    kinds = view.symbols.kind
    return (view.symbols.file >= 0) & (kinds < SymbolKind.DOC_SECTION)

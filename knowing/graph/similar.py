"""`similar_to`: functions of one folder whose names and signatures share most of their words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil

import numpy as np

from knowing.graph.corpus import FileEntry
from knowing.graph.members import Members
from knowing.graph.resolution import rows_of
from knowing.graph.table import EdgeTable
from knowing.graph.traits import kind_set
from knowing.model import EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.text import split_identifier

_MIN_WORD = 3
_MIN_WORDS = 3
_THRESHOLD = 0.5
_MAX_FUNCTIONS = 500
_MAX_EACH = 5
_TOO_COMMON = 30
"""A word that more functions of a folder have says nothing about which two belong together."""
_FUNCTIONS = kind_set((SymbolKind.FUNCTION, SymbolKind.METHOD))
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w+")


@lru_cache(maxsize=1 << 16)
def _words(identifier: bytes) -> tuple[str, ...]:
    words = split_identifier(identifier.decode("ascii", "replace"))
    return tuple(word for word in words if len(word) >= _MIN_WORD)


def similar(members: Members, files: Sequence[FileEntry], only: str | None = None) -> EdgeTable:
    """Pairs with a Jaccard index above one half, the best few for each function.

    With `only`, the pairs of that folder.
    """
    skipped = int(SymbolFlag.TEST | SymbolFlag.GENERATED | SymbolFlag.VENDORED)
    folders = members.places.folders
    rows_chosen = np.arange(members.count)
    if only is not None:
        rows_chosen = rows_of(members.corpus.symbol_base, folders == only)
    rows_chosen = rows_chosen[_FUNCTIONS[members.kind[rows_chosen]]]
    rows_chosen = rows_chosen[(members.flags[rows_chosen] & skipped) == 0]
    groups: dict[str, list[int]] = {}
    files_chosen = members.corpus.symbol_file[rows_chosen].tolist()
    for row, file in zip(rows_chosen.tolist(), files_chosen, strict=True):
        groups.setdefault(folders[file], []).append(row)
    base = members.corpus.symbol_base
    split: dict[int, list[bytes]] = {}
    pairs: list[tuple[int, int, float]] = []
    for folder in sorted(groups):
        rows = groups[folder]
        if not 1 < len(rows) <= _MAX_FUNCTIONS:
            continue
        signatures: list[bytes] = []
        for row in rows:
            file = int(members.corpus.symbol_file[row])
            if file not in split:
                split[file] = files[file].facts.text_data.split(b"\0")
            signatures.append(split[file][2 * (row - int(base[file]))])
        pairs += _pairs(rows, signatures)
    flat = np.array([(left, right) for left, right, _ in pairs], dtype=np.int32).reshape(-1, 2)
    return EdgeTable.of(
        flat[:, 0],
        flat[:, 1],
        EdgeKind.SIMILAR_TO,
        Origin.DERIVED,
        confidence=np.array([score for _, _, score in pairs], dtype=np.float32),
    )


def _pairs(rows: list[int], signatures: list[bytes]) -> list[tuple[int, int, float]]:
    """The similar pairs of one folder, each function in a few of them at most, best first."""
    bags = [
        frozenset(word for token in _IDENTIFIER.findall(signature) for word in _words(token))
        for signature in signatures
    ]
    scored: list[tuple[float, int, int]] = []
    for left, right in _candidates(bags):
        shared = len(bags[left] & bags[right])
        score = shared / (len(bags[left]) + len(bags[right]) - shared)
        if score > _THRESHOLD:
            scored.append((-score, left, right))
    used: Counter[int] = Counter()
    found: list[tuple[int, int, float]] = []
    for score, left, right in sorted(scored):
        if used[left] < _MAX_EACH and used[right] < _MAX_EACH:
            used[left] += 1
            used[right] += 1
            found.append((rows[left], rows[right], -score))
    return found


def _candidates(bags: list[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs that share one of their rarest words.

    Two bags that share more than half of their words have one in common even among the rarer half
    of each, so the common words need not be looked at.
    """
    frequency = Counter(word for bag in bags for word in bag)
    seen: dict[str, list[int]] = {}
    for index, bag in enumerate(bags):
        if len(bag) < _MIN_WORDS:
            continue
        rarest = sorted(bag, key=lambda word: (frequency[word], word))
        partners: set[int] = set()
        for word in rarest[: len(bag) - ceil(_THRESHOLD * len(bag)) + 1]:
            if frequency[word] > _TOO_COMMON:
                break
            partners.update(seen.setdefault(word, []))
            seen[word].append(index)
        yield from ((partner, index) for partner in sorted(partners))

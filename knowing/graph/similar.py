"""`similar_to`: functions of one folder whose names and signatures share most of their words."""

import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import dirname

import numpy as np

from knowing.graph.corpus import FileEntry
from knowing.graph.edges import EdgeTable
from knowing.graph.keys import Ints
from knowing.graph.members import Members
from knowing.model import EdgeKind, Origin, SymbolFlag, SymbolKind
from knowing.text import split_identifier

_MIN_WORD = 3
_MIN_WORDS = 3
_THRESHOLD = 0.5
_MAX_FUNCTIONS = 500
_MAX_EACH = 5
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w+")


@lru_cache(maxsize=1 << 16)
def _words(identifier: bytes) -> tuple[str, ...]:
    words = split_identifier(identifier.decode("ascii", "replace"))
    return tuple(word for word in words if len(word) >= _MIN_WORD)


def similar(members: Members, files: Sequence[FileEntry]) -> EdgeTable:
    """Pairs with a Jaccard index above one half, the best few for each function."""
    skipped = int(SymbolFlag.TEST | SymbolFlag.GENERATED | SymbolFlag.VENDORED)
    chosen = np.isin(members.kind, (SymbolKind.FUNCTION, SymbolKind.METHOD)) & (
        (members.flags & skipped) == 0
    )
    folders = [dirname(path) for path in members.corpus.paths]
    groups: dict[str, list[int]] = {}
    for row in np.flatnonzero(chosen).tolist():
        groups.setdefault(folders[int(members.corpus.symbol_file[row])], []).append(row)
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
        pairs += _pairs(np.array(rows), signatures)
    flat = np.array([(left, right) for left, right, _ in pairs], dtype=np.int32).reshape(-1, 2)
    return EdgeTable.of(
        flat[:, 0],
        flat[:, 1],
        EdgeKind.SIMILAR_TO,
        Origin.DERIVED,
        confidence=np.array([score for _, _, score in pairs], dtype=np.float32),
    )


def _pairs(rows: Ints, signatures: list[bytes]) -> list[tuple[int, int, float]]:
    vocabulary: dict[str, int] = {}
    cells: list[tuple[int, int]] = []
    for index, signature in enumerate(signatures):
        words = {word for token in _IDENTIFIER.findall(signature) for word in _words(token)}
        if len(words) >= _MIN_WORDS:
            cells += ((index, vocabulary.setdefault(word, len(vocabulary))) for word in words)
    if not cells:
        return []
    matrix = np.zeros((len(rows), len(vocabulary)), dtype=np.float32)
    at = np.array(cells)
    matrix[at[:, 0], at[:, 1]] = 1
    shared = matrix @ matrix.T
    size = matrix.sum(axis=1)
    union = size[:, None] + size[None, :] - shared
    score = np.where(union > 0, shared / np.maximum(union, 1), 0)
    left, right = np.nonzero(np.triu(score > _THRESHOLD, k=1))
    values = score[left, right]
    best = np.lexsort((right, left, -values))
    used: dict[int, int] = {}
    found: list[tuple[int, int, float]] = []
    for index in best.tolist():
        a, b = int(left[index]), int(right[index])
        if used.get(a, 0) < _MAX_EACH and used.get(b, 0) < _MAX_EACH:
            used[a], used[b] = used.get(a, 0) + 1, used.get(b, 0) + 1
            found.append((int(rows[a]), int(rows[b]), float(values[index])))
    return found

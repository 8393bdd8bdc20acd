"""Searching by words: symbols, files or sections, by one kind of evidence or by all."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from knowing.retrieve.bags import Floats
from knowing.retrieve.prepared import Prepared
from knowing.retrieve.scene import normalised


class Mode(StrEnum):
    """What decides."""

    HYBRID = "hybrid"
    """Everything, as for a task."""
    KEYWORD = "keyword"
    """The words alone."""
    VECTOR = "vector"
    """The likeness of the words as a whole: short texts about little else come first."""


class What(StrEnum):
    """What is searched for."""

    SYMBOLS = "symbols"
    FILES = "files"
    DOCS = "docs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A row, which is a symbol or a file, and its score."""

    row: int
    score: float


def best_rows(scores: Floats, limit: int) -> list[Found]:
    """The rows with the highest scores, ties by number."""
    order = np.argsort(-scores, kind="stable")[:limit]
    return [Found(row=int(row), score=float(scores[row])) for row in order if scores[row] > 0]


def similar_symbols(terms: list[tuple[int, float]], prepared: Prepared) -> Floats:
    """The cosine between the task and each symbol's words."""
    index = prepared.text
    scores = np.zeros(len(index.lengths), dtype=np.float32)
    for term, weight in terms:
        run = index.symbols.run(term)
        value = np.float32(weight * float(index.rarity[term]) ** 2)
        scores[index.symbols.rows[run]] += value * index.symbols.values[run]
    cosine: Floats = (scores / np.maximum(index.lengths, 1e-6)).astype(np.float32)
    return normalised(cosine)


def matching_files(terms: list[tuple[int, float]], prepared: Prepared, files: int) -> Floats:
    """How well each file fits as a whole."""
    return normalised(prepared.text.files.scores(terms, files))


def matching_sections(
    terms: list[tuple[int, float]], prepared: Prepared, limit: int
) -> list[Found]:
    """Sections of documentation, by the symbol that each is."""
    sections = prepared.sections
    rows, fit = sections.documents.best(terms, limit)
    return [
        Found(row=int(sections.symbols[row]), score=float(value))
        for row, value in zip(rows.tolist(), fit.tolist(), strict=True)
    ]

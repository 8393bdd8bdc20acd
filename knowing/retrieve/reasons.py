"""Why a symbol was picked, in a few words for people."""

from collections.abc import Sequence

import numpy as np

from knowing.retrieve import learned
from knowing.retrieve.fields import Field
from knowing.retrieve.parts import Part
from knowing.retrieve.scene import Scene
from knowing.retrieve.score import CHANNELS

_MOST = 3
_MOST_WORDS = 4
_LEAST_SHARE = 0.05
"""Of the score: what adds less is not worth a word."""
_PLACES = (
    (Field.NAME, "name"),
    (Field.OWNER, "owner"),
    (Field.DOC, "documentation"),
    (Field.PATH, "path"),
    (Field.BODY, "body"),
    (Field.CHILDREN, "members"),
    (Field.CALLERS, "callers"),
    (Field.FAR_CALLERS, "callers' callers"),
)
_ABOUT_TEXT = frozenset({"text", "compound", "coverage"})
_SAID = frozenset((*CHANNELS, *learned.PARTS))


def reasons(scene: Scene, parts: Sequence[Part], symbol: int) -> tuple[str, ...]:
    """The parts that count most, the words that match first."""
    total = sum(part.value for part in parts if part.value > 0)
    strong = [
        part
        for part in sorted(parts, key=lambda part: -part.value)
        if part.name in _SAID and part.value > _LEAST_SHARE * total
    ]
    said: list[str] = []
    words = _words(scene, symbol)
    if words and any(part.name in _ABOUT_TEXT for part in strong):
        said.append(words)
    said += [part.detail for part in strong if part.name not in _ABOUT_TEXT]
    return tuple(said[:_MOST])


def _words(scene: Scene, symbol: int) -> str:
    """The task's words that were found, by the place where they count most."""
    index = scene.prepared.text
    by_place: dict[str, dict[str, None]] = {}
    count = 0
    for term in scene.task.terms:
        run = index.symbols.run(term.number)
        rows = index.symbols.rows[run]
        at = int(np.searchsorted(rows, symbol))
        if at == len(rows) or rows[at] != symbol or count == _MOST_WORDS:
            continue
        where = int(index.fields[run][at])
        place = next(label for field, label in _PLACES if where & int(field))
        found = by_place.setdefault(place, {})
        count += term.shown not in found
        found[term.shown] = None
    return "; ".join(
        f"{', '.join(by_place[label])} in its {label}" for _, label in _PLACES if label in by_place
    )

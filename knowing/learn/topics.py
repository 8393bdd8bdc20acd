"""What a task is about, in words that can be kept: two tasks about the same thing are alike."""

import math
from collections.abc import Callable
from functools import lru_cache

from knowing.retrieve.lexicon import lexicon
from knowing.retrieve.terms import parts, text_words

_SHORTEST = 3
_SHORTEST_WORD = 4
_MOST_WORDS = 24
_CACHED = 4096

Rarity = Callable[[str], float]
"""How rare a term is in the workspace."""


def topic_of(task: str) -> str:
    """The words of a task that say something, sorted: its first ones, if there are many."""
    known = lexicon()
    found: dict[str, None] = {}
    for word in text_words(task):
        lower = word.lower()
        if len(lower) >= _SHORTEST and lower not in known.stop and lower not in known.soft:
            found[lower] = None
            if len(found) == _MOST_WORDS:
                break
    return " ".join(sorted(found))


@lru_cache(maxsize=_CACHED)
def terms_of(topic: str) -> tuple[str, ...]:
    """The terms of a topic, each once."""
    return tuple(sorted({term for word in topic.split(" ") for term in parts(word)}))


@lru_cache(maxsize=_CACHED)
def teachable(topic: str) -> tuple[str, ...]:
    """Terms of a topic that may come to stand for a symbol: short words are too common."""
    words = [word for word in topic.split(" ") if len(word) >= _SHORTEST_WORD]
    return tuple(sorted({term for word in words for term in parts(word) if len(term) > 2}))


def weights_of(topic: str, rarity: Rarity) -> dict[str, float]:
    """The terms of a topic with how much each says, as a vector of length one."""
    weights = {term: rarity(term) for term in terms_of(topic)}
    length = math.sqrt(sum(value * value for value in weights.values()))
    return {term: value / length for term, value in weights.items()} if length else {}

"""What a memory holds, for a person who wants to see it."""

from knowing.learn.ground import NOWHERE, Ground
from knowing.learn.memory import Memory
from knowing.learn.signals import confidence, is_common
from knowing.reports_learned import Opinion, Word

MOST = 50


def opinions(memory: Memory, ground: Ground | None) -> tuple[Opinion, ...]:
    """How symbols fared over all topics, those with the clearest outcome first."""
    sums: dict[tuple[str, str], list[float]] = {}
    for tallies in memory.topics.values():
        for key, tally in tallies.items():
            pair = sums.setdefault(key, [0.0, 0.0])
            pair[0] += tally.useful
            pair[1] += tally.useless
    found = [
        Opinion(
            symbol=symbol,
            useful=round(useful, 2),
            passed_over=round(useless, 2),
            expired=_expired(memory, ground, symbol, package),
        )
        for (symbol, package), (useful, useless) in sums.items()
    ]
    found.sort(key=lambda item: (-abs(item.useful - item.passed_over), item.symbol, item.expired))
    return tuple(found[:MOST])


def _expired(memory: Memory, ground: Ground | None, symbol: str, package: str) -> bool:
    return ground is not None and ground.held(symbol, package, memory.paths[symbol]) == NOWHERE


def telling_words(memory: Memory, ground: Ground | None) -> tuple[Word, ...]:
    """Words that lead to a symbol, the surest first."""
    found = [
        Word(word=word, symbol=symbol, count=count, confidence=round(confidence(count, memory), 3))
        for word, counts in memory.words.items()
        if not is_common(memory, word)
        for (symbol, package), count in counts.items()
        if count >= memory.weights.word_least and not _expired(memory, ground, symbol, package)
    ]
    found.sort(key=lambda item: (-item.count, item.word, item.symbol))
    return tuple(found[:MOST])

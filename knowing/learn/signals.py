"""A memory, a task and a moment to what ranking adds: each signal by its own rule."""

import math
from collections.abc import Mapping

from knowing.learn.ground import NOWHERE, Ground
from knowing.learn.memory import Memory
from knowing.learn.topics import teachable, terms_of, topic_of
from knowing.model_events import Deed
from knowing.retrieve.bags import Floats
from knowing.retrieve.learned import Learned, Signal

_SHOWN_WORDS = 3


def learned_for(
    task: str, memory: Memory, ground: Ground, now: float, habits: Floats | None
) -> Learned | None:
    """What was learned and has to do with a task; None if nothing has."""
    if not memory.events:
        return None
    topic = topic_of(task)
    pinned, banned = _wishes(memory, ground, topic)
    found = Learned(
        usage=habits,
        session=_session(memory, ground, now),
        feedback=_feedback(memory, ground, topic),
        vocabulary=_vocabulary(memory, ground, topic),
        pinned=pinned,
        banned=banned,
    )
    signals = (found.session, found.feedback, found.vocabulary)
    if habits is None and not (pinned or banned or any(len(item.symbols) for item in signals)):
        return None
    return found


def _session(memory: Memory, ground: Ground, now: float) -> Signal:
    """Uses of the last minutes: each counts half as much after a half-life, together no more
    than the highest boost."""
    weights = memory.weights
    # Beyond this age the most stamps that are kept are together below the least boost.
    most = weights.session_stamps / weights.session_least
    oldest = now - weights.session_half_life * math.log2(most)
    values: dict[int, float] = {}
    for symbol, stamps in memory.stamps.items():
        if stamps[-1] < oldest:
            continue
        boost = sum(2.0 ** (-max(now - stamp, 0.0) / weights.session_half_life) for stamp in stamps)
        if boost >= weights.session_least:
            number = ground.number(symbol, memory.paths[symbol])
            if number != NOWHERE:
                share = min(boost, weights.session_highest) / weights.session_highest
                values[number] = weights.session * share
    return Signal.of(values)


def _feedback(memory: Memory, ground: Ground, topic: str) -> Signal:
    """Useful answers among all, over topics like this one; unsure ratios are near one half."""
    weights = memory.weights
    sums: dict[int, list[float]] = {}
    for other, like in like_topics(memory, ground, topic).items():
        for (symbol, package), tally in memory.topics[other].items():
            number = ground.held(symbol, package, memory.paths[symbol])
            if number != NOWHERE:
                pair = sums.setdefault(number, [0.0, 0.0])
                pair[0] += like * tally.useful
                pair[1] += like * tally.useless
    values, details = {}, {}
    for number, (useful, useless) in sums.items():
        ratio = (useful + weights.doubt) / (useful + useless + 2 * weights.doubt)
        lean = 2 * ratio - 1
        values[number] = lean * (weights.useful if lean > 0 else weights.useless)
        kind = "useful" if lean > 0 else "passed over"
        details[number] = f"{kind} for tasks like this ({useful:.3g} of {useful + useless:.3g})"
    return Signal.of(values, details)


def like_topics(memory: Memory, ground: Ground, topic: str) -> dict[str, float]:
    """The topics that are about the same as one, with how alike they are; no task is one too."""
    found: dict[str, float] = {}
    for term, weight in ground.vector(topic).items():
        for other, share in _topics_with(memory, ground, term):
            found[other] = found.get(other, 0.0) + weight * share
    alike = {other: like for other, like in found.items() if like >= memory.weights.like}
    return {"": 1.0, **alike} if "" in memory.topics else alike


def _topics_with(memory: Memory, ground: Ground, term: str) -> list[tuple[str, float]]:
    """The topics that a term stands in, with how much it says in each."""
    topics = memory.by_term.get(term, [])
    return memory.kept(
        ground,
        ("topics", term),
        len(topics),
        lambda: [(other, ground.vector(other)[term]) for other in topics],
    )


def _vocabulary(memory: Memory, ground: Ground, topic: str) -> Signal:
    """Words of the task that led to a symbol before: by how often, of how many times."""
    terms = terms_of(topic)
    total = sum(ground.rarity(term) for term in terms)
    values: dict[int, float] = {}
    words: dict[int, list[str]] = {}
    for term in teachable(topic):
        if term not in memory.words or is_common(memory, term):
            continue
        share = memory.weights.vocabulary * ground.rarity(term) / total if total else 0.0
        for number, sure in _led_to(memory, ground, term):
            values[number] = values.get(number, 0.0) + share * sure
            words.setdefault(number, []).append(term)
    return Signal.of(values, _said(words))


def _led_to(memory: Memory, ground: Ground, term: str) -> list[tuple[int, float]]:
    """The symbols that a word has led to, with how sure that is."""

    def look_up() -> list[tuple[int, float]]:
        found = []
        asked = max(memory.asked[term], 1)
        for (symbol, package), count in memory.words[term].items():
            if count >= memory.weights.word_least:
                number = ground.held(symbol, package, memory.paths[symbol])
                if number != NOWHERE:
                    found.append((number, confidence(count, memory) * min(count / asked, 1.0)))
        return found

    return memory.kept(ground, ("words", term), memory.taught[term], look_up)


def _said(words: Mapping[int, list[str]]) -> dict[int, str]:
    return {
        number: f"tasks with {', '.join(found[:_SHOWN_WORDS])} led to it"
        for number, found in words.items()
    }


def is_common(memory: Memory, term: str) -> bool:
    """Whether a word stands in so many tasks that it leads nowhere in particular."""
    weights, topics = memory.weights, len(memory.topics)
    within = len(memory.by_term.get(term, ()))
    return topics >= weights.word_topics and within > weights.word_common * topics


def confidence(count: int, memory: Memory) -> float:
    """That a word leads to a symbol, by how often it did."""
    weights = memory.weights
    span = max(weights.word_most - weights.word_least, 1)
    share = min(max(count - weights.word_least, 0) / span, 1.0)
    return weights.word_low + (weights.word_high - weights.word_low) * share


def _wishes(memory: Memory, ground: Ground, topic: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is pinned and what is banned: for this task, else for the workspace."""
    wished: dict[int, Deed] = {}
    mine = terms_of(topic)
    for (about, symbol), deed in sorted(memory.wishes.items()):
        if about and terms_of(about) != mine:
            continue
        number = ground.number(symbol, memory.paths[symbol])
        if number != NOWHERE:
            # A wish for one task comes after those for all, so it wins.
            wished[number] = deed
    pinned = tuple(number for number in sorted(wished) if wished[number] is Deed.PINNED)
    return pinned, tuple(number for number in sorted(wished) if wished[number] is Deed.BANNED)

"""Events added up: what was useful for which topic, which words lead where, what was just used.

Events come in the order in which they happened. Whatever is asked of a memory depends on them
alone, so one that has grown event by event equals one that is read anew.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from knowing.learn.topics import teachable, terms_of
from knowing.model_events import USES, VERDICTS, WISHES, Deed, Event, Source
from knowing.retrieve.tuning import DEFAULT, LearnWeights

T = TypeVar("T")

Key = tuple[str, str]
"""A symbol and the content that its package had."""


@dataclass(slots=True)
class Tally:
    """How one symbol fared in answers about one topic."""

    useful: float = 0.0
    useless: float = 0.0
    uses: float = 0.0
    """Of those that were in an answer."""
    looks: float = 0.0
    """How often it was looked at in answers of which something was used, by its places in them."""
    times: int = 0
    """How often it was in such an answer."""
    last: float = 0.0


@dataclass(slots=True)
class Answer:
    """The last answer that was given somewhere, until the next one shows what was of use."""

    number: int
    topic: str
    time: float
    shown: dict[str, Event] = field(default_factory=dict)
    used: dict[str, None] = field(default_factory=dict)


class Memory:
    """All events of one workspace, added up."""

    def __init__(self, weights: LearnWeights = DEFAULT.learn) -> None:
        self.weights = weights
        self.events = 0
        self.topics: dict[str, dict[Key, Tally]] = {}
        self.by_term: dict[str, list[str]] = {}
        """Term -> the topics it stands in."""
        self.words: dict[str, Counter[Key]] = {}
        """Term -> what was used when it stood in a task."""
        self.taught: Counter[str] = Counter()
        """Term -> how often anything has changed about where it leads."""
        self.asked: Counter[str] = Counter()
        """Term -> answers of which something was used."""
        self.stamps: dict[str, deque[float]] = {}
        self.wishes: dict[tuple[str, str], Deed] = {}
        """Topic, or nothing for all, and symbol -> pinned or banned."""
        self.paths: dict[str, str] = {}
        self.answers: dict[Source, Answer] = {}
        self._kept: dict[tuple[str, str], tuple[int, Any]] = {}
        self._kept_for: object = None
        self.settled = 0
        """Answers of which something was used and that the next one has closed."""

    def take(self, events: Iterable[Event]) -> None:
        """Adds further events."""
        for event in events:
            self.events += 1
            self.paths[event.symbol] = event.path
            if event.deed is Deed.SHOWN:
                self._show(event)
            elif event.deed in USES:
                self._use(event)
            elif event.deed in WISHES:
                self.wishes[event.topic, event.symbol] = event.deed
            else:
                self._judge(event)

    def belongs_to(self, event: Event) -> Event:
        """The event as part of the answer that it is an outcome of, if there is one."""
        answer = self.answers.get(event.source)
        if event.deed not in USES | VERDICTS or answer is None:
            return event
        shown = answer.shown.get(event.symbol)
        late = event.time - answer.time > self.weights.window
        other = bool(event.topic) and event.topic != answer.topic
        if shown is None or late or other:
            return event
        return Event(
            time=event.time,
            deed=event.deed,
            symbol=event.symbol,
            path=event.path,
            package=event.package,
            topic=answer.topic,
            source=event.source,
            request=answer.number,
            rank=shown.rank,
            count=event.count,
        )

    def kept(self, place: object, key: tuple[str, str], version: int, make: Callable[[], T]) -> T:
        """What was made of a part of the memory for one view, until that part has changed."""
        if self._kept_for is not place:
            self._kept, self._kept_for = {}, place
        found = self._kept.get(key)
        if found is None or found[0] != version:
            found = self._kept[key] = (version, make())
        value: T = found[1]
        return value

    # -- deeds ---------------------------------------------------------------------------------

    def _show(self, event: Event) -> None:
        answer = self.answers.get(event.source)
        if answer is None or answer.number != event.request:
            self._settle(event.source)
            answer = Answer(number=event.request, topic=event.topic, time=event.time)
            self.answers[event.source] = answer
        answer.shown[event.symbol] = event

    def _use(self, event: Event) -> None:
        stamps = self.stamps.setdefault(event.symbol, deque(maxlen=self.weights.session_stamps))
        stamps.append(event.time)
        if not event.topic:
            return
        answer = self.answers.get(event.source)
        current = answer if answer and answer.number == event.request else None
        if current is not None:
            if event.symbol in current.used:
                # Opened, then edited, then copied: one answer was useful once.
                return
            if not current.used:
                self._hear(event.topic, 1)
            current.used[event.symbol] = None
        else:
            self._hear(event.topic, event.count)
        tally = self._tally(event)
        tally.useful += event.count
        if event.rank:
            tally.uses += event.count
            tally.looks += event.count * self._look(event.rank)
            tally.times += event.count
        self._teach(event, event.count)

    def _judge(self, event: Event) -> None:
        tally = self._tally(event)
        if event.deed is Deed.UP:
            tally.useful += self.weights.verdict * event.count
            if event.topic:
                self._teach(event, event.count)
        elif event.deed is Deed.DOWN:
            tally.useless += self.weights.verdict * event.count
        else:
            self._pass_over(event, event.count)

    def _settle(self, source: Source) -> None:
        """Closes an answer: what was shown and not used was passed over, if anything was used."""
        answer = self.answers.pop(source, None)
        if answer is None or not answer.used:
            return
        self.settled += 1
        for symbol, event in answer.shown.items():
            if symbol not in answer.used:
                self._pass_over(event, 1)

    def _pass_over(self, event: Event, count: int) -> None:
        tally = self._tally(event)
        look = count * self._look(event.rank)
        tally.useless += look
        tally.looks += look
        tally.times += count

    def _look(self, rank: int) -> float:
        """How likely a place in an answer is looked at."""
        return float(max(rank, 1) ** -self.weights.look)

    def _tally(self, event: Event) -> Tally:
        tallies = self.topics.get(event.topic)
        if tallies is None:
            tallies = self.topics[event.topic] = {}
            for term in terms_of(event.topic):
                self.by_term.setdefault(term, []).append(event.topic)
        tally = tallies.setdefault((event.symbol, event.package), Tally())
        tally.last = max(tally.last, event.time)
        return tally

    def _hear(self, topic: str, count: int) -> None:
        for word in teachable(topic):
            self.asked[word] += count
            self.taught[word] += 1

    def _teach(self, event: Event, count: int) -> None:
        for word in teachable(event.topic):
            self.taught[word] += 1
            self.words.setdefault(word, Counter())[event.symbol, event.package] += count

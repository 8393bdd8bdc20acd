"""What the engine learns from use: events in, values for ranking out.

Ranking itself stays a pure function. Here the events are kept, here is the clock, and here it is
decided what an event belongs to. An answer never fails because something could not be learned.
"""

import json
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowing.engine_index import IndexEngine
from knowing.engine_lookup import Lookup
from knowing.errors import NotFoundError, StoreError
from knowing.learn import Ground, Memory, folded, habits, learned_for, milestone, topic_of
from knowing.learn.exchange import merged, read, written
from knowing.learn.overview import opinions, telling_words
from knowing.model_events import WISHES, Deed, Event, Source
from knowing.reports_learned import LearnedReport, Noted, Wish
from knowing.retrieve import DEFAULT, Learned, Ranking, Tuning
from knowing.retrieve.bags import Floats
from knowing.retrieve.learned import PLAIN
from knowing.retrieve.locate import locate_one
from knowing.settings import Settings
from knowing.store.ledger import Ledger, Mark, ledger_path

logger = logging.getLogger(__name__)

MOST_EVENTS = 20_000
KEPT_EVENTS = 10_000
"""Beyond the first, events before the newest so many are folded."""
_TUNING = "tuning"
_OFF = "learning is switched off: learn.enabled is false"
_NAME = re.compile(r"[^\W\d]\w{2,}")
_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Habits:
    """Habits and what they were taken from."""

    key: tuple[object, ...]
    values: Floats | None


class LearnEngine(IndexEngine):
    """Keeps what was learned about one workspace; safe to call from several threads."""

    def __init__(self, root: Path, settings: Settings, folder: Path) -> None:
        super().__init__(root, settings, folder)
        self.clock: Callable[[], float] = time.time
        self.skin = Source.TERMINAL
        """Where answers are shown and deeds are done, unless something else is said."""
        self._learning = threading.RLock()
        self._ledger = Ledger(ledger_path(folder))
        self._memory = Memory()
        self._learned_to: Mark = (0, 0)
        self._ground: Ground | None = None
        self._habits: _Habits | None = None
        self._tuned: tuple[str, Tuning] = ("", DEFAULT)

    def close(self) -> None:
        with self._learning:
            self._ledger.close()
        super().close()

    # -- for ranking ---------------------------------------------------------------------------

    def learned(self, task: str, lookup: Lookup) -> Learned | None:
        """What was learned and has to do with a task; None if there is nothing, or it is off."""
        if not self.settings.learn.enabled:
            return None
        with self._learning:
            memory = self._remembered()
            if memory is None or not memory.events:
                return None
            now, ground = self.clock(), self._grounded(lookup)
            return learned_for(task, memory, ground, now, self._habitual(memory, ground, now))

    def tuning(self) -> Tuning:
        """The ranking numbers of this workspace: as shipped, unless they were calibrated."""
        if not self.settings.learn.enabled:
            return DEFAULT
        with self._learning:
            try:
                text = self._ledger.kept(_TUNING)
            except StoreError as error:
                logger.warning("%s", error)
                return DEFAULT
            if text != self._tuned[0]:
                self._tuned = (text, _tuning_of(text))
            return self._tuned[1]

    def _remembered(self) -> Memory | None:
        """The memory with all events that anybody has added; None if they cannot be read."""
        try:
            mark, rows, follows = self._ledger.since(self._learned_to)
        except StoreError as error:
            logger.warning("%s", error)
            self._memory, self._learned_to = Memory(), (0, 0)
            return None
        if not follows:
            self._memory, self._habits = Memory(), None
        self._memory.take(event for _, event in rows)
        self._learned_to = mark
        return self._memory

    def _grounded(self, lookup: Lookup) -> Ground:
        ground = self._ground
        if ground is not None and ground.view is lookup.view:
            return ground
        # Somebody who is indexing holds the guard for long; what was right before is nearly so.
        if self._guard.acquire(blocking=ground is None):
            try:
                packages: Mapping[str, str] = self.package_hashes()
            finally:
                self._guard.release()
        else:
            packages = ground.packages if ground is not None else {}
        self._ground = Ground(view=lookup.view, text=lookup.prepared.text, packages=packages)
        return self._ground

    def _habitual(self, memory: Memory, ground: Ground, now: float) -> Floats | None:
        """Habits as of the last milestone: they change slowly, and taking them takes time."""
        key = (id(ground), milestone(memory.settled), self._learned_to[0], now // _HOUR)
        if self._habits is None or self._habits.key != key:
            hour = (now // _HOUR) * _HOUR
            self._habits = _Habits(key=key, values=habits(memory, ground, hour))
        return self._habits.values

    # -- events --------------------------------------------------------------------------------

    def note_answer(self, task: str, ranking: Ranking) -> None:
        """Remembers what was shown for a task, so that it can be seen what is used of it."""
        if not self.settings.learn.enabled or not ranking.hits:
            return
        topic, now = topic_of(task), self.clock()
        if not topic:
            return
        places = _plain_places(ranking)
        shown = ranking.hits[: DEFAULT.learn.shown]
        try:
            with self._learning:
                ground = self._grounded_on(ranking)
                events = [
                    self._event(ground, hit.symbol, Deed.SHOWN, now, topic, places[hit.symbol])
                    for hit in shown
                    if ranking.view.symbols.file[hit.symbol] >= 0
                ]
                self._ledger.add(events, request=True)
                self._shorten()
        except StoreError as error:
            logger.warning("%s", error)

    def feedback(
        self,
        deed: Deed,
        symbols: Sequence[str],
        *,
        task: str = "",
        source: Source | None = None,
        now: float | None = None,
    ) -> Noted:
        """Notes that somebody did something with symbols, for a task or for none."""
        if not self.settings.learn.enabled:
            return Noted(accepted=False, reason=_OFF)
        if deed in (Deed.SHOWN, Deed.IGNORED):
            raise NotFoundError(f"{deed} follows from answers", "say what was done with a symbol")
        moment = self.clock() if now is None else now
        lookup = self.lookup()
        numbers = [locate_one(lookup.view, symbol) for symbol in symbols]
        with self._learning:
            memory, ground = self._remembered(), self._grounded(lookup)
            events = [
                self._event(ground, number, deed, moment, topic_of(task), 0, source)
                for number in numbers
                if lookup.view.symbols.file[number] >= 0
            ]
            if memory is not None:
                events = [memory.belongs_to(event) for event in events]
            self._ledger.add(events)
            self._shorten()
        names = tuple(event.symbol for event in events)
        reason = (
            f"noted: {deed} {', '.join(names)}" if names else "nothing of the workspace is meant"
        )
        return Noted(accepted=bool(names), reason=reason, symbols=names)

    def used_in(self, text: str, *, source: Source | None = None) -> Noted:
        """Notes as used what the last answer showed and a text names, such as an edit."""
        if not self.settings.learn.enabled:
            return Noted(accepted=False, reason=_OFF)
        names = set(_NAME.findall(text))
        with self._learning:
            memory = self._remembered()
            answer = memory.answers.get(source or self.skin) if memory else None
            shown = answer.shown.values() if answer else ()
            meant = [
                event.symbol
                for event in shown
                if re.split(r"::|\.", event.symbol.partition("#")[0])[-1] in names
            ]
        if not meant:
            return Noted(accepted=False, reason="the text names nothing that was shown")
        return self.feedback(Deed.USED, meant, source=source)

    def _event(
        self,
        ground: Ground,
        number: int,
        deed: Deed,
        now: float,
        topic: str,
        rank: int,
        source: Source | None = None,
    ) -> Event:
        path = ground.view.paths[int(ground.view.symbols.file[number])]
        return Event(
            time=now,
            deed=deed,
            symbol=ground.view.identity(number),
            path=path,
            package=ground.package(path),
            topic=topic,
            source=source or self.skin,
            rank=rank,
        )

    def _grounded_on(self, ranking: Ranking) -> Ground:
        scene = ranking.scene
        return self._grounded(Lookup(view=scene.view, prepared=scene.prepared, past=scene.past))

    def _shorten(self) -> None:
        if self._memory.events > MOST_EVENTS:
            self._ledger.rewrite(lambda events: folded(events, KEPT_EVENTS))

    # -- taking back ---------------------------------------------------------------------------

    def forget(self, symbol: str, *, task: str = "", wishes: bool | None = None) -> int:
        """Takes back what was learned about a symbol, for one task or all; how many events.

        With `wishes` true only pins and bans are taken back, with false only the rest.
        """
        topic = topic_of(task)
        identity = self._identity_of(symbol)

        def remains(event: Event) -> bool:
            other = event.symbol != identity or (topic and event.topic != topic)
            kept = wishes is not None and (event.deed in WISHES) != wishes
            return bool(other or kept)

        return self._rewritten(lambda events: filter(remains, events))

    def _identity_of(self, symbol: str) -> str:
        """The identity of a symbol; one that is gone from the code is known by what was learned."""
        with self._learning:
            memory = self._remembered()
            if memory is not None and symbol in memory.paths:
                return symbol
        view = self.lookup().view
        return view.identity(locate_one(view, symbol))

    def clear_learned(self) -> int:
        """Takes everything back; how many events there were."""
        with self._learning:
            self._ledger.keep({_TUNING: ""})
        return self._rewritten(lambda _: ())

    @property
    def learned_path(self) -> Path | None:
        """Where what was learned is kept, if anything was."""
        return self._ledger.path if self._ledger.path.exists() else None

    def remove_learned(self) -> Path | None:
        """Removes the file with everything that was learned; the path, if there was one."""
        with self._learning:
            path = self.learned_path
            self._ledger.remove()
            self._memory, self._learned_to, self._habits = Memory(), (0, 0), None
            return path

    def _rewritten(self, change: Callable[[Sequence[Event]], Iterable[Event]]) -> int:
        with self._learning:
            return self._ledger.rewrite(change)

    # -- as a whole ----------------------------------------------------------------------------

    def export_learned(self) -> str:
        """All events as text."""
        with self._learning:
            return written(event for _, event in self._ledger.since((0, 0))[1])

    def import_learned(self, text: str) -> int:
        """Adds events that were exported; how many were not there yet."""
        further = read(text)
        return -self._rewritten(lambda present: merged(present, further))

    def learned_report(self) -> LearnedReport:
        """All that was learned, the most telling first."""
        with self._learning:
            rows = self._ledger.since((0, 0))[1]
            memory = Memory()
            memory.take(event for _, event in rows)
            ground = self._grounded(self.lookup()) if self.is_indexed else None
            tuned = self._ledger.kept(_TUNING)
            return LearnedReport(
                path=self._ledger.path,
                enabled=self.settings.learn.enabled,
                events=sum(event.count for _, event in rows),
                by_deed=dict(sorted(_counted(event for _, event in rows).items())),
                topics=len([topic for topic in memory.topics if topic]),
                wishes=tuple(
                    Wish(symbol=symbol, deed=deed.value, topic=topic)
                    for (topic, symbol), deed in sorted(memory.wishes.items())
                ),
                opinions=opinions(memory, ground),
                words=telling_words(memory, ground),
                tuning=_values_of(tuned),
                notes=tuple(self._ledger.notes),
            )

    def set_tuning(self, values: Mapping[str, float]) -> None:
        """Calibrates ranking for this workspace; without values it is as shipped again."""
        DEFAULT.with_values(dict(values))
        with self._learning:
            self._ledger.keep({_TUNING: json.dumps(dict(sorted(values.items()))) if values else ""})


def _plain_places(ranking: Ranking) -> dict[int, int]:
    """The place that each symbol of an answer would have among them, had nothing been learned."""
    plain = ranking.evidence[PLAIN if ranking.learned is not None else "score"]
    symbols = [hit.symbol for hit in ranking.hits]
    order = sorted(symbols, key=lambda symbol: (-float(plain[symbol]), symbol))
    return {symbol: place for place, symbol in enumerate(order, 1)}


def _counted(events: Iterable[Event]) -> Counter[str]:
    found: Counter[str] = Counter()
    for event in events:
        found[event.deed.value] += event.count
    return found


def _values_of(text: str) -> dict[str, float]:
    try:
        found = json.loads(text) if text else {}
        return {str(key): float(value) for key, value in found.items()}
    except (ValueError, TypeError, AttributeError):
        logger.warning("calibrated numbers cannot be read: %.80s", text)
        return {}


def _tuning_of(text: str) -> Tuning:
    try:
        return DEFAULT.with_values(_values_of(text))
    except NotFoundError as error:
        # Calibrated by a version that had another number; as shipped is right until it is redone.
        logger.warning("%s", error)
        return DEFAULT

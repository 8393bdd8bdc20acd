"""A long list of events made shorter: old ones of a kind become one that counts for all."""

from collections.abc import Sequence
from dataclasses import replace

from knowing.model_events import USES, WISHES, Deed, Event

Kind = tuple[object, ...]


def folded(events: Sequence[Event], keep: int) -> list[Event]:
    """The newest `keep` events as they are, those before them folded, all of them at most twice.

    What was shown before is settled: it was used, passed over, or nothing came of the answer, and
    only the first two say anything. If there is still too much, the oldest of it is let go.
    """
    cut = _boundary(events, keep)
    old, recent = events[:cut], events[cut:]
    used = {(event.request, event.symbol) for event in events if _is_use(event)}
    fruitful = {request for request, _ in used}
    kinds: dict[Kind, Event] = {}
    counted: set[tuple[int, str]] = set()
    for event in old:
        settled = event
        if _is_use(event):
            # Opened, then edited: one answer was useful once.
            if (event.request, event.symbol) in counted:
                continue
            counted.add((event.request, event.symbol))
        if event.deed is Deed.SHOWN:
            if event.request not in fruitful or (event.request, event.symbol) in used:
                continue
            settled = replace(event, deed=Deed.IGNORED)
        _join(kinds, replace(settled, request=0))
    kept = sorted(kinds.values(), key=_when)
    wishes = [event for event in kept if event.deed in WISHES]
    others = [event for event in kept if event.deed not in WISHES]
    spare = max(len(wishes) + len(others) - keep, 0)
    return [*sorted([*wishes, *others[spare:]], key=_when), *recent]


def _boundary(events: Sequence[Event], keep: int) -> int:
    """Where the old ones end; an answer is never cut in two."""
    cut = max(len(events) - keep, 0)
    while 0 < cut < len(events) and events[cut].request == events[cut - 1].request != 0:
        cut -= 1
    return cut


def _is_use(event: Event) -> bool:
    return event.deed in USES and event.request > 0


def _join(kinds: dict[Kind, Event], event: Event) -> None:
    if event.deed in WISHES:
        kinds[event.topic, event.symbol] = event
        return
    place = max(event.rank, 0).bit_length()
    kind = (event.deed, event.symbol, event.package, event.topic, event.source, place)
    before = kinds.get(kind)
    if before is None:
        kinds[kind] = event
    else:
        time = max(before.time, event.time)
        kinds[kind] = replace(before, time=time, count=before.count + event.count)


def _when(event: Event) -> tuple[float, str, str]:
    return event.time, event.deed.value, event.symbol

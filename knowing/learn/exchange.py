"""What was learned as a file, to be looked at, taken along or given to another machine."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from knowing.errors import StoreError
from knowing.model_events import Deed, Event, Source

FORMAT = "knowing-learned"
VERSION = 1
_LONGEST = 4096
_HINT = "give a file that `knowing learned --export` has written"


def written(events: Iterable[Event]) -> str:
    """Events as text, one to a line."""
    head = {"format": FORMAT, "version": VERSION}
    return "\n".join(json.dumps(row) for row in (head, *(asdict(event) for event in events))) + "\n"


def read(text: str) -> list[Event]:
    """The events of a text; StoreError if it is none of ours or of a later version."""
    lines = text.splitlines()
    head = _object(lines[0] if lines else "", 1)
    if head.get("format") != FORMAT:
        raise StoreError("this file holds nothing that was learned", _HINT)
    if head.get("version") != VERSION:
        raise StoreError("this file is of another version of knowing", "use that version")
    return [
        _event(_object(line, number), number)
        for number, line in enumerate(lines[1:], 2)
        if line.strip()
    ]


def merged(present: Sequence[Event], further: Sequence[Event]) -> list[Event]:
    """Both in the order of time, each event once; numbers of answers are kept apart."""
    known = {replace(event, request=0) for event in present}
    offset = max((event.request for event in present), default=0)
    added = [
        replace(event, request=event.request + offset) if event.request else event
        for event in further
        if replace(event, request=0) not in known
    ]
    return sorted([*present, *added], key=lambda event: event.time)


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise StoreError(f"line {number} is not as it was written", _HINT)
    return found


def _event(row: dict[str, Any], number: int) -> Event:
    try:
        event = Event(
            time=float(row["time"]),
            deed=Deed(row["deed"]),
            symbol=str(row["symbol"]),
            path=str(row["path"]),
            package=str(row["package"]),
            topic=str(row["topic"]),
            source=Source(row["source"]),
            request=int(row["request"]),
            rank=int(row["rank"]),
            count=int(row["count"]),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise StoreError(f"line {number} is not as it was written: {error}", _HINT) from error
    texts = (event.symbol, event.path, event.package, event.topic)
    sound = event.symbol and all(len(text) <= _LONGEST for text in texts)
    if (
        not sound
        or min(event.request, event.rank, event.count) < 0
        or not 0 <= event.time < float("inf")
    ):
        raise StoreError(f"line {number} is not as it was written", _HINT)
    return event

"""Which definitions one file's patch touches.

git names the nearest definition above each hunk; that it is above does not mean that the hunk
lies inside it. The changed lines tell, and they may be definitions themselves.
"""

import functools
import re
from dataclasses import dataclass, field

from knowing.history.definitions import Family

REMOVED_WEIGHT = 0.5
# A changed line inside something, and one that is code and not a remark, decorator or attribute
# that belongs to the definition which follows.
_INDENTED = re.compile(rb"\n[-+][ \t]+[^\s]")
_INDENTED_CODE = re.compile(rb"\n[-+][ \t]+[^\s@#/*\[\"']")
_CONTAINERS = frozenset({"type", "extended"})


@dataclass(slots=True)
class Definition:
    """A definition that was found to be touched."""

    name: str
    owner: str
    line: int
    weight: float


@dataclass(frozen=True, slots=True)
class _Header:
    name: str
    owner: str
    container: bool


@dataclass(slots=True)
class _Hunk:
    """Where the search stands inside one hunk."""

    start: int
    line: int
    header: _Header | None
    counted: int
    """Up to where added lines are counted into `line`."""
    known: dict[tuple[str, str], Definition]
    """What was found in this hunk, and the last of the hunk before."""
    sign: bytes = b""
    containers: list[tuple[int, str]] = field(default_factory=list)
    judged: bool = False
    """Whether it is known if the definition in the header is touched."""


def changed_definitions(patch: bytes, family: Family) -> list[Definition]:
    """Find touched definitions, in the order of the patch.

    Hunks of one definition follow one another, so a name that comes again after another one
    means another definition of that name.
    """
    found: list[Definition] = []
    hunk: _Hunk | None = None
    for match in family.scan.finditer(patch):
        if match["sign"] is None:
            if hunk is not None:
                _judge_header(patch, hunk, match.start(), _INDENTED, found)
            hunk = _open_hunk(match, family, found)
        elif hunk is not None:
            _judge_header(patch, hunk, match.start(), _INDENTED_CODE, found)
            _add_definition(patch, hunk, match, found)
    if hunk is not None:
        _judge_header(patch, hunk, len(patch), _INDENTED, found)
    return found


def _open_hunk(match: re.Match[bytes], family: Family, found: list[Definition]) -> _Hunk:
    last = {(found[-1].name, found[-1].owner): found[-1]} if found else {}
    return _Hunk(
        start=match.end(),
        line=int(match["line"]),
        header=_header(match["context"], family.name),
        counted=match.end(),
        known=last,
    )


@functools.lru_cache(maxsize=4096)
def _header(context: bytes, shape: re.Pattern[bytes]) -> _Header | None:
    # git cuts long lines, so the line may lack the brace that tells a method from a call.
    match = shape.match(b"+" + context + b"\n") or shape.match(b"+" + context + b"{\n")
    if match is None:
        return None
    group = match.lastgroup or ""
    return _Header(_text(match[group]), _owner(match), group in _CONTAINERS)


def _judge_header(
    patch: bytes, hunk: _Hunk, end: int, evidence: re.Pattern[bytes], found: list[Definition]
) -> None:
    """Count the header's definition as touched if a line inside it changed.

    A hunk that begins with a definition of its own, or changes only lines that are not
    indented, lies after the definition in its header.
    """
    if hunk.judged:
        return
    hunk.judged = True
    if hunk.header is not None and evidence.search(patch, hunk.start, end + 1):
        _add(hunk, found, hunk.header.name, hunk.header.owner, 1.0)


def _add_definition(
    patch: bytes, hunk: _Hunk, match: re.Match[bytes], found: list[Definition]
) -> None:
    sign, group = match["sign"], match.lastgroup or ""
    name, indent = _text(match[group]), len(match["indent"])
    if sign != hunk.sign:
        hunk.sign, hunk.containers = sign, []
    while hunk.containers and hunk.containers[-1][0] >= indent:
        hunk.containers.pop()
    hunk.line += patch.count(b"\n+", hunk.counted, match.start())
    hunk.counted = match.start()
    owner = _owner(match) or _enclosing(hunk, indent)
    _add(hunk, found, name, owner, 1.0 if sign == b"+" else REMOVED_WEIGHT)
    if group in _CONTAINERS:
        hunk.containers.append((indent, name))


def _enclosing(hunk: _Hunk, indent: int) -> str:
    if hunk.containers:
        return hunk.containers[-1][1]
    return hunk.header.name if indent and hunk.header and hunk.header.container else ""


def _add(hunk: _Hunk, found: list[Definition], name: str, owner: str, weight: float) -> None:
    known = hunk.known.get((name, owner))
    if known is None:
        known = hunk.known[name, owner] = Definition(name, owner, hunk.line, weight)
        found.append(known)
    elif known.weight < weight:
        known.line, known.weight = hunk.line, weight


def _owner(match: re.Match[bytes]) -> str:
    owner = match["owner"] if "owner" in match.re.groupindex else None
    return _text(owner) if owner else ""


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")

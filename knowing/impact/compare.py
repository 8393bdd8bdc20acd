"""How the symbols of two states of some files differ: added, removed, modified, renamed, moved.

Each symbol is compared by its own lines, without those of the symbols inside it, so that a class
has not changed because one of its methods has. What stands inside a function is part of it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from knowing.impact.signatures import differences
from knowing.model import CALLABLE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.facts import FileFacts, SymbolColumn

_ALIKE = 0.75
"""Of the lines of two symbols, for one to be the other under a new name."""
_MANY = 150
"""Of symbols that were added or removed; so many are not compared pair by pair."""
_SHORT = 3
"""Lines; what is shorter looks like much else, so only a symbol that is the same is found."""
_CODE = frozenset(
    kind
    for kind in SymbolKind
    if kind < SymbolKind.DOC_SECTION and kind is not SymbolKind.ENUM_MEMBER
)


_Key = tuple[str, str, int]


class SymbolChangeKind(StrEnum):
    """What has happened to a symbol."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"
    SIGNATURE = "signature changed"
    RENAMED = "renamed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A symbol of one state of a file, as far as it is compared."""

    path: str
    name: str
    """Owner chain and name; empty for the file itself."""
    overload: int
    kind: SymbolKind
    signature: str
    line: int
    end_line: int
    own: tuple[str, ...]
    """Its own lines, without indentation and empty ones."""
    is_test: bool = False

    @property
    def key(self) -> _Key:
        return self.path, self.name, self.overload

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolChange:
    """A symbol before and after; one of them is missing for what was added or removed."""

    kind: SymbolChangeKind
    before: Sketch | None
    after: Sketch | None
    details: tuple[str, ...] = ()
    """What is different about its signature."""
    breaks: bool = False
    """Whether code that uses it as before may fail."""

    @property
    def shown(self) -> Sketch:
        """The symbol as it is, or as it was."""
        found = self.after or self.before
        assert found is not None
        return found


def sketches(path: str, facts: FileFacts, text: bytes) -> list[Sketch]:
    """The symbols of a file with the lines that are theirs alone."""
    strings, texts = facts.strings, facts.texts
    lines = text.decode("utf-8", "replace").splitlines()
    rows = facts.symbols.tolist()
    kept = _kept(rows)
    owner_of_line = _owners(rows, kept, len(lines))
    own: dict[int, list[str]] = {row: [] for row in kept}
    for number, row in enumerate(owner_of_line):
        if row in own and (line := lines[number].strip()):
            own[row].append(line)
    return [
        Sketch(
            path=path,
            name=strings[rows[row][SymbolColumn.CHAIN]],
            overload=rows[row][SymbolColumn.OVERLOAD],
            kind=SymbolKind(rows[row][SymbolColumn.KIND]),
            signature=" ".join(texts[2 * row].split()),
            line=rows[row][SymbolColumn.NAME_LINE],
            end_line=rows[row][SymbolColumn.END_LINE],
            own=tuple(own[row]),
            is_test=bool(rows[row][SymbolColumn.FLAGS] & SymbolFlag.TEST),
        )
        for row in kept
    ]


def _kept(rows: Sequence[Sequence[int]]) -> list[int]:
    """Symbols of the code that do not stand inside a function."""
    inner: set[int] = set()
    kept: list[int] = []
    for number, row in enumerate(rows):
        parent, kind = row[SymbolColumn.PARENT], SymbolKind(row[SymbolColumn.KIND])
        if parent in inner:
            inner.add(number)
            continue
        if kind in CALLABLE_KINDS:
            inner.add(number)
        if kind in _CODE:
            kept.append(number)
    return kept


def _owners(rows: Sequence[Sequence[int]], kept: Iterable[int], count: int) -> list[int]:
    """For each line the innermost symbol around it."""
    found = [-1] * count
    # Whoever begins later, or ends earlier, stands inside; so the last one to claim a line has it.
    order = sorted(
        kept, key=lambda row: (rows[row][SymbolColumn.LINE], -rows[row][SymbolColumn.END_LINE])
    )
    for row in order:
        low, high = rows[row][SymbolColumn.LINE] - 1, rows[row][SymbolColumn.END_LINE]
        if rows[row][SymbolColumn.KIND] == SymbolKind.MODULE:
            low, high = 0, count
        for number in range(max(low, 0), min(high, count)):
            found[number] = row
    return found


def compare(before: Iterable[Sketch], after: Iterable[Sketch]) -> list[SymbolChange]:
    """All that differs, by path and line."""
    old = {sketch.key: sketch for sketch in before}
    new = {sketch.key: sketch for sketch in after}
    changes = [
        change
        for key, sketch in new.items()
        if key in old and (change := _changed(old[key], sketch)) is not None
    ]
    removed = [sketch for key, sketch in old.items() if key not in new]
    added = [sketch for key, sketch in new.items() if key not in old]
    pairs = _pairs(removed, added)
    changes += _moved(pairs)
    gone = {one.key for one, _ in pairs}
    come = {other.key for _, other in pairs}
    changes += [
        SymbolChange(
            kind=SymbolChangeKind.REMOVED, before=one, after=None, details=said, breaks=True
        )
        for one, said in _topmost([one for one in removed if one.key not in gone])
    ]
    changes += [
        SymbolChange(kind=SymbolChangeKind.ADDED, before=None, after=one, details=said)
        for one, said in _topmost([one for one in added if one.key not in come])
    ]
    return sorted(changes, key=lambda change: (change.shown.path, change.shown.line))


def _topmost(found: Sequence[Sketch]) -> list[tuple[Sketch, tuple[str, ...]]]:
    """Those that are not members of another one, and how many members each has."""
    names = {(one.path, one.name) for one in found if one.name}
    members: Counter[tuple[str, str]] = Counter()
    kept: list[Sketch] = []
    for one in found:
        parts = one.name.split(".")
        owners = [(one.path, ".".join(parts[:n])) for n in range(1, len(parts))]
        owner = next((owner for owner in owners if owner in names), None)
        if owner is None:
            kept.append(one)
        else:
            members[owner] += 1
    return [(one, _with_members(members[one.path, one.name])) for one in kept]


def _with_members(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (f"with {count} member" + ("" if count == 1 else "s"),)


def _changed(before: Sketch, after: Sketch) -> SymbolChange | None:
    if before.signature != after.signature and after.kind in CALLABLE_KINDS:
        details = differences(before.signature, after.signature)
        if details:
            return SymbolChange(
                kind=SymbolChangeKind.SIGNATURE,
                before=before,
                after=after,
                details=tuple(item.text for item in details),
                breaks=any(item.breaks for item in details),
            )
    if before.own == after.own and before.signature == after.signature:
        return None
    return SymbolChange(kind=SymbolChangeKind.MODIFIED, before=before, after=after)


def _pairs(removed: Sequence[Sketch], added: Sequence[Sketch]) -> list[tuple[Sketch, Sketch]]:
    """Symbols that are still there under another name or in another place."""
    found: list[tuple[Sketch, Sketch]] = []
    left = {sketch.key: sketch for sketch in added}
    pending = list(removed)
    for same in (_identical, _alike):
        if same is _alike and (len(pending) > _MANY or len(left) > _MANY):
            break
        rest: list[Sketch] = []
        for one in pending:
            match = same(one, left.values())
            if match is None:
                rest.append(one)
            else:
                found.append((one, match))
                del left[match.key]
        pending = rest
    found += _owners_of(found, pending, left)
    gone = {one.key for one, _ in found}
    return [*found, *_followers(found, [one for one in pending if one.key not in gone], left)]


def _owners_of(
    found: Sequence[tuple[Sketch, Sketch]], pending: Iterable[Sketch], left: dict[_Key, Sketch]
) -> list[tuple[Sketch, Sketch]]:
    """Types that are themselves a line or two; most of their members tell where they went."""
    pairs: list[tuple[Sketch, Sketch]] = []
    for one in pending:
        inside = f"{one.name}."
        went = Counter(
            (other.path, other.name.rpartition(".")[0], one.overload)
            for member, other in found
            if one.name and member.path == one.path and member.name.startswith(inside)
        )
        for place, count in went.most_common(1):
            if place in left and left[place].kind is one.kind and 2 * count > sum(went.values()):
                pairs.append((one, left.pop(place)))
    return pairs


def _followers(
    found: Sequence[tuple[Sketch, Sketch]], pending: Iterable[Sketch], left: dict[_Key, Sketch]
) -> list[tuple[Sketch, Sketch]]:
    """Members of a type that has another name or place; they go with it."""
    pairs: list[tuple[Sketch, Sketch]] = []
    for one in pending:
        for before, after in found:
            if before.name and one.path == before.path and one.name.startswith(before.name + "."):
                name = after.name + one.name[len(before.name) :]
                match = left.pop((after.path, name, one.overload), None)
                if match is not None:
                    pairs.append((one, match))
                break
    return pairs


def _identical(one: Sketch, others: Iterable[Sketch]) -> Sketch | None:
    """The same lines under another name, or the same name and lines elsewhere."""
    if not one.own:
        return None
    body = _body(one)
    same = [other for other in others if other.kind is one.kind and _body(other) == body]
    if len(one.own) < _SHORT:
        same = [other for other in same if other.last == one.last]
    same.sort(key=lambda other: (other.last != one.last, other.path != one.path, other.line))
    return same[0] if same else None


def _alike(one: Sketch, others: Iterable[Sketch]) -> Sketch | None:
    if len(one.own) < _SHORT:
        return None
    body, best, match = _body(one), _ALIKE, None
    for other in others:
        if other.kind is not one.kind or len(other.own) < _SHORT:
            continue
        matcher = SequenceMatcher(None, body, _body(other), autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            ratio = matcher.ratio()
            if ratio > best:
                best, match = ratio, other
    return match


def _body(sketch: Sketch) -> list[str]:
    """Its lines with a sign in the place of its name."""
    last = sketch.last
    return [line.replace(last, "\0") if last else line for line in sketch.own]


def _moved(pairs: Sequence[tuple[Sketch, Sketch]]) -> list[SymbolChange]:
    """One entry for each pair; members that merely went along with their type need none."""
    owners = {(one.path, one.name) for one, _ in pairs}
    changes: list[SymbolChange] = []
    for one, other in pairs:
        along = (one.path, one.name.rpartition(".")[0]) in owners and "." in one.name
        details = differences(one.signature, other.signature, names=False)
        if along and one.last == other.last and _body(one) == _body(other):
            continue
        renamed = one.last != other.last
        changes.append(
            SymbolChange(
                kind=SymbolChangeKind.RENAMED if renamed else SymbolChangeKind.MOVED,
                before=one,
                after=other,
                details=tuple(item.text for item in details),
                breaks=True,
            )
        )
    return changes

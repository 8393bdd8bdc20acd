"""Which lines of a body matter: structure stays, boilerplate and the least telling lines go.

Works on lines, indentation and brackets, so it serves every language. The outcome is a set of
line numbers: what is kept is shown as it stands in the file, and whoever writes it marks each gap
with the number of lines in it. Four stages: lock what carries the structure, collapse
boilerplate, drop low-value lines, drop lines that repeat others. Where that is not enough, the
most deeply nested blocks go, and from flat code the middle.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log

from knowing.pack.sheet import Marks

FEWEST_ALIKE = 4
_ALIKE = 0.85
SHORTEST = 12
"""Bodies up to this many lines are not worth the marks that compressing leaves in them."""
_SHARE = 0.55
"""Low-value lines are dropped until this share of the cost is left."""
_HARD_SHARE = 0.72
"""If more than this is left after that, blocks go whatever they say, down to this share."""
_FARTHEST = 20
"""How many lines back a repetition is looked for."""
_IMPORTS_KEPT = 3
_DATA_KEPT, _DATA_RUN = 2, 5
_LONG_LINE = 300
_WORTH_A_MARK = 16.0
"""Tokens that a gap must save; one line must save more, for it breaks the flow of reading."""
_WORTH_A_LINE = 40.0

_KEYWORDS = frozenset(
    {
        *("if", "elif", "elsif", "elseif", "else", "unless", "switch", "case", "when", "match"),
        *("select", "default", "for", "foreach", "while", "loop", "until", "do", "begin", "end"),
        *("try", "catch", "except", "rescue", "ensure", "finally", "with", "using", "defer"),
        *("return", "yield", "raise", "throw", "panic", "break", "continue", "goto", "await"),
        *("async", "def", "fn", "func", "fun", "function", "class", "struct", "enum", "trait"),
        *("interface", "impl", "module", "fi", "done", "esac"),
    }
)
_FIRST_WORD = re.compile(r"[^\w\s]*\s*([A-Za-z_]+)")
_OPENING = re.compile(r"[{(\[:]\s*$|=>\s*$|\bdo(?:\s*\|[^|]*\|)?\s*$")
_NOTE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|HACK|NOTE|XXX|BUG|SAFETY|WARNING)\b")
_IMPORT = re.compile(
    r"""(?:import\b|from\s+\S+\s+import\b|use\s+[\w:\\]|using\s+\w|require\b|include\b
    |\#\s*include\b|package\s+\w|namespace\s+\w|extern\s+crate\b)""",
    re.VERBOSE,
)
_LOGGING = re.compile(
    r"""(?:\w+[.:]+)*(?:log|logger|logging|console|slog|klog|LOG|LOGGER|Log|zap|tracing)\s*
    (?:\(\s*\))?[.:!(]|(?:print|println|printf|puts|eprintln!|println!)\s*\(
    |(?:debug|info|warn|trace)!\s*\(|fmt\.Print|System\.(?:out|err)\.""",
    re.VERBOSE,
)
_DATA = re.compile(
    r"""(?:[\w."'\[\]-]+\s*(?:=>|[:=])\s*)?
    (?:[bru]?"[^"]*"|[bru]?'[^']*'|`[^`]*`|[-+\w.]+|[\[({][^()]*[\])}])\s*,""",
    re.VERBOSE,
)
_WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_LITERALS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\b\d+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Lines of a symbol with what they cost."""

    first: int
    """Number of the first line in its file."""
    lines: Sequence[str]
    costs: Sequence[float]
    marks: Marks
    locked: frozenset[int]
    """Numbers in the file that stay: the signature, the heads of what is defined inside."""
    wanted: frozenset[str] = frozenset()
    """Lower-case words of the task: a line with one of them stays."""


class _Work:
    """A body while it is compressed: what of each line is looked at again and again."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.bare = [line.strip() for line in body.lines]
        self.words = [_parts(line[:_LONG_LINE]) for line in self.bare]
        self.kept = [True] * len(self.bare)
        self.locked = [self._locks(place) for place in range(len(self.bare))]

    def _locks(self, place: int) -> bool:
        if self.stays(place):
            return True
        bare = self.bare[place]
        if not bare or len(bare) >= _LONG_LINE:
            return False
        word = _FIRST_WORD.match(bare)
        if word is None:
            return not any(map(str.isalnum, bare))
        comment = self.comment(place)
        structure = word[1] in _KEYWORDS or word[1].startswith("assert")
        if structure and not comment:
            return True
        return bool(_NOTE.search(bare) if comment else _OPENING.search(bare))

    def stays(self, place: int) -> bool:
        """The caller needs the line, or the task speaks of what is in it."""
        asked = self.body.wanted and not self.body.wanted.isdisjoint(self.words[place])
        return bool(asked) or self.body.first + place in self.body.locked

    def comment(self, place: int) -> bool:
        marks = self.body.marks.line
        return bool(marks) and self.bare[place].startswith(marks)

    def drop(self, places: Iterable[int]) -> None:
        for place in places:
            if not self.locked[place]:
                self.kept[place] = False

    def left(self) -> float:
        return sum(cost for cost, here in zip(self.body.costs, self.kept, strict=True) if here)

    def runs(self, belongs: Callable[[str], bool]) -> list[tuple[int, int]]:
        """Stretches of lines that belong together."""
        found, start = list[tuple[int, int]](), -1
        for place, line in enumerate([*self.bare, ""]):
            inside = bool(line) and len(line) < _LONG_LINE and belongs(line)
            if inside and start < 0:
                start = place
            elif not inside and start >= 0:
                found.append((start, place))
                start = -1
        return found


def compress(body: Body) -> list[int]:
    """The numbers of the lines to keep, in their order; all of them if nothing is gained."""
    count = len(body.lines)
    if count <= SHORTEST:
        return list(range(body.first, body.first + count))
    work = _Work(body)
    for stage in (_drop_boilerplate, _drop_low_value, _drop_repetition):
        stage(work)
    _restore_small_gaps(work)
    for harder in (_drop_depths, _drop_middle):
        if work.left() > _HARD_SHARE * sum(body.costs):
            harder(work)
            _restore_small_gaps(work)
    return [body.first + place for place in range(count) if work.kept[place]]


def _drop_boilerplate(work: _Work) -> None:
    """Collapses long runs of imports and of data, and lines too long to be written by hand."""
    for start, end in work.runs(lambda line: bool(_IMPORT.match(line))):
        if end - start > _IMPORTS_KEPT:
            work.drop(range(start, end))
    for start, end in work.runs(lambda line: line[-1] == "," and bool(_DATA.fullmatch(line))):
        if end - start > _DATA_RUN:
            work.drop(range(start + _DATA_KEPT, end))
    work.drop(place for place, line in enumerate(work.bare) if len(line) >= _LONG_LINE)


def _drop_low_value(work: _Work) -> None:
    """Drops logging and comments that say what the code says, then what tells least."""
    work.drop(place for place, line in enumerate(work.bare) if _LOGGING.match(line))
    for place, said in enumerate(work.words[:-1]):
        if said and work.comment(place) and len(said & work.words[place + 1]) * 2 > len(said):
            work.drop((place,))
    frequency = Counter(word for words in work.words for word in words)
    count = len(work.bare)
    rarity = {word: log(1 + count / times) for word, times in frequency.items()}
    # Rounded, so that the order in which a set gives its words does not show.
    telling = [round(sum(rarity[word] for word in words), 6) for words in work.words]
    limit, left = _SHARE * sum(work.body.costs), work.left()
    for place in sorted(range(count), key=lambda i: (telling[i], i)):
        if left <= limit:
            break
        if work.kept[place] and not work.locked[place]:
            work.kept[place] = False
            left -= work.body.costs[place]


def _drop_repetition(work: _Work) -> None:
    """Drops lines that differ from a recent one in their literals alone."""
    seen: dict[str, int] = {}
    for place, form in enumerate(_forms(work.bare)):
        if form and place - seen.get(form, -_FARTHEST - 1) <= _FARTHEST:
            work.drop((place,))
        if work.kept[place]:
            seen[form] = place


def _drop_depths(work: _Work) -> None:
    """Drops nested blocks, the deepest first."""
    wide = [line.expandtabs(4).rstrip() for line in work.body.lines]
    depths = [len(line) - len(line.lstrip()) for line in wide]
    for depth in sorted(set(depths), reverse=True)[:-1]:
        if work.left() <= _HARD_SHARE * sum(work.body.costs):
            return
        for place, here in enumerate(depths):
            if here >= depth and work.bare[place] and not work.stays(place):
                work.kept[place] = False


def _drop_middle(work: _Work) -> None:
    """Drops what is farthest from both ends: a beginning and an end tell more than a middle."""
    count, left = len(work.kept), work.left()
    goal = _HARD_SHARE * sum(work.body.costs)
    for place in sorted(range(count), key=lambda i: (abs(2 * i - count), i)):
        if left <= goal:
            return
        if work.kept[place] and not work.stays(place):
            work.kept[place] = False
            left -= work.body.costs[place]


def _restore_small_gaps(work: _Work) -> None:
    """A gap whose mark costs as much as its lines hides something for nothing."""
    kept, count, place = work.kept, len(work.kept), 0
    while place < count:
        if kept[place]:
            place += 1
            continue
        start = end = place
        while end < count and not kept[end]:
            end += 1
        # Blank lines at the edge of a gap are part of it: they separate what is not shown.
        while start > 0 and not work.bare[start - 1] and not work.stays(start - 1):
            start -= 1
        least = _WORTH_A_MARK if end - place > 1 else _WORTH_A_LINE
        if sum(work.body.costs[place:end]) <= least:
            kept[place:end] = [True] * (end - place)
        else:
            kept[start:end] = [False] * (end - start)
        place = end


def _parts(line: str) -> set[str]:
    return {part.lower() for word in _WORDS.findall(line) for part in _PARTS.findall(word)}


def shape(lines: Iterable[str]) -> Counter[str]:
    """The lines of a body without what makes two copies differ: indentation and literals."""
    return Counter(form for form in _forms([line.strip() for line in lines]) if form)


def _forms(lines: Sequence[str]) -> list[str]:
    """Lines with their literals replaced; all at once, which is much quicker than one by one."""
    return _LITERALS.sub("0", "\n".join(lines)).split("\n")


def comparable(fewer: int, more: int) -> bool:
    """Bodies of these many lines can be alike at all."""
    return fewer >= _ALIKE * more


def alike(one: Counter[str], other: Counter[str]) -> bool:
    """Two shapes say nearly the same; a few lines are alike too often to tell."""
    if min(one.total(), other.total()) < FEWEST_ALIKE:
        return False
    return (one & other).total() >= _ALIKE * (one | other).total()

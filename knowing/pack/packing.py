"""Ranked symbols and a budget to one block of text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import ceil
from typing import Any

import numpy as np

from knowing.graph import View
from knowing.graph.view import StringColumn
from knowing.languages import load_languages
from knowing.model import SymbolKind
from knowing.pack.choose import Chooser, Entry, Level, Shelf, find_twins, shown_levels, weigh
from knowing.pack.compress import shape
from knowing.pack.forms import Block, Head, Mentions, one_line, render, written
from knowing.pack.sheet import Marks, Sheet, Standing
from knowing.pack.slices import Slicer
from knowing.pack.tokens import costs
from knowing.pack.values import (
    Candidate,
    Pack,
    Packed,
    PackOptions,
    Source,
    Step,
)

OUTSIDE = -1
_LEAST_ENTRY = 6
"""Tokens that an entry needs at least: candidates beyond what they allow are not looked at."""
_BYTES_PER_TOKEN = 8
"""A body with more bytes for each token of the budget does not fit."""
_REFILLS = 2
_HEAD_SHARE = 0.3
_BLANK_GAP = 3
_SHORT_TITLE = 80
_WORDS = re.compile(r"[a-z]{4,}")
_COUNTED_WHOLE = 20_000
"""Characters of a line up to which its tokens are counted; beyond, half of them is enough."""


def pack(view: View, candidates: Sequence[Candidate], source: Source, options: PackOptions) -> Pack:
    """The best of the candidates, best first, as text of at most `options.budget` tokens."""
    return _Packing(view, source, options).run(_unique(candidates))


def unmapped(view: View) -> View:
    """The same view with plain arrays: a single number is read from those much quicker."""
    table = view.symbols
    plain: dict[str, Any] = {}
    for column in fields(table):
        value = getattr(table, column.name)
        if isinstance(value, StringColumn):
            data, bounds = value.data.view(np.ndarray), value.bounds.view(np.ndarray)
            plain[column.name] = StringColumn(data, bounds)
        else:
            plain[column.name] = value.view(np.ndarray)
    return replace(view, symbols=replace(table, **plain))


def _unique(candidates: Sequence[Candidate]) -> list[Candidate]:
    return list({candidate.symbol: candidate for candidate in reversed(candidates)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class _Outcome:
    text: str
    used: int
    levels: list[Level | None]


class _Packing:
    """One call of `pack`: the files it has looked at and what it offers of each symbol."""

    def __init__(self, view: View, source: Source, options: PackOptions) -> None:
        self._view, self._source, self._options = unmapped(view), source, options
        self._budget = max(0, options.budget)
        self._registry = options.languages or load_languages(None)
        self._standings: dict[int, Standing] = {}
        self._slicers: dict[int, Slicer] = {}
        self._marks: dict[str, float] = {}

    def run(self, candidates: list[Candidate]) -> Pack:
        looked_at = candidates[: 20 + self._budget // _LEAST_ENTRY]
        entries = self._entries(looked_at)
        shelves = self._shelves(entries)
        weigh(entries)
        find_twins(entries)
        notes = self._notes()
        outcome = self._chosen(entries, shelves, notes, len(candidates))
        items = [
            self._packed(entry, level)
            for entry, level in zip(entries, outcome.levels, strict=True)
            if level is not None
        ]
        return Pack(
            text=outcome.text,
            used=outcome.used,
            tokenizer=self._options.tokenizer.name,
            items=tuple(items),
            left_out=len(candidates) - len(items),
            notes=notes,
        )

    # -- what there is to choose from ----------------------------------------------------------

    def _entries(self, candidates: list[Candidate]) -> list[Entry]:
        files = [int(self._view.symbols.file[candidate.symbol]) for candidate in candidates]
        for file in dict.fromkeys(files):
            if file != OUTSIDE:
                self._open(file)
        intact = [
            file != OUTSIDE and self._standings[file].holds(candidate.symbol)
            for file, candidate in zip(files, candidates, strict=True)
        ]
        wanted: dict[int, set[int]] = {}
        for file, candidate, whole in zip(files, candidates, intact, strict=True):
            if whole:
                lines = self._slicers[file].everything(candidate.symbol)
                wanted.setdefault(file, set()).update(lines)
        self._count(wanted)
        entries = [
            self._entry(rank, candidate, file, whole)
            for rank, (candidate, file, whole) in enumerate(
                zip(candidates, files, intact, strict=True)
            )
        ]
        self._count(_all_lines(entries))
        return self._priced(entries)

    def _open(self, file: int) -> None:
        path, name = self._view.paths[file], self._view.languages[file]
        known = name in self._registry
        marks = Marks.of(self._registry[name]) if known else Marks()
        sheet = Sheet(path=path, language=name, marks=marks, data=self._source(path))
        self._standings[file] = standing = Standing(self._view, sheet, file)
        words = frozenset(_WORDS.findall(self._options.title[:2000].lower()))
        largest = _BYTES_PER_TOKEN * self._budget
        self._slicers[file] = Slicer(self._view, standing, words, largest)

    def _count(self, wanted: dict[int, set[int]]) -> None:
        """Counts lines of many files at once: one long text is counted quicker than many short."""
        form = self._options.form
        todo: list[tuple[Sheet, int]] = []
        for file, numbers in wanted.items():
            sheet = self._standings[file].sheet
            todo += [(sheet, number) for number in sorted(numbers) if number not in sheet.costs]
        short = [(s, n) for s, n in todo if len(s.line(n)) <= _COUNTED_WHOLE]
        for sheet, number in todo:
            sheet.costs[number] = len(sheet.line(number)) / 2
        texts = [written(form, sheet.line(number)) for sheet, number in short]
        for (sheet, number), cost in zip(short, costs(self._options.tokenizer, texts), strict=True):
            sheet.costs[number] = cost

    def _entry(self, rank: int, candidate: Candidate, file: int, intact: bool) -> Entry:
        levels = [Level(step=Step.NAME, words=self._name(candidate.symbol))]
        entry = Entry(rank=rank, candidate=candidate, file=file, levels=levels)
        if file == OUTSIDE:
            return entry
        cut = self._slicers[file].levels(candidate.symbol) if intact else []
        if not cut and (signature := self._signature(candidate.symbol, intact)):
            levels.append(Level(step=Step.SIGNATURE, words=signature))
        for step, lines in cut:
            levels.append(Level(step=step, lines=lines))
        if cut:
            span = self._slicers[file].span(candidate.symbol)
            entry.span = (span.start, span.end)
            if cut[-1][0] >= Step.COMPRESSED:
                sheet = self._standings[file].sheet
                entry.shape = shape(sheet.line(number) for number in cut[-1][1])
        return entry

    def _priced(self, entries: list[Entry]) -> list[Entry]:
        """Entries with the cost of the words that stand for them where lines do not."""
        words = [level.words + ";" for entry in entries for level in entry.levels if level.words]
        prices = iter(costs(self._options.tokenizer, words))
        for entry in entries:
            entry.levels = [
                replace(level, cost=next(prices) + 1) if level.words else level
                for level in entry.levels
            ]
        return entries

    def _name(self, symbol: int) -> str:
        table = self._view.symbols
        kind = SymbolKind(int(table.kind[symbol])).label.replace("_", " ")
        name = one_line(table.chain[symbol])
        if int(table.file[symbol]) == OUTSIDE:
            return f"{name} ({kind})"
        line = f"line {int(table.line[symbol])}"
        return f"{name} ({kind}, {line})" if name else "the file as a whole"

    def _signature(self, symbol: int, intact: bool) -> str:
        """The signature as the index knows it, for what cannot be shown from the file."""
        table = self._view.symbols
        signature = one_line(table.signature[symbol])
        if not signature:
            return ""
        place = f"line {int(table.line[symbol])}" if intact else "as indexed, file has changed"
        return f"{signature} ({place})"

    def _shelves(self, entries: list[Entry]) -> dict[int, Shelf]:
        files = list(dict.fromkeys(entry.file for entry in entries))
        form, tokenizer = self._options.form, self._options.tokenizer
        heads, groups = [], []
        for file in files:
            path = self._standings[file].sheet.path if file != OUTSIDE else ""
            language = self._standings[file].sheet.language if file != OUTSIDE else ""
            block = Block(path=path, language=language, first=99998, last=99999, lines=("````",))
            heads.append(render(form, Head(), [block], []))
            groups.append(render(form, Head(), [], [Mentions(path=path, names=())]))
        prices = costs(tokenizer, [*heads, *groups])
        shelves = {}
        for place, file in enumerate(files):
            shelves[file] = Shelf(
                header=prices[place] + 2,
                group=prices[len(files) + place] + 2,
                mark=self._mark(file),
                line=self._standings[file].sheet.costs if file != OUTSIDE else {},
                entries=[entry for entry in entries if entry.file == file],
            )
        return shelves

    def _mark(self, file: int) -> float:
        if file == OUTSIDE:
            return 0.0
        sheet = self._standings[file].sheet
        if sheet.language not in self._marks:
            line = written(self._options.form, sheet.marks.elision(99999, " " * 12))
            self._marks[sheet.language] = costs(self._options.tokenizer, [line])[0] + 1
        return self._marks[sheet.language]

    def _notes(self) -> tuple[str, ...]:
        """What a reader must know about files that are not as they were indexed."""
        changed = [
            standing.sheet.path
            for standing in self._standings.values()
            if standing.sheet.data is None or not standing.unchanged
        ]
        if not changed:
            return ()
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        return (f"changed since they were indexed: {', '.join(changed[:3])}{more}",)

    # -- choosing ------------------------------------------------------------------------------

    def _chosen(
        self, entries: list[Entry], shelves: dict[int, Shelf], notes: tuple[str, ...], count: int
    ) -> _Outcome:
        """The fullest text that fits, tried with ever shorter heads."""
        options = self._options
        full = Head(title=options.title, notes=(*options.notes, *notes), left_out=count)
        short = replace(full, title=one_line(options.title, _SHORT_TITLE), notes=notes)
        heads = [full, short, Head(left_out=count), Head()]
        for head in heads:
            price = options.tokenizer.count(render(options.form, head, [], []))
            if price > _HEAD_SHARE * self._budget and head is not heads[-1]:
                continue
            if (outcome := self._filled(entries, shelves, head, price)) is not None:
                return outcome
        return _Outcome("", 0, [None] * len(entries))

    def _filled(
        self, entries: list[Entry], shelves: dict[int, Shelf], head: Head, price: int
    ) -> _Outcome | None:
        chooser = Chooser(entries, shelves, self._budget)
        chooser.fill(self._budget - price)
        best: _Outcome | None = None
        refills = _REFILLS
        while True:
            outcome = self._composed(entries, shelves, head, count=head.left_out)
            if outcome.used <= self._budget:
                best = outcome
                refills -= 1
                spare = self._budget - outcome.used
                if refills < 0 or not chooser.fill(chooser.total + spare - 2):
                    break
            elif best is not None or not chooser.back(outcome.used - self._budget):
                break
        chooser.clear()
        return best

    def _composed(
        self, entries: list[Entry], shelves: dict[int, Shelf], head: Head, count: int
    ) -> _Outcome:
        levels = shown_levels(entries, shelves)
        missing = count - sum(level is not None for level in levels) if count else 0
        blocks, mentions = self._written(entries, levels)
        text = render(self._options.form, replace(head, left_out=missing), blocks, mentions)
        return _Outcome(text, self._options.tokenizer.count(text), levels)

    def _written(
        self, entries: list[Entry], levels: list[Level | None]
    ) -> tuple[list[Block], list[Mentions]]:
        """Files and names in the order of their best candidates."""
        lines: dict[int, set[int]] = {}
        spans: dict[int, list[tuple[int, int]]] = {}
        words: dict[int, list[str]] = {}
        for entry, level in zip(entries, levels, strict=True):
            if level is not None and level.lines:
                lines.setdefault(entry.file, set()).update(level.lines)
                spans.setdefault(entry.file, []).append(entry.span)
            elif level is not None:
                words.setdefault(entry.file, []).append(level.words)
        blocks = []
        for file, numbers in lines.items():
            sheet, order = self._standings[file].sheet, sorted(numbers)
            bounds = min(low for low, _ in spans[file]), max(high for _, high in spans[file])
            block = Block(
                path=sheet.path,
                language=sheet.language,
                first=order[0] + 1,
                last=order[-1] + 1,
                lines=tuple(marked(sheet, order, bounds)),
            )
            blocks.append(block)
        mentions = [
            Mentions(
                path=self._standings[file].sheet.path if file != OUTSIDE else "",
                names=tuple(names),
            )
            for file, names in words.items()
        ]
        return blocks, mentions

    def _packed(self, entry: Entry, level: Level) -> Packed:
        text, tokens = level.words, level.cost
        if level.lines:
            sheet = self._standings[entry.file].sheet
            shown = marked(sheet, level.lines, entry.span)
            text = "\n".join(shown)
            tokens = sum(sheet.costs[number] for number in level.lines)
            tokens += self._mark(entry.file) * max(0, len(shown) - len(level.lines))
        return Packed(
            candidate=entry.candidate, detail=level.step.detail, tokens=ceil(tokens), text=text
        )


def _all_lines(entries: list[Entry]) -> dict[int, set[int]]:
    result: dict[int, set[int]] = {}
    for entry in entries:
        for level in entry.levels:
            if level.lines:
                result.setdefault(entry.file, set()).update(level.lines)
    return result


def marked(sheet: Sheet, numbers: Sequence[int], bounds: tuple[int, int]) -> list[str]:
    """Lines of a file, with a mark in place of each gap up to the bounds.

    A gap of a few blank lines is shown instead.
    """
    result: list[str] = []
    low, high = min(bounds[0], numbers[0]), max(bounds[1], numbers[-1])
    before = low - 1
    for number in (*numbers, high + 1):
        gap = range(before + 1, number)
        if len(gap) <= _BLANK_GAP and all(sheet.blank(missing) for missing in gap):
            result += [sheet.line(missing) for missing in gap]
        elif gap:
            result.append(sheet.marks.elision(len(gap), _indent(sheet, gap, number, high)))
        if number <= high:
            result.append(sheet.line(number))
        before = number
    return result


def _indent(sheet: Sheet, gap: range, following: int, high: int) -> str:
    """That of the line after a gap; at the end that of the first line that is left out."""
    if following > high:
        following = next((number for number in gap if not sheet.blank(number)), gap[0])
    line = sheet.line(following)
    return line[: len(line) - len(line.lstrip())]

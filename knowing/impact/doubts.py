"""Whether all direct uses of a symbol are known, and if not, why not.

A graph that has no edge to a symbol says little: the call may stand in a file that was not read,
go through a value of unknown type, through reflection, or come from a framework. Each of these is
looked for, and what is found is named. Only when none of them is left is an answer complete.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from knowing.graph import View
from knowing.impact.mentions import Mentions, Shape
from knowing.impact.possible import Possible
from knowing.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    EdgeKind,
    Skipped,
    SymbolFlag,
    SymbolKind,
)
from knowing.retrieve.locate import rows_of_file

_HARMLESS = (
    "version control",
    "cache or environment",
    "vendored",
    "ignored by",
    "worktree",
    "symbolic link to",
    "symbolic link loop",
    "binary",
    "read in part: nothing in it looks like documentation",
)
"""Beginnings of reasons for skipping what does not use the project's code."""
_ASIDE = SymbolFlag.TEST | SymbolFlag.EXAMPLE
_HIDDEN = SymbolFlag.PRIVATE | SymbolFlag.PROTECTED
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason for doubt: a code that stays the same and a sentence."""

    code: str
    detail: str

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the graph does not know about itself."""

    unread: Sequence[Skipped] = ()
    """Files that are not in the graph, or only in part, and why."""
    mentions: Mentions | None = None
    """Where the symbol's names stand in the text, of unread files, too; None if not searched."""
    indexing: str = ""
    """What is still being done, while the index is being brought up to date."""
    published: bool = True
    """Whether code outside the workspace may use what is public in it."""
    word_calls: frozenset[str] = frozenset()
    """Languages in which a bare word may be a call."""
    churn: float | None = None
    """How often the symbol changes compared with others, 0 to 1; None if that is not known."""
    commits: int = 0
    """That changed the symbol."""


@dataclass(slots=True)
class Doubts:
    """What speaks against knowing all uses of a symbol."""

    view: View
    symbol: int
    seeds: Sequence[int]
    given: Circumstances

    def reasons(self, possible: Sequence[Possible]) -> list[Reason]:
        """All reasons for doubt, the plainest first."""
        found = [
            self._indexing(),
            *self._unread(),
            self._unresolved(possible),
            self._dynamic(possible),
            self._not_searched(),
            *self._entry_points(),
            self._as_a_value(),
            self._implicit(),
            self._outside_base(),
            self._public(),
        ]
        return [reason for reason in found if reason is not None]

    def nothing_found(self) -> Reason:
        """What to say about a zero that can be trusted."""
        mentions = self.given.mentions
        searched = len(mentions.searched) if mentions else 0
        name = self.view.symbols.chain[self.symbol] or self.view.identity(self.symbol)
        return Reason(
            code="no_callers",
            detail=f"nothing uses {name}: no other mention of it in {searched:,} files",
        )

    def _indexing(self) -> Reason | None:
        if not self.given.indexing:
            return None
        return Reason(code="indexing", detail=self.given.indexing)

    def _unread(self) -> Iterable[Reason]:
        """Files that could hold uses; those that were searched in vain could not."""
        searched = self.given.mentions.searched if self.given.mentions else frozenset[str]()
        groups: dict[str, list[str]] = {}
        mentioning = {m.path for m in self.given.mentions.found} if self.given.mentions else set()
        for item in self.given.unread:
            if item.reason.startswith(_HARMLESS):
                continue
            if item.path in searched and item.path not in mentioning:
                continue
            groups.setdefault(_unread_code(item.reason), []).append(f"{item.path} ({item.reason})")
        for code in sorted(groups):
            yield Reason(code=code, detail=f"not read: {_some(groups[code])}")

    def _unresolved(self, possible: Sequence[Possible]) -> Reason | None:
        if not possible:
            return None
        name = self.view.symbols.name[self.symbol]
        where = _some([f"{item.path}:{item.line}" for item in possible])
        return Reason(
            code="unresolved",
            detail=f"{_places(len(possible))} {name!r} and may mean this: {where}",
        )

    def _dynamic(self, possible: Sequence[Possible]) -> Reason | None:
        """Strings that are the name, as `getattr`, `send` and routers are given."""
        strings = [item for item in possible if item.shape is Shape.STRING]
        if not strings:
            return None
        where = _some([f"{item.path}:{item.line}" for item in strings])
        return Reason(code="dynamic", detail=f"its name stands in strings: {where}")

    def _not_searched(self) -> Reason | None:
        mentions = self.given.mentions
        if mentions is None:
            return Reason(
                code="not_searched", detail="the text of the files was not searched for its name"
            )
        if mentions.cut:
            done = len(mentions.searched)
            return Reason(
                code="not_searched", detail=f"the search for its name stopped after {done:,} files"
            )
        return None

    def _entry_points(self) -> Iterable[Reason]:
        view, table = self.view, self.view.symbols
        if int(table.flags[self.symbol]) & SymbolFlag.TEST_CASE:
            yield Reason(code="entry_point", detail="a test runner runs it")
        if table.name[self.symbol] in ("main", "Main", "__main__") and self._is_callable():
            yield Reason(code="entry_point", detail="programs begin here")
        for seed in self.seeds:
            rows = view.edges_to(seed)
            kinds = view.edges.kind[rows]
            routes = rows[kinds == EdgeKind.HANDLES_ROUTE].tolist()
            if routes:
                paths = [table.chain[int(view.edges.source[row])] for row in routes]
                yield Reason(code="entry_point", detail=f"answers {_some(paths)}")
        decorators = self._decorators()
        if decorators:
            yield Reason(
                code="decorated",
                detail=f"{_some(decorators)} may call it or hand it to something that does",
            )

    def _decorators(self) -> list[str]:
        """What is applied to the symbol: known decorators, and those from outside just above."""
        view, table, edges = self.view, self.view.symbols, self.view.edges
        rows = view.edges_to(self.symbol)
        inner = rows[edges.kind[rows] == EdgeKind.DECORATES].tolist()
        names = [table.chain[int(edges.source[row])] for row in inner]
        owner = int(table.owner[self.symbol])
        if owner >= 0:
            rows = view.edges_from(owner)
            rows = rows[edges.kind[rows] == EdgeKind.DECORATES]
            line = int(table.line[self.symbol])
            above = self._line_before(owner, line)
            for row in rows.tolist():
                if above < int(edges.line[row]) <= line:
                    names.append(table.chain[int(edges.target[row])])
        return list(dict.fromkeys(names))

    def _line_before(self, owner: int, line: int) -> int:
        """The last line of what stands before the symbol in its owner."""
        table = self.view.symbols
        siblings = rows_of_file(self.view, int(table.file[self.symbol]))
        ends = table.end_line[siblings]
        starts = table.line[siblings]
        before = siblings[(ends < line) & (starts >= table.line[owner])]
        return int(table.end_line[before].max()) if len(before) else int(table.line[owner]) - 1

    def _as_a_value(self) -> Reason | None:
        """Functions that are handed over can be called by whoever receives them."""
        if not self._is_callable():
            return None
        view, edges = self.view, self.view.edges
        sites: list[str] = []
        for symbol in (self.symbol, *self._made_types()):
            rows = view.edges_to(symbol)
            rows = rows[(edges.kind[rows] == EdgeKind.REFERENCES) & (edges.file[rows] >= 0)]
            sites += [
                f"{view.paths[int(edges.file[row])]}:{int(edges.line[row])}"
                for row in rows.tolist()
            ]
        if not sites:
            return None
        return Reason(code="value", detail=f"handed over as a value at {_some(sites)}")

    def _made_types(self) -> list[int]:
        """The types whose making runs a constructor: its own and those that extend it."""
        table = self.view.symbols
        if table.kind[self.symbol] != SymbolKind.CONSTRUCTOR or int(table.owner[self.symbol]) < 0:
            return []
        found = [int(table.owner[self.symbol])]
        for type_ in found:
            rows = self.view.edges_to(type_)
            rows = rows[self.view.edges.kind[rows] == EdgeKind.EXTENDS]
            found += [row for row in self.view.edges.source[rows].tolist() if row not in found]
        return found

    def _implicit(self) -> Reason | None:
        name = self.view.symbols.name[self.symbol]
        special = name.startswith("__") and name.endswith("__") and len(name) > 4
        special = special or name.startswith(("operator", "~"))
        construct = int(self.view.symbols.kind[self.symbol]) == SymbolKind.CONSTRUCTOR
        if special and not construct:
            return Reason(code="implicit", detail="the language itself calls it, without its name")
        return None

    def _outside_base(self) -> Reason | None:
        """Methods of types that extend something outside may be called by it."""
        view, table = self.view, self.view.symbols
        owner = int(table.owner[self.symbol])
        if (
            not self._is_callable()
            or owner < 0
            or SymbolKind(int(table.kind[owner])) not in TYPE_KINDS
        ):
            return None
        outside = _outside_bases(view, owner)
        if not outside:
            return None
        return Reason(code="outside_base", detail=f"{_some(outside)}, from outside, may call it")

    def _public(self) -> Reason | None:
        table = self.view.symbols
        symbol = self.symbol
        if not self.given.published or int(table.file[symbol]) < 0:
            return None
        while symbol >= 0:
            flags = SymbolFlag(int(table.flags[symbol]))
            if flags & (_HIDDEN | _ASIDE):
                return None
            owner = int(table.owner[symbol])
            if owner >= 0 and SymbolKind(int(table.kind[owner])) in CALLABLE_KINDS:
                return None
            symbol = owner
        return Reason(code="public_api", detail="it is public; code outside may use it")

    def _is_callable(self) -> bool:
        return SymbolKind(int(self.view.symbols.kind[self.symbol])) in CALLABLE_KINDS


def _outside_bases(view: View, owner: int) -> list[str]:
    """What a type and its ancestors extend or implement that is not in the workspace."""
    names: list[str] = []
    pending, seen = [owner], {owner}
    while pending:
        rows = view.edges_from(pending.pop())
        bases = np.isin(view.edges.kind[rows], (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS))
        for target in view.edges.target[rows[bases]].tolist():
            if view.symbols.kind[target] == SymbolKind.EXTERNAL:
                names.append(view.symbols.chain[target])
            elif target not in seen:
                seen.add(target)
                pending.append(target)
    return sorted(set(names))


def _unread_code(reason: str) -> str:
    if reason.startswith("unsupported"):
        return "unsupported"
    return "parse_failed" if reason.startswith("read in part") else "skipped"


def _some(texts: Iterable[str]) -> str:
    """A few of them, the most frequent first, and how many more there are."""
    counts = Counter(texts)
    shown = ", ".join(list(counts)[:_NAMED])
    more = len(counts) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _places(count: int) -> str:
    return "1 place names" if count == 1 else f"{count} places name"

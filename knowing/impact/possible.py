"""Uses that may be of a symbol: guesses of the graph, and mentions of its name in the text that
nothing in the graph explains."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from knowing.graph import View
from knowing.impact.mentions import Mention, Mentions, Shape
from knowing.impact.reach import overridden
from knowing.model import EdgeKind, Origin, SymbolKind
from knowing.retrieve.locate import at_line, rows_of_file
from knowing.retrieve.strings import ending_in, equal_to

_AROUND_DOCUMENTATION = " \t\"'*/#"
_MENTION_CONFIDENCE = {Shape.CALL: 0.3, Shape.MEMBER: 0.25, Shape.STRING: 0.2, Shape.WORD: 0.1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """A use that may be of the symbol: a call of an unknown value, or a mention in the text."""

    symbol: int
    """The symbol around it, -1 in a file that is not read."""
    name: str
    kind: str
    path: str
    line: int
    confidence: float
    edge: str
    """`calls` for a guess of the graph, `mentions` for a name in the text."""
    text: str = ""
    shape: Shape = Shape.CALL


def searched_names(view: View, symbol: int) -> list[str]:
    """The words by which a symbol is used: its name; a constructor is called by its type's."""
    table = view.symbols
    names = [table.name[symbol]]
    if table.kind[symbol] == SymbolKind.CONSTRUCTOR and int(table.owner[symbol]) >= 0:
        names = [table.name[int(table.owner[symbol])]]
    return [name for name in names if name]


@dataclass(slots=True)
class Uses:
    """Finds the uses of a symbol that may be."""

    view: View
    symbol: int
    seeds: Sequence[int]
    mentions: Mentions | None
    word_calls: frozenset[str]
    """Languages in which a bare word may be a call."""
    _explained: set[tuple[int, int]] = field(default_factory=set)

    def all(self, known: set[int]) -> list[Possible]:
        """Guesses of the graph, then mentions that nothing explains; surest first."""
        found = [*self._guesses(known), *self._mentions()]
        best: dict[tuple[str, int], Possible] = {}
        for item in found:
            before = best.get((item.path, item.line))
            if before is None or item.confidence > before.confidence:
                best[item.path, item.line] = item
        return sorted(best.values(), key=lambda item: (-item.confidence, item.path, item.line))

    def _guesses(self, known: set[int]) -> Iterable[Possible]:
        view, table = self.view, self.view.symbols
        targets = [*self.seeds, *(base for base, _ in overridden(view, self.symbol))]
        for target in targets:
            rows = view.edges_to(target)
            rows = rows[view.edges.origin[rows] == Origin.HEURISTIC]
            for row in rows.tolist():
                source, file = int(view.edges.source[row]), int(view.edges.file[row])
                if source in known or source in self.seeds or file < 0:
                    continue
                yield Possible(
                    symbol=source,
                    name=table.chain[source] or view.identity(source),
                    kind=SymbolKind(int(table.kind[source])).label,
                    path=view.paths[file],
                    line=int(view.edges.line[row]),
                    confidence=round(float(view.edges.confidence[row]), 3),
                    edge=EdgeKind(int(view.edges.kind[row])).label,
                )

    def _mentions(self) -> Iterable[Possible]:
        if self.mentions is None:
            return
        files = _numbered(self.view, {mention.path for mention in self.mentions.found})
        self._explain()
        shown: Counter[tuple[int, str]] = Counter()
        for mention in self.mentions.found:
            file = files.get(mention.path, -1)
            if self._counts(mention, file):
                item = self._as_possible(mention, file)
                if not self._is_documentation(item, shown):
                    yield item

    def _counts(self, mention: Mention, file: int) -> bool:
        """Whether a mention may be a use that no edge stands for."""
        if mention.shape is Shape.REMARK:
            return False
        if file < 0:
            return True
        if (file, mention.line) in self._explained or self._is_prose(file):
            return False
        if mention.shape is Shape.WORD:
            return self.view.languages[file] in self.word_calls
        return True

    def _is_documentation(self, item: Possible, shown: "Counter[tuple[int, str]]") -> bool:
        """Whether a line stands in the documentation of the symbol around it.

        The same line may stand in the code, too, which comes after it: so many lines are taken for
        documentation as there are in it.
        """
        text = item.text.strip(_AROUND_DOCUMENTATION)
        if item.symbol < 0 or not text:
            return False
        shown[item.symbol, text] += 1
        return shown[item.symbol, text] <= self.view.symbols.doc[item.symbol].count(text)

    def _as_possible(self, mention: Mention, file: int) -> Possible:
        around = at_line(self.view, file, mention.line) if file >= 0 else -1
        table = self.view.symbols
        return Possible(
            symbol=around,
            name=(table.chain[around] if around >= 0 else "") or mention.path,
            kind=SymbolKind(int(table.kind[around])).label if around >= 0 else "file",
            path=mention.path,
            line=mention.line,
            confidence=_MENTION_CONFIDENCE[mention.shape],
            edge="mentions",
            text=mention.text,
            shape=mention.shape,
        )

    def _is_prose(self, file: int) -> bool:
        rows = rows_of_file(self.view, file)
        kinds = self.view.symbols.kind[rows[1:]]
        return len(kinds) > 0 and bool((kinds == SymbolKind.DOC_SECTION).all())

    def _explain(self) -> None:
        """Notes the lines on which the graph knows what the name means.

        These are definitions of that name and uses of symbols that bear it, in the code or outside
        it, and the lines of the symbol itself.
        """
        view, table = self.view, self.view.symbols
        for name in searched_names(view, self.symbol):
            bearers = equal_to(table.name, name)
            outside = ending_in(table.chain, name, ".:/")
            outside = outside[table.file[outside] < 0]
            self._explained.update(
                zip(table.file[bearers].tolist(), table.name_line[bearers].tolist(), strict=True)
            )
            for bearer in np.concatenate((bearers, outside)).tolist():
                rows = view.edges_to(bearer)
                edges = view.edges
                rows = rows[(edges.origin[rows] != Origin.HEURISTIC) & (edges.file[rows] >= 0)]
                rows = rows[~np.isin(edges.kind[rows], (EdgeKind.CONTAINS, EdgeKind.MEMBER_OF))]
                self._explained.update(
                    zip(edges.file[rows].tolist(), edges.line[rows].tolist(), strict=True)
                )
        file = int(table.file[self.symbol])
        lines = range(int(table.line[self.symbol]), int(table.end_line[self.symbol]) + 1)
        self._explained.update((file, line) for line in lines)


def _numbered(view: View, paths: set[str]) -> dict[str, int]:
    """The numbers of the files with these paths, as far as they are in the graph."""
    found = {}
    for path in sorted(paths):
        rows = equal_to(view.paths, path)
        if len(rows):
            found[path] = int(rows[0])
    return found

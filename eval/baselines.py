"""What can be had without a ranker of one's own: full text search, grep, and a joke.

All three rank the symbols of this project's own index, read without history, so that only the
ranking differs. The classes baseline is the joke: grep that lists nothing but types. It does well
by the generous matcher and badly by the strict one, which is what is wrong with the former.
"""

import re
import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from eval.failure import EvalError
from eval.metrics import Row
from eval.rankers import Answer
from knowing.engine import Engine
from knowing.errors import KnowingError
from knowing.graph import View
from knowing.model import TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.settings import Settings
from knowing.text import split_identifier

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_COMMON_WORDS = """
a about after all an and are as at be before but by can do does for from get has have how if in
into is it its like make must need new no not of on one only or our out should so some such than
that the their them then there these they this to up use used uses using via want was we were
what when where which who why will with without would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_NOT_RANKED = frozenset(
    {
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
        SymbolKind.DOC_SECTION,
        SymbolKind.ROUTE,
        SymbolKind.ENV_VAR,
        SymbolKind.PROCESS,
        SymbolKind.ENDPOINT,
        SymbolKind.OWNER,
        SymbolKind.EXTERNAL,
    }
)


def words(text: str) -> list[str]:
    """Words of a task that say something, in order, each once."""
    found = (word.lower() for word in _WORD.findall(text))
    return list(dict.fromkeys(word for word in found if word not in _COMMON and len(word) > 2))


@contextmanager
def symbols_of(root: Path, folder: Path, settings: Settings | None = None) -> Iterator[View]:
    """The symbols of a repository."""
    try:
        with Engine.open(root, settings or Settings(), folder) as engine:
            engine.index(history=False)
            yield engine.view()
    except KnowingError as error:
        raise EvalError(f"{root}: {error}") from error


def rankable(view: View, tests: bool, kinds: Iterable[SymbolKind] | None = None) -> list[int]:
    """Numbers of the symbols that a baseline may return."""
    table = view.symbols
    wanted = frozenset(int(kind) for kind in kinds or set(SymbolKind) - _NOT_RANKED)
    hidden = 0 if tests else int(SymbolFlag.TEST | SymbolFlag.EXAMPLE)
    return [
        number
        for number in range(len(table))
        if int(table.kind[number]) in wanted
        and int(table.file[number]) >= 0
        and not int(table.flags[number]) & hidden
    ]


def answer(view: View, scored: Sequence[tuple[int, float]]) -> Answer:
    """Numbers with scores as rows."""
    table = view.symbols
    rows = []
    for number, score in scored:
        symbol = view.symbol(number)
        rows.append(Row(name=symbol.name, path=symbol.path, line=symbol.line, score=score))
    sizes = tuple(int(table.end[number] - table.start[number]) for number, _ in scored)
    return Answer(rows=tuple(rows), sizes=sizes)


@dataclass(frozen=True, slots=True)
class FullText:
    """SQLite's FTS5 over names, documentation and signatures, ranked by its BM25."""

    name: str = "fts5"
    tests: bool = True

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["FullTextRanker"]:
        with symbols_of(root, folder) as view, closing(sqlite3.connect(folder / "fts.db")) as db:
            db.execute("DROP TABLE IF EXISTS symbols")
            db.execute("CREATE VIRTUAL TABLE symbols USING fts5(name, place, doc, signature)")
            rows = (
                (
                    number,
                    _spread(view.symbols.name[number]),
                    _spread(f"{view.symbols.chain[number]} {_path(view, number)}"),
                    view.symbols.doc[number],
                    _spread(view.symbols.signature[number]),
                )
                for number in rankable(view, self.tests)
            )
            statement = (
                "INSERT INTO symbols(rowid, name, place, doc, signature) VALUES (?, ?, ?, ?, ?)"
            )
            db.executemany(statement, rows)
            db.commit()
            yield FullTextRanker(view, db)


def _spread(text: str) -> str:
    """A text with the words of its identifiers beside them."""
    identifiers = _WORD.findall(text)
    return " ".join([*identifiers, *(w for name in identifiers for w in split_identifier(name))])


def _path(view: View, number: int) -> str:
    return view.paths[int(view.symbols.file[number])]


@dataclass(frozen=True, slots=True)
class FullTextRanker:
    """A table that can be asked."""

    view: View
    database: sqlite3.Connection

    def rank(self, description: str, limit: int) -> Answer:
        asked = words(description)
        if not asked:
            return Answer(rows=())
        query = " OR ".join(f'"{word}"' for word in asked)
        found = self.database.execute(
            "SELECT rowid, -bm25(symbols, 4, 2, 1, 1) AS score FROM symbols WHERE symbols MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?",
            (query, limit),
        )
        return answer(self.view, [(int(number), float(score)) for number, score in found])


@dataclass(frozen=True, slots=True)
class Grep:
    """Words of the task counted in the text of each symbol, whatever their case."""

    name: str = "grep"
    tests: bool = True
    kinds: frozenset[SymbolKind] | None = None

    @contextmanager
    def open(self, root: Path, folder: Path) -> Iterator["GrepRanker"]:
        with symbols_of(root, folder) as view:
            yield GrepRanker(view, _texts(root, view, rankable(view, self.tests, self.kinds)))


@dataclass(frozen=True, slots=True)
class Spans:
    """One file's text in lower case, and the innermost symbol at every place of it."""

    text: bytes
    starts: list[int]
    owners: list[int]
    """Symbol from each start to the next, -1 for none."""

    def owner(self, offset: int) -> int:
        return self.owners[bisect_right(self.starts, offset) - 1]


def _texts(root: Path, view: View, numbers: Sequence[int]) -> list[Spans]:
    by_file: dict[int, list[int]] = {}
    for number in numbers:
        by_file.setdefault(int(view.symbols.file[number]), []).append(number)
    found = []
    for file in sorted(by_file):
        path = root / view.paths[file]
        if path.is_file():
            starts, owners = innermost(view, by_file[file])
            found.append(Spans(path.read_bytes().lower(), starts, owners))
    return found


def innermost(view: View, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Where symbols begin and end in one file, and which is innermost from there on."""
    table = view.symbols
    spans = sorted((int(table.start[n]), -int(table.end[n]), n) for n in numbers)
    starts, owners = [0], [-1]
    stack: list[tuple[int, int]] = []

    def mark(offset: int) -> None:
        starts.append(offset)
        owners.append(stack[-1][1] if stack else -1)

    def close(until: int) -> None:
        while stack and stack[-1][0] <= until:
            end, _ = stack.pop()
            mark(end)

    for start, negative_end, number in spans:
        close(start)
        stack.append((-negative_end, number))
        mark(start)
    close(1 << 62)
    return starts, owners


@dataclass(frozen=True, slots=True)
class GrepRanker:
    """Texts in memory."""

    view: View
    files: list[Spans]

    def rank(self, description: str, limit: int) -> Answer:
        asked = words(description)
        if not asked:
            return Answer(rows=())
        pattern = re.compile("|".join(re.escape(word) for word in asked).encode())
        total: Counter[int] = Counter()
        different: dict[int, set[bytes]] = {}
        for file in self.files:
            for match in pattern.finditer(file.text):
                owner = file.owner(match.start())
                if owner >= 0:
                    total[owner] += 1
                    different.setdefault(owner, set()).add(match[0])
        best = sorted(total, key=lambda number: (-len(different[number]), -total[number], number))
        return answer(
            self.view, [(number, float(len(different[number]))) for number in best[:limit]]
        )


BASELINES = (
    FullText(),
    FullText("fts5-notests", tests=False),
    Grep(),
    Grep("grep-notests", tests=False),
    Grep("classes", tests=False, kinds=TYPE_KINDS),
)

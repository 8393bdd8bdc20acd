"""What each tool returns: the fields here are the output schemas that clients are told.

The results themselves have no slots: the schema maker takes a slot for the default of its field.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from knowing.graph import View
from knowing.impact.blast import Blast, Item
from knowing.impact.possible import Possible
from knowing.reports import ContextAnswer, Explanation, IndexState, ItemsAnswer, Status
from knowing.reports import Item as Ranked

MOST_TOKENS = 19_000
"""Of an answer as a whole; clients cut off or refuse what is longer than some 20,000."""
_BYTES_A_TOKEN = 3
"""Fewer than any tokenizer has for paths, identifiers and JSON."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """How fresh and complete the index is that an answer comes from."""

    state: str
    files: int
    symbols: int
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A symbol and why it is there."""

    rank: int
    name: str
    qualified_name: str
    kind: str
    path: str
    line: int
    end_line: int
    score: float
    why: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A symbol and how much of it is in the text: its body, its signature or its name."""

    rank: int
    name: str
    qualified_name: str
    kind: str
    path: str
    line: int
    end_line: int
    score: float
    why: list[str]
    detail: str


@dataclass(frozen=True, kw_only=True)
class ContextResult:
    """The symbols that matter and their source, packed into a budget."""

    task: str
    root: str
    index: Index
    budget: int
    used: int
    left_out: int
    symbols: list[Shown]
    text: str
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A symbol that differs, and how."""

    name: str
    kind: str
    change: str
    path: str
    line: int
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class ChangeResult:
    """What has changed, the tests to run for it, and the code around it."""

    base: str
    root: str
    index: Index
    changed: list[Changed]
    untested: list[str]
    test_commands: list[str]
    budget: int
    used: int
    left_out: int
    symbols: list[Shown]
    text: str
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Something that is affected, and the place that says so."""

    name: str
    kind: str
    path: str
    line: int
    depth: int
    confidence: float
    origin: str
    edge: str
    site_path: str
    site_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPart:
    name: str
    value: float
    detail: str


@dataclass(frozen=True, kw_only=True)
class BlastResult:
    """Who is affected by a change; lists may be cut, the counts are of all."""

    symbol: str
    root: str
    index: Index
    risk: str
    risk_score: float
    risk_parts: list[RiskPart]
    complete: bool
    reasons: list[str]
    direct_count: int
    transitive_count: int
    test_count: int
    possible_count: int
    direct: list[Use]
    transitive: list[Use]
    tests: list[Use]
    possible: list[Use]
    files: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a symbol stands by one kind of evidence."""

    name: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    symbol: str
    edge: str


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """Why a symbol has its place; the parts add up to the score."""

    task: str
    root: str
    index: Index
    symbol: str
    rank: int | None
    score: float
    parts: list[RiskPart]
    channels: list[Place]
    path: list[Step]
    verdict: str


@dataclass(frozen=True, kw_only=True)
class SymbolsResult:
    """Symbols of that name first, then those that fit the words."""

    query: str
    root: str
    index: Index
    exact: int
    symbols: list[Found]
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class StatusResult:
    """What is indexed, what is not and why."""

    root: str
    state: str
    indexing: bool
    generation: int
    files: int
    symbols: int
    edges: int
    commits: int
    pending: int
    by_language: dict[str, int]
    unsupported: dict[str, int]
    skipped_count: int
    skipped: list[Left]
    notes: list[str]


def tokens(text: str) -> int:
    """At least as many tokens as a text has."""
    return -(-len(text.encode("utf-8")) // _BYTES_A_TOKEN)


def fitting(make: Callable[[int], T], most: int, text: Callable[[T], str]) -> T:
    """The answer with as many items in each list as the limit on its size allows."""
    count = most
    found = make(count)
    while count > 1 and _size(found, text) > MOST_TOKENS:
        count = count * 2 // 3
        found = make(count)
    return found


def _size(found: Any, text: Callable[[Any], str]) -> int:
    return tokens(json.dumps(asdict(found))) + tokens(text(found))


def index_value(state: IndexState) -> Index:
    return Index(
        state=state.state, files=state.files, symbols=state.symbols, notes=list(state.notes)
    )


def found_value(item: Ranked) -> Found:
    return Found(**_described(item))


def shown_values(found: ContextAnswer, most: int) -> list[Shown]:
    return [Shown(**_described(it.item), detail=it.detail) for it in found.symbols[:most]]


def _described(item: Ranked) -> dict[str, Any]:
    return {
        "rank": item.rank,
        "name": item.name,
        "qualified_name": item.qualified_name,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "end_line": item.end_line,
        "score": item.score,
        "why": list(item.why),
    }


def context_value(found: ContextAnswer, most: int) -> ContextResult:
    return ContextResult(
        task=found.task,
        root=str(found.root),
        index=index_value(found.index),
        budget=found.budget,
        used=found.used,
        left_out=found.left_out,
        symbols=shown_values(found, most),
        text=found.text,
        notes=list(found.notes),
    )


def blast_value(view: View, root: str, state: IndexState, found: Blast, most: int) -> BlastResult:
    return BlastResult(
        symbol=view.identity(found.symbol),
        root=root,
        index=index_value(state),
        risk=found.risk.level,
        risk_score=found.risk.score,
        risk_parts=[
            RiskPart(name=part.name, value=part.value, detail=part.detail)
            for part in found.risk.parts
        ],
        complete=found.complete,
        reasons=[str(reason) for reason in found.reasons],
        direct_count=len(found.direct),
        transitive_count=len(found.transitive),
        test_count=len(found.tests),
        possible_count=found.possible_count,
        direct=_uses(found.direct, most),
        transitive=_uses(found.transitive, most // 2),
        tests=_uses(found.tests, most // 2),
        possible=[_maybe(item) for item in found.possible[: most // 2]],
        files=list(found.files[:most]),
    )


def _uses(items: Iterable[Item], most: int) -> list[Use]:
    return [
        Use(
            name=item.name,
            kind=item.kind.label,
            path=item.path,
            line=item.line,
            depth=item.depth,
            confidence=item.confidence,
            origin=item.origin.label,
            edge=item.via.edge.label,
            site_path=item.via.path,
            site_line=item.via.line,
        )
        for item in list(items)[:most]
    ]


def _maybe(item: Possible) -> Use:
    return Use(
        name=item.name,
        kind=item.kind,
        path=item.path,
        line=item.line,
        depth=1,
        confidence=item.confidence,
        origin="heuristic",
        edge=item.edge,
        site_path=item.path,
        site_line=item.line,
    )


def score_value(found: Explanation, root: str) -> ScoreResult:
    return ScoreResult(
        task=found.task,
        root=root,
        index=index_value(found.index),
        symbol=found.symbol,
        rank=found.rank,
        score=found.score,
        parts=[RiskPart(name=p.name, value=p.value, detail=p.detail) for p in found.parts],
        channels=[Place(name=c.name, rank=c.rank, score=c.score) for c in found.channels],
        path=[Step(symbol=step.symbol, edge=step.edge) for step in found.path],
        verdict=found.verdict,
    )


def symbols_value(
    exact: list[Ranked], found: ItemsAnswer, notes: list[str], most: int
) -> SymbolsResult:
    named = {item.qualified_name for item in exact}
    others = [item for item in found.items if item.qualified_name not in named]
    return SymbolsResult(
        query=found.query,
        root=str(found.root),
        index=index_value(found.index),
        exact=len(exact),
        symbols=[found_value(item) for item in [*exact, *others][:most]],
        notes=notes,
    )


def status_value(status: Status, state: IndexState, busy: bool, most: int) -> StatusResult:
    indexing = busy or state.state == "indexing"
    return StatusResult(
        root=str(status.root),
        state="indexing" if indexing else status.state,
        indexing=indexing,
        generation=status.generation,
        files=status.files or state.files,
        symbols=status.symbols or state.symbols,
        edges=status.edges or state.edges,
        commits=status.commits,
        pending=status.pending,
        by_language=dict(status.by_language),
        unsupported=dict(list(status.unsupported.items())[:most]),
        skipped_count=len(status.skipped),
        skipped=[Left(path=item.path, reason=item.reason) for item in status.skipped[:most]],
        notes=list(dict.fromkeys((*status.notes, *state.notes))),
    )

"""The blast radius of a symbol: who is affected by a change to it, how sure that is, and whether
that is all."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from knowing.graph import View
from knowing.impact.doubts import Circumstances, Doubts, Reason
from knowing.impact.possible import Possible, Uses
from knowing.impact.reach import Reached, reach, seeds_of
from knowing.impact.risk import Evidence, Risk, judge
from knowing.model import EdgeKind, Origin, SymbolFlag, SymbolKind

__all__ = ["Blast", "Circumstances", "Item", "Possible", "Reason", "Site", "blast"]

DEPTH = 3
_SHOWN = 100
_NOT_USERS = (
    EdgeKind.DOCUMENTS,
    EdgeKind.IMPORTS,
    EdgeKind.TESTS,
    EdgeKind.INHERITS,
    EdgeKind.CONTAINS,
)
_TAKEN_OVER = (EdgeKind.OVERRIDES, EdgeKind.IMPLEMENTS, EdgeKind.EXTENDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where an edge comes from."""

    edge: EdgeKind
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A symbol that is affected, and why."""

    symbol: int
    name: str
    kind: SymbolKind
    path: str
    line: int
    depth: int
    confidence: float
    origin: Origin
    via: Site
    target: str
    """Name of what it uses: the symbol, one of its members, or an item of the depth before."""
    through: str = ""
    """Name of the overridden method that is called, if the use goes through one."""
    sites: tuple[Site, ...] = ()
    """All uses, for direct items."""
    is_test: bool = False
    """Whether it is a test that a runner runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blast:
    """The answer. `complete` speaks of direct uses: whether `direct` holds them all."""

    symbol: int
    direct: tuple[Item, ...]
    transitive: tuple[Item, ...]
    tests: tuple[Item, ...]
    """The tests among both, nearest and surest first."""
    files: tuple[str, ...]
    """Paths of all items, those with most items first."""
    possible: tuple[Possible, ...]
    """Uses that may or may not be of this symbol."""
    possible_count: int
    """All of them; only so many are listed."""
    risk: Risk
    complete: bool
    reasons: tuple[Reason, ...]
    """Why the answer is not complete; for an empty answer that is, what was looked at."""


def blast(
    view: View, symbol: int, *, depth: int = DEPTH, given: Circumstances | None = None
) -> Blast:
    """Who is affected by a change to a symbol, within `depth` steps.

    Without `given` circumstances nothing is known about files that the graph does not cover, so
    the answer is not called complete.
    """
    circumstances = given or Circumstances()
    seeds = seeds_of(view, symbol)
    found = reach(view, seeds, max(1, depth))
    items = [_item(view, reached, seeds) for reached in found]
    items.sort(key=_order)
    direct = tuple(item for item in items if item.depth == 1)
    transitive = tuple(item for item in items if item.depth > 1)
    doubts = Doubts(view, symbol, seeds, circumstances)
    uses = Uses(view, symbol, seeds, circumstances.mentions, circumstances.word_calls)
    possible = uses.all({item.symbol for item in direct})
    reasons = doubts.reasons(possible)
    complete = not reasons
    if complete and not direct:
        reasons = [doubts.nothing_found()]
    return Blast(
        symbol=symbol,
        direct=direct,
        transitive=transitive,
        tests=tuple(item for item in items if item.is_test),
        files=_files(items),
        possible=tuple(possible[:_SHOWN]),
        possible_count=len(possible),
        risk=_risk(view, symbol, direct, complete, circumstances),
        complete=complete,
        reasons=tuple(reasons),
    )


def _item(view: View, reached: Reached, seeds: list[int]) -> Item:
    table, edges = view.symbols, view.edges
    symbol, row = reached.symbol, reached.row
    file = int(table.file[symbol])
    flags, kind = int(table.flags[symbol]), EdgeKind(int(edges.kind[row]))
    through = ""
    if reached.dispatched:
        through = table.chain[int(edges.target[row])]
    return Item(
        symbol=symbol,
        name=table.chain[symbol] or view.identity(symbol),
        kind=SymbolKind(int(table.kind[symbol])),
        path=view.paths[file] if file >= 0 else "",
        line=int(table.name_line[symbol]),
        depth=reached.depth,
        confidence=round(reached.confidence, 3),
        origin=Origin(int(edges.origin[row])),
        via=site_of(view, row),
        target=table.chain[reached.target] or view.identity(reached.target),
        through=through,
        sites=_sites(view, reached, seeds) if reached.depth == 1 else (),
        is_test=bool(flags & SymbolFlag.TEST_CASE) or kind is EdgeKind.TESTS,
    )


def _order(item: Item) -> tuple[int, bool, float, str, int]:
    """Nearest first; of these code before prose and mere imports, then the surest."""
    return item.depth, item.via.edge in _NOT_USERS, -item.confidence, item.path, item.line


def site_of(view: View, row: int) -> Site:
    """Where an edge comes from; what follows from the types stands where its source does."""
    edges, table = view.edges, view.symbols
    file, line = int(edges.file[row]), int(edges.line[row])
    if file < 0 or line <= 0:
        end = int(edges.source[row])
        if int(table.file[end]) < 0:
            end = int(edges.target[row])
        file, line = int(table.file[end]), int(table.name_line[end])
    path = view.paths[file] if file >= 0 else ""
    return Site(edge=EdgeKind(int(edges.kind[row])), path=path, line=line)


def _sites(view: View, reached: Reached, seeds: list[int]) -> tuple[Site, ...]:
    """All edges from an item to the seeds, the one that counts first."""
    edges = view.edges
    rows = view.edges_from(reached.symbol)
    wanted = {*seeds, int(edges.target[reached.row])}
    structural = (EdgeKind.MEMBER_OF, EdgeKind.CO_TESTED_WITH, EdgeKind.SIMILAR_TO, EdgeKind.TESTS)
    sites = [site_of(view, reached.row)]
    for row in rows.tolist():
        if int(edges.target[row]) not in wanted or edges.origin[row] == Origin.HEURISTIC:
            continue
        if EdgeKind(int(edges.kind[row])) not in structural:
            sites.append(site_of(view, row))
    return tuple(dict.fromkeys(sites))


def _files(items: Iterable[Item]) -> tuple[str, ...]:
    counts = Counter(item.path for item in items if item.path)
    return tuple(sorted(counts, key=lambda path: (-counts[path], path)))


def _risk(
    view: View, symbol: int, direct: Iterable[Item], complete: bool, given: Circumstances
) -> Risk:
    table = view.symbols
    users = [item for item in direct if item.via.edge not in _NOT_USERS and not item.is_test]
    packages = {item.path.rpartition("/")[0] for item in users}
    return judge(
        Evidence(
            kind=SymbolKind(int(table.kind[symbol])),
            flags=SymbolFlag(int(table.flags[symbol])),
            users=len(users),
            packages=len(packages),
            overridden=any(item.via.edge in _TAKEN_OVER for item in users),
            complete=complete,
            churn=given.churn,
            commits=given.commits,
        )
    )

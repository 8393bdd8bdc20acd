"""Linking commits to the symbols and files of one state of the code.

Runs for every generation, so names are matched in numpy: a touch finds its symbol by the
composite key (file, name); where a file defines a name more than once, the enclosing type
decides and then the nearest line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from knowing.history.commit import Commit
from knowing.history.follow import current_paths

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
OTHER_OWNER = 1 << 40
"""Distance added to a candidate in another type: more than any number of lines."""
MAX_LINE = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolTable:
    """The symbols to link to, as parallel columns."""

    paths: Sequence[str]
    """All files, by path id, also those without symbols."""
    names: Sequence[str]
    """The terminal name of each symbol."""
    owners: Sequence[str]
    """Owner chain of each symbol with dots, empty at the top level."""
    path_ids: npt.NDArray[Any]
    lines: npt.NDArray[Any]
    """Where each symbol begins, 1-based."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incidence:
    """Which commits touched which things: rows are commits, as given to `link`."""

    indptr: Ints
    indices: Ints
    weights: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """What history says of each symbol or file."""

    churn: Ints
    """Number of commits that touched it."""
    last_touched: Ints
    """Unix seconds of the newest of them; 0 for none."""
    main_author: Ints
    """Index into `Links.authors` of who touched it in most commits; -1 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """History as seen from one state of the code."""

    authors: tuple[str, ...]
    """In alphabetical order."""
    symbols: Incidence
    symbol_activity: Activity
    files: Incidence
    file_activity: Activity


def link(commits: Sequence[Commit], table: SymbolTable) -> Links:
    """Join commits (newest first) to symbols and files; equal input gives equal output."""
    path_ids = {path: number for number, path in enumerate(table.paths)}
    homes = [
        {path: path_ids[home] for path, home in zip(commit.files, row, strict=True) if home}
        for commit, row in zip(commits, current_paths(commits, path_ids), strict=True)
    ]
    authors = tuple(sorted({commit.author or commit.email for commit in commits}))
    author_ids = {author: number for number, author in enumerate(authors)}
    by_commit = _Makers(
        times=np.array([commit.time for commit in commits], dtype=np.int64),
        authors=np.array([author_ids[c.author or c.email] for c in commits], dtype=np.int64),
    )
    symbols = _link_symbols(commits, homes, table)
    files = _link_files(homes, len(table.paths))
    return Links(
        authors=authors,
        symbols=symbols,
        symbol_activity=_activity(symbols, by_commit, len(table.names)),
        files=files,
        file_activity=_activity(files, by_commit, len(table.paths)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Makers:
    """When each commit was made and by whom."""

    times: Ints
    authors: Ints


def _link_files(homes: Sequence[dict[str, int]], count: int) -> Incidence:
    rows = np.repeat(np.arange(len(homes)), [len(home) for home in homes])
    columns = np.fromiter(chain.from_iterable(home.values() for home in homes), np.int64)
    return _incidence(rows, columns, np.ones(len(columns), np.float32), len(homes), count)


def _link_symbols(
    commits: Sequence[Commit], homes: Sequence[dict[str, int]], table: SymbolTable
) -> Incidence:
    touches = list(chain.from_iterable(commit.touches for commit in commits))
    rows = np.repeat(np.arange(len(commits)), [len(commit.touches) for commit in commits])
    files = np.fromiter(
        (
            home.get(touch.path, -1)
            for commit, home in zip(commits, homes, strict=True)
            for touch in commit.touches
        ),
        np.int64,
        len(touches),
    )
    name_ids: dict[str, int] = {}
    for touch in touches:
        name_ids.setdefault(touch.name, len(name_ids))
    wanted = np.fromiter((name_ids[touch.name] for touch in touches), np.int64, len(touches))
    found = _find(
        files, wanted, [t.owner for t in touches], [t.line for t in touches], table, name_ids
    )
    hit = np.flatnonzero(found >= 0)
    weights = np.fromiter((touch.weight for touch in touches), np.float32, len(touches))
    return _incidence(rows[hit], found[hit], weights[hit], len(commits), len(table.names))


def _find(
    files: Ints,
    names: Ints,
    owners: Sequence[str],
    lines: Sequence[int],
    table: SymbolTable,
    name_ids: dict[str, int],
) -> Ints:
    """The symbol of each touch, or -1."""
    width = max(len(name_ids), 1)
    get = name_ids.get
    symbol_names = np.fromiter((get(name, -1) for name in table.names), np.int64, len(table.names))
    candidates = np.flatnonzero(symbol_names >= 0)
    keys = table.path_ids[candidates].astype(np.int64) * width + symbol_names[candidates]
    order = np.argsort(keys, kind="stable")
    candidates, keys = candidates[order], keys[order]
    touch_keys = np.where(files >= 0, files * width + names, -1)
    first = np.searchsorted(keys, touch_keys, side="left")
    counts = np.searchsorted(keys, touch_keys, side="right") - first
    found = np.full(len(files), -1, dtype=np.int64)
    single = counts == 1
    found[single] = candidates[first[single]]
    several = np.flatnonzero(counts > 1)
    if len(several):
        choices = _Choices(first=first[several], counts=counts[several], symbols=candidates)
        wanted_owners = [owners[touch] for touch in several.tolist()]
        wanted_lines = np.array([lines[touch] for touch in several.tolist()], dtype=np.int64)
        found[several] = _choose(choices, wanted_owners, wanted_lines, table)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """For each ambiguous touch, a run of `symbols`."""

    first: Ints
    counts: Ints
    symbols: Ints


def _choose(choices: _Choices, owners: Sequence[str], lines: Ints, table: SymbolTable) -> Ints:
    """The candidate in the right type, then on the nearest line, then the first."""
    starts = np.cumsum(choices.counts) - choices.counts
    which = np.repeat(np.arange(len(lines)), choices.counts)
    offset = np.arange(len(which)) - starts[which]
    symbols = choices.symbols[choices.first[which] + offset]
    distance = np.abs(table.lines[symbols].astype(np.int64) - lines[which])
    distance = np.minimum(distance, MAX_LINE)
    strange = [
        bool(owners[touch]) and table.owners[symbol].rpartition(".")[2] != owners[touch]
        for touch, symbol in zip(which.tolist(), symbols.tolist(), strict=True)
    ]
    distance += np.array(strange, dtype=np.int64) * OTHER_OWNER
    order = np.lexsort((symbols, distance, which))
    best: Ints = symbols[order[starts]]
    return best


def _incidence(rows: Ints, columns: Ints, weights: Floats, height: int, width: int) -> Incidence:
    """Rows of distinct columns in ascending order, each with its greatest weight."""
    keys = rows * max(width, 1) + columns
    order = np.lexsort((-weights, keys))
    keys, weights = keys[order], weights[order]
    fresh = np.ones(len(keys), dtype=bool)
    fresh[1:] = keys[1:] != keys[:-1]
    keys, weights = keys[fresh], weights[fresh]
    counts = np.bincount(keys // max(width, 1), minlength=height)
    indptr = np.zeros(height + 1, dtype=np.int64)
    np.cumsum(counts, out=indptr[1:])
    return Incidence(indptr=indptr, indices=keys % max(width, 1), weights=weights)


def _activity(links: Incidence, makers: _Makers, count: int) -> Activity:
    rows = np.repeat(np.arange(len(links.indptr) - 1), np.diff(links.indptr))
    last = np.zeros(count, dtype=np.int64)
    np.maximum.at(last, links.indices, makers.times[rows])
    return Activity(
        churn=np.bincount(links.indices, minlength=count).astype(np.int64),
        last_touched=last,
        main_author=_main_authors(links.indices, makers.authors[rows], count),
    )


def _main_authors(things: Ints, authors: Ints, count: int) -> Ints:
    """Most touching commits first, then the alphabet, which is the order of author ids."""
    main = np.full(count, -1, dtype=np.int64)
    if not len(things):
        return main
    width = int(authors.max()) + 1
    pairs, times = np.unique(things * width + authors, return_counts=True)
    thing, author = pairs // width, pairs % width
    order = np.lexsort((author, -times, thing))
    thing, author = thing[order], author[order]
    fresh = np.ones(len(thing), dtype=bool)
    fresh[1:] = thing[1:] != thing[:-1]
    main[thing[fresh]] = author[fresh]
    return main

"""The module map: what the code consists of, its key symbols, and what joins its modules.

A module is a folder of code. Small folders are counted with the folder around them, so that the
map of a large workspace has as many modules as a reader can take in.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowing.graph import View
from knowing.graph.keys import Ids
from knowing.impact.importance import WEIGHTS, importance
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Origin, SymbolFlag, SymbolKind

_ASIDE = SymbolFlag.TEST | SymbolFlag.EXAMPLE | SymbolFlag.GENERATED | SymbolFlag.VENDORED
_KEY_KINDS = np.array(
    sorted({*TYPE_KINDS, *CALLABLE_KINDS} - {SymbolKind.CONSTRUCTOR}), dtype=np.uint8
)
"""A type stands for its constructor."""
_CODE_KINDS = np.array(
    [kind for kind in SymbolKind if kind < SymbolKind.DOC_SECTION and kind != SymbolKind.MODULE],
    dtype=np.uint8,
)
MODULES = 60
KEYS = 8
BRIDGES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An important symbol of a module."""

    symbol: int
    name: str
    kind: SymbolKind
    path: str
    line: int
    importance: float
    """Compared with the most important one of the workspace, 0 to 1."""
    users: int
    """Symbols in other files that use it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A folder of code."""

    path: str
    files: int
    symbols: int
    importance: float
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """What one module uses of another."""

    source: str
    target: str
    count: int
    kinds: tuple[tuple[EdgeKind, int], ...]
    """Most frequent first."""
    example: tuple[str, str]
    """The most frequent pair of user and used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleMap:
    """The modules of a workspace, most important first, and the bridges between them."""

    modules: tuple[Module, ...]
    bridges: tuple[Bridge, ...]
    files: int
    symbols: int
    left_out: int = 0
    """Modules that did not fit."""


def module_map(view: View, *, modules: int = MODULES) -> ModuleMap:
    """The map of a workspace with at most so many modules; tests and examples are left out."""
    table = view.symbols
    inside = (table.file >= 0) & ((table.flags & int(_ASIDE)) == 0)
    code = inside & np.isin(table.kind, _CODE_KINDS)
    per_file = np.bincount(table.file[code], minlength=len(view.paths))
    names, of_file = _modules(view, per_file, modules)
    rank = importance(view)
    module_of = np.where(inside, of_file[np.maximum(table.file, 0)], -1)
    made = [_module(view, rank, name, module_of == number) for number, name in enumerate(names)]
    order = sorted(range(len(made)), key=lambda n: (-made[n].importance, made[n].path))
    return ModuleMap(
        modules=tuple(made[number] for number in order),
        bridges=tuple(_bridges(view, names, module_of.astype(np.int32))),
        files=int((per_file > 0).sum()),
        symbols=int(code.sum()),
    )


def _modules(
    view: View, per_file: np.ndarray[tuple[int], np.dtype[np.int64]], most: int
) -> tuple[list[str], Ids]:
    """Names of the modules and the module of each file, -1 for files without code.

    Folders with the fewest symbols are merged into the one around them until few are left.
    """
    folder_of: dict[int, str] = {}
    sizes: Counter[str] = Counter()
    for file in np.flatnonzero(per_file).tolist():
        folder_of[file] = view.paths[file].rpartition("/")[0]
        sizes[folder_of[file]] += int(per_file[file])
    into = _merged(sizes, most)
    names = sorted(sizes)
    number = {name: index for index, name in enumerate(names)}
    of_file = np.full(max(1, len(view.paths)), -1, dtype=np.int32)
    for file, folder in folder_of.items():
        home = folder
        while home not in number:
            home = into[home]
        of_file[file] = number[home]
    return names, of_file


def _merged(sizes: Counter[str], most: int) -> dict[str, str]:
    """Takes small folders out of `sizes` into the folder around them, which is returned.

    The deeper of two goes first: a folder near the root says more by its name.
    """
    into: dict[str, str] = {}
    heap = [(_weight(folder, size), folder) for folder, size in sizes.items() if folder]
    heapq.heapify(heap)
    while len(sizes) > most and heap:
        weight, folder = heapq.heappop(heap)
        if folder not in sizes or weight != _weight(folder, sizes[folder]):
            continue
        outer = folder.rpartition("/")[0]
        into[folder] = outer
        sizes[outer] += sizes.pop(folder)
        if outer:
            heapq.heappush(heap, (_weight(outer, sizes[outer]), outer))
    return into


def _weight(folder: str, size: int) -> float:
    return size / (1 + folder.count("/")) ** 2


def _module(
    view: View,
    rank: np.ndarray[tuple[int], np.dtype[np.float64]],
    name: str,
    mine: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Module:
    table = view.symbols
    rows = np.flatnonzero(mine & np.isin(table.kind, _CODE_KINDS))
    nameable = np.isin(table.kind[rows], _KEY_KINDS) & (
        (table.flags[rows] & int(SymbolFlag.PRIVATE)) == 0
    )
    keys = rows[nameable]
    best = keys[np.lexsort((keys, -rank[keys]))][: KEYS * 3]
    top = max(float(rank.max()), 1e-12)
    return Module(
        path=name or ".",
        files=len(np.unique(table.file[rows])),
        symbols=len(rows),
        importance=float(rank[rows].sum()),
        keys=tuple(_key(view, symbol, float(rank[symbol]) / top) for symbol in _chosen(view, best)),
    )


def _chosen(view: View, ranked: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    """The best of a module; of one type no more than two members, as the type stands for them."""
    table = view.symbols
    owners: Counter[int] = Counter()
    chosen: list[int] = []
    for symbol in ranked.tolist():
        owner = int(table.owner[symbol])
        in_type = owner >= 0 and SymbolKind(int(table.kind[owner])) in TYPE_KINDS
        if in_type:
            owners[owner] += 1
            if owners[owner] > 2:
                continue
        chosen.append(symbol)
    return chosen[:KEYS]


def _key(view: View, symbol: int, share: float) -> Key:
    table, edges = view.symbols, view.edges
    rows = view.edges_to(symbol)
    using = np.isin(edges.kind[rows], [int(kind) for kind in WEIGHTS])
    rows = rows[using & (edges.origin[rows] != Origin.HEURISTIC)]
    users = np.unique(edges.source[rows][edges.file[rows] != table.file[symbol]])
    return Key(
        symbol=symbol,
        name=table.chain[symbol],
        kind=SymbolKind(int(table.kind[symbol])),
        path=view.paths[int(table.file[symbol])],
        line=int(table.name_line[symbol]),
        importance=round(share, 4),
        users=len(users),
    )


def _bridges(view: View, names: Sequence[str], module_of: Ids) -> list[Bridge]:
    """Pairs of modules with the real edges between them, those with most first."""
    edges = view.edges
    worth = np.zeros(256, dtype=bool)
    worth[[int(kind) for kind in WEIGHTS]] = True
    source, target = module_of[edges.source], module_of[edges.target]
    crossing = (source >= 0) & (target >= 0) & (source != target) & worth[edges.kind]
    rows = np.flatnonzero(crossing & (edges.origin != Origin.HEURISTIC))
    pairs = source[rows].astype(np.int64) * len(names) + target[rows]
    found, counts = np.unique(pairs, return_counts=True)
    order = np.lexsort((found, -counts))[:BRIDGES]
    return [
        _bridge(view, names, int(found[n]), rows[pairs == found[n]], int(counts[n])) for n in order
    ]


def _bridge(
    view: View,
    names: Sequence[str],
    pair: int,
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
    count: int,
) -> Bridge:
    edges, table = view.edges, view.symbols
    kinds = Counter(edges.kind[rows].tolist())
    ends = Counter(
        zip(edges.source[rows].tolist(), edges.target[rows].tolist(), strict=True)
    ).most_common(1)[0][0]
    user, used = (table.chain[end] or view.identity(end) for end in ends)
    return Bridge(
        source=names[pair // len(names)] or ".",
        target=names[pair % len(names)] or ".",
        count=count,
        kinds=tuple((EdgeKind(kind), number) for kind, number in kinds.most_common()),
        example=(user, used),
    )


def fitted(
    whole: ModuleMap, budget: int, count: Callable[[str], int], shown: Callable[[ModuleMap], str]
) -> tuple[ModuleMap, str]:
    """The fullest map whose text stays within a budget of tokens, and that text.

    Detail goes before modules: first fewer key symbols, then fewer bridges, then fewer modules.
    """
    last = (whole, "")
    for keys, bridges, share in _SIZES:
        kept = whole.modules[: max(1, int(len(whole.modules) * share))]
        names = {module.path for module in kept}
        candidate = replace(
            whole,
            modules=tuple(replace(module, keys=module.keys[:keys]) for module in kept),
            bridges=tuple(b for b in whole.bridges[:bridges] if {b.source, b.target} <= names),
            left_out=len(whole.modules) - len(kept),
        )
        text = shown(candidate)
        if count(text) <= budget:
            return candidate, text
        last = (candidate, text)
    return replace(last[0], modules=(), bridges=(), left_out=len(whole.modules)), ""


_SIZES = (
    *((KEYS, BRIDGES, 1.0), (6, BRIDGES, 1.0), (5, 30, 1.0), (4, 30, 1.0), (3, 24, 1.0)),
    *((3, 20, 0.75), (3, 16, 0.6), (2, 12, 0.5), (2, 10, 0.35), (2, 8, 0.25), (2, 6, 0.15)),
    *((1, 4, 0.1), (1, 2, 0.05), (1, 0, 0.0), (0, 0, 0.0)),
)
"""Key symbols a module, bridges, share of the modules: from full to bare."""

"""Finds the symbol that a user means by what was typed.

Understood are, in this order: a full identity (`path::Owner.name`, `external:httpx.Client`), a
place (`path:line`), a path (its module symbol), `path::name` with the end of a path, and a name
path (`Flask.before_request`), which may begin with the end of an owner chain and, failing that,
with the module's dotted path, or name an inherited member through the type that inherits it. `::`
and `#` may stand for dots. The case as typed is tried before any other.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

import numpy as np

from knowing.errors import AmbiguousError, NotFoundError
from knowing.graph import View
from knowing.graph.keys import Ints
from knowing.graph.outside import PREFIX
from knowing.model import EdgeKind, SymbolFlag, SymbolKind
from knowing.retrieve.strings import ending_in, equal_to

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?")
_OVERLOAD = re.compile(r"(?P<name>.+)#(?P<number>\d+)")
_SEPARATORS = re.compile(r"::|\.|#|->|/")
_SHOWN_CANDIDATES = 20
_NEAR_NAMES = 3000
_LONGEST_NAME = 200
_ASIDE = SymbolFlag.TEST | SymbolFlag.EXAMPLE | SymbolFlag.GENERATED | SymbolFlag.VENDORED
_NOT_CODE = (SymbolKind.DOC_SECTION, *PREFIX)


def locate(view: View, text: str) -> list[int]:
    """The symbols that a text can mean, best first; empty if there is none."""
    wanted = text.strip().replace("\\", "/").removesuffix("()")
    if not wanted:
        return []
    for search in (_outside, _place, _module, _within_path, _name_path, _outside_by_name):
        if found := search(view, wanted):
            return found
    return []


def locate_one(view: View, text: str) -> int:
    """The one symbol that is meant; AmbiguousError or NotFoundError otherwise.

    Code of the project is meant rather than tests, examples and prose of the same name.
    """
    found = locate(view, text)
    if not found:
        raise NotFoundError(f"no symbol is called {text.strip()!r}", _hint(view, text))
    meant = _preferred(view, found)
    if len(meant) == 1 or _same_definition(view, meant):
        return meant[0]
    shown = [describe(view, symbol) for symbol in meant[:_SHOWN_CANDIDATES]]
    left = len(meant) - len(shown)
    raise AmbiguousError(
        f"{text.strip()!r} can mean {len(meant)} symbols",
        shown,
        (f"and {left} more; " if left else "") + "give one as `path:line` or `path::name`",
    )


def describe(view: View, symbol: int) -> str:
    """`path:line name`, as it can be typed again."""
    table = view.symbols
    file = int(table.file[symbol])
    if file < 0:
        return view.identity(symbol)
    return f"{view.paths[file]}:{int(table.name_line[symbol])} {table.chain[symbol]}".rstrip()


def at_line(view: View, file: int, line: int) -> int:
    """The innermost symbol of a file around a line; the module where nothing else is."""
    table = view.symbols
    rows = rows_of_file(view, file)
    around = rows[(table.line[rows] <= line) & (table.end_line[rows] >= line)]
    if not len(around):
        return int(rows[0])
    # Of those around a line the innermost begins last; of two that begin alike it is the shorter.
    order = np.lexsort((-table.end[around], table.start[around]))
    return int(around[order[-1]])


def files_at(view: View, path: str) -> list[int]:
    """The files of a path, or of the end of a path."""
    asked = path.strip().removeprefix("./").strip("/")
    exact = equal_to(view.paths, asked)
    return (exact if len(exact) else ending_in(view.paths, asked, "/")).tolist() if asked else []


def rows_of_file(view: View, file: int) -> Ints:
    """The symbols of a file, its module first; those of all files come first, file after file."""
    files = view.symbols.file
    inside = bisect_left(range(len(files)), True, key=lambda row: bool(files[row] < 0))
    low, high = np.searchsorted(files[:inside], (file, file + 1))
    return np.arange(low, high)


# -- the ways to name a symbol -----------------------------------------------------------------


def _outside(view: View, text: str) -> list[int]:
    for kind, prefix in PREFIX.items():
        if text.startswith(prefix):
            rows = _matching(view, text.removeprefix(prefix), chain=True)
            return [row for row in rows.tolist() if view.symbols.kind[row] == kind]
    return []


def _outside_by_name(view: View, text: str) -> list[int]:
    rows = _matching(view, text, chain=True)
    return [row for row in rows.tolist() if view.symbols.file[row] < 0]


def _place(view: View, text: str) -> list[int]:
    match = _PLACE.fullmatch(text)
    if not match:
        return []
    return [at_line(view, file, int(match["line"])) for file in files_at(view, match["path"])]


def _module(view: View, text: str) -> list[int]:
    return [int(rows_of_file(view, file)[0]) for file in files_at(view, text)]


def _within_path(view: View, text: str) -> list[int]:
    """`path::name`: any split will do, as names have `::` in them, too."""
    parts = text.split("::")
    for cut in range(1, len(parts)):
        files = files_at(view, "::".join(parts[:cut]))
        if files:
            named = _name_path(view, "::".join(parts[cut:]))
            return [row for row in named if int(view.symbols.file[row]) in files]
    return []


def _name_path(view: View, text: str) -> list[int]:
    """By owner chain and name, else with the first names taken for the module's path."""
    name, overload = text, None
    if match := _OVERLOAD.fullmatch(text):
        name, overload = match["name"], int(match["number"]) - 1
    parts = [part for part in _SEPARATORS.split(name) if part]
    if not parts:
        return []
    for caseless in (False, True):
        rows = equal_to(view.symbols.name, parts[-1], caseless=caseless)
        rows = rows[view.symbols.file[rows] >= 0]
        if not len(rows):
            rows = _odd_names(view, name, caseless)
        if overload is not None:
            rows = rows[view.symbols.overload[rows] == overload]
        if found := _by_chain(view, rows.tolist(), parts, caseless):
            return found
        if found := _inherited(view, rows, parts, caseless):
            return found
    return []


def _inherited(view: View, rows: Ints, parts: list[str], caseless: bool) -> list[int]:
    """Members that a type has from its ancestors, named through the type."""
    if len(parts) < 2 or not len(rows):
        return []
    types = equal_to(view.symbols.name, parts[-2], caseless=caseless)
    types = types[view.symbols.file[types] >= 0]
    owners = _by_chain(view, types.tolist(), parts[:-1], caseless)
    found: list[int] = []
    for owner in _preferred(view, owners) if owners else []:
        out = view.edges_from(owner)
        out = out[view.edges.kind[out] == EdgeKind.INHERITS]
        found += np.intersect1d(view.edges.target[out], rows).tolist()
    return list(dict.fromkeys(found))


def _odd_names(view: View, name: str, caseless: bool) -> Ints:
    """Names that have separators in them: operators, titles of tests, headings."""
    rows = equal_to(view.symbols.chain, name, caseless=caseless)
    if not len(rows):
        rows = equal_to(view.symbols.name, name, caseless=caseless)
    return rows[view.symbols.file[rows] >= 0]


def _by_chain(view: View, rows: list[int], parts: list[str], caseless: bool) -> list[int]:
    """Whole chains first, then ends of chains, then those that the module's path completes."""
    wanted = _folded(parts, caseless)
    whole, ends, modules = [], [], []
    for row in rows:
        chain = _folded(_SEPARATORS.split(view.symbols.chain[row]), caseless)
        if chain == wanted or ".".join(chain) == ".".join(wanted):
            whole.append(row)
        elif chain[-len(wanted) :] == wanted:
            ends.append(row)
        elif wanted[-len(chain) :] == chain:
            module = wanted[: -len(chain)]
            if _is_end_of_path(view.paths[int(view.symbols.file[row])], module, caseless):
                modules.append(row)
    return whole + ends if whole or ends else modules


def _is_end_of_path(path: str, module: Sequence[str], caseless: bool) -> bool:
    """Whether dotted names lead to a file: by its path without extension, or by its folder."""
    *folders, file = _folded(path.split("/"), caseless)
    stem = file.split(".")[0]
    size = len(module)
    return [*folders, stem][-size:] == [*module] or folders[-size:] == [*module]


def _folded(parts: Iterable[str], caseless: bool) -> list[str]:
    return [part.casefold() for part in parts] if caseless else list(parts)


def _matching(view: View, text: str, *, chain: bool) -> Ints:
    column = view.symbols.chain if chain else view.symbols.name
    exact = equal_to(column, text)
    return exact if len(exact) else equal_to(column, text, caseless=True)


# -- which one, and what else there is ---------------------------------------------------------


def _preferred(view: View, found: list[int]) -> list[int]:
    """Those that a user most likely means: code before prose, the project before its tests."""
    table = view.symbols
    code = [row for row in found if SymbolKind(int(table.kind[row])) not in _NOT_CODE]
    found = code or found
    own = [row for row in found if not int(table.flags[row]) & _ASIDE]
    found = own or found
    shortest = min(table.chain[row].count(".") for row in found)
    whole = [row for row in found if table.chain[row].count(".") == shortest]
    return whole if shortest == 0 else found


def _same_definition(view: View, found: list[int]) -> bool:
    """Whether all are overloads of one name in one file."""
    table = view.symbols
    return len({(int(table.file[row]), table.chain[row]) for row in found}) == 1


def _hint(view: View, text: str) -> str:
    near = list(dict.fromkeys(_near(view, text)))[:5]
    if near:
        return "did you mean " + ", ".join(near) + "?"
    return "give a name (`Owner.name`), `path::name` or `path:line`"


def _near(view: View, text: str) -> Iterator[str]:
    """Chains of symbols whose names look like the last name of the text."""
    parts = [part for part in _SEPARATORS.split(text.strip().removesuffix("()")) if part]
    last = parts[-1][:_LONGEST_NAME] if parts else ""
    if not last:
        return
    table = view.symbols
    lengths = np.diff(table.name.bounds)
    close = (np.abs(lengths - len(last.encode())) <= 2) & (lengths > 0) & (table.file >= 0)
    rows = np.flatnonzero(close)
    first = table.name.data[table.name.bounds[rows]] | 32
    rows = rows[first == (last.encode()[0] | 32)][:_NEAR_NAMES]
    names: dict[str, int] = {}
    for row in rows.tolist():
        names.setdefault(table.name[row], row)
    for name in get_close_matches(last, list(names), n=5, cutoff=0.7):
        yield table.chain[names[name]] or view.identity(names[name])

"""Which symbol is meant by a place in a text."""

import re
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from knowing.errors import NotFoundError
from knowing.graph import View
from knowing.graph.keys import Ints
from knowing.model import SymbolKind
from knowing.retrieve.locate import at_line, rows_of_file

_WORD_BEFORE = re.compile(r"[\w$]*\Z")
_WORD_AFTER = re.compile(r"[\w$]*")
_LONGEST_WORD = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A symbol as it can be found again in another view."""

    path: str
    name: str
    overload: int = 0


def identity_of(view: View, symbol: int) -> Identity:
    table = view.symbols
    file = int(table.file[symbol])
    return Identity(
        path=view.paths[file] if file >= 0 else "",
        name=table.chain[symbol],
        overload=int(table.overload[symbol]),
    )


def found_again(view: View, wanted: Identity) -> int | None:
    """The symbol of an identity; None if there is none any more."""
    file = file_number(view, wanted.path)
    if file is None:
        return None
    table = view.symbols
    rows: list[int] = rows_of_file(view, file).tolist()
    same = [row for row in rows if table.chain[row] == wanted.name]
    exact = [row for row in same if int(table.overload[row]) == wanted.overload]
    return next(iter(exact or same), None)


def file_number(view: View, path: str) -> int | None:
    """The number of a file; None if it is not in the view."""
    found = _at_or_after(view, path)
    return found if found < len(view.paths) and view.paths[found] == path else None


def _at_or_after(view: View, path: str) -> int:
    """Paths are sorted."""
    return bisect_left(view.paths, path)


def has_below(view: View, folder: str) -> bool:
    """Whether there are files in a folder."""
    first = _at_or_after(view, f"{folder}/")
    return first < len(view.paths) and view.paths[first].startswith(f"{folder}/")


def word_at(data: bytes, offset: int) -> str:
    """The identifier around a byte."""
    before = data[max(0, offset - _LONGEST_WORD) : offset].decode("utf-8", "replace")
    after = data[offset : offset + _LONGEST_WORD].decode("utf-8", "replace")
    left, right = _WORD_BEFORE.search(before), _WORD_AFTER.match(after)
    return (left[0] if left else "") + (right[0] if right else "")


def named_at(view: View, file: int, line: int, column: int, word: str) -> int | None:
    """The symbol whose name stands at a 1-based line and a column in bytes.

    That is the symbol that is defined there, or the one that a known use of the name leads to.
    """
    table = view.symbols
    rows = rows_of_file(view, file)
    here = rows[(table.name_line[rows] == line) & (table.name_column[rows] <= column)]
    for row in here.tolist()[::-1]:
        name = table.name[row]
        if name and column <= int(table.name_column[row]) + len(name.encode("utf-8")):
            return int(row)
    targets = targets_at(view, file, line, line)
    for target in targets:
        if word and table.name[target] == word:
            return target
    return None


def targets_at(view: View, file: int, first: int, last: int) -> list[int]:
    """What is used in some lines of a file, the surest first."""
    edges = edges_of_file(view, file)
    lines = view.edges.line[edges]
    used = edges[(lines >= first) & (lines <= last) & (view.edges.file[edges] == file)]
    order = np.argsort(-view.edges.confidence[used], kind="stable")
    return list(dict.fromkeys(view.edges.target[used[order]].tolist()))


def edges_of_file(view: View, file: int) -> Ints:
    """Rows of the edges that leave the symbols of a file; these follow one another."""
    rows = rows_of_file(view, file)
    if not len(rows):
        return rows
    return np.arange(view.out_bounds[rows[0]], view.out_bounds[rows[-1] + 1])


def meant_at(view: View, path: str, line: int, column: int, word: str) -> int:
    """The symbol that a command at the cursor is about: named there, else around the cursor."""
    file = file_number(view, path)
    if file is None:
        raise NotFoundError(f"{path} is not in the index", "it may be ignored, or not known yet")
    found = named_at(view, file, line, column, word)
    return at_line(view, file, line) if found is None else found


def symbols_between(view: View, file: int, first: int, last: int) -> list[int]:
    """The innermost symbols of some lines, the file itself left out."""
    table = view.symbols
    rows = rows_of_file(view, file)
    inside = rows[(table.line[rows] >= first) & (table.end_line[rows] <= last)].tolist()
    around = at_line(view, file, first)
    found = dict.fromkeys([around, *inside])
    return [row for row in found if table.kind[row] != SymbolKind.MODULE]

"""Looks for whole strings in a column of very many without decoding them."""

import numpy as np

from knowing.graph.keys import Ints, Mask
from knowing.graph.view import Octets, StringColumn

_CASELESS = np.arange(256, dtype=np.uint8)
_CASELESS[ord("A") : ord("Z") + 1] += 32


def equal_to(column: StringColumn, text: str, *, caseless: bool = False) -> Ints:
    """Rows that hold exactly `text`; `caseless` looks over the case of ASCII letters."""
    needle = _octets(text)
    rows = np.flatnonzero(np.diff(column.bounds) == len(needle))
    return rows[_holds(column, column.bounds[rows], needle, caseless)]


def ending_in(column: StringColumn, text: str, before: str, *, caseless: bool = False) -> Ints:
    """Rows that are `text`, or end in it with one of the characters `before` in front."""
    needle = _octets(text)
    lengths = np.diff(column.bounds)
    rows = np.flatnonzero(lengths >= len(needle))
    starts = column.bounds[rows + 1] - len(needle)
    found = _holds(column, starts, needle, caseless)
    rows, starts = rows[found], starts[found]
    whole = starts == column.bounds[rows]
    if not len(rows):
        return rows
    bounded = np.isin(column.data[np.maximum(starts - 1, 0)], _octets(before))
    found_rows: Ints = rows[whole | bounded]
    return found_rows


def _holds(column: StringColumn, starts: Ints, needle: Octets, caseless: bool) -> Mask:
    """Whether the needle stands at each of the places; each letter rules most of them out."""
    table = _CASELESS if caseless else None
    wanted = needle if table is None else table[needle]
    alive = np.arange(len(starts))
    # From the end: ends of identifiers differ more than their beginnings (`get_`, `test_`).
    for offset in range(len(wanted) - 1, -1, -1):
        letters = column.data[starts[alive] + offset]
        alive = alive[(letters if table is None else table[letters]) == wanted[offset]]
        if not len(alive):
            break
    held = np.zeros(len(starts), dtype=bool)
    held[alive] = True
    return held


def _octets(text: str) -> Octets:
    return np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)

"""What an editor knows about the task at hand: cursor, selection, edits, open files, diagnostics.

Each gives symbols and how much they matter: what is selected most, then what was touched last and
what is reported wrong, then other open documents; the further down a list, the less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowing.graph import View
from knowing.model import SymbolKind
from knowing.retrieve import DEFAULT
from knowing.retrieve.locate import at_line, rows_of_file
from server import places

_WEIGHTS = DEFAULT.attention
_MOST_USED = 40
_MOST = 8

Line = tuple[str, int]
"""A path and a 1-based line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """Where the user is and was, as paths and 1-based lines."""

    path: str = ""
    first: int = 0
    last: int = 0
    """Of the selection, or of the cursor: then both are the same."""
    cursor: int | None = None
    """The symbol that is named at the cursor."""
    diagnostics: Sequence[Line] = ()
    edits: Sequence[Line] = ()
    documents: Sequence[str] = ()


def seeds(view: View, attention: Attention) -> dict[int, float]:
    """Symbols and how much each matters."""
    found: dict[int, float] = {}
    if attention.cursor is not None:
        found[attention.cursor] = _WEIGHTS.at_cursor
    file = places.file_number(view, attention.path)
    if file is not None and attention.first:
        _selected(view, file, attention, found)
    _decaying(found, _lines(view, attention.diagnostics), _WEIGHTS.diagnosed)
    _decaying(found, _lines(view, attention.edits), _WEIGHTS.edited)
    others = [path for path in attention.documents if path != attention.path]
    _documents(view, others[:_MOST], found)
    return found


def _selected(view: View, file: int, attention: Attention, found: dict[int, float]) -> None:
    around = places.symbols_between(view, file, attention.first, attention.last)
    for symbol in around or [int(rows_of_file(view, file)[0])]:
        _raise(found, symbol, _WEIGHTS.selected)
    used = places.targets_at(view, file, attention.first, attention.last)
    for symbol in used[:_MOST_USED]:
        if view.symbols.file[symbol] >= 0:
            _raise(found, symbol, _WEIGHTS.used)


def _lines(view: View, lines: Sequence[Line]) -> list[int]:
    symbols = []
    for path, line in lines[:_MOST]:
        file = places.file_number(view, path)
        if file is not None:
            symbols.append(at_line(view, file, line))
    return symbols


def _decaying(found: dict[int, float], symbols: Sequence[int], most: float) -> None:
    for place, symbol in enumerate(dict.fromkeys(symbols)):
        _raise(found, symbol, most * _WEIGHTS.decay**place)


def _documents(view: View, paths: Sequence[str], found: dict[int, float]) -> None:
    """A document shares its weight among what it holds at its top level."""
    for place, path in enumerate(paths):
        file = places.file_number(view, path)
        if file is None:
            continue
        rows = rows_of_file(view, file)
        module = int(rows[0])
        top = rows[view.symbols.owner[rows] == module].tolist() or [module]
        for symbol in top:
            _raise(found, symbol, _WEIGHTS.open * _WEIGHTS.decay**place / len(top))


def _raise(found: dict[int, float], symbol: int, weight: float) -> None:
    found[symbol] = max(found.get(symbol, 0.0), weight)


def title(view: View, weights: Mapping[int, float]) -> str:
    """The symbol that matters most, in words."""
    named = [row for row in weights if view.symbols.kind[row] != SymbolKind.MODULE]
    best = max(named or list(weights), key=lambda row: weights[row], default=None)
    return f"Around {view.identity(best)}" if best is not None else "Nothing is selected"

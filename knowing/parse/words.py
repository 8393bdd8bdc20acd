"""The words that stand in each symbol's own text, counted.

Own text is what lies between a symbol's bounds and in none of its children, so each word of a file
is counted once. Comments and strings are part of it: people describe tasks in their words.
"""

import re
from collections.abc import Iterable
from itertools import count

import numpy as np
import numpy.typing as npt

from knowing.parse.facts import SymbolColumn, Table, WordColumn, numbers

Column = npt.NDArray[np.int64]
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]+|[0-9]{3,}")
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_" + bytes(range(128, 256))
_DIGITS = b"0123456789"
_ZERO, _NINE = _DIGITS[0], _DIGITS[-1]
_SPACED = bytes(byte if byte in _LETTERS + _DIGITS else ord(" ") for byte in range(256))
"""Bytes as they are, or blanks where no word goes on: splitting is quicker than searching."""
MAX_BYTES = 40_000
"""Of one symbol's own text. What is longer is data, and its first part tells what it is about."""
LONGEST_WORD = 64


def words_in(text: bytes) -> list[bytes]:
    """All words of a text, in order."""
    return _WORD.findall(text)


def count_words(source: bytes, symbols: Table) -> tuple[bytes, Table]:
    """All different words, joined by NUL, and how often each symbol uses which."""
    runs: list[bytes] = []
    sizes: list[int] = []
    for text in _own_texts(source.translate(_SPACED), symbols):
        found = text.split()
        runs += found
        sizes.append(len(found))
    numbered = dict(zip(dict.fromkeys(runs), count(), strict=False))
    used = numbers(list(map(numbered.__getitem__, runs)))
    users = np.arange(len(sizes)).repeat(sizes)
    words, mixed = _sorted_out(numbered)
    if mixed:
        users, used = _unmixed(mixed, numbered, users, used)
        words, _ = _sorted_out(numbered)
    new = np.full(len(numbered), -1, dtype=np.int64)
    new[numbers([numbered[word] for word in words])] = np.arange(len(words))
    return b"\0".join(words), _counted(users, new[used], len(words))


def _unmixed(
    mixed: list[bytes], numbered: dict[bytes, int], users: Column, used: Table
) -> tuple[Column, Table]:
    """The uses of runs, and those of the words that stand in mixed ones."""
    inside = {numbered[run]: _WORD.findall(run) for run in mixed}
    is_mixed = np.zeros(len(numbered), dtype=bool)
    is_mixed[list(inside)] = True
    at = is_mixed[used].nonzero()[0]
    more = [
        (user, numbered.setdefault(word, len(numbered)))
        for user, run in zip(users[at].tolist(), used[at].tolist(), strict=True)
        for word in inside[run]
    ]
    return (
        np.concatenate((users, numbers([user for user, _ in more]))),
        np.concatenate((used, numbers([word for _, word in more]))),
    )


def _sorted_out(runs: Iterable[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The words among runs of letters and digits, and runs like `12px` in which others stand."""
    words: list[bytes] = []
    mixed: list[bytes] = []
    for run in runs:
        if run[0] > _NINE or run[0] < _ZERO:
            if 1 < len(run) <= LONGEST_WORD:
                words.append(run)
        elif not run.isdigit():
            mixed.append(run)
        elif 2 < len(run) <= LONGEST_WORD:
            words.append(run)
    return words, mixed


def _counted(users: Column, words: Column, different: int) -> Table:
    """Rows of symbol, word and count; a word below 0 is none."""
    keys = (users * different + words)[words >= 0]
    keys.sort()
    if not len(keys):
        return np.zeros((0, len(WordColumn)), dtype=np.int32)
    # Where a key is the first of its like, and once more at the end.
    first = np.empty(len(keys) + 1, dtype=bool)
    first[0] = first[-1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:-1])
    at = first.nonzero()[0]
    keys = keys[at[:-1]]
    table = np.empty((len(keys), len(WordColumn)), dtype=np.int32)
    users = keys // different
    table[:, WordColumn.SYMBOL] = users
    table[:, WordColumn.WORD] = keys - users * different
    table[:, WordColumn.COUNT] = at[1:] - at[:-1]
    return table


def _own_texts(source: bytes, symbols: Table) -> list[bytes]:
    """The text of each symbol without that of its children."""
    starts: list[int] = symbols[:, SymbolColumn.START].tolist()
    ends: list[int] = symbols[:, SymbolColumn.END].tolist()
    pieces: list[list[bytes]] = [[] for _ in starts]
    done = list(starts)
    """Up to where each symbol's text has been dealt out."""
    open_symbols: list[int] = []

    def close(symbol: int) -> None:
        pieces[symbol].append(source[done[symbol] : ends[symbol]])

    order = sorted(range(len(starts)), key=lambda symbol: (starts[symbol], -ends[symbol], symbol))
    for symbol in order:
        while open_symbols and ends[open_symbols[-1]] <= starts[symbol]:
            close(open_symbols.pop())
        if open_symbols:
            outer = open_symbols[-1]
            pieces[outer].append(source[done[outer] : starts[symbol]])
            done[outer] = max(done[outer], min(ends[symbol], ends[outer]))
        open_symbols.append(symbol)
    for symbol in reversed(open_symbols):
        close(symbol)
    return [b" ".join(parts)[:MAX_BYTES] for parts in pieces]

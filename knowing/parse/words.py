"""The words that stand in each symbol's own text, counted.

Own text is what lies between a symbol's bounds and in none of its children, so each word of a file
is counted once. Comments and strings are part of it: people describe tasks in their words.
"""

import re
from collections import Counter

from knowing.parse.facts import SymbolColumn, Table, WordColumn, numbers

_WORD = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]+|[0-9]{3,}")
MAX_BYTES = 40_000
"""Of one symbol's own text. What is longer is data, and its first part tells what it is about."""
LONGEST_WORD = 64


def words_in(text: bytes) -> list[bytes]:
    """All words of a text, in order."""
    return _WORD.findall(text)


def count_words(source: bytes, symbols: Table) -> tuple[bytes, Table]:
    """All different words, joined by NUL, and how often each symbol uses which."""
    numbered: dict[bytes, int] = {}
    cells: list[int] = []
    for symbol, text in enumerate(_own_texts(source, symbols)):
        for word, count in Counter(_WORD.findall(text)).items():
            if len(word) <= LONGEST_WORD:
                cells += (symbol, numbered.setdefault(word, len(numbered)), count)
    return b"\0".join(numbered), numbers(cells).reshape(-1, len(WordColumn))


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

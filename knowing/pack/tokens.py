"""What a text costs in tokens: by a real tokenizer if one is wanted, by an estimate otherwise.

The estimate cuts a text into the pieces that the tokenizers of common chat models start from
(words with the sign before them, runs of punctuation, groups of digits, white space) and adds up
what each piece costs: at least one token, more if its pairs of letters are unusual. What a pair
adds is in `pairs.npy`, fitted on real counts of code in many languages. It stays above the
true count of `o200k_base` and `cl100k_base`, and needs neither a vocabulary nor its loading time.
"""

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from knowing.errors import KnowingError

ESTIMATE = "estimate"
ENCODINGS = ("o200k_base", "cl100k_base")
TOKENIZERS = (ESTIMATE, *ENCODINGS)

Floats: TypeAlias = npt.NDArray[np.float32]
Octets: TypeAlias = npt.NDArray[np.uint8]
Places: TypeAlias = npt.NDArray[np.intp]


class Tokenizer(Protocol):
    """Counts the tokens of a text; `name` is shown beside the figures it gave."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


class TokenizerError(KnowingError):
    """A tokenizer is asked for that is not there."""


def tokenizer(name: str = ESTIMATE) -> Tokenizer:
    """The tokenizer of a name out of `TOKENIZERS`; only a real one loads its package."""
    if name == ESTIMATE:
        return Estimate()
    if name not in ENCODINGS:
        raise TokenizerError(f"no such tokenizer: {name}", f"one of {', '.join(TOKENIZERS)}")
    return Encoding(name)


def costs(counter: Tokenizer, texts: Sequence[str]) -> list[float]:
    """The cost of each of many texts; their sum is not below the cost of the texts joined."""
    if isinstance(counter, Estimate):
        return counter.costs(texts)
    return [counter.count(text) for text in texts]


class Encoding:
    """A tokenizer with its whole vocabulary, from an optional package."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._count = _counter(name)

    def count(self, text: str) -> int:
        # Half a surrogate pair cannot be written as UTF-8, so no chat ever sees it as such.
        return self._count(text.encode("utf-8", "replace").decode()) if text else 0


@functools.cache
def _counter(name: str) -> Callable[[str], int]:
    """Of the two packages that ship a vocabulary the one that loads quicker, if it is there."""
    with suppress(ImportError):
        return _rs_bpe(name)
    with suppress(ImportError):
        return _bpe_openai(name)
    hint = f"install it with `pip install knowing[tokens]`, or use the tokenizer `{ESTIMATE}`"
    raise TokenizerError(f"the package for the tokenizer {name} is not installed", hint)


def _rs_bpe(name: str) -> Callable[[str], int]:
    made: Callable[[str], int] = getattr(import_module("rs_bpe.bpe").openai, name)().count
    return made


def _bpe_openai(name: str) -> Callable[[str], int]:
    encode = import_module("bpe_openai").get_encoding(name).encode_ordinary
    return lambda text: len(encode(text))


SAFETY = 1.03
"""What the sum over pieces is raised by, so that the estimate is not below the true count."""
_FEW = 1.5
"""What one text of its own is raised by: few pieces vary more than many."""
BASE = 0.47
"""What a word or a run of punctuation costs before its pairs are looked at."""
PAIR_UNIT = 40
"""A pair's cost is stored as a whole number of this many parts of a token."""

_LOWER, _UPPER, _DIGIT, _PUNCTUATION, _BLANK, _BREAK, _HIGH = range(7)
_WORD = _LOWER
_NONE = 7
_LONGEST_BLANK = 64
_LONGEST_TABS = 14
_LONGEST_BREAK = 8


def _alphabet() -> Octets:
    """The row of each byte in the table of pairs: row 0 for what has none, all digits in one."""
    rows = np.zeros(256, dtype=np.uint8)
    signs = [code for code in range(32, 127) if not chr(code).isdigit()] + [9]
    rows[signs] = np.arange(1, len(signs) + 1)
    rows[48:58] = len(signs) + 1
    return rows


def _classes() -> Octets:
    classes = np.full(256, _PUNCTUATION, dtype=np.uint8)
    classes[:32] = classes[127:] = _HIGH
    classes[97:123], classes[65:91], classes[48:58] = _LOWER, _UPPER, _DIGIT
    classes[[9, 32]], classes[[10, 13]] = _BLANK, _BREAK
    return classes


def _characters() -> Floats:
    """What a character outside ASCII costs, by its first byte in UTF-8; the other bytes are free.

    Some fifth above the mean of translated messages in some 90 languages.
    """
    cost = np.zeros(256, dtype=np.float32)
    cost[:32] = cost[127] = 1.5
    cost[0xC0:0xE0], cost[0xE0:0xF0], cost[0xF0:] = 2.0, 2.0, 4.0
    cost[0xC2:0xC4], cost[0xC4:0xCA], cost[0xCE:0xD0] = 1.1, 1.45, 1.25
    cost[0xD0:0xD2], cost[0xD2:0xD4] = 1.0, 1.7
    cost[0xD7], cost[0xD8:0xDA], cost[0xDA:0xDC] = 1.35, 1.25, 1.65
    cost[0xE1], cost[0xE2], cost[0xE3], cost[0xEE] = 2.7, 2.2, 1.3, 3.0
    cost[0xE4:0xEA], cost[0xEA:0xEE] = 1.6, 1.6
    cost[0xF0] = 3.4
    return cost


ALPHABET = _alphabet()
ROWS = int(ALPHABET.max()) + 1
_CLASS = _classes()
_CHARACTER = _characters()


@functools.cache
def _pairs() -> Floats:
    """The cost of each pair of neighbours, as one row after the other."""
    stored = np.load(Path(__file__).with_name("pairs.npy"), allow_pickle=False)
    result: Floats = (stored.astype(np.float32) / PAIR_UNIT).ravel()
    return result


class Estimate:
    """Counts without a vocabulary, some percent above the truth."""

    name = ESTIMATE

    def count(self, text: str) -> int:
        if not text:
            return 0
        return ceil(SAFETY * float(piece_costs(_octets(text), None)[1].sum()) + _FEW)

    def costs(self, texts: Sequence[str]) -> list[float]:
        """The cost of each text as a part of a larger one; they add up, unlike single counts."""
        parts = [_octets(text) for text in texts]
        bounds = np.zeros(len(parts) + 1, dtype=np.intp)
        np.cumsum([len(part) for part in parts], out=bounds[1:])
        starts, each = piece_costs(b"".join(parts), bounds[:-1])
        sums = np.zeros(len(starts) + 1)
        np.cumsum(each, out=sums[1:])
        cut = sums[np.searchsorted(starts, bounds)]
        result: list[float] = (SAFETY * np.diff(cut)).tolist()
        return result


class _Pieces(NamedTuple):
    """What the cost of white space and digits depends on, one row for each piece."""

    kind: Octets
    length: Places
    before: Octets
    after: Octets
    tabbed: npt.NDArray[np.bool_]
    """Its last byte is a tab."""


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def piece_costs(data: bytes, seams: Places | None) -> tuple[Places, Floats]:
    """Where each piece of a text begins and what it costs; no piece reaches over a seam."""
    if not data:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)
    codes = np.frombuffer(data, dtype=np.uint8)
    classes = _CLASS[codes]
    kinds = np.where(classes == _UPPER, np.uint8(_WORD), classes)
    first = classes == _HIGH
    # `getName` is two pieces, `HTTPServer` is one.
    first[1:] |= (kinds[1:] != kinds[:-1]) | ((classes[1:] == _UPPER) & (classes[:-1] == _LOWER))
    first[0] = True
    seam = None
    if seams is not None:
        seam = np.zeros(len(codes) + 1, dtype=np.bool_)
        seam[seams] = True
        first |= seam[:-1]
    starts = np.flatnonzero(first)
    kind = kinds[starts]
    length = np.diff(starts, append=len(codes))
    before, after = _neighbours(kind, seam[starts] if seam is not None else None)
    single = np.roll(length, 1) == 1
    joined = (kind == _WORD) & ((before == _BLANK) | ((before == _PUNCTUATION) & single))
    joined |= (kind == _PUNCTUATION) & (before == _BLANK)
    cost = _raised(codes, starts, joined)
    # One sign before a word is part of the word's piece unless a blank has taken the sign.
    taken = (kind == _PUNCTUATION) & (length == 1) & (after == _WORD) & (before != _BLANK)
    cost[taken] = 0
    tabbed = codes[starts + length - 1] == ord("\t")
    _plain(_Pieces(kind, length, before, after, tabbed), cost)
    high = kind == _HIGH
    cost[high] = _CHARACTER[codes[starts[high]]]
    return starts, cost


def _neighbours(kind: Octets, seam: npt.NDArray[np.bool_] | None) -> tuple[Octets, Octets]:
    """The kinds of the pieces before and after each; there is none beyond a seam."""
    before, after = np.roll(kind, 1), np.roll(kind, -1)
    before[0] = after[-1] = _NONE
    if seam is not None:
        before[seam] = _NONE
        after[np.flatnonzero(seam)[1:] - 1] = _NONE
    return before, after


def _raised(codes: Octets, starts: Places, joined: npt.NDArray[np.bool_]) -> Floats:
    """The cost of each piece by its pairs, at least one token."""
    rows = ALPHABET[codes].astype(np.intp)
    pair = np.zeros(len(codes), dtype=np.float32)
    np.take(_pairs(), rows[:-1] * ROWS + rows[1:], out=pair[1:])
    pair[starts] *= joined
    return np.maximum(np.add.reduceat(pair, starts) + np.float32(BASE), 1)


def _plain(pieces: _Pieces, cost: Floats) -> None:
    """Sets what digits and white space cost: it follows from how the text is cut alone."""
    kind, length = pieces.kind, pieces.length
    digits = kind == _DIGIT
    cost[digits] = (length[digits] + 2) // 3
    breaks = kind == _BREAK
    cost[breaks] = (pieces.before[breaks] != _PUNCTUATION) + length[breaks] // _LONGEST_BREAK
    blank = kind == _BLANK
    long, follower, tabbed = length[blank], pieces.after[blank], pieces.tabbed[blank]
    # The last blank goes with the word after it, never with digits; a space, but no tab, goes
    # with punctuation; a break takes all of them.
    carried = (follower == _WORD) | ((follower == _PUNCTUATION) & ~tabbed)
    alone = np.where(carried, long > 1, np.where(follower == _BREAK, 0, 1 + (long > 1)))
    cost[blank] = alone + long // np.where(tabbed, _LONGEST_TABS, _LONGEST_BLANK)

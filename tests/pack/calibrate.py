"""Fits the table of pairs that the token estimate uses, from real counts.

    python tests/pack/calibrate.py FOLDER... --output knowing/pack/pairs.npy

Reads source files below the folders, cuts them as the estimate does, counts each distinct piece
with both vocabularies and finds weights of pairs so that `max(1, base + sum of pairs)` is near
the larger count. Needs the extra `tokens`.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from knowing.pack import tokens

SUFFIXES = (
    *(".c", ".cc", ".cs", ".go", ".h", ".java", ".js", ".json", ".kt", ".md", ".php", ".po"),
    *(".py", ".rb", ".rs", ".rst", ".scala", ".sql", ".ts", ".tsx", ".txt", ".yaml", ".yml"),
)
FILES_PER_SUFFIX = 400
LARGEST = 60_000
ROUNDS = 1500
RATE = 0.02
LOWEST, HIGHEST = -1.5, 3.0

_PIECE = re.compile(
    r"[^\r\nA-Za-z0-9\x80-\U0010ffff]?(?:[A-Z]*[a-z]+|[A-Z]+)"
    r"| ?[^\sA-Za-z0-9\x80-\U0010ffff]+"
)

Floats = npt.NDArray[np.float64]


def texts(folders: list[Path]) -> Iterator[str]:
    """Some files of each suffix, always the same ones."""
    chance = random.Random(1)
    for suffix in SUFFIXES:
        found = sorted(path for folder in folders for path in folder.rglob(f"*{suffix}"))
        chance.shuffle(found)
        for path in found[:FILES_PER_SUFFIX]:
            if path.is_file() and path.stat().st_size <= LARGEST:
                yield path.read_bytes().decode("utf-8", "ignore")


def fit(pieces: Counter[str]) -> Floats:
    """Weights of pairs: squared error by Adam, a piece counting by the root of its frequency."""
    truth = [tokens.Encoding(name) for name in tokens.ENCODINGS]
    wanted = np.array([max(one.count(piece) for one in truth) for piece in pieces], dtype=float)
    weight = np.sqrt(np.array(list(pieces.values()), dtype=float))
    weight /= weight.sum()
    piece_of, pair_of = [], []
    for number, piece in enumerate(pieces):
        rows = tokens.ALPHABET[np.frombuffer(piece.encode(), dtype=np.uint8)].astype(int)
        pair_of.append(rows[:-1] * tokens.ROWS + rows[1:])
        piece_of.append(np.full(len(rows) - 1, number))
    owners, pairs = np.concatenate(piece_of), np.concatenate(pair_of)
    size = tokens.ROWS**2
    table, mean, spread = np.full(size, 0.12), np.zeros(size), np.zeros(size)
    for step in range(1, ROUNDS + 1):
        total = tokens.BASE + np.bincount(owners, table[pairs], len(wanted))
        error = np.maximum(total, 1) - wanted
        # Below one token the outcome does not depend on the weights, unless it is too low.
        slope = weight * np.where(total > 1, error, np.minimum(error, 0) / 2)
        gradient = np.bincount(pairs, slope[owners], size)
        mean, spread = 0.9 * mean + 0.1 * gradient, 0.99 * spread + 0.01 * gradient**2
        move = mean / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-9)
        table -= RATE * (1 - step / (ROUNDS + 100)) * move
    seen = np.bincount(pairs, minlength=size) > 0
    # A pair that was never seen is rarer than all that were.
    return np.where(seen, table, 0.6).clip(LOWEST, HIGHEST)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--output", required=True, type=Path)
    given = arguments.parse_args()
    pieces = Counter(found for text in texts(given.folders) for found in _PIECE.findall(text))
    table = fit(Counter({piece: count for piece, count in pieces.items() if piece.isascii()}))
    stored = np.round(table * tokens.PAIR_UNIT).astype(np.int8).reshape(tokens.ROWS, tokens.ROWS)
    np.save(given.output, stored)


if __name__ == "__main__":
    main()

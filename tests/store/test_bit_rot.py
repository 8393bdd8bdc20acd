"""Bytes that change at random are noticed or do not matter."""

import random
import shutil
from pathlib import Path

from knowing.engine import Engine
from tests.cli.workspaces import small
from tests.graph.views import assert_same

PAGE = 4096
ROUNDS = 16


def rot(data: bytearray, dice: random.Random) -> None:
    """One of the things that failing disks and interrupted copies do."""
    start = dice.randrange(len(data))
    kind = dice.choice(("flip", "noise", "zeros", "cut", "swap"))
    if kind == "flip":
        data[start] ^= 1 << dice.randrange(8)
    elif kind == "cut":
        del data[start:]
    elif kind == "swap":
        one, other = (dice.randrange(len(data) // PAGE) * PAGE for _ in range(2))
        data[one : one + PAGE], data[other : other + PAGE] = (
            data[other : other + PAGE],
            data[one : one + PAGE],
        )
    else:
        length = len(data[start : start + dice.choice((4, 600, 9000))])
        data[start : start + length] = bytes(length) if kind == "zeros" else dice.randbytes(length)


def test_a_rotten_database_is_put_right(tmp_path: Path) -> None:
    root = small(tmp_path / "work", 25)
    with Engine.open(root, index_dir=tmp_path / "sound") as engine:
        engine.index()
        wanted = engine.view()
        name = engine.folder.name
    sound = (tmp_path / "sound" / name / "index.db").read_bytes()
    for number in range(ROUNDS):
        index = tmp_path / f"rotten{number}"
        shutil.copytree(tmp_path / "sound", index)
        data = bytearray(sound)
        rot(data, random.Random(number))
        (index / name / "index.db").write_bytes(data)
        with Engine.open(root, index_dir=index) as engine:
            engine.status()
            unsound = engine.check()
            notes = engine.index().notes
            told = [note for note in notes if "anew" in note or "read again" in note]
            assert bool(told) == bool(unsound), number
            assert_same(engine.view(), wanted)
            assert engine.check() == []
        shutil.rmtree(index)

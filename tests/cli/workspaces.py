"""Workspaces that the program is tried on."""

from pathlib import Path

MODULE = '''"""Module {number}: part of a chain."""

import module_{next}


class Step{number}:
    """Goes on to the next one."""

    def go(self, amount: int) -> int:
        return module_{next}.Step{next}().go(amount - 1) + helper_{number}(amount)


def helper_{number}(amount: int) -> int:
    return amount * {number}
'''
FILLER = '''

def filler_{number}_{part}(left: int, right: int) -> int:
    """Adds up what it is given, in more words than needed."""
    total = left + right
    for value in range(left, right):
        total += helper_{number}(value)
    return total
'''


def small(root: Path, count: int = 6) -> Path:
    """Python modules of which each calls the next, and a text that no language knows."""
    root.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        module(root, number, count)
    (root / "notes.xyz").write_text("nothing to parse\n", "utf-8")
    return root


def large(root: Path, count: int = 900) -> Path:
    """Enough to be read by worker processes and to be stored in several batches."""
    root.mkdir(parents=True, exist_ok=True)
    words = "# Words that take up room but are read in no time, unlike code.\n" * 32
    for number in range(count):
        path = module(root, number, count)
        path.write_text(words + path.read_text("utf-8"), "utf-8")
    return root


def module(root: Path, number: int, count: int, parts: int = 0) -> Path:
    path = root / f"module_{number}.py"
    text = MODULE.format(number=number, next=(number + 1) % count)
    text += "".join(FILLER.format(number=number, part=part) for part in range(parts))
    path.write_text(text, "utf-8")
    return path

"""Workspaces that the server is tried on."""

import subprocess
from pathlib import Path

STORE = '''"""Keeps orders."""


class OrderStore:
    """Orders by number."""

    def save_order(self, number: int) -> None:
        self.check_number(number)

    def check_number(self, number: int) -> None:
        if number < 0:
            raise ValueError(number)
'''
SHOP = '''"""Sells things."""

from store import OrderStore


def place_order(number: int) -> None:
    """Takes an order and keeps it."""
    store = OrderStore()
    store.save_order(number)


def cancel_order(number: int) -> None:
    place_order(-number)
'''
TEST = """from shop import place_order


def test_place_order():
    place_order(3)
"""
FILLER = '''

def filler_{number}(left: int, right: int) -> int:
    """Adds up what it is given, in more words than needed."""
    total = left + right
    for value in range(left, right):
        total += value * {number}
    return total
'''


def shop(root: Path) -> Path:
    """A few modules that call each other, with a test."""
    (root / "tests").mkdir(parents=True)
    (root / "store.py").write_text(STORE, "utf-8")
    (root / "shop.py").write_text(SHOP, "utf-8")
    (root / "tests" / "test_shop.py").write_text(TEST, "utf-8")
    return root


def repository(root: Path) -> Path:
    """The shop under version control, with one commit."""
    shop(root)
    git(root, "init", "-q")
    commit(root, "Sell things")
    return root


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, timeout=60)


def large(root: Path, files: int, functions: int) -> Path:
    """So much code that reading it takes a while."""
    shop(root)
    for number in range(files):
        text = "".join(FILLER.format(number=number * functions + part) for part in range(functions))
        (root / f"filler_{number}.py").write_text(text, "utf-8")
    return root

from pathlib import Path

import pytest

from eval.baselines import FullText, Grep, words
from eval.plot import bars
from eval.rankers import System
from knowing.model import TYPE_KINDS

CODE = """\
class Order:
    '''Something bought.'''

    def pay(self, amount):
        '''Settle the invoice.'''
        return amount


def ship(order):
    return order
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "orders.py").write_text(CODE, encoding="utf-8")
    (root / "test_orders.py").write_text("def test_invoice():\n    invoice = 1\n", encoding="utf-8")
    return root


def names(system: System, repo: Path, folder: Path, text: str) -> list[str]:
    with system.open(repo, folder) as ranker:
        return [row.name for row in ranker.rank(text, 10).rows]


def test_words_that_say_something() -> None:
    assert words("How do we pay the Invoice of an order_line? Pay!") == [
        "pay",
        "invoice",
        "order_line",
    ]


def test_full_text_finds_documentation(repo: Path, tmp_path: Path) -> None:
    found = names(FullText(), repo, tmp_path / "index", "settle an invoice")
    assert set(found[:2]) == {"Order.pay", "test_invoice"}
    assert names(FullText("x", tests=False), repo, tmp_path / "index", "invoice") == ["Order.pay"]
    assert names(FullText(), repo, tmp_path / "index", "of the") == []


def test_grep_credits_the_innermost_symbol(repo: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    index.mkdir()
    assert names(Grep(tests=False), repo, index, "the invoice and its amount")[0] == "Order.pay"
    assert names(Grep(tests=False), repo, index, "bought") == ["Order"]
    assert names(Grep("x", kinds=TYPE_KINDS), repo, index, "invoice") == ["Order"]


def test_bars_are_as_long_as_their_values() -> None:
    svg = bars("A & B", {"ours": {"recall": 0.5}, "theirs": {"recall": 0.25}})
    assert "A &amp; B" in svg
    assert 'width="245.0"' in svg
    assert 'width="122.5"' in svg

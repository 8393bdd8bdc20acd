from collections.abc import Mapping
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.failure import EvalError
from eval.index import Symbol
from eval.truth import cover, wanted_names

TASKS: list[Mapping[str, object]] = [
    {"id": "shop-1", "repo": "shop", "ground_truth": ["shop.Order", "Order.pay"]},
    {"id": "shop-2", "repo": "shop", "ground_truth": ["Order.pay", "Refund"]},
    {"id": "bank-1", "repo": "bank", "ground_truth": ["Account"]},
]


def symbol(name: str, kind: str = "class") -> Symbol:
    return Symbol(
        name=name, qualified_name=f"a.py::{name}", kind=kind, path="a.py", line=1, end_line=2
    )


def test_each_name_counts_once_a_repository() -> None:
    assert wanted_names(TASKS) == {
        "shop": {
            "shop.Order": ["shop-1"],
            "Order.pay": ["shop-1", "shop-2"],
            "Refund": ["shop-2"],
        },
        "bank": {"Account": ["bank-1"]},
    }


def test_names_are_found_among_the_symbols_of_code() -> None:
    symbols = [symbol("Order"), symbol("Order.pay", "method"), symbol("Refund", "doc_section")]
    coverage = cover("shop", wanted_names(TASKS)["shop"], symbols)
    assert (coverage.wanted, coverage.found) == (3, 2)
    assert coverage.missing == {"Refund": ["shop-2"]}
    assert coverage.share == pytest.approx(2 / 3)


def test_a_task_without_names_is_refused() -> None:
    with pytest.raises(EvalError, match="shop-9"):
        wanted_names([{"id": "shop-9", "repo": "shop", "ground_truth": "Order"}])


@pytest.mark.parametrize("text", ["", "{", "{}"])
def test_unreadable_tasks_are_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.json"
    tasks.write_text(text, encoding="utf-8")
    assert main(["coverage", "--tasks", str(tasks), "--corpus", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("error: ")

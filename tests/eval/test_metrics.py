import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.matchers import published, strict
from eval.metrics import Cost, Row, mean, score_task, strict_hits
from eval.tasks import Task


def task(*truth: str, files: tuple[str, ...] = ()) -> Task:
    return Task(id="t", repo="shop", description="pay", truth=truth, files=files)


def rows(*names: str) -> list[Row]:
    return [Row(name=name, path=f"src/{name}.py") for name in names]


def test_a_worked_example() -> None:
    scores = score_task(
        task("shop.Order.pay", "shop.receipt"), rows("Cart", "Order", "Order.pay", "Order.pay")
    )
    discount = [1 / math.log2(rank + 2) for rank in range(4)]
    ideal = discount[0] + discount[1]
    assert scores == {
        "P@10": pytest.approx(0.3),
        "P@10r": 0.75,
        "R@10": 0.5,
        "nDCG": pytest.approx((discount[1] + discount[2] + discount[3]) / ideal),
        "MRR": 0.5,
        "sR@10": 0.5,
        "snDCG": pytest.approx(discount[2] / ideal),
        "sMRR": pytest.approx(1 / 3),
        "zero": 0.0,
        "szero": 0.0,
    }


def test_nothing_came() -> None:
    scores = score_task(task("Order"), [])
    assert {key for key, value in scores.items() if value} == {"zero", "szero"}


def test_only_ten_results_count() -> None:
    late = [*(f"Cart{n}" for n in range(10)), "Order"]
    assert score_task(task("Order"), rows(*late))["sR@10"] == 0.0
    assert score_task(task("Order"), rows(*late[1:]))["sR@10"] == 1.0


def test_listing_classes_wins_the_generous_metrics_and_loses_the_strict_ones() -> None:
    wanted = task("Order.pay", "Order.ship", "Order.refund")
    classes, methods = rows("Order"), rows("Order.pay", "Cart.add", "Order.ship")
    lister, ranker = score_task(wanted, classes), score_task(wanted, methods)
    assert lister["R@10"] > ranker["R@10"]
    assert lister["sR@10"] == 0.0 < ranker["sR@10"]


def test_one_result_is_one_wanted_symbol() -> None:
    assert strict_hits(["a.pay", "b.pay"], ["Cart.pay"]) == ({0: 0}, [True])
    assert strict_hits(["a.pay", "b.pay"], ["Cart.pay", "Order.pay", "pay"]) == (
        {0: 0, 1: 1},
        [True, True, False],
    )


def test_files_and_costs_are_scored_where_they_are_known() -> None:
    wanted = task("Order", files=("src/Order.py", "src/Gone.py"))
    cost = Cost(milliseconds=3.0, sizes=(300, 100, 50))
    scores = score_task(wanted, rows("Cart", "Order"), Cost(milliseconds=3.0, sizes=cost.sizes[:2]))
    assert (scores["file@10"], scores["ms"], scores["efficiency"]) == (0.5, 3.0, 0.25)


def test_a_mean_is_over_the_tasks_that_have_the_figure() -> None:
    assert mean([{"P@10": 0.2, "ms": 4.0}, {"P@10": 0.4}]) == {
        "P@10": pytest.approx(0.3),
        "ms": 4.0,
    }


NAMES = st.lists(st.sampled_from(["Order", "pay", "Cart", "ship"]), min_size=1, max_size=2).map(
    ".".join
)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, max_size=14))
def test_figures_by_their_definitions(truth: list[str], names: list[str]) -> None:
    scores = score_task(task(*truth), rows(*names))
    ten = names[:10]
    generous = [name for name in ten if any(published(name, wanted) for wanted in truth)]
    assert scores["P@10"] == pytest.approx(len(generous) / 10)
    assert scores["zero"] == float(not generous)
    left = list(truth)
    for name in ten:
        if (hit := next((wanted for wanted in left if strict(name, wanted)), None)) is not None:
            left.remove(hit)
    assert scores["sR@10"] == pytest.approx(1 - len(left) / len(truth))
    assert scores["sR@10"] <= scores["R@10"]
    assert 0 <= scores["snDCG"] <= 1 + 1e-9

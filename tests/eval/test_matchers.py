import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.matchers import Names, published, strict, wanted_parts


@pytest.mark.parametrize(
    ("wanted", "parts"),
    [
        ("shop.orders.Order.pay", ["Order", "pay"]),
        ("shop::orders::Order", ["Order"]),
        ("shop.orders.pay", ["pay"]),
        ("pay", ["pay"]),
        ("Order", ["Order"]),
        ("src/shop/Order#pay", ["Order", "pay"]),
        ("Order.pay(", ["Order", "pay"]),
        ("", []),
    ],
)
def test_packages_and_modules_are_not_wanted(wanted: str, parts: list[str]) -> None:
    assert wanted_parts(wanted) == parts


@pytest.mark.parametrize(
    ("found", "wanted", "is_strict", "is_published"),
    [
        ("Order.pay", "shop.Order.pay", True, True),
        ("order.PAY", "Order.pay", True, True),
        ("shop.Order.pay", "Order.pay", True, True),
        ("Order.pay", "shop.orders.pay", True, True),
        ("Order", "Order.pay", False, True),
        ("pay", "Order.pay", False, True),
        ("Order.pay", "Order", False, True),
        ("Invoice.pay", "Order.pay", False, False),
        ("Shop.Order.Line.pay", "Shop.Order.pay", False, True),
        ("prepay", "pay", False, False),
        ("Order.pay", "", False, False),
        ("", "Order", False, False),
    ],
)
def test_matchers(found: str, wanted: str, is_strict: bool, is_published: bool) -> None:
    assert (strict(found, wanted), published(found, wanted)) == (is_strict, is_published)


@given(
    st.lists(st.lists(st.sampled_from(["a", "A", "b", "Bc"]), max_size=3).map(".".join)),
    st.lists(st.sampled_from(["a", "A", "b", "Bc"]), max_size=3).map(".".join),
)
def test_many_names_answer_as_each_would(names: list[str], wanted: str) -> None:
    assert Names(names).has(wanted) == any(strict(name, wanted) for name in names)

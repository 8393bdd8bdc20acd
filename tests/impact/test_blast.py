import pytest

from knowing.model import EdgeKind, Origin
from tests.impact.asking import ask, codes, direct

SHOP = {
    "shop/__init__.py": "",
    "shop/price.py": """\
        def price(item):
            return item
    """,
    "shop/cart.py": """\
        from shop.price import price

        class Cart:
            def total(self):
                return price(1) + price(2)

        def report(cart: Cart):
            return cart.total()
    """,
    "web/view.py": """\
        from shop.cart import Cart, report

        def show():
            return report(Cart())
    """,
    "tests/test_shop.py": """\
        from shop.price import price
        from web.view import show

        def test_price():
            assert price(1)

        def test_show():
            assert show()
    """,
}


def test_each_item_says_where_it_uses_what_and_how_sure_that_is() -> None:
    answer = ask(SHOP, "price.py::price")
    [total] = [item for item in answer.direct if item.name == "Cart.total"]
    assert (total.path, total.depth) == ("shop/cart.py", 1)
    assert (total.via.edge, total.via.path, total.via.line) == (EdgeKind.CALLS, "shop/cart.py", 5)
    assert total.origin is Origin.AST_RESOLVED
    assert total.confidence == pytest.approx(0.85)


def test_callers_of_callers_are_transitive_and_no_surer_than_the_least_sure_step() -> None:
    answer = ask(SHOP, "price.py::price", depth=4)
    depth = {item.name: item.depth for item in answer.transitive}
    assert depth["report"] == 2
    assert depth["show"] == 3
    sure = {item.name: item.confidence for item in (*answer.direct, *answer.transitive)}
    assert sure["show"] <= sure["report"] <= sure["Cart.total"]


def test_the_depth_is_a_limit() -> None:
    assert not ask(SHOP, "price.py::price", depth=1).transitive


def test_tests_are_told_apart() -> None:
    answer = ask(SHOP, "price.py::price", depth=4)
    assert {item.name: item.depth for item in answer.tests} == {"test_price": 1, "test_show": 4}


def test_a_type_is_used_where_its_members_are() -> None:
    answer = ask(SHOP, "Cart")
    assert {"report", "show"} <= direct(answer)
    assert "Cart.total" not in direct(answer), "a part of it is not a user of it"


def test_a_recursive_function_does_not_use_itself() -> None:
    answer = ask({"a.py": "def count(n):\n    return count(n - 1)\n"}, "count")
    assert not answer.direct
    assert answer.complete


def test_calls_in_a_circle_come_to_an_end() -> None:
    answer = ask({"a.py": "def one():\n    two()\n\ndef two():\n    one()\n"}, "one", depth=9)
    assert direct(answer) == {"two"}
    assert not answer.transitive


def test_a_call_through_an_interface_says_which_method_it_names() -> None:
    files = {
        "a.py": "class Base:\n    def run(self): ...\n\nclass Own(Base):\n    def run(self): ...\n",
        "b.py": "from a import Base\n\ndef start(base: Base):\n    base.run()\n",
    }
    [start] = [item for item in ask(files, "Own.run").direct if item.name == "start"]
    assert start.through == "Base.run"
    assert not [item for item in ask(files, "Base.run").direct if item.through]


def test_a_decorator_concerns_what_it_decorates_and_a_wrapper_calls_it() -> None:
    files = {
        "a.py": """\
            def timed(function):
                def wrapper():
                    return function()
                return wrapper

            @timed
            def work(): ...
        """
    }
    assert "work" in direct(ask(files, "timed"))
    assert "timed.wrapper" in direct(ask(files, "work"))


def test_environment_routes_and_prose_are_reached() -> None:
    files = {
        "a.py": "import os\n\ndef load():\n    return os.getenv('SHOP_HOME')\n",
        "b.py": "app = make()\n\n@app.get('/cart')\ndef cart(): ...\n",
        "guide.md": "# Loading\n\nCall `load()` first.\n",
    }
    assert direct(ask(files, "env://SHOP_HOME")) == {"load"}
    assert "GET /cart" in direct(ask(files, "cart"))
    assert "Loading" in direct(ask(files, "load"))


def test_guesses_are_listed_apart() -> None:
    answer = ask(
        {
            "a.py": "class Cart:\n    def check_out(self): ...\n",
            "b.py": "def run(thing):\n    thing.check_out()\n",
        },
        "Cart.check_out",
    )
    assert not answer.direct
    [guess] = answer.possible
    assert (guess.name, guess.path, guess.line) == ("run", "b.py", 2)
    assert guess.confidence <= 0.5
    assert "unresolved" in codes(answer)


@pytest.mark.parametrize("symbol", ["price.py::price", "Cart", "report", "Cart.total"])
def test_the_parts_of_a_risk_add_up(symbol: str) -> None:
    risk = ask(SHOP, symbol).risk
    assert risk.score == pytest.approx(sum(part.value for part in risk.parts), abs=0.002)
    assert 0 <= risk.score <= 1
    assert risk.level in ("low", "medium", "high")


def test_more_users_in_more_packages_are_a_higher_risk() -> None:
    users = {f"p{n}/u.py": "from core import run\n\ndef go():\n    run()\n" for n in range(25)}
    many = ask({"core.py": "def run(): ...\n", **users}, "core.py::run").risk
    few = ask({"core.py": "def run(): ...\n", "p0/u.py": users["p0/u.py"]}, "core.py::run").risk
    assert many.score > few.score
    assert many.level == "high"


def test_the_answer_is_the_same_each_time() -> None:
    assert ask(SHOP, "Cart") == ask(SHOP, "Cart")

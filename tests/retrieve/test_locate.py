import pytest

from knowing.errors import AmbiguousError, NotFoundError
from knowing.graph import View
from knowing.retrieve.locate import at_line, describe, locate, locate_one
from tests.graph.making import graph_of

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": """\
        import httpx

        class Base:
            def inherited(self): ...

        class Cart(Base):
            def total(self):
                return httpx.Client()

            def Total(self): ...

        def total(): ...
    """,
    "src/web/cart.py": "def show():\n    pass\n",
    "src/web/views.py": "def render(): ...\n\nclass Page:\n    def render(self): ...\n",
    "lib/one.py": "def twice(): ...\n",
    "lib/two.py": "def twice(): ...\n",
    "tests/test_cart.py": "def render_all(): ...\n\ndef show(): ...\n",
    "main.go": "package main\n\ntype Server struct{}\n\nfunc (s *Server) Run() {}\n",
    "guide.md": "# Cart\n\nText.\n",
}


@pytest.fixture(scope="module")
def view() -> View:
    return graph_of(FILES, tests=frozenset({"tests/test_cart.py"}))


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("Cart.total", "src/shop/cart.py::Cart.total"),
        ("Cart::total", "src/shop/cart.py::Cart.total"),
        ("Cart#total", "src/shop/cart.py::Cart.total"),
        ("Cart.total()", "src/shop/cart.py::Cart.total"),
        ("  Cart.total ", "src/shop/cart.py::Cart.total"),
        ("total", "src/shop/cart.py::total"),
        ("Cart", "src/shop/cart.py::Cart"),
        ("SERVER.run", "main.go::Server.Run"),
        ("Cart.inherited", "src/shop/cart.py::Base.inherited"),
        ("src/shop/cart.py::Cart.total", "src/shop/cart.py::Cart.total"),
        ("shop/cart.py::total", "src/shop/cart.py::total"),
        ("shop.cart.Cart", "src/shop/cart.py::Cart"),
        ("web.cart.show", "src/web/cart.py::show"),
        ("src/web/views.py", "src/web/views.py"),
        ("views.py", "src/web/views.py"),
        ("src\\web\\views.py", "src/web/views.py"),
        ("./src/web/views.py", "src/web/views.py"),
        ("src/shop/cart.py:8", "src/shop/cart.py::Cart.total"),
        ("shop/cart.py:8:4", "src/shop/cart.py::Cart.total"),
        ("src/shop/cart.py:1", "src/shop/cart.py"),
        ("external:httpx.Client", "external:httpx.Client"),
        ("httpx.Client", "external:httpx.Client"),
        ("Server.Run", "main.go::Server.Run"),
        ("show", "src/web/cart.py::show"),
        ("render", "src/web/views.py::render"),
    ],
)
def test_what_a_user_types_means_one_symbol(view: View, text: str, identity: str) -> None:
    assert view.identity(locate_one(view, text)) == identity


def test_the_case_as_typed_comes_first(view: View) -> None:
    assert [view.identity(row) for row in locate(view, "Cart.Total")] == [
        "src/shop/cart.py::Cart.Total"
    ]


def test_several_meanings_are_listed_as_they_can_be_typed(view: View) -> None:
    with pytest.raises(AmbiguousError) as caught:
        locate_one(view, "twice")
    assert caught.value.candidates == ["lib/one.py:1 twice", "lib/two.py:1 twice"]
    for candidate in caught.value.candidates:
        place, _, _ = candidate.partition(" ")
        assert describe(view, locate_one(view, place)) == candidate


@pytest.mark.parametrize("text", ["Cart.totl", "rendr", "Totals"])
def test_what_is_not_there_comes_with_what_is_near(view: View, text: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        locate_one(view, text)
    assert "did you mean" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    ["", "   ", ".", "::", "#", ":", "a:b:c", "nope.py:3", "x" * 10_000, "é", "cart.py::", "()"],
)
def test_odd_texts_find_nothing_and_do_no_harm(view: View, text: str) -> None:
    assert locate(view, text) == []
    with pytest.raises(NotFoundError):
        locate_one(view, text)


def test_every_symbol_is_found_by_its_identity(view: View) -> None:
    for row in range(len(view.symbols)):
        assert row in locate(view, view.identity(row)), view.identity(row)


def test_the_innermost_symbol_is_around_a_line(view: View) -> None:
    file = list(view.paths).index("src/shop/cart.py")
    assert view.symbols.chain[at_line(view, file, 6)] == "Cart"
    assert view.symbols.chain[at_line(view, file, 7)] == "Cart.total"
    assert view.symbols.chain[at_line(view, file, 999)] == ""


def test_an_empty_graph_finds_nothing() -> None:
    with pytest.raises(NotFoundError):
        locate_one(graph_of({}), "anything")

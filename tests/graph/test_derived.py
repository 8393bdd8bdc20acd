import pytest

from knowing.model import EdgeKind, SymbolKind
from tests.graph.making import graph_of, pairs

ANIMALS = {
    "zoo/base.py": """
        class Animal:
            def eat(self): ...
            def sleep(self): ...
    """,
    "zoo/cats.py": """
        from zoo.base import Animal

        class Cat(Animal):
            def eat(self): ...

        class Lion(Cat):
            def roar(self): ...
    """,
    "farm/base.py": """
        class Animal:
            def eat(self): ...
            def plough(self): ...
    """,
    "zoo/__init__.py": "",
    "farm/__init__.py": "",
}


def test_a_type_inherits_from_all_its_ancestors_by_identity() -> None:
    inherits = pairs(graph_of(ANIMALS), EdgeKind.INHERITS)
    assert ("zoo/cats.py::Lion", "zoo/cats.py::Cat.eat") in inherits
    assert ("zoo/cats.py::Lion", "zoo/base.py::Animal.sleep") in inherits
    assert ("zoo/cats.py::Lion", "zoo/base.py::Animal.eat") not in inherits
    assert not [pair for pair in inherits if pair[1].startswith("farm/")]


def test_a_method_overrides_the_nearest_one_it_hides() -> None:
    overrides = pairs(graph_of(ANIMALS), EdgeKind.OVERRIDES)
    assert overrides == {("zoo/cats.py::Cat.eat", "zoo/base.py::Animal.eat")}


def test_membership_goes_both_ways() -> None:
    view = graph_of(ANIMALS)
    contains = pairs(view, EdgeKind.CONTAINS)
    assert ("zoo/cats.py::Lion", "zoo/cats.py::Lion.roar") in contains
    assert ("zoo/cats.py", "zoo/cats.py::Lion") in contains
    assert {(b, a) for a, b in contains} == pairs(view, EdgeKind.MEMBER_OF)


def test_a_call_of_an_unknown_value_is_a_guess_at_most() -> None:
    view = graph_of(
        {
            "a.py": """
                class Cart:
                    def checkout(self): ...

                def pay(thing):
                    thing.checkout()
                    thing.append(1)
            """,
            "b.py": """
                class Basket:
                    def append(self, item): ...
            """,
        }
    )
    assert not [p for p in pairs(view, EdgeKind.CALLS) if p[0] == "a.py::pay"]
    guessed = pairs(view, EdgeKind.CALLS, guesses=True)
    assert ("a.py::pay", "a.py::Cart.checkout") in guessed
    assert not [p for p in guessed if p[1] == "b.py::Basket.append"], "lists have append, too"
    doubtful = [edge for edge in view.all_edges() if edge.target == "a.py::Cart.checkout"]
    assert all(e.confidence <= 0.5 for e in doubtful if e.source == "a.py::pay")


def test_parameters_hide_what_is_imported_under_their_name() -> None:
    view = graph_of(
        {
            "app.py": "def run(): ...\n",
            "use.py": """
                from app import run

                def direct():
                    run()

                def through(run):
                    run()
            """,
        }
    )
    calls = pairs(view, EdgeKind.CALLS)
    assert ("use.py::direct", "app.py::run") in calls
    assert ("use.py::through", "app.py::run") not in calls


def test_an_import_inside_a_function_is_not_seen_outside() -> None:
    view = graph_of(
        {
            "app.py": "def run(): ...\n",
            "use.py": """
                def first():
                    from app import run
                    run()

                def second():
                    run()
            """,
        }
    )
    callers = {source for source, target in pairs(view, EdgeKind.CALLS) if target == "app.py::run"}
    assert callers == {"use.py::first"}


def test_tests_lead_to_what_they_call_and_tie_it_together() -> None:
    view = graph_of(
        {
            "shop.py": """
                def price(): ...
                def tax(): ...
            """,
            "test_shop.py": """
                from shop import price, tax

                def helper():
                    return tax()

                def test_price():
                    assert price()
                    helper()
            """,
        },
        tests=frozenset({"test_shop.py"}),
    )
    assert pairs(view, EdgeKind.TESTS) == {("test_shop.py::test_price", "shop.py::price")}
    assert pairs(view, EdgeKind.CO_TESTED_WITH) == {("shop.py::price", "shop.py::tax")}


def test_prose_documents_the_symbols_it_names() -> None:
    view = graph_of(
        {
            "shop.py": """
                class Cart:
                    def checkout(self): ...
            """,
            "guide.md": "# Paying\n\nCall `Cart.checkout()` at the end.\n",
        }
    )
    documents = pairs(view, EdgeKind.DOCUMENTS)
    assert ("guide.md::Paying", "shop.py::Cart.checkout") in documents


def test_owners_of_a_file() -> None:
    view = graph_of({"a.py": "x = 1\n"}, owners=lambda path: ("@team",) if path == "a.py" else ())
    assert pairs(view, EdgeKind.OWNED_BY) == {("a.py", "owner://@team")}


def test_functions_alike_in_one_folder() -> None:
    view = graph_of(
        {
            "one/a.py": "def read_user_profile(user_id, cache): ...\n",
            "one/b.py": "def write_user_profile(user_id, cache): ...\n",
            "two/c.py": "def drop_user_profile(user_id, cache): ...\n",
        }
    )
    similar = pairs(view, EdgeKind.SIMILAR_TO)
    assert similar == {("one/a.py::read_user_profile", "one/b.py::write_user_profile")}


@pytest.mark.parametrize(
    ("statement", "kind", "node"),
    [
        ("os.getenv('HOME')", EdgeKind.READS_ENV, "env://HOME"),
        ("os.environ['HOME']", EdgeKind.READS_ENV, "env://HOME"),
        ("subprocess.run('make all')", EdgeKind.EXECUTES_PROCESS, "process://make"),
        (
            "requests.get('https://x.org/a')",
            EdgeKind.CONSUMES_ENDPOINT,
            "endpoint://https://x.org/a",
        ),
    ],
)
def test_what_code_asks_of_the_outside(statement: str, kind: EdgeKind, node: str) -> None:
    view = graph_of({"a.py": f"import os, subprocess, requests\n\ndef f():\n    {statement}\n"})
    assert pairs(view, kind) == {("a.py::f", node)}


def test_routes_lead_to_their_handlers() -> None:
    view = graph_of(
        {
            "views.py": """
                @app.get("/items")
                def items(): ...

                def listing(request): ...
            """,
            "urls.py": """
                from views import listing
                urlpatterns = [path("list/", listing)]
            """,
        }
    )
    routes = pairs(view, EdgeKind.HANDLES_ROUTE)
    assert ("route://GET /items", "views.py::items") in routes
    assert ("route://ANY list/", "views.py::listing") in routes


def test_dependencies_are_nodes_with_the_name_they_have_at_home() -> None:
    view = graph_of(
        {
            "a.py": """
                import httpx
                from httpx import Client as C

                def f():
                    httpx.get("/x")
                    C()
            """
        }
    )
    calls = pairs(view, EdgeKind.CALLS)
    assert ("a.py::f", "external:httpx.get") in calls
    assert ("a.py::f", "external:httpx.Client") in calls
    kinds = {view.identity(i): view.symbol(i).kind for i in range(len(view.symbols))}
    assert kinds["external:httpx.Client"] == SymbolKind.EXTERNAL


def test_a_struct_with_all_methods_implements_the_interface() -> None:
    view = graph_of(
        {
            "go.mod": "module example.com/m\n",
            "a/a.go": """
                package a

                type Store interface {
                    Get(key string) string
                    Put(key string)
                }
            """,
            "b/b.go": """
                package b

                type Memory struct{}

                func (m *Memory) Get(key string) string { return "" }
                func (m *Memory) Put(key string)        {}

                type Half struct{}

                func (h Half) Get(key string) string { return "" }
            """,
        }
    )
    implements = pairs(view, EdgeKind.IMPLEMENTS)
    assert implements == {("b/b.go::Memory", "a/a.go::Store")}
    assert ("b/b.go::Memory.Get", "a/a.go::Store.Get") in pairs(view, EdgeKind.OVERRIDES)


def test_every_edge_above_the_guess_tier_says_where_it_comes_from() -> None:
    view = graph_of(ANIMALS)
    sited = {EdgeKind.CALLS, EdgeKind.EXTENDS, EdgeKind.IMPORTS, EdgeKind.CONTAINS}
    for edge in view.all_edges():
        if edge.kind in sited:
            assert edge.path in ANIMALS, edge
            assert edge.line >= 1, edge


def test_a_workspace_that_is_itself_a_package() -> None:
    view = graph_of(
        {
            "__init__.py": "",
            "a.py": "def run(): ...\n",
            "b.py": "from .a import run\n\ndef go():\n    run()\n",
        }
    )
    assert ("b.py::go", "a.py::run") in pairs(view, EdgeKind.CALLS)

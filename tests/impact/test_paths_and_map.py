import pytest

from knowing.impact.map import fitted, module_map
from knowing.impact.path import Routes, routes_between
from knowing.model import EdgeKind
from knowing.present.map import map_json, map_markdown, map_mermaid
from knowing.retrieve.locate import locate_one
from tests.impact.asking import view_of

CHAIN = {
    "a.py": "from b import two, short\n\ndef one():\n    two()\n    short()\n",
    "b.py": "from c import three\n\ndef two():\n    three()\n\ndef short():\n    three()\n",
    "c.py": "def three(): ...\n\ndef alone(): ...\n",
}


def between(
    files: dict[str, str], first: str, second: str, depth: int = 6
) -> tuple[list[list[str]], Routes]:
    view = view_of(files)
    found = routes_between(view, locate_one(view, first), locate_one(view, second), depth=depth)
    return [[view.symbols.chain[s] for s in route.symbols] for route in found.found], found


def test_all_shortest_ways_are_shown_with_their_edges() -> None:
    ways, found = between(CHAIN, "one", "three")
    assert sorted(ways) == [["one", "short", "three"], ["one", "two", "three"]]
    assert not found.reversed
    assert {step.edge for step in found.found[0].steps} == {EdgeKind.CALLS}
    assert found.found[0].steps[0].site.path == "a.py"


def test_the_other_direction_is_tried_and_said() -> None:
    ways, found = between(CHAIN, "three", "one")
    assert found.reversed
    assert ways[0][0] == "one"


def test_no_way_is_no_error_and_the_depth_is_a_limit() -> None:
    assert between(CHAIN, "alone", "one")[0] == []
    assert between(CHAIN, "one", "three", depth=1)[0] == []


def test_a_way_may_lead_through_an_overridden_method() -> None:
    files = {
        "a.py": """\
            class Base:
                def run(self): ...

            class Own(Base):
                def run(self):
                    work()

            def work(): ...

            def start(base: Base):
                base.run()
        """
    }
    ways, found = between(files, "start", "work")
    assert ["start", "Base.run", "Own.run", "work"] in ways
    assert any(step.dispatched for step in found.found[0].steps)


SHOP = {
    "shop/cart.py": "class Cart:\n    def total(self): ...\n\ndef _hidden(): ...\n",
    "shop/extra.py": "def rarely(): ...\n",
    "web/views.py": """\
        from shop.cart import Cart

        def show(cart: Cart):
            return cart.total()

        def edit():
            return Cart()
    """,
    "tests/test_cart.py": "from shop.cart import Cart\n\ndef test_cart():\n    assert Cart()\n",
}


def test_modules_have_key_symbols_and_bridges_are_counted_from_edges() -> None:
    whole = module_map(view_of(SHOP))
    modules = {module.path: module for module in whole.modules}
    assert set(modules) == {"shop", "web"}, "tests are not part of the map"
    assert modules["shop"].keys[0].name == "Cart"
    assert "_hidden" not in {key.name for key in modules["shop"].keys}
    [bridge] = whole.bridges
    assert (bridge.source, bridge.target) == ("web", "shop")
    kinds = dict(bridge.kinds)
    assert kinds[EdgeKind.CALLS] == 2
    assert kinds[EdgeKind.TYPE_HINT_OF] == 1
    assert bridge.count == sum(kinds.values())


def test_small_folders_are_counted_with_the_one_around_them() -> None:
    files = {f"src/p{n}/a.py": "def run(): ...\n" for n in range(12)}
    whole = module_map(view_of(files), modules=5)
    assert len(whole.modules) <= 5
    assert sum(module.symbols for module in whole.modules) == 12


@pytest.mark.parametrize("budget", [1, 20, 60, 100, 400, 5000])
def test_the_text_stays_within_the_budget(budget: int) -> None:
    files = {f"p{n}/a.py": f"class Type{n}:\n    def run(self): ...\n" for n in range(30)}
    whole = module_map(view_of(files))
    kept, text = fitted(whole, budget, lambda text: len(text) // 3, map_markdown)
    assert len(text) // 3 <= budget
    assert kept.left_out == len(whole.modules) - len(kept.modules)


def test_the_map_as_a_chart_names_each_module_and_arrow() -> None:
    whole = module_map(view_of(SHOP))
    lines = map_mermaid(whole).splitlines()
    assert lines[0] == "flowchart LR"
    assert [line for line in lines if "-->|" in line] == [f"  m1 -->|{whole.bridges[0].count}| m0"]
    assert map_json(whole)["bridges"][0]["kinds"]["calls"] == 2


def test_an_empty_workspace_has_an_empty_map() -> None:
    whole = module_map(view_of({"notes.md": "# Notes\n"}))
    assert whole.modules == ()
    assert whole.bridges == ()

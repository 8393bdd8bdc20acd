import json

from knowing.impact.path import routes_between
from knowing.impact.published import is_published
from knowing.impact.tests import plan_tests
from knowing.present.impact import (
    blast_json,
    blast_text,
    path_json,
    path_text,
    plan_json,
    plan_text,
)
from knowing.retrieve.locate import locate_one
from tests.impact.asking import ask, view_of

FILES = {
    "shop/price.py": "def price(): ...\n",
    "shop/cart.py": "from shop.price import price\n\ndef total():\n    price()\n",
    "web/view.py": "def show(thing):\n    thing.price()\n",
    "tests/test_price.py": "from shop.price import price\n\ndef test_price():\n    price()\n",
}


def test_the_object_has_all_that_the_contract_names() -> None:
    view = view_of(FILES)
    shown = json.loads(json.dumps(blast_json(view, ask(FILES, "price.py::price"))))
    wanted = ("symbol", "direct", "transitive", "tests", "files", "risk", "complete", "reasons")
    assert set(wanted) <= set(shown)
    assert set(shown["risk"]) == {"level", "score", "parts"}
    keys = {"name", "kind", "path", "line", "depth", "confidence", "origin", "via"}
    for item in (*shown["direct"], *shown["tests"], *shown["possible"]):
        assert keys <= set(item)
        assert set(item["via"]) == {"edge", "path", "line"}
    assert shown["symbol"]["qualified_name"] == "shop/price.py::price"
    assert [item["name"] for item in shown["tests"]] == ["test_price"]
    assert [item["path"] for item in shown["possible"]] == ["web/view.py"]


def test_the_text_has_sure_uses_by_file_and_possible_ones_apart() -> None:
    text = blast_text(view_of(FILES), ask(FILES, "price.py::price"))
    direct, possible = text.index("direct ("), text.index("possible (")
    assert direct < text.index("total calls at 4") < possible < text.index("web/view.py:2 in show")
    assert "shop/" in text
    assert "[unresolved]" in text


def test_a_zero_comes_with_its_reason() -> None:
    files = {"a.py": "def forgotten(): ...\n"}
    text = blast_text(view_of(files), ask(files, "forgotten"))
    assert "0 direct" in text
    assert "nothing uses forgotten" in text


def test_tests_and_paths_are_shown() -> None:
    view = view_of(FILES)
    price, total = locate_one(view, "price.py::price"), locate_one(view, "total")
    plan = plan_tests(view, [price], lambda _path: None)
    assert "python -m pytest tests/test_price.py::test_price" in plan_text(view, plan)
    assert json.loads(json.dumps(plan_json(view, plan)))["commands"][0]["runner"] == "pytest"
    routes = routes_between(view, price, total)
    assert "the other way round" in path_text(view, routes)
    [way] = json.loads(json.dumps(path_json(view, routes)))["paths"]
    assert way["symbols"] == ["shop/cart.py::total", "shop/price.py::price"]
    assert way["steps"][0]["edge"] == "calls"


def test_whether_others_may_depend_on_a_file_is_read_from_its_build_file() -> None:
    files = {
        "lib/pyproject.toml": b'[project]\nname = "lib"\n',
        "tools/pyproject.toml": b"[tool.ruff]\n",
        "web/package.json": b'{"private": true, "main": "a.js"}',
        "sdk/package.json": b'{"main": "a.js"}',
        "bad/package.json": b"{",
        "go/go.mod": b"module x",
    }
    published = [
        path
        for path in ("lib/a.py", "tools/a.py", "web/a.js", "sdk/a.js", "bad/a.js", "go/a.go")
        if is_published(path, files.get)
    ]
    assert published == ["lib/a.py", "sdk/a.js", "go/a.go"]
    assert not is_published("go/internal/a.go", files.get)
    assert not is_published("a.py", files.get)

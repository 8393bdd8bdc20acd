"""Stack traces, paths and diffs in a task point at the code they name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.retrieve.places import Place, places_in

FILES = {
    "app/cart.py": "def total(x):\n  pass\n\n\ndef clear(x):\n  pass\n",
    "app/web/cart.py": "def show():\n    return 1\n",
    "src/java/shop/Stock.java": "class Stock {\n int left() {\n }\n\n int sold() {\n\n\n }\n}\n",
    "pkg/server/run.go": "package server\n\nfunc Listen() {\n}\n\nfunc Close() {\n\n\n}\n",
    "src/lib.rs": "fn parse() {\n}\n\nfn print() {\n\n\n}\n",
    "web/view.ts": "function draw() {\n}\n\nfunction erase() {\n\n\n}\n",
    "lib/mailer.rb": "def deliver\n  1\nend\n\ndef queue\n  2\nend\n",
    "Core/Job.cs": "class Job {\n int Start() {\n }\n int Stop() {\n\n\n }\n}\n",
    "src/Form.php": "<?php\nfunction build() {\n}\nfunction check() {\n\n\n}\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    with Engine.open(root, index_dir=tmp_path_factory.mktemp("places")) as engine:
        engine.index(history=False)
        yield engine


def first(engine: Engine, task: str) -> str:
    ranking = engine.rank(task, limit=5)
    return ranking.view.symbols.chain[ranking.hits[0].symbol] if ranking.hits else ""


@pytest.mark.parametrize(
    ("trace", "name"),
    [
        (
            'Traceback (most recent call last):\n  File "/srv/build/app/cart.py", line 6, in f\n'
            "AttributeError: 'tuple' object has no attribute",
            "clear",
        ),
        ("NullPointerException\n\tat shop.Stock$1.x(Stock.java:7)", "Stock.sold"),
        ("panic: oops\n\t/home/ci/go/pkg/server/run.go:8 +0x1d", "Close"),
        ("thread 'main' panicked at src/lib.rs:6:5", "print"),
        ("TypeError: x\n    at Object.<anonymous> (/tmp/w/web/view.ts:6:10)", "erase"),
        ("lib/mailer.rb:6:in `x': undefined (NoMethodError)", "queue"),
        (r"Unhandled. at N.J.S() in C:\agent\Core\Job.cs:line 6", "Job.Stop"),
        ("PHP Fatal error: oops in /var/www/src/Form.php on line 6", "check"),
        ("PHP Warning: oops #0 /var/www/src/Form.php(6): x()", "check"),
        ("--- a/app/cart.py\n+++ b/app/cart.py\n@@ -5,2 +5,2 @@\n-    x\n+    y\n", "clear"),
    ],
)
def test_a_line_that_is_named_leads_to_what_stands_there(
    shop: Engine, trace: str, name: str
) -> None:
    assert first(shop, trace) == name


def test_a_file_that_is_named_comes_before_others_that_fit_as_well(shop: Engine) -> None:
    assert first(shop, "Something is wrong in app/web/cart.py") == "show"


def test_the_answer_says_that_the_task_names_the_place(shop: Engine) -> None:
    answer = shop.context("crash at src/lib.rs:6:5")
    assert "the task names its place" in answer.symbols[0].item.why


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see a/b.py and a/b.py again", [Place(path="a/b.py")]),
        ("x.py:3 then x.py:9", [Place(path="x.py", lines=(3,)), Place(path="x.py", lines=(9,))]),
        ("nothing here, i.e. no place", []),
        ("version 1.2.3 of 2024", []),
        ("", []),
    ],
)
def test_places_in_a_text(text: str, found: list[Place]) -> None:
    assert [place for place in places_in(text) if "/" in place.path or place.lines] == found


def test_a_huge_paste_is_read_in_bounded_time_and_number() -> None:
    assert (
        len(places_in("a/b.py:1 \\" * 100_000 + "\n".join(f"f{n}.py:1" for n in range(500)))) <= 64
    )


def test_a_name_that_many_files_have_points_nowhere(tmp_path: Path) -> None:
    root = tmp_path / "many"
    for number in range(6):
        folder = root / f"part{number}"
        folder.mkdir(parents=True)
        (folder / "init.py").write_text(f"def start{number}():\n    return {number}\n")
    with Engine.open(root, index_dir=tmp_path / "index") as engine:
        engine.index(history=False)
        ranking = engine.rank("fails in init.py:1")
        assert not ranking.evidence["place"].any()

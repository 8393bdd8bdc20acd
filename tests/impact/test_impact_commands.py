import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands") / "shop"
    files = {
        "shop/price.py": "def price():\n    return 1\n\ndef twin(): ...\n",
        "shop/cart.py": "from shop.price import price\n\ndef total():\n    return price()\n",
        "web/view.py": "from shop.cart import total\n\ndef show():\n    total()\n\ndef twin(): 0\n",
        "tests/test_cart.py": "from shop.cart import total\n\ndef test_total():\n    total()\n",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    where = ["--root", str(root), "--index-dir", str(root.parent / "index")]
    return subprocess.run(
        [sys.executable, "-m", "knowing", *arguments, *where],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def answered(root: Path, *arguments: str) -> dict[str, object]:
    done = run(root, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_blast_answers_as_text_and_as_one_object(root: Path) -> None:
    found = answered(root, "blast", "price", "--depth", "1")
    assert found["direct"][0]["name"] == "total"  # type: ignore[index]
    assert found["transitive"] == []
    shown = run(root, "blast", "price").stdout
    assert "total calls at 4" in shown
    assert "test_total" in shown


def test_tests_for_a_symbol_and_for_what_has_changed(root: Path) -> None:
    found = answered(root, "tests", "price")
    command = "python -m pytest tests/test_cart.py::test_total"
    assert found["commands"][0]["command"] == command  # type: ignore[index]
    assert answered(root, "tests", "--changed")["symbols"] == []
    changed = root / "shop/price.py"
    before = changed.read_text(encoding="utf-8")
    changed.write_text(before.replace("return 1", "return 2"), encoding="utf-8")
    try:
        assert command in run(root, "tests", "--changed", "HEAD").stdout
    finally:
        changed.write_text(before, encoding="utf-8")


def test_path_tells_the_direction(root: Path) -> None:
    assert answered(root, "path", "show", "price")["reversed"] is False
    assert "the other way round" in run(root, "path", "price", "show").stdout


@pytest.mark.parametrize("form", ["markdown", "json", "mermaid"])
def test_the_map_comes_in_three_forms(root: Path, form: str) -> None:
    done = run(root, "map", "--format", form, "--budget", "500")
    assert done.returncode == 0
    assert "shop" in done.stdout
    if form == "json":
        assert json.loads(done.stdout)["budget"]["used"] <= 500


def test_a_name_with_several_meanings_fails_and_lists_them(root: Path) -> None:
    done = run(root, "blast", "twin")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "shop/price.py:4 twin" in done.stderr
    assert "web/view.py:6 twin" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["blast", "prise"], 1),
        (["blast"], 2),
        (["blast", "price", "--depth", "0"], 2),
        (["path", "price"], 2),
        (["map", "--budget", "x"], 2),
        (["tests", "--changed", "no-such-branch"], 1),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_one_line(
    root: Path, arguments: list[str], code: int
) -> None:
    done = run(root, *arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert "Traceback" not in done.stderr

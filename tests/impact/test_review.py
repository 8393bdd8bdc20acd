from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from knowing.engine import Engine
from knowing.engine_pending import pending_edit
from knowing.present.pending import pending_json, pending_markdown
from tests.cli.running import Case
from tests.history.conftest import Repo

FILES = {
    "shop/cart.py": """
        def total(items):
            return sum(items)


        def empty(cart):
            while cart:
                cart.pop()
            return cart


        def lonely(number):
            return number + 1
        """,
    "shop/api.py": """
        from shop.cart import empty, total


        def checkout(cart):
            amount = total(cart)
            empty(cart)
            return amount
        """,
    "tests/test_cart.py": """
        from shop.cart import total


        def test_total():
            assert total([1, 2]) == 3
        """,
    "CODEOWNERS": "/shop/ @shopkeepers\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    root = tmp_path / "shop"
    root.mkdir()
    made = Repo(root)
    made.git("init", "--quiet", "--initial-branch=main")
    made.git("config", "user.name", "Ann")
    made.git("config", "user.email", "ann@example.org")
    made.commit("Sell", {path: dedent(text).lstrip() for path, text in FILES.items()}, who="Ann")
    for number in range(6):
        cart = (root / "shop/cart.py").read_text("utf-8") + f"\n\nN{number} = {number}\n"
        made.commit(f"Count to {number}", {"shop/cart.py": cart}, who="Bob")
    return made


def changed(repo: Repo, old: str, new: str, path: str = "shop/cart.py") -> str:
    text = (repo.root / path).read_text("utf-8")
    assert old in text
    repo.write({path: text.replace(old, new)})
    return text.replace(old, new)


def reviewed(repo: Repo, tmp_path: Path, *arguments: str) -> Any:
    ran = Case(repo.root, tmp_path / "index").call("review", *arguments, "--json")
    assert ran.code == 0, ran.err
    return ran.json


def kinds(found: Any) -> dict[str, str]:
    return {item["name"]: item["change"] for item in found["symbols"]}


def test_a_review_of_the_working_tree(repo: Repo, tmp_path: Path) -> None:
    changed(repo, "def total(items):", "def total(items, tax):")
    changed(repo, "return number + 1", "return number + 2")
    repo.write({"shop/extra.py": "def fresh():\n    return 1\n"})
    found = reviewed(repo, tmp_path, "HEAD", "--budget", "2000")
    assert kinds(found)["total"] == "signature changed"
    assert kinds(found)["lonely"] == "modified"
    assert kinds(found)["fresh"] == "added"
    total = next(item for item in found["symbols"] if item["name"] == "total")
    assert total["breaks"]
    assert any("shop/api.py:5" in site for site in total["sites"])
    assert any(test["name"] == "test_total" for test in found["tests"]["tests"])
    assert found["untested"] == ["shop/extra.py::fresh"]
    assert 0 < found["context"]["budget"]["used"] <= 2000
    text = found["markdown"]
    assert "### Check these uses" in text
    assert "parameter `tax` added" in text


def test_a_review_says_which_files_change_often_and_who_knows_them(
    repo: Repo, tmp_path: Path
) -> None:
    changed(repo, "sum(items)", "sum(items) + 0")
    [file] = reviewed(repo, tmp_path)["files"]
    assert (file["path"], file["commits"], file["hot"]) == ("shop/cart.py", 7, True)
    assert file["owners"] == ["@shopkeepers"]
    assert file["authors"] == [{"name": "Bob", "commits": 6}, {"name": "Ann", "commits": 1}]


def test_only_what_is_staged(repo: Repo, tmp_path: Path) -> None:
    changed(repo, "sum(items)", "sum(items) + 0")
    repo.git("add", "--all")
    changed(repo, "return number + 1", "return number + 2")
    assert kinds(reviewed(repo, tmp_path, "--staged")) == {"total": "modified"}


def test_a_range_is_compared_whatever_is_checked_out(repo: Repo, tmp_path: Path) -> None:
    changed(repo, "def empty(cart):", "def clear(cart):")
    changed(repo, "empty", "clear", "shop/api.py")
    repo.commit("Rename")
    changed(repo, "return number + 1", "return number + 2")
    found = reviewed(repo, tmp_path, "HEAD~1..HEAD")
    assert kinds(found)["clear"] == "renamed"
    assert "lonely" not in kinds(found)


def test_places_that_still_name_what_is_gone_are_listed(repo: Repo, tmp_path: Path) -> None:
    text = (repo.root / "shop/cart.py").read_text("utf-8")
    start, end = text.index("def empty"), text.index("def lonely")
    repo.write({"shop/cart.py": text[:start] + text[end:]})
    found = reviewed(repo, tmp_path)
    [gone] = [item for item in found["symbols"] if item["name"] == "empty"]
    assert gone["change"] == "removed"
    assert [site.split()[0] for site in gone["sites"]] == ["`shop/api.py:1`", "`shop/api.py:6`"]


def test_nothing_to_review(repo: Repo, tmp_path: Path) -> None:
    ran = Case(repo.root, tmp_path / "index").call("review")
    assert ran.code == 0
    assert ran.out.strip() == "Nothing has changed."


def test_an_unknown_revision_is_an_error(repo: Repo, tmp_path: Path) -> None:
    ran = Case(repo.root, tmp_path / "index").call("review", "nowhere..HEAD")
    assert ran.code == 1
    assert "nowhere" in ran.err


# -- edits that are not saved ------------------------------------------------------------------


def pending(repo: Repo, tmp_path: Path, text: str, *, overlaid: bool = False) -> Any:
    with Engine.open(repo.root, index_dir=tmp_path / "index") as engine:
        engine.index(history=False)
        if overlaid:
            engine.overlay("shop/cart.py", text)
        found = pending_edit(engine, "shop/cart.py", text)
        if overlaid:
            assert engine.source()("shop/cart.py") == text.encode()
        assert pending_markdown(found)
        return pending_json(found)


def edited(repo: Repo, old: str, new: str) -> str:
    text = (repo.root / "shop/cart.py").read_text("utf-8")
    assert old in text
    return text.replace(old, new)


def uses(found: Any, name: str) -> list[tuple[str, int]]:
    [change] = [item for item in found["changes"] if item["name"] == name]
    return [(use["path"], use["line"]) for use in change["uses"]]


@pytest.mark.parametrize("overlaid", [False, True])
def test_a_signature_that_is_about_to_change(repo: Repo, tmp_path: Path, overlaid: bool) -> None:
    text = edited(repo, "def total(items):", "def total(items, tax):")
    found = pending(repo, tmp_path, text, overlaid=overlaid)
    assert [item["change"] for item in found["changes"]] == ["signature changed"]
    assert ("shop/api.py", 5) in uses(found, "total")
    assert ("tests/test_cart.py", 5) in uses(found, "total")
    assert "tests/test_cart.py" in found["tests"]["commands"][0]["command"]


@pytest.mark.parametrize("overlaid", [False, True])
def test_a_function_that_is_about_to_be_renamed(repo: Repo, tmp_path: Path, overlaid: bool) -> None:
    text = edited(repo, "def empty(cart):", "def clear(cart):") + "\n\nempty([])\n"
    found = pending(repo, tmp_path, text, overlaid=overlaid)
    [renamed] = [item for item in found["changes"] if item["change"] == "renamed"]
    assert (renamed["before"]["name"], renamed["after"]["name"]) == ("empty", "clear")
    assert ("shop/api.py", 6) in uses(found, "clear")
    here = [line for path, line in uses(found, "clear") if path == "shop/cart.py"]
    assert here == [len(text.splitlines())]


def test_a_function_that_is_about_to_be_removed(repo: Repo, tmp_path: Path) -> None:
    text = (repo.root / "shop/cart.py").read_text("utf-8")
    start, end = text.index("def total"), text.index("def empty")
    found = pending(repo, tmp_path, text[:start] + text[end:])
    assert [item["change"] for item in found["changes"]] == ["removed"]
    assert ("shop/api.py", 5) in uses(found, "total")


def test_a_changed_body_breaks_nobody_and_names_its_tests(repo: Repo, tmp_path: Path) -> None:
    found = pending(repo, tmp_path, edited(repo, "sum(items)", "sum(items) + 0"))
    assert [(item["change"], item["uses"]) for item in found["changes"]] == [("modified", [])]
    assert [test["name"] for test in found["tests"]["tests"]] == ["test_total"]


def test_a_file_without_a_language_says_so(repo: Repo, tmp_path: Path) -> None:
    with Engine.open(repo.root, index_dir=tmp_path / "index") as engine:
        engine.index(history=False)
        found = pending_json(pending_edit(engine, "picture.xyz", "anything"))
    assert found["changes"] == []
    assert "not indexed" in found["notes"][0]

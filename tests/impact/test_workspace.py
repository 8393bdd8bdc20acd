import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.engine_impact import changes_since, circumstances, reader, unread_files
from knowing.errors import NotFoundError
from knowing.impact.blast import Blast, blast
from knowing.impact.tests import changed_symbols
from knowing.retrieve.locate import locate_one


def write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def asked(root: Path, index: Path, symbol: str) -> Blast:
    with Engine.open(root, None, index) as engine:
        engine.index(history=False)
        view = engine.view()
        number = locate_one(view, symbol)
        return blast(view, number, given=circumstances(engine, view, number))


def test_a_use_in_a_template_is_found_although_templates_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(
        root,
        {
            "cart.py": "class Cart:\n    def grand_total(self): ...\n",
            "templates/cart.haml": "%p\n= cart.grand_total()\n",
        },
    )
    answer = asked(root, tmp_path / "index", "grand_total")
    assert not answer.complete
    assert [(item.path, item.line) for item in answer.possible] == [("templates/cart.haml", 2)]
    assert "unsupported" in {reason.code for reason in answer.reasons}


def test_a_template_without_the_name_does_not_stand_in_the_way(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(root, {"cart.py": "def lonely(): ...\n", "page.html": "<p>nothing</p>\n"})
    answer = asked(root, tmp_path / "index", "lonely")
    assert answer.complete
    assert not answer.direct


def test_a_use_in_a_broken_file_is_not_lost(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(
        root,
        {
            "cart.py": "class Cart:\n    def grand_total(self): ...\n",
            "broken.py": "def show(cart:\n    ]]] cart.grand_total(\n",
        },
    )
    answer = asked(root, tmp_path / "index", "Cart.grand_total")
    assert not answer.complete
    assert "broken.py" in {i.path for i in answer.direct} | {i.path for i in answer.possible}


def test_a_library_says_that_others_may_use_it(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(root, {"pyproject.toml": '[project]\nname = "shop"\n', "cart.py": "def lonely(): ...\n"})
    answer = asked(root, tmp_path / "index", "lonely")
    assert [reason.code for reason in answer.reasons] == ["public_api"]


def test_ignored_files_are_not_searched(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(root, {".gitignore": "out/\n", "cart.py": "x = 1\n", "out/a.html": "", "a.html": ""})
    with Engine.open(root, None, tmp_path / "index") as engine:
        engine.index(history=False)
        paths = [item.path for item in unread_files(engine)]
    assert "a.html" in paths
    assert "out/a.html" not in paths


def test_files_outside_the_root_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"secret.txt": "x", "shop/a.txt": "y"})
    read = reader(tmp_path / "shop")
    assert read("a.txt") == b"y"
    assert read("../secret.txt") is None
    assert read("missing.txt") is None
    assert read("") is None


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    write(root, {"cart.py": "def one():\n    return 1\n\ndef two():\n    return 2\n", "old.py": ""})
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def test_changes_since_a_revision_lead_to_symbols(repository: Path, tmp_path: Path) -> None:
    write(repository, {"cart.py": "def one():\n    return 1\n\ndef two():\n    return 3\n"})
    write(repository, {"fresh.py": "def three(): ...\n"})
    (repository / "old.py").unlink()
    changes, notes = changes_since(repository, "HEAD")
    with Engine.open(repository, None, tmp_path / "index") as engine:
        engine.index(history=False)
        view = engine.view()
    symbols, unknown = changed_symbols(view, changes)
    assert {view.identity(symbol) for symbol in symbols} == {"cart.py::two", "fresh.py::three"}
    assert not unknown
    assert any("old.py" in note for note in notes)


def test_a_revision_that_does_not_exist_is_an_error_for_the_user(repository: Path) -> None:
    with pytest.raises(NotFoundError):
        changes_since(repository, "nowhere")


def test_what_changes_often_is_a_higher_risk(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write(root, {"cart.py": "def busy():\n    return 0\n\n\ndef calm():\n    return 0\n"})
    for number in range(8):
        text = f"def busy():\n    return {number}\n\n\ndef calm():\n    return 0\n"
        write(root, {"cart.py": text})
        if number == 0:
            subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        subprocess.run(["git", "add", "--all"], cwd=root, check=True)
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *who, "commit", "--quiet", "-m", "Count"], cwd=root, check=True)
    with Engine.open(root, None, tmp_path / "index") as engine:
        engine.index()
        view = engine.view()
        parts = {}
        for name in ("busy", "calm"):
            number = locate_one(view, name)
            risk = blast(view, number, given=circumstances(engine, view, number)).risk
            parts[name] = next(part for part in risk.parts if part.name == "churn")
    assert parts["busy"].value > parts["calm"].value
    assert parts["busy"].detail == "commits that changed it: 8"

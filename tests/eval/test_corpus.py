import subprocess
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.corpus import Pin, fetch, pins, state_of
from eval.failure import EvalError


def git(repo: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repo), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    """A repository with two commits, pinned at the first."""
    source = tmp_path / "clones" / "shop"
    source.mkdir(parents=True)
    git(source, "init", "--quiet")
    commits = []
    for text in ("one", "two"):
        (source / "a.py").write_text(text, encoding="utf-8")
        git(source, "add", "--all")
        git(source, "commit", "--quiet", "--message", text)
        commits.append(git(source, "rev-parse", "HEAD"))
    return Pin(name="shop", address=source.as_uri(), commit=commits[0], language="python")


@pytest.mark.parametrize("from_folder", [True, False])
def test_a_repository_is_put_in_place_at_its_commit(
    pin: Pin, tmp_path: Path, from_folder: bool
) -> None:
    target = tmp_path / "corpus"
    assert state_of(pin, target) == "absent"
    said = fetch(pin, target, tmp_path / "clones" if from_folder else None)
    assert said.startswith("cloned from")
    assert (target / "shop" / "a.py").read_text("utf-8") == "one"
    assert state_of(pin, target) == "in place"
    assert fetch(pin, target) == "in place"


def test_another_state_is_not_overwritten(pin: Pin, tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="move it away"):
        fetch(pin, tmp_path / "clones")
    assert (tmp_path / "clones" / "shop" / "a.py").read_text("utf-8") == "two"


def test_pins_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(pins()) >= 7
    assert all(len(each.commit) == 40 for each in pins())


def test_what_is_not_pinned_cannot_be_fetched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "fetch", "--to", str(tmp_path), "--repo", "unheard"]) == 1
    assert "not pinned: unheard" in capsys.readouterr().err

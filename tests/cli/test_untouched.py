"""Nothing is ever written into the workspace, whatever is asked and wherever the root is."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import Case, run
from tests.cli.workspaces import small

COMMANDS = (
    ("status",),
    ("check",),
    ("doctor",),
    ("settings",),
    ("index",),
    ("index", "--full"),
    ("dump", "symbols"),
    ("dump", "edges"),
    ("status",),
    ("check",),
    ("clear",),
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with tracked, changed, untracked and ignored files."""
    root = small(tmp_path / "repository")
    small(root / "part")
    (root / ".gitignore").write_text("ignored/\n*.log\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "All of it")
    small(root / "ignored")
    (root / "part" / "noise.log").write_text("noise\n")
    (root / "module_0.py").write_text("CHANGED = True\n")
    (root / "untracked.py").write_text("NEW = True\n")
    return root


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def state(root: Path) -> tuple[str, list[tuple[str, int, int, int]]]:
    """What git says, and every file and folder with its size and times; git's own data as well."""
    said = git(root, "--no-optional-locks", "status", "--porcelain", "--ignored")
    listing = []
    for folder, folders, files in os.walk(root):
        for name in sorted([*folders, *files]):
            status = os.stat(os.path.join(folder, name))
            path = os.path.relpath(os.path.join(folder, name), root)
            listing.append((path, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return said, sorted(listing)


@pytest.mark.parametrize("inner", [".", "part"])
def test_every_command_leaves_the_workspace_as_it_is(
    repository: Path, tmp_path: Path, inner: str
) -> None:
    before = state(repository)
    case = Case(repository / inner, tmp_path / "index")
    for command in COMMANDS:
        ran = case.call(*command)
        assert "Traceback" not in ran.err
        assert state(repository) == before, command


def test_a_run_from_within_the_workspace_leaves_it_as_it_is(
    repository: Path, tmp_path: Path
) -> None:
    """As a user starts it: no root, no index folder, the workspace as working directory."""
    before = state(repository)
    ran = run("index", "--json", cwd=repository)
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["root"] == str(repository)
    assert state(repository) == before


@pytest.mark.parametrize("command", [("index",), ("status",), ("dump", "symbols"), ("clear",)])
@pytest.mark.parametrize("place", ["{root}", "{root}/index", "index"])
def test_an_index_inside_the_workspace_is_refused(
    repository: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], place: str
) -> None:
    monkeypatch.chdir(repository)
    before = state(repository)
    ran = Case(repository, Path(place.format(root=repository))).call(*command)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the index must not lie inside the workspace")
    assert "--index-dir" in ran.err
    assert state(repository) == before


def test_the_doctor_refuses_it_too(repository: Path) -> None:
    before = state(repository)
    ran = Case(repository, repository / "index").call("doctor")
    assert ran.code == 1
    assert "BAD index folder: the index must not lie inside the workspace" in ran.out
    assert state(repository) == before

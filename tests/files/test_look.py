"""One path is judged as a scan of everything judges it."""

import os
from pathlib import Path
from typing import Any

import pytest

from knowing.files import look
from knowing.model import Skipped, SourceFile
from tests.files.workspace import Workspace, make_rules

FILES = (
    "a.py",
    "b.txt",
    "build/gen/kept.py",
    "build/gen/lost.py",
    "build/tracked.py",
    "docs/x.md",
    "node_modules/p/a.js",
    "nested/log.py",
    "nested/own.py",
    "env/lib/a.py",
    "src/tests/test_a.py",
    "src/examples/e_pb2.py",
    "src/vendor/v.py",
    "big.py",
)


@pytest.fixture
def mixed(workspace: Workspace) -> Workspace:
    """A workspace in which every sort of decision is taken."""
    workspace.repository().repository("nested").touch(*FILES)
    workspace.write({"env/pyvenv.cfg": "", "big.py": "x" * 2000})
    workspace.git("add", "build/tracked.py")
    workspace.write({".gitignore": "build/\nlog.py\n", "nested/.gitignore": "own.py\n"})
    workspace.write({"src/.knowingignore": "examples/*.js\n"})
    workspace.link("again", "src").link("alias.py", "a.py").link("gone.py", "nowhere")
    os.mkfifo(workspace.root / "pipe.py")
    return workspace


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"include": ("build/gen/kept.py", "node_modules/p/**")},
        {"skip_vendored": False, "skip_generated": True, "respect_gitignore": False},
        {"exclude": ("src/",), "follow_symlinks": True},
    ],
)
def test_agrees_with_a_scan(mixed: Workspace, changes: dict[str, Any]) -> None:
    rules = make_rules(max_file_bytes=1000, test_patterns={"python": ("**/tests/**",)}, **changes)
    found = mixed.scan(**{"max_file_bytes": 1000, "test_patterns": rules.test_patterns, **changes})
    taken = {file.path: file for file in found.files}
    skipped = {item.path: item for item in found.skipped}
    names = (*FILES, "again/tests/test_a.py", "alias.py", "gone.py", "pipe.py", ".git/config")
    assert len(taken) > 1
    for name in names:
        seen = look(mixed.root, name, rules)
        if isinstance(seen, SourceFile):
            assert seen == taken[name]
        elif "unsupported" in seen.reason:
            assert name == "b.txt"
        else:
            assert seen == skipped[seen.path]
            assert name == seen.path or name.startswith(f"{seen.path}/")


@pytest.mark.parametrize("path", ["absent.py", "absent/a.py", "a.py/b.py", "src/absent.py"])
def test_what_is_not_there(mixed: Workspace, path: str) -> None:
    seen = look(mixed.root, path, make_rules())
    assert isinstance(seen, Skipped)
    assert "no such file" in seen.reason


@pytest.mark.parametrize(
    "path", ["../a.py", "src/../../a.py", "/etc/hosts", "", "./a.py", "a//b.py"]
)
def test_what_is_not_inside(mixed: Workspace, path: str) -> None:
    assert look(mixed.root, path, make_rules()) == Skipped(
        path=path, reason="outside the workspace"
    )


def test_a_folder_is_not_a_file(mixed: Workspace) -> None:
    (mixed.root / "folder.py").mkdir()
    seen = look(mixed.root, "folder.py", make_rules())
    assert seen == Skipped(path="folder.py", reason="not a regular file: a folder")


def test_sees_a_change_at_once(workspace: Workspace) -> None:
    workspace.touch("a.py")
    assert isinstance(look(workspace.root, "a.py", make_rules()), SourceFile)
    workspace.write({".knowingignore": "a.py"})
    seen = look(workspace.root, "a.py", make_rules())
    assert seen == Skipped(path="a.py", reason="ignored by .knowingignore:1 (a.py)")
    (workspace.root / "a.py").unlink()
    assert isinstance(look(Path(workspace.root), "a.py", make_rules()), Skipped)

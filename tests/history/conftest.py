"""A real repository whose commits have fixed dates."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from knowing.history import Commit, Limits, Mined, current_paths, mine

FIRST_SECOND = 1_600_000_000
Names = set[tuple[str, str]]


class Repo:
    """A folder with git in it; each commit is a minute later than the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = FIRST_SECOND

    def git(self, *arguments: str, text: str | None = None) -> str:
        stamp = f"{self.clock} +0000"
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
            check=False,
        )
        assert done.returncode == 0, f"git {arguments}: {done.stderr}"
        return done.stdout.strip()

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")

    def commit(self, message: str, files: Mapping[str, str] | None = None, who: str = "") -> str:
        """Write files, commit everything that changed and give back the hash."""
        self.write(files or {})
        self.git("add", "--all")
        self.clock += 60
        author = (f"--author={who} <{who.lower()}@example.org>",) if who else ()
        self.git("commit", "--quiet", "--allow-empty", *author, "-m", message)
        return self.git("rev-parse", "HEAD")

    def mine(
        self,
        suffixes: Sequence[str] = (".py",),
        *,
        root: Path | None = None,
        since: str | None = None,
        known: Sequence[str] = (),
        limits: Limits | None = None,
    ) -> Mined:
        return mine(root or self.root, suffixes, limits=limits, since=since, known=known)

    def tracked(self) -> list[str]:
        return [path for path in self.git("ls-files", "-z").split("\0") if path]

    def current(self, mined: Mined) -> dict[str, set[str]]:
        """Subjects of the commits that are linked to each file of today."""
        found: dict[str, set[str]] = {}
        paths = current_paths(mined.commits, set(self.tracked()))
        for commit, row in zip(mined.commits, paths, strict=True):
            for path in row:
                if path is not None:
                    found.setdefault(path, set()).add(commit.subject)
        return found


def init(root: Path) -> Repo:
    root.mkdir(parents=True, exist_ok=True)
    repo = Repo(root)
    repo.git("init", "--quiet", "--initial-branch=main")
    return repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "repo")


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[[str], Repo]:
    return lambda name: init(tmp_path / name)


@pytest.fixture
def clone(tmp_path: Path) -> Callable[..., Repo]:
    """Clones a repository over the file transport, which honours depth and filters."""

    def make(source: Repo, name: str, *options: str) -> Repo:
        source.git("clone", "--quiet", *options, f"file://{source.root}", str(tmp_path / name))
        made = Repo(tmp_path / name)
        made.clock = source.clock
        return made

    return make


@pytest.fixture
def names() -> Callable[[Commit], Names]:
    """The definitions that a commit touched, as (owner, name)."""
    return lambda commit: {(touch.owner, touch.name) for touch in commit.touches}

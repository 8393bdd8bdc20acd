"""Finding the repository a folder belongs to, or the reason why there is none to read."""

from dataclasses import dataclass
from pathlib import Path

from knowing.errors import HistoryError
from knowing.history import git


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A folder under version control that has at least one commit."""

    root: Path
    prefix: str
    """Where the folder lies inside the repository (`sub/folder/`); empty at its top."""
    head: str
    branch: str | None
    """None when HEAD points at a commit and not at a branch."""
    boundary: frozenset[str]
    """Commits of a shallow clone whose parents are not there; empty for a full clone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRepository:
    """Why there is no history: a state of the workspace, not a failure."""

    reason: str
    hint: str = ""
    certain: bool = False
    """True when there is nothing to read, false when it only cannot be read at present."""


def find(root: Path) -> Repository | NoRepository:
    """Look at the folder with git's own eyes. Never raises for what a user can have on disk."""
    try:
        return _find(root)
    except HistoryError as error:
        return NoRepository(reason=str(error), hint=error.hint)


def require(root: Path) -> Repository:
    """The repository of a folder; raises `HistoryError` with the reason when there is none."""
    found = find(root)
    if isinstance(found, NoRepository):
        raise HistoryError(found.reason, found.hint or "run this inside a git repository")
    return found


def _find(root: Path) -> Repository | NoRepository:
    if not root.is_dir():
        return NoRepository(reason=f"{root} is not a folder", certain=True)
    place = git.ask(root, "rev-parse", "--show-prefix", "--git-path", "shallow")
    if place.code != 0:
        return _explain(root, place.error)
    prefix, _, shallow = place.text.partition("\n")
    branch = git.ask(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    head = git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head.code != 0:
        return _headless(root)
    return Repository(
        root=root,
        prefix=prefix,
        head=head.text,
        branch=branch.text if branch.code == 0 else None,
        boundary=_shallow_boundary(root / shallow.strip()),
    )


def _explain(root: Path, error: str) -> NoRepository:
    if "dubious ownership" in error or "unsafe repository" in error:
        return NoRepository(
            reason="the repository belongs to another user and git refuses to read it",
            hint=f"if you trust it: git config --global --add safe.directory {root}",
        )
    if "not a git repository" in error:
        return NoRepository(reason="not a git repository", certain=True)
    return NoRepository(
        reason=f"git cannot read the repository: {error}",
        hint=f"see what `git -C {root} status` says",
    )


def _headless(root: Path) -> NoRepository:
    """HEAD names no commit: a repository without commits, or one that is damaged."""
    name = git.ask(root, "symbolic-ref", "--quiet", "HEAD")
    resolved = git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD")
    # A branch that does not exist yet is silent; one whose file is damaged is complained about.
    silent = not git.ask(root, "for-each-ref", "--format=%(refname)", name.text).error
    if name.code == 0 and resolved.code != 0 and silent:
        return NoRepository(reason="the branch has no commits yet", certain=True)
    return NoRepository(
        reason="the commit that HEAD points at cannot be read",
        hint=f"the repository is damaged: try `git -C {root} fsck`",
    )


def _shallow_boundary(path: Path) -> frozenset[str]:
    try:
        return frozenset(path.read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()
    except (OSError, UnicodeDecodeError) as error:
        raise HistoryError(f"{path} cannot be read: {error}", "check its permissions") from error

"""Where the working tree stands: its head, and what changed in it since a revision."""

import re
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from knowing.errors import HistoryError, NotFoundError
from knowing.history import git, log, patch, repository

MAX_UNTRACKED = 2_000
MAX_UNTRACKED_BYTES = 2 * 1024 * 1024
MAX_SECONDS = 60.0
_HUNK = re.compile(rb"\n@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class ChangeKind(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    UNTRACKED = "untracked"


_KINDS = {"A": ChangeKind.ADDED, "D": ChangeKind.DELETED, "R": ChangeKind.RENAMED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The commit that is checked out."""

    commit: str
    branch: str | None
    """None when no branch is checked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines that changed: 1-based starts; a count of 0 means that one side has no lines, and
    its start is the line after which the other side's were put or taken."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file that differs; without hunks when it is binary or only moved."""

    path: str
    """Relative to the root, with `/`; the old name of a deleted file."""
    old_path: str | None
    """Its name in the base revision; None for a file that is new."""
    kind: ChangeKind
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs between a revision and the working tree, by path."""

    base: str
    """Full hash of the revision."""
    head: str
    files: tuple[FileChange, ...]
    problems: tuple[str, ...]


def head(root: Path) -> Head | None:
    """What is checked out; None where there is no commit to speak of."""
    found = repository.find(root)
    if isinstance(found, repository.NoRepository):
        return None
    return Head(commit=found.head, branch=found.branch)


def resolve(root: Path, revision: str) -> str:
    """The full hash of a branch, tag or commit; raises `NotFoundError` if there is none."""
    repository.require(root)
    name = revision.strip()
    # What begins with a dash would be read as an option.
    if name and not name.startswith("-"):
        answer = git.ask(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if answer.code == 0:
            return answer.text
    raise NotFoundError(
        f"no revision {revision!r} in {root}",
        "name a branch, a tag or a commit, such as main or HEAD~1; fetch it if it is not here",
    )


def fork_point(root: Path, revision: str) -> str:
    """The commit where the working tree's history left that of a revision."""
    base = resolve(root, revision)
    answer = git.ask(root, "merge-base", base, "HEAD")
    if answer.code != 0:
        raise NotFoundError(
            f"{revision!r} and HEAD have no commit in common",
            "name a revision of the same history; a shallow clone needs git fetch --unshallow",
        )
    return answer.text


def changes(root: Path, base: str) -> Changes:
    """Everything that differs between `base` and the files as they lie there, untracked too."""
    commit = resolve(root, base)
    repo = repository.require(root)
    where = [] if not repo.prefix else ["."]
    tracked = _tracked(root, [commit], where)
    untracked, problems = _untracked(root)
    files = sorted((*tracked, *untracked), key=lambda change: change.path)
    return Changes(base=commit, head=repo.head, files=tuple(files), problems=problems)


def changes_between(root: Path, base: str, tip: str) -> Changes:
    """What differs between two revisions, whatever is checked out."""
    return _of_sides(root, resolve(root, base), [resolve(root, tip)])


def changes_staged(root: Path, base: str = "HEAD") -> Changes:
    """What the next commit would change."""
    return _of_sides(root, resolve(root, base), ["--cached"])


def _of_sides(root: Path, base: str, other: list[str]) -> Changes:
    repo = repository.require(root)
    sides = [*other, base] if other == ["--cached"] else [base, *other]
    files = sorted(
        _tracked(root, sides, [] if not repo.prefix else ["."]), key=lambda change: change.path
    )
    return Changes(base=base, head=repo.head, files=tuple(files), problems=())


def text_at_revision(root: Path, revision: str, path: str) -> bytes | None:
    """A file as it is in a revision, or staged where the revision is empty; None if it is not."""
    answer = git.ask(root, "show", f"{revision}:./{path}")
    return answer.output if answer.code == 0 else None


def _tracked(root: Path, sides: list[str], where: list[str]) -> list[FileChange]:
    options = ["--relative", log.ANY_RENAMES, *log.SHARED_OPTIONS]
    answer = git.ask(root, "diff", "--raw", "-z", *options, *sides, "--", *where)
    if answer.code != 0:
        raise HistoryError(
            f"git cannot compare with {sides[-1]}: {answer.error}",
            f"see what `git -C {root} diff --stat {' '.join(sides)}` says",
        )
    # A file in conflict is listed twice; the entry that says more comes last.
    listed = {change.path: change for change in log.parse_raw(answer.output.split(b"\0"))}
    hunks = _hunks(root, [*options, *sides, "--", *where], listed)
    return [
        FileChange(
            path=log.path_text(change.path),
            old_path=None if change.status == "A" else log.path_text(change.old),
            kind=_KINDS.get(change.status, ChangeKind.MODIFIED),
            hunks=tuple(hunks[change.path]),
        )
        for change in listed.values()
        if change.path in hunks
    ]


def _hunks(
    root: Path, arguments: list[str], listed: dict[bytes, log.Change]
) -> dict[bytes, list[Hunk]]:
    """Hunks by path, for every file that differs.

    As the index may not be refreshed, git also lists files that were only saved again; it has
    nothing to show for those.
    """
    line = git.command("diff", "--patch", "--unified=0", "--inter-hunk-context=0", *arguments)
    patience = git.Patience(deadline=time.monotonic() + MAX_SECONDS, cancelled=lambda: False)
    stream = git.Stream(root, line, patience)
    headers = {patch.patch_header(change): change.path for change in listed.values()}
    hunks: dict[bytes, list[Hunk]] = {}
    for segment in patch.segments(stream):
        header, _, details = segment.partition(b"\n")
        path = headers.get(header)
        if path is not None and details.strip():
            hunks.setdefault(path, []).extend(_hunk(match) for match in _HUNK.finditer(segment))
    if stream.ending is not git.Ending.DONE:
        raise HistoryError(
            f"git cannot show the changes: {stream.error or stream.ending.value}",
            "choose a base that is nearer to the working tree",
        )
    return hunks


def _hunk(match: re.Match[bytes]) -> Hunk:
    old_start, old_count, new_start, new_count = match.groups()
    return Hunk(
        old_start=int(old_start),
        old_count=1 if old_count is None else int(old_count),
        new_start=int(new_start),
        new_count=1 if new_count is None else int(new_count),
    )


def _untracked(root: Path) -> tuple[list[FileChange], tuple[str, ...]]:
    answer = git.ask(root, "ls-files", "--others", "--exclude-standard", "-z")
    if answer.code != 0:
        return [], (f"untracked files are not listed: {answer.error}",)
    # A name with a slash at its end is another repository inside this one.
    paths = [path for path in answer.output.split(b"\0") if path and not path.endswith(b"/")]
    problems: tuple[str, ...] = ()
    if len(paths) > MAX_UNTRACKED:
        problems = (f"{len(paths)} files are untracked; the first {MAX_UNTRACKED} are listed",)
    files = [_untracked_file(root, log.path_text(path)) for path in sorted(paths)[:MAX_UNTRACKED]]
    return files, problems


def _untracked_file(root: Path, path: str) -> FileChange:
    lines = _count_lines(root / path)
    hunk = Hunk(old_start=0, old_count=0, new_start=1, new_count=lines)
    return FileChange(
        path=path,
        old_path=None,
        kind=ChangeKind.UNTRACKED,
        hunks=(hunk,) if lines else (),
    )


def _count_lines(path: Path) -> int:
    """Lines of a text file; 0 for one that is empty, binary, very large or not readable."""
    try:
        if path.is_symlink() or path.stat().st_size > MAX_UNTRACKED_BYTES:
            return 0
        data = path.read_bytes()
    except OSError:
        return 0
    if b"\0" in data:
        return 0
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))

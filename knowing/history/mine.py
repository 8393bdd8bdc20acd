"""Mining: the log of a repository read into commits, newest first, bounded and resumable.

Two passes of `git log`. The first names the commits and their files from trees alone; the
second reads patches of the commits that are new and small enough to say something about the
definitions they touch. Whatever stops it, each commit is read completely or not at all, and the
next run takes up the rest.
"""

import logging
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowing.errors import HistoryError
from knowing.history import definitions, git, log, patch, repository
from knowing.history.commit import Commit, Touch

logger = logging.getLogger(__name__)

MAX_FILES_WITH_TOUCHES = 60
"""A commit with more files is a sweep: it says nothing about single definitions."""
SCAN_FACTOR = 10
"""Commits looked at for each one wanted; the others touch no file of interest."""
MAX_UNREADABLE = 10
"""Commits whose contents are absent before the rest is taken without definitions."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much history is wanted and how long it may take."""

    max_commits: int = 5_000
    max_seconds: float | None = None
    cancelled: Callable[[], bool] = _never
    """Asked many times a second from the calling thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """What one run brought, and what to remember for the next."""

    commits: tuple[Commit, ...] = ()
    """Commits not known before, newest first."""
    order: tuple[str, ...] = ()
    """Hashes of the whole history, newest first: known ones and new ones. A known commit that
    is not listed is no longer part of it."""
    head: str | None = None
    since: str | None = None
    """To be given as `since` next time; None as long as something is left to be read."""
    reason: str = ""
    """Why nothing could be read; empty when git answered."""
    problems: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Run:
    """The state of one mining run."""

    repo: repository.Repository
    suffixes: tuple[str, ...]
    patience: git.Patience
    max_commits: int
    renames: str = log.ANY_RENAMES
    complete: bool = True
    problems: list[str] = field(default_factory=list)

    def stopped(self, ending: git.Ending) -> None:
        """Note why a stream ended early; what it brought is kept."""
        if ending in (git.Ending.CANCELLED, git.Ending.TIMEOUT):
            self.complete = False
            why = "cancelled" if ending is git.Ending.CANCELLED else "out of time"
            if (text := f"history is not read to its end: {why}") not in self.problems:
                self.problems.append(text)


def mine(
    root: Path,
    suffixes: Collection[str],
    *,
    limits: Limits | None = None,
    since: str | None = None,
    known: Sequence[str] = (),
) -> Mined:
    """Read the commits that touch files with these suffixes and are not known yet.

    `known` are the hashes of the last run's `order`, `since` its `since`. Give `since` only for
    the same suffixes and `max_commits`. Problems of the repository are told in the result;
    nothing is raised for them.
    """
    limits = limits or Limits()
    repo = repository.find(root)
    if isinstance(repo, repository.NoRepository):
        return Mined(
            order=() if repo.certain else tuple(known),
            reason=f"{repo.reason} ({repo.hint})" if repo.hint else repo.reason,
        )
    seconds = limits.max_seconds
    deadline = None if seconds is None else time.monotonic() + seconds
    run = _Run(
        repo=repo,
        suffixes=tuple(sorted(suffixes)),
        patience=git.Patience(deadline=deadline, cancelled=limits.cancelled),
        max_commits=limits.max_commits,
    )
    try:
        return _mine(run, since, known)
    except HistoryError as error:
        logger.warning("history of %s: %s", root, error)
        return Mined(order=tuple(known), head=repo.head, problems=(str(error),))


def _mine(run: _Run, since: str | None, known: Sequence[str]) -> Mined:
    continues = since is not None and _is_ancestor(run.repo, since)
    entries = _read_entries(run, [f"{since}..{run.repo.head}"] if continues else [run.repo.head])
    old = frozenset(known)
    fresh = [entry for entry in entries if entry.hash not in old]
    commits = _read_commits(run, fresh)
    have = old.union(commit.hash for commit in commits)
    order = [entry.hash for entry in entries if entry.hash in have]
    if continues or not run.complete:
        # A walk that ends early, by design or not, does not show that what it did not reach is
        # gone.
        listed = frozenset(order)
        order += [commit for commit in known if commit not in listed]
    if run.repo.boundary:
        run.problems.append("shallow clone: history ends where the clone does")
    return Mined(
        commits=tuple(commits),
        order=tuple(order[: run.max_commits]),
        head=run.repo.head,
        since=run.repo.head if run.complete and not run.repo.boundary else None,
        problems=tuple(run.problems),
    )


def _is_ancestor(repo: repository.Repository, commit: str) -> bool:
    return git.ask(repo.root, "merge-base", "--is-ancestor", commit, repo.head).code == 0


def _read_entries(run: _Run, revisions: Sequence[str]) -> list[log.Entry]:
    """The newest commits that touch a file of interest."""
    entries, reader = _read_log(run, revisions)
    if reader.stream.ending is git.Ending.FAILED:
        # Contents may be absent: finding renames by likeness needs them, trees do not.
        run.renames = log.EXACT_RENAMES
        again, reader = _read_log(run, revisions)
        entries = max(again, entries, key=len)
    if reader.stream.ending is git.Ending.FAILED:
        run.complete = False
        run.problems.append(f"git log stopped early: {reader.stream.error}")
    run.stopped(reader.stream.ending)
    return entries


def _read_log(run: _Run, revisions: Sequence[str]) -> tuple[list[log.Entry], log.LogReader]:
    wanted = run.max_commits
    line = log.log_line(revisions, run.renames, wanted * SCAN_FACTOR, not run.repo.prefix)
    suffixes = tuple(suffix.encode() for suffix in run.suffixes)
    reader = log.read_log(run.repo.root, line, run.patience, suffixes)
    entries: list[log.Entry] = []
    for entry in reader:
        # The oldest commit of a shallow clone seems to add every file.
        if entry.changes and entry.hash not in run.repo.boundary and len(entries) < wanted:
            entries.append(entry)
        if len(entries) >= wanted:
            reader.stream.enough()
    return entries, reader


def _read_commits(run: _Run, entries: Sequence[log.Entry]) -> list[Commit]:
    small = {
        entry.hash: entry.changes
        for entry in entries
        if len(entry.changes) <= MAX_FILES_WITH_TOUCHES
    }
    with tempfile.TemporaryDirectory(prefix="knowing-git-") as folder:
        attributes = Path(folder) / "attributes"
        attributes.write_text(definitions.attributes(run.suffixes), "utf-8")
        touches = _read_touches(run, small, attributes)
    return [
        _commit(entry, touches.get(entry.hash, ()))
        for entry in entries
        if entry.hash in touches or entry.hash not in small
    ]


def _read_touches(
    run: _Run, small: dict[str, tuple[log.Change, ...]], attributes: Path
) -> dict[str, tuple[Touch, ...]]:
    """Definitions by commit; a commit whose contents are absent has none."""
    touches: dict[str, tuple[Touch, ...]] = {}
    waiting = list(small)
    unreadable = 0
    line = patch.patch_line(run.renames, attributes)
    while waiting:
        stdin = "".join(f"{commit}\n" for commit in waiting).encode("ascii")
        stream = git.Stream(run.repo.root, line, run.patience, stdin)
        before = len(touches)
        touches.update(patch.read_patches(stream, small, run.suffixes))
        waiting = [commit for commit in waiting if commit not in touches]
        run.stopped(stream.ending)
        if stream.ending is not git.Ending.FAILED:
            break
        if len(touches) == before:
            # git gave up on the first of them, so that is the one it cannot read.
            unreadable += 1
            touches[waiting.pop(0)] = ()
            logger.info("cannot read the contents of a commit: %s", stream.error)
        if unreadable >= MAX_UNREADABLE:
            unreadable += len(waiting)
            touches.update((commit, ()) for commit in waiting)
            break
    if unreadable:
        run.problems.append(
            f"{unreadable} commits are linked to files only: their contents are not in this clone"
        )
    return touches


def _commit(entry: log.Entry, touches: tuple[Touch, ...]) -> Commit:
    return Commit(
        hash=entry.hash,
        time=entry.time,
        author=entry.author,
        email=entry.email,
        subject=entry.subject,
        body=entry.body,
        file_count=len(entry.changes),
        files=tuple(log.path_text(change.path) for change in entry.changes[: log.MAX_FILES]),
        renames=log.renames_of(entry),
        touches=touches,
    )

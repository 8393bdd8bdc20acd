"""Following files through their renames: what a commit's paths are called today."""

from collections.abc import Container, Sequence

from knowing.history.commit import Commit

MAX_HOPS = 32
"""Renames followed for a path that the walk itself does not bring home."""


def current_paths(
    commits: Sequence[Commit], present: Container[str]
) -> list[tuple[str | None, ...]]:
    """For each commit, today's names of its `files`; None for a file that is gone.

    `commits` are newest first. Walking back in time, a rename holds for everything older. A
    name that still leads nowhere may come from a branch that ran beside the rename, so renames
    of any time are tried for it.
    """
    latest: dict[str, str] = {}
    for commit in commits:
        for rename in commit.renames:
            latest.setdefault(rename.old, rename.new)
    today: dict[str, str] = {}
    result: list[tuple[str | None, ...]] = []
    for commit in commits:
        result.append(
            tuple([_home(today.get(path, path), latest, present) for path in commit.files])
        )
        # Taken together, so that two files that swap their names do not end up as one.
        today.update({old: today.get(new, new) for old, new in commit.renames})
    return result


def _home(path: str, latest: dict[str, str], present: Container[str]) -> str | None:
    for _ in range(MAX_HOPS):
        if path in present:
            return path
        if path not in latest:
            return None
        path = latest[path]
    return None

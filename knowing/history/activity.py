"""How often files change and who changes them, as the commits tell."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowing.history.commit import Commit
from knowing.history.follow import current_paths

_AUTHORS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FileActivity:
    """The history of one file."""

    commits: int
    authors: tuple[tuple[str, int], ...]
    """Who made most of these commits, and how many."""
    last: int
    """Unix seconds of the newest one, 0 for none."""


def activity(commits: Sequence[Commit], paths: Iterable[str]) -> dict[str, FileActivity]:
    """The history of some files under their present names; commits are newest first."""
    wanted = dict.fromkeys(paths)
    counts: dict[str, Counter[str]] = {path: Counter() for path in wanted}
    last = dict.fromkeys(wanted, 0)
    for commit, homes in zip(commits, current_paths(commits, wanted), strict=True):
        for path in dict.fromkeys(home for home in homes if home):
            counts[path][commit.author or commit.email] += 1
            last[path] = max(last[path], commit.time)
    return {
        path: FileActivity(
            commits=sum(found.values()),
            authors=tuple(
                sorted(found.items(), key=lambda author: (-author[1], author[0]))[:_AUTHORS]
            ),
            last=last[path],
        )
        for path, found in counts.items()
    }

"""Commits of a repository that can stand as tasks: a message that says what was to be done, and
lines that were changed to do it.

The rule. Left out are merges, commits of bots, and messages that revert, bump or release a
version, format, correct spelling, finish another commit or name a linter, a formatter or a type
checker; messages with fewer than three words that say something, or equal to that of a newer
commit; and commits that touch more than thirty files or no file of code. White space
and blank lines do not count as changes, so a commit that only formats changes nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.baselines import words
from eval.failure import EvalError
from eval.process import finished
from knowing.learn.commits import is_chore, task_text

GIT_SECONDS = 600
FEWEST_WORDS = 3
MOST_FILES = 30

_LOOKED_AT = 40
"""How many commits are looked at for each that is wanted."""
_FIELD, _COMMIT = "\x1f", "\x1e"
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit that follows the rule."""

    id: str
    parent: str
    description: str
    """Its message as a task: no trailers, addresses or numbers of issues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Lines of one file of the parent that a commit changed."""

    path: str
    first: int
    last: int
    """For lines that were put in between, `last` is one less than `first`, which comes after."""


def replayable(repo: Path, count: int, is_code: Callable[[str], bool]) -> list[Commit]:
    """The newest commits that follow the rule, parents before children."""
    found: dict[str, Commit] = {}
    for commit, author, files in _log(repo, count * _LOOKED_AT):
        text = task_text(commit.description)
        if text in found or not is_task(commit.description, author):
            continue
        if _is_bounded(files, is_code):
            found[text] = Commit(id=commit.id, parent=commit.parent, description=text)
            if len(found) == count:
                break
    return list(found.values())[::-1]


def is_task(message: str, author: str) -> bool:
    """Whether a message says what was to be done."""
    return not is_chore(message, author) and len(words(task_text(message))) >= FEWEST_WORDS


def _is_bounded(files: Sequence[str], is_code: Callable[[str], bool]) -> bool:
    return len(files) <= MOST_FILES and any(is_code(path) for path in files)


def _log(repo: Path, count: int) -> Iterator[tuple[Commit, str, list[str]]]:
    """Commits with one parent, children before parents; author and files of each."""
    form = _COMMIT + _FIELD.join(("%H", "%P", "%an <%ae>", "%B")) + _FIELD
    options = ("--no-merges", "--topo-order", "--name-only", "--no-show-signature")
    text = git(repo, "log", *options, f"--max-count={count}", f"--format={form}")
    for entry in text.split(_COMMIT)[1:]:
        commit, parent, author, message, files = entry.split(_FIELD, 4)
        if parent and " " not in parent:
            yield (
                Commit(id=commit, parent=parent, description=message),
                author,
                [line for line in files.splitlines() if line],
            )


def changes(repo: Path, commit: Commit) -> list[Change]:
    """What a commit changed, in lines of its parent."""
    options = ("-U0", "-w", "--ignore-blank-lines", "-M", "--no-color", "--no-ext-diff")
    prefixes = ("--no-textconv", "--src-prefix=a/", "--dst-prefix=b/")
    return parse(git(repo, "diff", *options, *prefixes, commit.parent, commit.id))


def parse(diff: str) -> list[Change]:
    """The old side of a diff without context; new files have none."""
    found = []
    path = ""
    header = False
    for line in diff.splitlines():
        if line.startswith("diff --git "):
            path, header = "", True
        elif header and line.startswith("--- a/"):
            path = line.removeprefix("--- a/")
        elif (match := _HUNK.match(line)) is not None:
            header = False
            first, length = int(match[1]), int(match[2] or 1)
            if path:
                start = first if length else first + 1
                found.append(Change(path=path, first=start, last=start + length - 1))
    return found


def git(repo: Path, *arguments: str) -> str:
    """What git prints, or an error."""
    options = ("-c", "core.quotePath=false", "-c", "core.hooksPath=/dev/null")
    done = finished(["git", *options, "-C", str(repo), *arguments], seconds=GIT_SECONDS)
    if done.returncode:
        raise EvalError(f"git {arguments[0]} failed in {repo}: {done.stderr.strip()[-500:]}")
    return done.stdout

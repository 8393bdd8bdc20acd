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

GIT_SECONDS = 600
FEWEST_WORDS = 3
MOST_FILES = 30
LONGEST_TEXT = 600
"""Characters of a message that are asked; more is a story, not a task."""

_LOOKED_AT = 40
"""How many commits are looked at for each that is wanted."""
_FIELD, _COMMIT = "\x1f", "\x1e"
_CHORE = re.compile(
    r"""^\W*(?:\w+(?:\([^)]*\))?!?:\s*)?(?:
        revert\b | merge\b | fixup! | squash! | amend!
      | bump\b | releas(?:e|ing)\b | prepar(?:e|ing)\s+(?:for\s+)?(?:the\s+)?release
      | (?:start|set|update|upgrade)\s+(?:the\s+)?(?:version|dependenc|deps\b|requirements|lock)
      | (?:set\s+)?version\s+\d | v?\d+\.\d+
      | (?:re)?format(?:ted|ting)?\b | lint\w*\b
      | (?:fix(?:ed|es)?\s+)?(?:a\s+)?(?:typos?|spelling|white\s?space)\b
      | (?:update|add)\w*\s+(?:the\s+)?(?:changelog|release\s+notes|contributors|translations)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TOOL = re.compile(
    r"\b(?:pre-commit|lint(?:ers?|ing)?|formatters?|black|ruff|isort|flake8|mypy|pyright|pylint|eslint"
    r"|prettier|gofmt|golangci-lint|clippy|rustfmt|rubocop|checkstyle|dependabot"
    r"|(?:dev|development)\s+dependenc\w+)\b",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^(?:chore|style|ci|build|release|deps)(?:\([^)]*\))?!?:", re.IGNORECASE)
_BOT = re.compile(r"\[bot\]|\bbot@|-bot\b", re.IGNORECASE)
_TRAILER = re.compile(r"^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|[A-Za-z-]+-by|[Cc][Cc]): .*$")
_REFERENCE = re.compile(r"https?://\S+|\(?#\d+\)?|\b[0-9a-f]{7,40}\b")
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
    subject = message.strip().partition("\n")[0]
    if _BOT.search(author) or any(
        (_CHORE.match(subject), _PREFIX.match(subject), _TOOL.search(subject))
    ):
        return False
    return len(words(task_text(message))) >= FEWEST_WORDS


def task_text(message: str) -> str:
    """A message as somebody would state the task."""
    lines = [line for line in message.strip().splitlines() if not _TRAILER.match(line.strip())]
    text = " ".join(_REFERENCE.sub(" ", "\n".join(lines)).split())
    return text[:LONGEST_TEXT].strip(" -:")


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

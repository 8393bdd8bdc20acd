"""Commits that can stand as tasks: a message that says what was to be done.

Left out are commits of bots, and messages that revert, bump or release a version, format, correct
spelling, finish another commit or name a linter, a formatter or a type checker.
"""

import re

LONGEST_TEXT = 600
"""Characters of a message that are asked; more is a story, not a task."""

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


def is_chore(message: str, author: str) -> bool:
    """Whether a commit has been made by a program, or for the sake of order alone."""
    subject = message.strip().partition("\n")[0]
    return bool(
        _BOT.search(author)
        or _CHORE.match(subject)
        or _PREFIX.match(subject)
        or _TOOL.search(subject)
    )


def task_text(message: str) -> str:
    """A message as somebody would state the task: no trailers, addresses or numbers of issues."""
    lines = [line for line in message.strip().splitlines() if not _TRAILER.match(line.strip())]
    text = " ".join(_REFERENCE.sub(" ", "\n".join(lines)).split())
    return text[:LONGEST_TEXT].strip(" -:")

"""First pass over the log: who, when, why and which files, without reading their contents.

Trees alone answer this, so it costs a tenth of reading patches. It decides which commits the
second pass (`patch.py`) has to look into. Fields are separated by NUL, which can occur neither
in a message nor in a path, so nothing has to be unquoted.
"""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowing.history import git
from knowing.history.commit import Rename

MAX_BODY_CHARS = 4_000
MAX_SUBJECT_CHARS = 1_000
MAX_FILES = 2_000
"""Paths kept of one commit; `file_count` tells the whole number."""

_FORMAT = "%H%x00%ct%x00%aN%x00%aE%x00%s%x00%b"
_FIELDS = 6
SHARED_OPTIONS = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-l1000",
)
ANY_RENAMES = "-M50%"
EXACT_RENAMES = "-M100%"
"""Finds moved files by identity alone: needs no contents, so it works where they are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file of a commit; `old` differs from `path` when the commit renames it."""

    status: str
    path: bytes
    old: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One commit of the log with its changes to files of interest."""

    hash: str
    time: int
    author: str
    email: str
    subject: str
    body: str
    changes: tuple[Change, ...]


def log_line(revisions: Sequence[str], renames: str, limit: int, whole: bool) -> list[str]:
    """The command; `whole` is false when only the folder it runs in is of interest."""
    return git.command(
        "log",
        f"--max-count={limit}",
        "--no-merges",
        "--raw",
        "-z",
        "--abbrev=4",
        "--relative",
        "--encoding=UTF-8",
        f"--format={_FORMAT}",
        renames,
        *SHARED_OPTIONS,
        *revisions,
        "--",
        *([] if whole else ["."]),
    )


class RawChanges:
    """Puts the tokens of git's raw format together: `:modes hashes status`, one or two paths."""

    def __init__(self) -> None:
        self._status = b""
        self._paths: list[bytes] = []

    @property
    def open(self) -> bool:
        """Whether a change is begun and the next token belongs to it."""
        return bool(self._status)

    def take(self, token: bytes) -> Change | None:
        if not self._status:
            self._status = token.rpartition(b" ")[2]
            return None
        self._paths.append(token)
        if len(self._paths) == 1 and self._status.startswith((b"R", b"C")):
            return None
        change = Change(
            status=self._status[:1].decode("ascii", "replace"), path=token, old=self._paths[0]
        )
        self._status, self._paths = b"", []
        return change


def parse_raw(tokens: Iterable[bytes]) -> list[Change]:
    """The changes in the output of a command with `--raw -z`."""
    raw = RawChanges()
    taken = [raw.take(token) for token in tokens if raw.open or token.startswith(b":")]
    return [change for change in taken if change is not None]


def read_log(
    root: Path, line: Sequence[str], patience: git.Patience, suffixes: tuple[bytes, ...]
) -> "LogReader":
    return LogReader(git.Stream(root, line, patience), suffixes)


class LogReader:
    """Turns the stream of a log into entries, each one complete."""

    def __init__(self, stream: git.Stream, suffixes: tuple[bytes, ...]) -> None:
        self.stream = stream
        self._suffixes = suffixes
        self._fields: list[bytes] = []
        self._changes: list[Change] = []
        self._raw = RawChanges()

    def __iter__(self) -> Iterator[Entry]:
        rest = b""
        for chunk in self.stream:
            tokens = (rest + chunk).split(b"\0")
            rest = tokens.pop()
            yield from self._take(tokens)
        # The last entry is complete only if git itself said that the log ends there.
        if self.stream.ending is git.Ending.DONE:
            yield from self._take([rest] if len(self._fields) < _FIELDS else [])
            yield from self._close()

    def _take(self, tokens: Sequence[bytes]) -> Iterator[Entry]:
        for token in tokens:
            if len(self._fields) < _FIELDS:
                self._fields.append(token)
            elif self._raw.open or token.lstrip(b"\n").startswith(b":"):
                change = self._raw.take(token)
                if change is not None and self._of_interest(change):
                    self._changes.append(change)
            elif token:
                yield from self._close()
                self._fields = [token]

    def _of_interest(self, change: Change) -> bool:
        return change.path.endswith(self._suffixes) or change.old.endswith(self._suffixes)

    def _close(self) -> Iterator[Entry]:
        fields, changes = self._fields, self._changes
        self._fields, self._changes = [], []
        if len(fields) == _FIELDS and fields[0].strip() and not self._raw.open:
            yield _entry(fields, tuple(changes))


def _entry(fields: Sequence[bytes], changes: tuple[Change, ...]) -> Entry:
    commit, seconds, author, email, subject, body = (
        field.decode("utf-8", "replace").strip() for field in fields
    )
    return Entry(
        hash=commit,
        time=int(seconds) if seconds.lstrip("-").isdecimal() else 0,
        author=author,
        email=email,
        subject=subject[:MAX_SUBJECT_CHARS],
        body=body[:MAX_BODY_CHARS],
        changes=changes,
    )


def path_text(path: bytes) -> str:
    """A path as the rest of the engine sees it, also when it is not valid UTF-8."""
    return path.decode("utf-8", "surrogateescape")


def renames_of(entry: Entry) -> tuple[Rename, ...]:
    """Files that moved, including those rewritten on the way inside a moved folder.

    git pairs files by likeness. A file rewritten while its folder moves is left as one deleted
    and one added file; if other files moved between the same two folders in this commit, the
    one of the same name did too.
    """
    found = [(c.old, c.path) for c in entry.changes if c.status == "R"]
    folders = {(posixpath.dirname(old), posixpath.dirname(new)) for old, new in found}
    if folders:
        deleted = {c.path for c in entry.changes if c.status == "D"}
        for change in entry.changes:
            if change.status != "A":
                continue
            folder, name = posixpath.split(change.path)
            found.extend(
                (posixpath.join(source, name), change.path)
                for source, target in sorted(folders)
                if target == folder and posixpath.join(source, name) in deleted
            )
    return tuple(Rename(path_text(old), path_text(new)) for old, new in found)

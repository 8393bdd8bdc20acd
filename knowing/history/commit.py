"""What one commit says: its message, the files it touched and the definitions in them.

Everything is kept as the commit itself names it. Later renames and edits change what those
names mean today; `knowing.history.link` works that out for each state of the code, so a
commit is read from git once and never again.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Rename(NamedTuple):
    """A file that got a new name in a commit."""

    old: str
    new: str


class Touch(NamedTuple):
    """One definition that a commit changed, by name.

    A tuple and not a dataclass: a mined history holds hundreds of thousands of them, and they
    are taken apart by column.
    """

    path: str
    """As the commit names the file (the new name when it renames it)."""
    name: str
    owner: str
    """Name of the enclosing type as far as the change shows it; empty when it does not."""
    line: int
    """Where on the new side of the commit."""
    weight: float
    """1.0 for a changed body or definition, less for a definition that was only removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit that touched at least one file of interest."""

    hash: str
    time: int
    """Unix seconds of the committer: the order in which changes reached the history."""
    author: str
    email: str
    subject: str
    body: str
    file_count: int
    """Number of files of interest touched, also when `files` holds fewer."""
    files: tuple[str, ...]
    """Paths relative to the root, with `/`, as the commit names them."""
    renames: tuple[Rename, ...]
    touches: tuple[Touch, ...]
    """Empty for a commit that touches very many files: it says nothing about any of them."""

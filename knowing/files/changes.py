"""What differs between an index and a scan, by size and modification time.

Equal stamps prove that nothing changed only if the file was last written well before it was
read: a write in the same tick of the clock leaves the same stamp. Git calls such entries racy
and compares their content; so do we, by digest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowing.model import SourceFile

CLOCK_TICK_NS = 2_000_000_000
"""The coarsest step of a file system's clock that is in use (FAT)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What an index remembers of a file."""

    size: int
    mtime_ns: int
    seen_ns: int
    """Wall-clock time (`time.time_ns`) taken before the content was last read or compared."""

    @property
    def is_racy(self) -> bool:
        """Whether a later write could have left size and time as they are."""
        return self.mtime_ns >= self.seen_ns - CLOCK_TICK_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The difference; every known or scanned path is in exactly one of the five."""

    added: tuple[SourceFile, ...]
    modified: tuple[SourceFile, ...]
    """Size or time differ. Compare digests before doing work: a checkout can restore content."""
    doubtful: tuple[SourceFile, ...]
    """Racy: equal stamps that prove nothing. If the digests agree, renew `seen_ns`."""
    removed: tuple[str, ...]
    unchanged: tuple[SourceFile, ...]

    @property
    def to_read(self) -> tuple[SourceFile, ...]:
        """The files whose content decides, by path."""
        files = (*self.added, *self.modified, *self.doubtful)
        return tuple(sorted(files, key=lambda file: file.path))

    @property
    def is_empty(self) -> bool:
        """Whether the stamps alone show that the index is current."""
        return not (self.added or self.modified or self.doubtful or self.removed)


def stamp_of(file: SourceFile, seen_ns: int) -> Stamp:
    """The stamp to remember for a file that is about to be read."""
    return Stamp(size=file.size, mtime_ns=file.mtime_ns, seen_ns=seen_ns)


def compare(known: Mapping[str, Stamp], files: Sequence[SourceFile]) -> Changes:
    """Sort the files of a scan by how they differ from what is `known`."""
    added, modified, doubtful, unchanged = [], [], [], []
    for file in files:
        stamp = known.get(file.path)
        if stamp is None:
            added.append(file)
        elif (stamp.size, stamp.mtime_ns) != (file.size, file.mtime_ns):
            modified.append(file)
        elif stamp.is_racy:
            doubtful.append(file)
        else:
            unchanged.append(file)
    present = {file.path for file in files}
    return Changes(
        added=tuple(added),
        modified=tuple(modified),
        doubtful=tuple(doubtful),
        removed=tuple(sorted(path for path in known if path not in present)),
        unchanged=tuple(unchanged),
    )

"""What ranking looks up, for the view that is current: mapped from disk, or made for a live one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from knowing.errors import HistoryError
from knowing.graph import FileEntry, View
from knowing.history import Commit, decode
from knowing.retrieve import DEFAULT, FORMAT, Past, Prepared, index_past, prepare
from knowing.store import DamagedError, Database, SnapshotInfo, array_names, snapshot

Files = Callable[[], Sequence[FileEntry]]


def fingerprint() -> str:
    """Changes whenever what is stored for look-ups is made in another way."""
    names = ",".join((*array_names(Prepared), *array_names(Past)))
    return f"{FORMAT}:{DEFAULT.fields}:{DEFAULT.edges}:{names}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Everything a ranking needs besides the task."""

    view: View
    prepared: Prepared
    past: Past | None


class Lookups:
    """Keeps the look-up structures of the last view that was asked for."""

    def __init__(self, snapshots: Path) -> None:
        self._snapshots = snapshots
        self._pasts = snapshots.parent / "past"
        self._last: Lookup | None = None

    def of(self, view: View, info: SnapshotInfo | None, files: Files, database: Database) -> Lookup:
        """Those of a view; `info` is None for one that is in memory only."""
        if self._last is None or self._last.view is not view:
            self._last = self._stored(view, info) if info else self._made(view, files(), database)
        return self._last

    def _stored(self, view: View, info: SnapshotInfo) -> Lookup:
        loaded = snapshot.load_part(self._snapshots, "ask", Prepared)
        if loaded is None or loaded[1] != info:
            raise DamagedError("the index was replaced while it was read")
        past = None
        try:
            found = snapshot.load_part(self._pasts, "past", Past)
            past = found[0] if found and found[1].generation == info.generation else None
        except DamagedError:
            # The next run of the indexer makes it anew; answers do without it until then.
            past = None
        return Lookup(view=view, prepared=loaded[0], past=past)

    def _made(self, view: View, files: Sequence[FileEntry], database: Database) -> Lookup:
        prepared = prepare(files, view)
        commits = stored_commits(database)
        past = index_past(commits, view, prepared.text, DEFAULT.fields) if commits else None
        return Lookup(view=view, prepared=prepared, past=past)

    def save_past(self, view: View, info: SnapshotInfo, database: Database) -> None:
        """Links the history to a stored view, unless that has been done."""
        order = database.meta().get("history.order", "")
        content = blake2b(f"{info.content}:{order}".encode(), digest_size=16).hexdigest()
        there = snapshot.info(self._pasts)
        if there and (there.content, there.generation) == (content, info.generation):
            return
        commits = stored_commits(database)
        loaded = snapshot.load_part(self._snapshots, "ask", Prepared)
        if not commits or loaded is None:
            return
        past = index_past(commits, view, loaded[0].text, DEFAULT.fields)
        described = SnapshotInfo(
            generation=info.generation,
            content=content,
            files=info.files,
            symbols=info.symbols,
            edges=info.edges,
        )
        snapshot.save(self._pasts, described, past=past)
        self._last = None

    def forget(self) -> None:
        self._last = None


def stored_commits(database: Database) -> list[Commit]:
    """The commits that were read, newest first; those that cannot be read are left out."""
    order = [part for part in database.meta().get("history.order", "").split(",") if part]
    data = database.commits()
    commits: list[Commit] = []
    for commit in order:
        try:
            commits += decode(data[commit])
        except (KeyError, HistoryError):
            continue
    return commits

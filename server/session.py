"""What the server knows between requests: folders, documents, settings."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as lsp

from knowing.errors import KnowingError, NotFoundError
from knowing.live import relative_path
from knowing.settings import Settings
from knowing.settings_sources import PROJECT_FILE, PYPROJECT_FILE, load
from server import uris
from server.documents import Document, Documents
from server.folder import Changed, Folder, Place
from server.indexing import Show
from server.work import Pool

logger = logging.getLogger(__name__)

_CLOSING_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A file of a folder."""

    folder: Folder
    path: str
    """Relative, with `/`."""


@dataclass(slots=True, kw_only=True)
class Session:
    """All state of one connection; changed by the event loop only."""

    show: Show
    changed: Changed
    index_dir: Path | None = None
    watched: bool = False
    """Whether the client tells of files that change on disk."""
    trusted: bool = True
    """Whether programs may be run in the workspace."""
    pool: Pool = field(default_factory=Pool)
    documents: Documents = field(default_factory=Documents)
    folders: dict[str, Folder] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    """What the editor has set for each folder, by its URI."""
    _told: set[str] = field(default_factory=set)

    # -- folders -------------------------------------------------------------------------------

    def add(self, given: lsp.WorkspaceFolder) -> list[str]:
        """Opens a folder; what is wrong with it or its settings and was not said before."""
        path = uris.to_path(given.uri)
        if path is None or given.uri in self.folders:
            return []
        place = Place(uri=given.uri, name=given.name, root=path, index_dir=self.index_dir)
        try:
            settings, problems = self._settings(place)
            watched, trusted = self.watched, self.trusted
            folder = Folder(
                place, settings, self.show, self.changed, watched=watched, trusted=trusted
            )
        except (KnowingError, OSError) as error:
            logger.warning("%s: %s", given.uri, error)
            return self._unsaid([f"{given.name} cannot be indexed: {error}"])
        self.folders[given.uri] = folder
        folder.enriching.focus = lambda: self._open_in(folder)
        folder.enriching.busy = lambda: self.pool.is_busy
        folder.start()
        for document in self.documents.latest():
            spot = self.spot(document.uri)
            if spot is not None and spot.folder is folder:
                folder.warm()
                self.lay_over(spot, document)
        return problems

    def _open_in(self, folder: Folder) -> tuple[str, ...]:
        """The documents of a folder that are open, the last one touched first."""
        spots = [self.spot(document.uri) for document in list(self.documents.latest())]
        return tuple(spot.path for spot in spots if spot is not None and spot.folder is folder)

    def remove(self, uri: str) -> None:
        if folder := self.folders.pop(uri, None):
            folder.close()

    def close(self) -> None:
        """Ends all work, and waits a moment for runs to end their own processes."""
        folders = list(self.folders.values())
        for folder in folders:
            folder.close()
        for folder in folders:
            folder.indexing.wait(_CLOSING_SECONDS / len(folders) / 2)
            folder.enriching.wait(_CLOSING_SECONDS / len(folders) / 2)
        self.pool.close()

    def spot(self, uri: str) -> Spot | None:
        """The folder and the path of a document; None for what lies in no folder."""
        path = uris.to_path(uri)
        if path is None:
            return None
        found = [
            Spot(folder=folder, path=relative)
            for folder in self.folders.values()
            if (relative := _inside(folder.root, path))
        ]
        # Of folders inside one another, the innermost is meant: its path is the shortest.
        return min(found, key=lambda spot: len(spot.path), default=None)

    def folder_for(self, named: str | None, uri: str | None = None) -> Folder:
        """The folder of a question: as named, else of a document, else of the last one touched."""
        if named is not None:
            return self._named(named)
        spots = (self.spot(place) for place in self._recent(uri))
        spot = next((spot for spot in spots if spot is not None), None)
        if spot is not None:
            return spot.folder
        if not self.folders:
            raise NotFoundError("no folder is open", "open a folder in the editor")
        return next(iter(self.folders.values()))

    def _recent(self, uri: str | None) -> Iterator[str]:
        if uri is not None:
            yield uri
        yield from (document.uri for document in self.documents.latest())

    def _named(self, named: str) -> Folder:
        path = uris.to_path(named) if "://" in named else Path(named)
        for folder in self.folders.values():
            if named in (folder.place.uri, folder.place.name):
                return folder
            if path is not None and path.is_absolute() and path.resolve() == folder.root:
                return folder
        names = ", ".join(folder.place.name for folder in self.folders.values()) or "none"
        raise NotFoundError(f"no folder {named!r} is open", f"open folders: {names}")

    # -- documents -----------------------------------------------------------------------------

    def lay_over(self, spot: Spot, document: Document) -> None:
        """Shows a document instead of its file, unless both are the same."""
        same = spot.folder.engine.on_disk(spot.path) == document.data
        spot.folder.overlay(spot.path, None if same else document.text)

    # -- settings ------------------------------------------------------------------------------

    def _settings(self, place: Place) -> tuple[Settings, list[str]]:
        loaded = load(place.root, editor=self.options.get(place.uri))
        return loaded.settings, self._unsaid([str(problem) for problem in loaded.problems])

    def _unsaid(self, problems: Sequence[str]) -> list[str]:
        """Those that the user has not been told of yet."""
        news = [problem for problem in problems if problem not in self._told]
        self._told.update(news)
        return news

    def resettle(self) -> list[str]:
        """Reads all settings again; what is wrong with them and was not said before."""
        problems: list[str] = []
        for folder in list(self.folders.values()):
            settings, wrong = self._settings(folder.place)
            problems += wrong
            before = folder.settings
            if settings == before:
                continue
            reads = (settings.files, settings.index, settings.history)
            if reads == (before.files, before.index, before.history):
                folder.settings = folder.engine.settings = settings
                if settings.enrich != before.enrich:
                    folder.enriching.resettle()
            else:
                self.remove(folder.place.uri)
                place = folder.place
                problems += self.add(lsp.WorkspaceFolder(uri=place.uri, name=place.name))
        return problems

    def is_project_file(self, spot: Spot) -> bool:
        return spot.path in (PROJECT_FILE, PYPROJECT_FILE)

    @property
    def log_level(self) -> str:
        """The most talkative level that a folder asks for."""
        levels = ("debug", "info", "warning", "error")
        chosen = [folder.settings.log.level for folder in self.folders.values()]
        return min(chosen, key=levels.index, default="warning")


def _inside(root: Path, path: Path) -> str:
    """The path relative to a root; empty for one that lies elsewhere, or is the root."""
    try:
        relative = relative_path(root, path)
    except (OSError, ValueError, RuntimeError):
        return ""
    return "" if relative == "." or relative.startswith("../") or relative == ".." else relative

"""The graph in memory and what lies over it: single files read, unsaved texts laid over files."""

import os
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from knowing.files import look, read, stamp_of, text_of
from knowing.graph import FileEntry, Graph, View, advance
from knowing.indexer import file_rules, read_options
from knowing.languages import Registry
from knowing.model import Skipped, SourceFile, SymbolFlag
from knowing.parse import FileFacts
from knowing.parse.pool import extract_one, read_and_extract
from knowing.settings import Settings
from knowing.store import FileRow


def relative_path(root: Path, path: str | Path) -> str:
    """As paths are stored; one that lies outside the root is no file of the workspace."""
    candidate = Path(path)
    if candidate.is_absolute() and not candidate.is_relative_to(root):
        # An editor may name files by way of a link to the workspace.
        candidate = candidate.parent.resolve() / candidate.name
    return Path(os.path.relpath(root / candidate, root)).as_posix()


def text_at(root: Path, relative: str, settings: Settings) -> bytes | None:
    """The text of a file as it is on disk, in UTF-8; None if it cannot be read."""
    found = read(root, relative, settings.files.max_file_kb * 1024)
    return None if isinstance(found, Skipped) else found.data


class Reader:
    """Reads single files by the rules of the workspace."""

    def __init__(self, root: Path, settings: Settings, registry: Registry) -> None:
        self._root = root
        self._registry = registry
        self._rules = file_rules(settings, registry)
        self._options = read_options(root, settings)

    def row(self, relative: str) -> FileRow | None:
        """The file as it is on disk; None if it is gone or not to be read."""
        seen_ns = time.time_ns()
        file = look(self._root, relative, self._rules)
        if isinstance(file, Skipped) or file.language not in self._registry:
            return None
        extracted = read_and_extract(file, self._options)
        if isinstance(extracted, Skipped):
            return None
        return FileRow(
            path=relative,
            language=extracted.file.language,
            stamp=stamp_of(file, seen_ns),
            digest=extracted.digest,
            flags=extracted.flags,
            facts=extracted.facts,
        )

    def unsaved(self, relative: str, text: str) -> FileEntry | None:
        """Unsaved text as facts; None for what would not be indexed on disk either."""
        language = self._registry.for_path(relative)
        source = text_of(relative, text.encode("utf-8", "surrogatepass"))
        if language is None or isinstance(source, Skipped):
            return None
        found = look(self._root, relative, self._rules)
        if isinstance(found, Skipped) and (self._root / relative).exists():
            return None
        flags = found.flags if isinstance(found, SourceFile) else SymbolFlag(0)
        file = SourceFile(
            path=relative, language=language.name, size=len(source.data), mtime_ns=0, flags=flags
        )
        extracted = extract_one(file, source, self._options)
        facts = FileFacts.decode(extracted.facts)
        return FileEntry(path=relative, language=extracted.file.language, facts=facts)


Finish = Callable[[Graph, Collection[str]], Graph]
"""What is laid over a graph that has moved; told which files show unsaved text."""


def as_it_is(graph: Graph, _covered: Collection[str]) -> Graph:
    """Nothing is laid over it."""
    return graph


def entry_of(row: FileRow) -> FileEntry:
    """A stored file as the graph takes it."""
    return FileEntry(path=row.path, language=row.language, facts=FileFacts.decode(row.facts))


class Live:
    """A graph that moves with the workspace. Whoever holds one of its views keeps it unchanged."""

    def __init__(self, graph: Graph, finish: Finish = as_it_is) -> None:
        self._graph = graph
        """As the syntax gives it, which is what the next one is made from."""
        self._finish = finish
        self._finished: Graph | None = None
        self._covered: dict[str, FileEntry | None] = {}
        """For each file under an overlay, what is on disk."""

    @property
    def graph(self) -> Graph:
        """With what is laid over it."""
        if self._finished is None:
            self._finished = self._finish(self._graph, self._covered)
        return self._finished

    @property
    def view(self) -> View:
        return self.graph.view

    def finish_anew(self) -> View:
        """The view after the graph, or what is laid over it, has changed."""
        self._finished = None
        return self.view

    def update(self, changed: Mapping[str, FileEntry | None]) -> View:
        """Takes in what is on disk; files under an overlay show it once the overlay goes."""
        shown = {path: entry for path, entry in changed.items() if path not in self._covered}
        self._covered.update({p: e for p, e in changed.items() if p in self._covered})
        self._graph = advance(self._graph, shown)
        return self.finish_anew()

    def cover(self, entry: FileEntry) -> View:
        """Lays unsaved content over a file."""
        if entry.path not in self._covered:
            on_disk = (item for item in self._graph.files if item.path == entry.path)
            self._covered[entry.path] = next(on_disk, None)
        self._graph = advance(self._graph, {entry.path: entry})
        return self.finish_anew()

    def uncover(self, path: str) -> View:
        """Shows the file as it is on disk again."""
        if path in self._covered:
            self._graph = advance(self._graph, {path: self._covered.pop(path)})
        return self.finish_anew()

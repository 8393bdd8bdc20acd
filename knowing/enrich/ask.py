"""Asks a server about one file and turns its answers into identities."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowing.enrich.answers import Answer, FileAnswers, Inside, Target
from knowing.enrich.client import DEFINITION, IMPLEMENTATION, LanguageServer, Place
from knowing.enrich.externals import Externals, is_dependency
from knowing.enrich.places import Outline, Text, Texts
from knowing.enrich.rpc import RefusedError, SilentError
from knowing.enrich.sites import Questions, questions
from knowing.enrich.uris import to_path, to_uri
from knowing.graph import Graph
from knowing.model import SymbolKind
from knowing.text import Encoding

_MOST_TARGETS = 8
"""A name that can mean more than this tells nothing."""
_MOST_IMPLEMENTERS = 50


class Workspace:
    """One graph, ready for positions of servers to be looked up in it."""

    def __init__(
        self,
        root: Path,
        graph: Graph,
        digests: Mapping[str, bytes],
        texts: Texts,
        externals: Externals,
    ) -> None:
        self.root = root
        self.graph = graph
        self.digests = digests
        """Of the files that the graph was made from."""
        self.texts = texts
        self._externals = externals
        self._files = {path: number for number, path in enumerate(graph.corpus.paths)}
        self._outlines: dict[int, Outline] = {}
        self._paths: dict[str, tuple[Path | None, str | None]] = {}

    def file(self, path: str) -> int:
        return self._files.get(path, -1)

    def outline(self, file: int) -> Outline:
        known = self._outlines.get(file)
        if known is None:
            known = self._outlines[file] = Outline(self.graph.files[file].facts)
        return known

    def targets(
        self, places: Iterable[Place], encoding: Encoding, spelled: str
    ) -> tuple[Target, ...]:
        """The symbols at some places, each once, in an order that is always the same."""
        inside: dict[tuple[str, str], tuple[int, int]] = {}
        outside: set[Target] = set()
        for place in places:
            path, relative = self._path(place.uri)
            if path is None:
                outside.add(self._externals.name_of_address(place.uri, spelled))
            elif relative is None:
                text = self.texts.get(path)
                line, column = _ours(place, text, encoding)
                outside.add(self._externals.name(path, line, column, spelled))
            else:
                self._note(inside, relative, place, encoding)
        found: list[Target] = [
            Inside(path, name, self.outline(file).overload(row))
            for (path, name), (file, row) in sorted(inside.items())
            if not self._made_by_owner(inside, path, name, file, row)
        ]
        found += sorted(outside)
        return tuple(found) if len(found) <= _MOST_TARGETS else ()

    def _path(self, uri: str) -> tuple[Path | None, str | None]:
        """The file behind an address, and its path in the workspace if it is one of its files."""
        known = self._paths.get(uri)
        if known is None:
            path = to_path(uri)
            known = self._paths[uri] = (path, self._relative(path) if path else None)
        return known

    def _relative(self, path: Path) -> str | None:
        for candidate in (path, path.resolve()):
            if candidate.is_relative_to(self.root):
                relative = candidate.relative_to(self.root).as_posix()
                if relative in self._files:
                    return relative
                # A file that the rules leave out is no dependency either, but nothing of ours.
                return None if is_dependency(candidate.as_posix()) else ""
        return None

    def _note(
        self,
        found: dict[tuple[str, str], tuple[int, int]],
        relative: str,
        place: Place,
        encoding: Encoding,
    ) -> None:
        """Adds the symbol at a place; of several signatures of one function, the function."""
        file = self._files.get(relative, -1)
        if file < 0:
            return
        text = self.texts.get(self.root / relative)
        line, column = _ours(place, text, encoding)
        outline = self.outline(file)
        row = outline.symbol_at(line, column, text)
        if row < 0:
            return
        key = (relative, outline.name(row))
        before = found.get(key)
        if before is None or _rank(outline, row) < _rank(outline, before[1]):
            found[key] = (file, row)

    def _made_by_owner(
        self,
        found: dict[tuple[str, str], tuple[int, int]],
        path: str,
        name: str,
        file: int,
        row: int,
    ) -> bool:
        """Whether this is the constructor of a type that is named, too."""
        constructor = self.outline(file).kind(row) == SymbolKind.CONSTRUCTOR
        return constructor and (path, name.rpartition(".")[0]) in found


def _rank(outline: Outline, row: int) -> tuple[bool, int]:
    return outline.is_overload(row), row


def _ours(place: Place, text: Text | None, encoding: Encoding) -> tuple[int, int]:
    if text is None:
        return place.line + 1, place.character
    return text.from_server(place.line, place.character, encoding)


@dataclass(slots=True)
class Asked:
    """What one file brought."""

    answers: FileAnswers
    failures: int
    """Sites at which the server refused or fell silent."""
    silences: int


@dataclass(slots=True)
class _Tally:
    failures: int = 0
    silences: int = 0
    found: dict[int, list[Place]] = field(default_factory=dict)


async def ask_file(
    server: LanguageServer,
    workspace: Workspace,
    path: str,
    source: tuple[Text, bytes],
    environment: str,
) -> Asked:
    """All answers of a server for one file; GoneError if it ends or gets stuck meanwhile."""
    text, digest = source
    file = workspace.file(path)
    absolute = workspace.root / path
    workspace.texts.put(absolute, text)
    asked = questions(workspace.graph, file, thorough=server.spec.thorough)
    abstract = workspace.outline(file).abstract() if server.offers(IMPLEMENTATION) else []
    tally, implementers = _Tally(), _Tally()
    if len(asked) or abstract:
        # Only a server that is shown a file begins to read, so nothing is awaited before that.
        if server.spec.needs_open:
            language = workspace.graph.corpus.languages[file]
            await server.open(absolute, language, text.data.decode("utf-8", "replace"))
        try:
            await server.wait_until_ready()
            tally = await _ask(server, DEFINITION, absolute, text, asked.places)
            named = [workspace.outline(file).name_place(row) for row in abstract]
            implementers = await _ask(server, IMPLEMENTATION, absolute, text, named)
        finally:
            if server.spec.needs_open and server.is_open:
                await server.close(absolute)
    answers = FileAnswers.of(
        path,
        digest,
        _answers(server, workspace, asked, tally),
        server=f"{server.spec.name} {server.found.version}",
        environment=environment,
        implements=_implements(server, workspace, path, abstract, implementers),
    )
    return Asked(answers, tally.failures, tally.silences)


async def _ask(
    server: LanguageServer,
    method: str,
    path: Path,
    text: Text,
    places: Sequence[tuple[int, int]],
) -> _Tally:
    """Asks at many places, a bounded number at a time."""
    tally, uri = _Tally(), to_uri(path)
    queue = iter(enumerate(places))

    async def work() -> None:
        for number, (line, column) in queue:
            position = text.to_server(line, column, server.encoding)
            try:
                tally.found[number] = await server.places(method, uri, *position)
            except (RefusedError, SilentError) as error:
                tally.failures += 1
                tally.silences += isinstance(error, SilentError)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(server.spec.in_flight, len(places))):
            group.create_task(work())
    return tally


def _answers(
    server: LanguageServer, workspace: Workspace, asked: Questions, tally: _Tally
) -> list[Answer]:
    """One answer for each site; sites at which the server failed have none."""
    answers = []
    for number, places in tally.found.items():
        targets = workspace.targets(places, server.encoding, asked.names[number])
        answers += [Answer(line, column, targets) for line, column in asked.sites[number]]
    return sorted(answers, key=lambda answer: answer[:2])


def _implements(
    server: LanguageServer,
    workspace: Workspace,
    path: str,
    abstract: Sequence[int],
    tally: _Tally,
) -> list[tuple[Inside, Inside]]:
    """Who implements what is abstract; symbols of the workspace only."""
    outline = workspace.outline(workspace.file(path))
    pairs: list[tuple[Inside, Inside]] = []
    for number, places in sorted(tally.found.items()):
        row = abstract[number]
        own = Inside(path, outline.name(row), outline.overload(row))
        near = places if len(places) <= _MOST_IMPLEMENTERS else ()
        for place in near:
            for target in workspace.targets([place], server.encoding, ""):
                if isinstance(target, Inside) and target != own and (own, target) not in pairs:
                    pairs.append((own, target))
    return sorted(pairs)

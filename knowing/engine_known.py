"""Answers of language servers that are stored, and graphs with them laid over.

An answer holds for one content of one file. So for each file the content that a graph shows has
to be known: the stored one, unless a file was just read or unsaved text lies over it.
"""

import json
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from knowing.graph import Graph
from knowing.model import Origin
from knowing.reports import Enriched
from knowing.store import AnswerRow, Shelf

if TYPE_CHECKING:
    # Where there are no answers, which is everywhere at first, none of this needs to be loaded.
    from knowing.enrich import FileAnswers

_REPORT = "enrichment"


class Known:
    """The answers of one workspace; callers hold the guard of the engine, or take it here."""

    def __init__(self, store: Shelf, guard: threading.RLock) -> None:
        self._store = store
        self._guard = guard
        self._answers: dict[str, list[FileAnswers]] | None = None
        self._digests: dict[str, bytes] = {}
        self._covered: frozenset[str] = frozenset()

    # -- what is known -------------------------------------------------------------------------

    def forget(self) -> None:
        """What was read may be out of date; it is read again when it is needed."""
        self._answers = None

    def _loaded(self) -> "dict[str, list[FileAnswers]]":
        if self._answers is None:
            database = self._store.database
            self._digests = {path: row[0] for path, row in database.digests().items()}
            self._answers = {}
            self._take(database.answers.current())
        return self._answers

    def _take(self, rows: Iterable[AnswerRow]) -> None:
        assert self._answers is not None
        for row in rows:
            answers = decoded(row)
            if answers is not None:
                self._answers.setdefault(row.path, []).append(answers)

    def note(self, path: str, digest: bytes | None) -> None:
        """A file has been read again; answers from when it was the same before hold again."""
        known = self._loaded()
        if digest is not None and self._digests.get(path) == digest:
            return
        known.pop(path, None)
        self._digests.pop(path, None)
        if digest is not None:
            self._digests[path] = digest
            self._take(self._store.database.answers.of(path, digest))

    def stamp(self) -> str:
        """Changes with the answers that hold for the stored files; empty if there are none."""
        return self._store.database.answers.stamp()

    def laid_over(self, graph: Graph, covered: Collection[str] = ()) -> Graph:
        """The graph with a view that shows what is known; `covered` files show unsaved text."""
        self._covered = frozenset(covered)
        answers = self._holding()
        if not answers:
            return graph
        from knowing.enrich import apply

        return replace(graph, view=apply(graph, answers).view)

    def _holding(self) -> "list[FileAnswers]":
        return [
            answers
            for path, several in sorted(self._loaded().items())
            if path not in self._covered
            for answers in several
        ]

    # -- for those who ask servers -------------------------------------------------------------

    def state(self) -> "tuple[list[FileAnswers], dict[str, bytes]]":
        """All answers that hold, and the digests of the files that servers can be asked about."""
        with self._guard:
            answers = self._holding()
            digests = {p: d for p, d in self._digests.items() if p not in self._covered}
            return answers, digests

    def keep(self, answers: "Sequence[FileAnswers]", wait: float) -> None:
        """Stores answers; BusyError while another process writes for over `wait` seconds."""
        with self._guard, self._store.writing(wait), self._store.database.transaction():
            self._store.database.answers.write(map(_row, answers))

    def replace_origin(self, origin: Origin, answers: "Sequence[FileAnswers]", wait: float) -> None:
        """Stores answers in place of all others of their origin."""
        with self._guard, self._store.writing(wait), self._store.database.transaction():
            self._store.database.answers.drop_origin(int(origin))
            self._store.database.answers.write(map(_row, answers))
        self.forget()

    def keep_report(self, report: Mapping[str, Any], wait: float) -> None:
        """Remembers what became of the last run, for whoever asks how things stand."""
        with self._guard, self._store.writing(wait), self._store.database.transaction():
            self._store.database.set_meta({_REPORT: json.dumps(report)})


def decoded(row: AnswerRow) -> "FileAnswers | None":
    """The answers in a row; None for what another version wrote, which is asked for anew."""
    from knowing.enrich import FileAnswers

    try:
        answers = FileAnswers.decode(row.data)
    except (ValueError, TypeError, IndexError):
        return None
    return answers if (answers.path, answers.digest) == (row.path, row.digest) else None


def _row(answers: "FileAnswers") -> AnswerRow:
    return AnswerRow(
        path=answers.path,
        digest=answers.digest,
        origin=int(answers.origin),
        server=answers.server,
        environment=answers.environment,
        data=answers.encode(),
    )


def enriched_files(store: Shelf) -> Enriched:
    """What is stored of answers, as a value that can be shown."""
    database = store.database
    digests, latest = database.digests(), database.answers.paths()
    holding: Counter[str] = Counter()
    outdated = 0
    for (path, _), (digest, server, _) in sorted(latest.items()):
        if path in digests and digests[path][0] == digest:
            holding[server] += 1
        elif path in digests:
            outdated += 1
    try:
        report = json.loads(database.meta().get(_REPORT, "{}"))
    except ValueError:
        report = {}
    return Enriched(
        files=dict(sorted(holding.items())),
        outdated=outdated,
        last=report if isinstance(report, dict) else {},
    )

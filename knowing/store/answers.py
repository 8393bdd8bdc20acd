"""What language servers have said about files: rows that outlive every reading of the files.

A row holds for one content of one file. Rows of earlier contents are kept for a while, so that
an edit that is taken back needs nobody to be asked again. What is in a row, this module does not
know: a checksum tells whether it is as it was written.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from knowing.store.failures import translated

_KEPT = 4
"""Rows for each file and origin; older ones go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """The answers for one content of one file; `data` is encoded."""

    path: str
    digest: bytes
    origin: int
    server: str
    environment: str
    data: bytes


class AnswerTable:
    """The table of answers; writes belong into a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def write(self, rows: Iterable[AnswerRow]) -> None:
        """Adds rows; one of the same file, content, server and environment is replaced."""
        for row in rows:
            key = (row.path, row.origin)
            self._connection.execute(
                "INSERT OR REPLACE INTO answers "
                "(path, digest, origin, server, environment, data, checksum) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(row.path, row.digest, row.origin, row.server, row.environment, row.data),
                    _checksum(row.path, row.digest, row.data),
                ),
            )
            self._connection.execute(
                "DELETE FROM answers WHERE path = ? AND origin = ? AND turn NOT IN ("
                "SELECT turn FROM answers WHERE path = ? AND origin = ? "
                "ORDER BY turn DESC LIMIT ?)",
                (*key, *key, _KEPT),
            )

    def current(self) -> list[AnswerRow]:
        """The latest sound rows for the files as they were last read, by path and origin."""
        query = (
            "SELECT a.path, a.digest, a.origin, a.server, a.environment, a.data, a.checksum "
            "FROM answers AS a JOIN files AS f ON f.path = a.path AND f.digest = a.digest "
            "ORDER BY a.turn"
        )
        return self._latest(query, ())

    def of(self, path: str, digest: bytes) -> list[AnswerRow]:
        """The latest sound rows for one content of a file, by origin."""
        query = (
            "SELECT path, digest, origin, server, environment, data, checksum FROM answers "
            "WHERE path = ? AND digest = ? ORDER BY turn"
        )
        return self._latest(query, (path, digest))

    def _latest(self, query: str, values: Sequence[object]) -> list[AnswerRow]:
        found: dict[tuple[str, int], AnswerRow] = {}
        with translated():
            for *columns, checksum in self._connection.execute(query, values):
                path, digest, origin, server, environment, data = columns
                if _checksum(path, digest, data) == checksum:
                    found[path, origin] = AnswerRow(
                        path=path,
                        digest=digest,
                        origin=origin,
                        server=server,
                        environment=environment,
                        data=data,
                    )
        return [found[key] for key in sorted(found)]

    def stamp(self) -> str:
        """A hash of the rows that `current` gives, empty if there are none; reads no answers."""
        query = (
            "SELECT a.path, a.origin, a.checksum "
            "FROM answers AS a JOIN files AS f ON f.path = a.path AND f.digest = a.digest "
            "ORDER BY a.turn"
        )
        with translated():
            latest = {
                (path, origin): sum_ for path, origin, sum_ in self._connection.execute(query)
            }
        if not latest:
            return ""
        state = blake2b(digest_size=12)
        for (path, origin), checksum in sorted(latest.items()):
            state.update(f"{path}\0{origin}\0{checksum}\n".encode("utf-8", "surrogateescape"))
        return state.hexdigest()

    def damaged(self) -> list[int]:
        """The turns of rows that are not as they were written."""
        return [turn for turn, sound in self._checked() if not sound]

    def _checked(self) -> Iterator[tuple[int, bool]]:
        query = "SELECT turn, path, digest, data, checksum FROM answers"
        with translated():
            for turn, path, digest, data, checksum in self._connection.execute(query):
                yield turn, _checksum(path, digest, data) == checksum

    def drop(self, turns: Iterable[int]) -> None:
        self._connection.executemany("DELETE FROM answers WHERE turn = ?", ((t,) for t in turns))

    def drop_origin(self, origin: int) -> None:
        """Forgets all that came from one kind of source."""
        self._connection.execute("DELETE FROM answers WHERE origin = ?", (origin,))

    def paths(self) -> dict[tuple[str, int], tuple[bytes, str, str]]:
        """For each file and origin the content, server and environment of the latest row."""
        query = "SELECT path, origin, digest, server, environment FROM answers ORDER BY turn"
        with translated():
            return {
                (path, origin): (digest, server, environment)
                for path, origin, digest, server, environment in self._connection.execute(query)
            }


def _checksum(path: object, digest: object, data: object) -> int:
    """Of a row as it is written; what is read back may be of any type if it is damaged."""
    head = repr((path, digest)).encode("utf-8", "backslashreplace")
    body = data if isinstance(data, bytes) else repr(data).encode("utf-8", "backslashreplace")
    return zlib.crc32(body, zlib.crc32(head))

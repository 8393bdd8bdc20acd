"""What a server said about one file: a plain value that can be kept and used on later graphs.

Sites are places in the file, targets are identities. Neither is a number of a graph, so answers
stay right as long as the file itself stays as it is, whatever moves elsewhere.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self
from zlib import crc32

import numpy as np
import numpy.typing as npt

from knowing.model import Origin, SymbolKind, qualified_name

Table = npt.NDArray[np.int32]

_MAGIC = b"kans"
FORMAT = 1
"""Goes up whenever the meaning of stored answers changes; older ones are asked for anew."""
_HEADER = struct.Struct("<4sBI")
_TABLES = (("inside", 3), ("outside", 6), ("sites", 2), ("links", 2), ("implements", 2))
_PARTS = struct.Struct(f"<{len(_TABLES) + 1}I")


class Inside(NamedTuple):
    """A symbol of the workspace."""

    path: str
    name: str
    """Owner chain; empty for the file itself."""
    overload: int

    @property
    def identity(self) -> str:
        return qualified_name(self.path, self.name, self.overload)


class External(NamedTuple):
    """A symbol of a dependency, told by what it is and not by where it happens to lie."""

    ecosystem: str
    package: str
    version: str
    """Empty if it is not known."""
    module: str
    name: str
    """Owner chain; empty for the module itself."""
    kind: int
    """A `SymbolKind`."""

    @property
    def label(self) -> str:
        """The dotted name by which people call it."""
        return ".".join(part for part in (self.module, self.name) if part)

    @property
    def identity(self) -> str:
        """All that is known: `pypi:httpx@0.28.1:httpx._client:Client`."""
        package = f"{self.package}@{self.version}" if self.version else self.package
        return ":".join((self.ecosystem, package, self.module, self.name))

    @property
    def description(self) -> str:
        kind = SymbolKind(self.kind).label if self.kind != SymbolKind.EXTERNAL else "symbol"
        return f"{kind} {self.identity}"


Target = Inside | External


class Answer(NamedTuple):
    """What was found at one site; no targets if the server knew nothing."""

    line: int
    """1-based."""
    column: int
    """0-based, in bytes of UTF-8."""
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileAnswers:
    """All answers for one file, as tables over one table of strings."""

    path: str
    digest: bytes
    """Of the file's bytes when it was asked about."""
    server: str
    """Name and version."""
    environment: str
    """A fingerprint of what else the answers depend on."""
    origin: Origin
    strings: tuple[str, ...]
    inside: Table
    """Path, name, overload."""
    outside: Table
    """Ecosystem, package, version, module, name, kind."""
    sites: Table
    """Line, column."""
    links: Table
    """Site, target: a row of `inside`, or `-1 - row` of `outside`."""
    implements: Table
    """Rows of `inside`: what is abstract, who implements it."""

    @classmethod
    def of(
        cls,
        path: str,
        digest: bytes,
        answers: Sequence[Answer],
        *,
        server: str,
        environment: str = "",
        origin: Origin = Origin.LSP_RESOLVED,
        implements: Sequence[tuple[Inside, Inside]] = (),
    ) -> Self:
        tables = _Tables()
        links = [
            (site, tables.target(target))
            for site, answer in enumerate(answers)
            for target in answer.targets
        ]
        pairs = [(tables.target(abstract), tables.target(own)) for abstract, own in implements]
        return cls(
            path=path,
            digest=digest,
            server=server,
            environment=environment,
            origin=origin,
            strings=tuple(tables.strings),
            inside=_table(tables.inside, 3),
            outside=_table(tables.outside, 6),
            sites=_table([(answer.line, answer.column) for answer in answers], 2),
            links=_table(links, 2),
            implements=_table(pairs, 2),
        )

    @property
    def key(self) -> tuple[str, bytes, str, str]:
        """Equal keys mean that asking again would bring nothing new."""
        return self.path, self.digest, self.server, self.environment

    def inside_targets(self) -> list[Inside]:
        """Every symbol of the workspace that an answer names."""
        return [
            Inside(self.strings[path], self.strings[name], overload)
            for path, name, overload in self.inside.tolist()
        ]

    def outside_targets(self) -> list[External]:
        text = self.strings
        return [
            External(text[eco], text[package], text[version], text[module], text[name], kind)
            for eco, package, version, module, name, kind in self.outside.tolist()
        ]

    def __iter__(self) -> Iterator[Answer]:
        inside, outside = self.inside_targets(), self.outside_targets()
        found: list[list[Target]] = [[] for _ in range(len(self.sites))]
        for site, target in self.links.tolist():
            found[site].append(inside[target] if target >= 0 else outside[-1 - target])
        for (line, column), targets in zip(self.sites.tolist(), found, strict=True):
            yield Answer(line, column, tuple(targets))

    def __len__(self) -> int:
        return len(self.sites)

    @property
    def resolved(self) -> int:
        """Sites for which the server knew something."""
        return len(np.unique(self.links[:, 0]))

    def encode(self) -> bytes:
        head = (self.path, self.digest.hex(), self.server, self.environment, str(int(self.origin)))
        parts = ["\0".join((*head, *self.strings)).encode("utf-8", "surrogatepass")]
        parts += [getattr(self, name).tobytes() for name, _ in _TABLES]
        body = _PARTS.pack(*map(len, parts)) + b"".join(parts)
        return _HEADER.pack(_MAGIC, FORMAT, crc32(body)) + body

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The answers in `data`; ValueError when they are damaged or of another format."""
        if len(data) < _HEADER.size + _PARTS.size:
            raise ValueError("answers are cut short")
        magic, version, checksum = _HEADER.unpack_from(data)
        if magic != _MAGIC or version != FORMAT:
            raise ValueError("answers are of another version")
        if checksum != crc32(memoryview(data)[_HEADER.size :]):
            raise ValueError("answers are damaged")
        at = _HEADER.size + _PARTS.size
        parts: list[bytes] = []
        for size in _PARTS.unpack_from(data, _HEADER.size):
            parts.append(data[at : at + size])
            at += size
        path, digest, server, environment, origin, *strings = (
            parts[0].decode("utf-8", "surrogatepass").split("\0")
        )
        return cls(
            path=path,
            digest=bytes.fromhex(digest),
            server=server,
            environment=environment,
            origin=Origin(int(origin)),
            strings=tuple(strings),
            **{
                name: np.frombuffer(part, dtype=np.int32).reshape(-1, width)
                for (name, width), part in zip(_TABLES, parts[1:], strict=True)
            },
        )


class _Tables:
    """Tables while they are being filled; equal texts and targets are kept once."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}
        self.inside: list[tuple[int, ...]] = []
        self.outside: list[tuple[int, ...]] = []
        self._seen: dict[Target, int] = {}

    def _string(self, text: str) -> int:
        return self.strings.setdefault(text.replace("\0", ""), len(self.strings))

    def target(self, target: Target) -> int:
        known = self._seen.get(target)
        if known is not None:
            return known
        if isinstance(target, Inside):
            row = (self._string(target.path), self._string(target.name), target.overload)
            self.inside.append(row)
            number = len(self.inside) - 1
        else:
            texts = [self._string(text) for text in target[:5]]
            self.outside.append((*texts, target.kind))
            number = -len(self.outside)
        self._seen[target] = number
        return number


def _table(rows: Sequence[Sequence[int]], width: int) -> Table:
    return np.array(rows, dtype=np.int32).reshape(-1, width)

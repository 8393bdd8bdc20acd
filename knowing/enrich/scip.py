"""Answers from a SCIP index, as compilers and CI jobs write them.

The file is a protocol buffer; the few fields that matter are decoded by hand. See scip.proto of
the SCIP project for the whole.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowing.enrich.answers import Answer, External, FileAnswers, Inside, Target
from knowing.enrich.ask import Workspace
from knowing.enrich.externals import Externals
from knowing.enrich.places import Text, Texts
from knowing.errors import KnowingError
from knowing.graph import Graph
from knowing.languages import Registry
from knowing.model import Origin, SymbolKind
from knowing.text import Encoding

_DEFINITION = 1
_ENCODINGS = {1: Encoding.UTF8, 2: Encoding.UTF16, 3: Encoding.UTF32}
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10
_TRUSTED_SHARE = 0.5
"""Of definitions that must be where the index says, for it to be about these files."""
_DESCRIPTOR = re.compile(r"(`(?:[^`]|``)+`|[\w+$-]+)(\(\w*\)\.|[/#.:!])|\[[^\]]*\]|\([^)]*\)")


class ScipError(KnowingError):
    """A file is no SCIP index."""


@dataclass(slots=True)
class Occurrence:
    symbol: str
    line: int
    character: int
    defines: bool


@dataclass(slots=True)
class Document:
    path: str = ""
    encoding: Encoding = Encoding.UTF16
    occurrences: list[Occurrence] = field(default_factory=list)
    implements: list[tuple[str, str]] = field(default_factory=list)
    """Who implements, what."""


@dataclass(slots=True)
class Index:
    tool: str = "scip"
    documents: list[Document] = field(default_factory=list)


# -- wire format ---------------------------------------------------------------------------------


def _fields(data: memoryview) -> Iterator[tuple[int, Any]]:
    """Numbers and values of a message's fields; those of fixed width are skipped."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield number, value
        elif wire == _BYTES:
            size, at = _varint(data, at)
            if at + size > len(data):
                raise ScipError("the SCIP index is cut short")
            yield number, data[at : at + size]
            at += size
        elif wire in (_FIXED32, _FIXED64):
            at += 4 if wire == _FIXED32 else 8
        else:
            raise ScipError("this is no SCIP index", "give a file that a SCIP indexer wrote")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(_LONGEST_VARINT):
        if at >= len(data):
            raise ScipError("the SCIP index is cut short")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return value, at
    raise ScipError("this is no SCIP index", "give a file that a SCIP indexer wrote")


def _text(value: Any) -> str:
    if not isinstance(value, memoryview):
        raise ScipError("this is no SCIP index", "give a file that a SCIP indexer wrote")
    return bytes(value).decode("utf-8", "replace")


def _message(value: Any) -> Iterator[tuple[int, Any]]:
    if not isinstance(value, memoryview):
        raise ScipError("this is no SCIP index", "give a file that a SCIP indexer wrote")
    return _fields(value)


def _numbers(value: Any) -> list[int]:
    """Repeated integers, packed or single."""
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        found.append(number)
    return found


def read_index(data: bytes) -> Index:
    """The parts of an index that edges can be made from; ScipError if it is none."""
    index = Index()
    for number, value in _fields(memoryview(data)):
        if number == 1:
            index.tool = _tool(value) or index.tool
        elif number == 2:
            index.documents.append(_document(value))
    return index


def _tool(metadata: Any) -> str:
    for number, value in _message(metadata):
        if number == 2:
            parts = {key: _text(item) for key, item in _message(value) if key in (1, 2)}
            return " ".join(parts[key] for key in sorted(parts) if parts[key])
    return ""


def _document(data: Any) -> Document:
    document = Document()
    for number, value in _message(data):
        if number == 1:
            document.path = _text(value)
        elif number == 2:
            occurrence = _occurrence(value)
            if occurrence is not None:
                document.occurrences.append(occurrence)
        elif number == 3:
            document.implements += _relationships(value)
        elif number == 6:
            document.encoding = _ENCODINGS.get(value, Encoding.UTF16)
    return document


def _occurrence(data: Any) -> Occurrence | None:
    place: list[int] = []
    symbol, roles = "", 0
    for number, value in _message(data):
        if number == 1:
            place += _numbers(value)
        elif number == 2:
            symbol = _text(value)
        elif number == 3:
            roles = value
    if len(place) < 3 or not symbol or symbol.startswith("local "):
        return None
    return Occurrence(symbol, place[0], place[1], bool(roles & _DEFINITION))


def _relationships(data: Any) -> list[tuple[str, str]]:
    own, related = "", []
    for number, value in _message(data):
        if number == 1:
            own = _text(value)
        elif number == 4:
            parts = dict(_message(value))
            if parts.get(3) and 1 in parts:
                related.append(_text(parts[1]))
    return [(own, other) for other in related]


# -- symbols -------------------------------------------------------------------------------------


def external_of(symbol: str) -> External | None:
    """The dependency's symbol that a SCIP symbol names; None if it cannot be read."""
    parts = symbol.replace("  ", "\0").split(" ", 4)
    if len(parts) < 5:
        return None
    _, manager, package, version, descriptors = (part.replace("\0", " ") for part in parts)
    module, names, kind = [], [], SymbolKind.EXTERNAL
    for match in _DESCRIPTOR.finditer(descriptors):
        name, suffix = match[1], match[2]
        if not name or name in ("__init__:",):
            continue
        bare = name.strip("`").replace("``", "`")
        if suffix == "/":
            module.append(bare)
        else:
            names.append(bare)
            kind = _KINDS.get(suffix[0], SymbolKind.EXTERNAL)
    spaces = (".", "") if package != "." else ("", "")
    known = "" if version in spaces else version
    return External(manager, package, known, ".".join(module), ".".join(names), int(kind))


_KINDS = {"#": SymbolKind.CLASS, "(": SymbolKind.METHOD, "!": SymbolKind.MACRO}


# -- answers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an index brought."""

    answers: tuple[FileAnswers, ...]
    skipped: Mapping[str, str]
    """Documents that were not used, and why."""


def import_scip(
    data: bytes, root: Path, graph: Graph, digests: Mapping[str, bytes], registry: Registry
) -> Imported:
    """The answers in the bytes of a SCIP index; ScipError if they are none."""
    texts = Texts()
    workspace = Workspace(root, graph, digests, texts, Externals(registry, texts))
    return answers_of(read_index(data), workspace)


def answers_of(index: Index, workspace: Workspace) -> Imported:
    """The answers that an index holds for the files of a workspace."""
    skipped: dict[str, str] = {}
    usable: list[tuple[Document, Text]] = []
    symbols: dict[str, Inside] = {}
    for document in index.documents:
        text = workspace.texts.get(workspace.root / document.path)
        if workspace.file(document.path) < 0 or text is None:
            skipped[document.path] = "it is not indexed"
            continue
        defined = _definitions(document, text, workspace)
        if defined is None:
            skipped[document.path] = "the SCIP index was made from another version of it"
            continue
        symbols |= defined
        usable.append((document, text))
    answers = [_file_answers(index, item, text, workspace, symbols) for item, text in usable]
    return Imported(answers=tuple(answers), skipped=skipped)


def _definitions(document: Document, text: Text, workspace: Workspace) -> dict[str, Inside] | None:
    """The symbols that a document defines; None if they are not where it says."""
    outline = workspace.outline(workspace.file(document.path))
    found: dict[str, Inside] = {}
    wrong = 0
    for occurrence in document.occurrences:
        external = external_of(occurrence.symbol) if occurrence.defines else None
        if external is None:
            continue
        line, column = text.from_server(occurrence.line, occurrence.character, document.encoding)
        row = outline.symbol_at(line, column, text)
        name = external.name.rpartition(".")[2]
        if row < 0 or (row and name and outline.name(row).rpartition(".")[2] != name):
            wrong += text.data[text.offset(line, column) :][: len(name)] != name.encode()
            continue
        target = Inside(document.path, outline.name(row), outline.overload(row))
        found.setdefault(occurrence.symbol, target)
    total = len(found) + wrong
    return None if total and len(found) < _TRUSTED_SHARE * total else found


def _file_answers(
    index: Index,
    document: Document,
    text: Text,
    workspace: Workspace,
    symbols: Mapping[str, Inside],
) -> FileAnswers:
    answers: dict[tuple[int, int], list[Target]] = {}
    for occurrence in document.occurrences:
        target = symbols.get(occurrence.symbol) or external_of(occurrence.symbol)
        if occurrence.defines or target is None:
            continue
        place = text.from_server(occurrence.line, occurrence.character, document.encoding)
        answers.setdefault(place, []).append(target)
    pairs = {
        (symbols[abstract], symbols[own])
        for own, abstract in document.implements
        if own in symbols and abstract in symbols
    }
    return FileAnswers.of(
        document.path,
        workspace.digests.get(document.path, b""),
        [Answer(*place, tuple(dict.fromkeys(found))) for place, found in sorted(answers.items())],
        server=index.tool,
        origin=Origin.SCIP_RESOLVED,
        implements=sorted(pairs),
    )

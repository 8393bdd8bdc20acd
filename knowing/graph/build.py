"""All files' facts to one `View`: join, resolve, derive, number."""

from collections.abc import Callable, Sequence

import numpy as np

from knowing.graph import derive
from knowing.graph.corpus import Corpus, FileEntry, join
from knowing.graph.edges import EdgeTable, ReferenceEdges, guesses
from knowing.graph.keys import Ids
from knowing.graph.members import Members
from knowing.graph.outside import Node, Outside
from knowing.graph.places import Places
from knowing.graph.projects import Project
from knowing.graph.resolve import Resolver
from knowing.graph.similar import similar
from knowing.graph.view import StringColumn, SymbolTable, View
from knowing.languages import Registry
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION

Owners = Callable[[str], tuple[str, ...]]


def nobody(_path: str) -> tuple[str, ...]:
    """Owners of a workspace that names none."""
    return ()


def build(
    files: Sequence[FileEntry],
    registry: Registry,
    projects: Sequence[Project] = (),
    owners_of: Owners = nobody,
) -> View:
    """The view of `files`, sorted by path; a pure function of its arguments."""
    corpus = join(files)
    members = Members(corpus, registry, Places(corpus, registry, projects))
    resolution = Resolver(corpus, members).run()
    direct = EdgeTable.concatenate(ReferenceEdges(members, resolution).all())
    structural = derive.structural_interfaces(members)
    nodes, outside = Outside(members, resolution).collect(owners_of)
    edges = EdgeTable.concatenate(
        [
            direct,
            guesses(members, resolution),
            *derive.membership(members),
            *derive.inheritance(members, np.flatnonzero(members.is_type).astype(np.int32)),
            *derive.structural_edges(members, structural),
            *derive.tests(members, direct),
            derive.documents(members),
            similar(members, files),
            outside,
        ]
    )
    return _number(corpus, members, files, nodes, edges)


def _number(
    corpus: Corpus,
    members: Members,
    files: Sequence[FileEntry],
    nodes: Sequence[Node],
    edges: EdgeTable,
) -> View:
    """Leaves out the rows that are never shown and numbers the rest without gaps."""
    shown = np.concatenate((members.kind != EXTENSION, np.ones(len(nodes), dtype=bool)))
    numbers = np.where(shown, np.cumsum(shown) - 1, -1).astype(np.int32)
    visible = shown[edges.source] & shown[edges.target]
    return View(
        paths=StringColumn.of(path.encode() for path in corpus.paths),
        languages=StringColumn.of(name.encode() for name in corpus.languages),
        symbols=_symbols(corpus, members, files, nodes, numbers),
        edges=edges.take(visible).renumbered(numbers).canonical(),
    )


def _symbols(
    corpus: Corpus,
    members: Members,
    files: Sequence[FileEntry],
    nodes: Sequence[Node],
    numbers: Ids,
) -> SymbolTable:
    rows = np.flatnonzero(members.kind != EXTENSION)
    table = corpus.symbols[rows]
    encoded = [text.encode("utf-8", "replace") for text in corpus.names.texts]
    texts = [text for entry in files for text in entry.facts.text_data.split(b"\0")]
    extra = [name.encode("utf-8", "replace") for _, name in nodes]
    empty = [b""] * len(nodes)
    owner = members.owner[rows]

    def column(which: SymbolColumn, fill: int = 0) -> Ids:
        return np.concatenate((table[:, which], np.full(len(nodes), fill, np.int32)))

    def strings(which: SymbolColumn) -> StringColumn:
        return StringColumn.of([encoded[i] for i in table[:, which].tolist()] + extra)

    return SymbolTable(
        name=strings(SymbolColumn.NAME),
        chain=strings(SymbolColumn.CHAIN),
        signature=StringColumn.of([texts[2 * row] for row in rows.tolist()] + empty),
        doc=StringColumn.of([texts[2 * row + 1] for row in rows.tolist()] + empty),
        file=np.concatenate((corpus.symbol_file[rows], np.full(len(nodes), -1, np.int32))),
        kind=np.concatenate(
            (table[:, SymbolColumn.KIND], np.array([kind for kind, _ in nodes], dtype=np.int32))
        ).astype(np.uint8),
        flags=column(SymbolColumn.FLAGS),
        owner=np.concatenate(
            (
                np.where(owner >= 0, numbers[np.maximum(owner, 0)], -1),
                np.full(len(nodes), -1, np.int32),
            )
        ).astype(np.int32),
        start=column(SymbolColumn.START),
        end=column(SymbolColumn.END),
        line=column(SymbolColumn.LINE),
        end_line=column(SymbolColumn.END_LINE),
        name_line=column(SymbolColumn.NAME_LINE),
        name_column=column(SymbolColumn.NAME_COLUMN),
        overload=column(SymbolColumn.OVERLOAD),
    )

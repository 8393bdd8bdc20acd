"""All files' facts to a graph: join, resolve, derive.

Every edge is produced by one file (its site), given the tables of all files; only two families
have no such file: what follows from the hierarchy of types, and similarity within a folder. That
is what lets `advance` make the same graph from the one before by producing few files anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from knowing.graph import derive
from knowing.graph.corpus import Corpus, FileEntry, join
from knowing.graph.edges import EdgeTable, ReferenceEdges, guesses
from knowing.graph.keys import Mask
from knowing.graph.members import Members
from knowing.graph.number import number
from knowing.graph.outside import Node, Outside
from knowing.graph.places import Places
from knowing.graph.projects import Project
from knowing.graph.resolution import Resolution
from knowing.graph.resolve import Resolver
from knowing.graph.similar import similar
from knowing.graph.view import View
from knowing.languages import Registry

Owners = Callable[[str], tuple[str, ...]]


def nobody(_path: str) -> tuple[str, ...]:
    """Owners of a workspace that names none."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the graph depends on besides the files."""

    registry: Registry
    projects: Sequence[Project] = ()
    owners_of: Owners = nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A view together with all that is needed to make the next one from it."""

    setting: Setting
    files: tuple[FileEntry, ...]
    corpus: Corpus
    members: Members
    resolution: Resolution
    edges: EdgeTable
    """In canonical order; numbers are rows of the corpus, then `nodes`."""
    nodes: tuple[Node, ...]
    view: View


def build(
    files: Sequence[FileEntry],
    registry: Registry,
    projects: Sequence[Project] = (),
    owners_of: Owners = nobody,
) -> View:
    """The view of `files`, sorted by path; a pure function of its arguments."""
    setting = Setting(registry=registry, projects=projects, owners_of=owners_of)
    return build_graph(files, setting).view


def build_graph(files: Sequence[FileEntry], setting: Setting) -> Graph:
    """The graph of `files`, sorted by path."""
    corpus = join(files)
    places = Places(corpus, setting.registry, setting.projects)
    members = Members(corpus, places)
    resolution = Resolver(corpus, members).run()
    everything = np.ones(len(files), dtype=bool)
    produced, nodes = produce(members, resolution, everything, setting)
    edges = EdgeTable.concatenate([produced, *by_hierarchy(members), similar(members, files)])
    edges = edges.canonical()
    return Graph(
        setting=setting,
        files=tuple(files),
        corpus=corpus,
        members=members,
        resolution=resolution,
        edges=edges,
        nodes=tuple(nodes),
        view=number(corpus, members, files, nodes, edges),
    )


def produce(
    members: Members, resolution: Resolution, files: Mask, setting: Setting
) -> tuple[EdgeTable, list[Node]]:
    """The edges whose site lies in `files`; nodes outside the code are numbered as listed."""
    refs = members.corpus.references.of(files)
    direct = EdgeTable.concatenate(ReferenceEdges(members, resolution, files, refs).all())
    nodes, outside = Outside(members, resolution, files, refs).collect(setting.owners_of)
    edges = EdgeTable.concatenate(
        [
            direct,
            guesses(members, resolution, files, refs),
            *derive.membership(members, files),
            *derive.tests(members, direct),
            derive.documents(members, files, refs),
            outside,
        ]
    )
    return edges, nodes


def by_hierarchy(members: Members) -> list[EdgeTable]:
    """The edges that follow from what types extend and implement."""
    structural = derive.structural_interfaces(members)
    types = np.unique(members.hierarchy.types)
    return [*derive.inheritance(members, types), *derive.structural_edges(members, structural)]

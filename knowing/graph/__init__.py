"""GRAPH: the facts of all files become one immutable `View` of symbols and edges.

A pure function of the facts: references are explained in vectorised rounds, then further edges are
derived. Nothing here reads a file or a database.
"""

from knowing.graph.advance import advance
from knowing.graph.build import Graph, Setting, build, build_graph
from knowing.graph.corpus import FileEntry
from knowing.graph.projects import PROJECT_FILES, Project, read_project
from knowing.graph.view import View

__all__ = [
    "PROJECT_FILES",
    "FileEntry",
    "Graph",
    "Project",
    "Setting",
    "View",
    "advance",
    "build",
    "build_graph",
    "read_project",
]

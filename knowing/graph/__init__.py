"""GRAPH: the facts of all files become one immutable `View` of symbols and edges.

A pure function of the facts: references are explained in vectorised rounds, then further edges are
derived. Nothing here reads a file or a database.
"""

from knowing.graph.build import build
from knowing.graph.corpus import FileEntry
from knowing.graph.projects import PROJECT_FILES, Project, read_project
from knowing.graph.view import View

__all__ = ["PROJECT_FILES", "FileEntry", "Project", "View", "build", "read_project"]

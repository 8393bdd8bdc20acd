"""Graphs from a few lines of source, and their edges as readable pairs."""

from collections.abc import Callable, Mapping
from textwrap import dedent

from knowing.graph import FileEntry, Project, View, build, read_project
from knowing.languages import load_languages
from knowing.model import EdgeKind, Origin, SymbolFlag
from knowing.parse import extract


def graph_of(
    files: Mapping[str, str],
    *,
    tests: frozenset[str] = frozenset(),
    owners: Callable[[str], tuple[str, ...]] = lambda _path: (),
) -> View:
    """The view of some files; those in `tests` are test files. Build files are read as such."""
    registry = load_languages()
    entries, projects = [], list[Project]()
    for path in sorted(files):
        text = dedent(files[path])
        project = read_project(path, text)
        language = registry.for_path(path)
        if project is not None:
            projects.append(project)
        elif language is not None:
            flags = SymbolFlag.TEST if path in tests else SymbolFlag(0)
            facts = extract(text.encode(), language, flags)
            entries.append(FileEntry(path=path, language=language.name, facts=facts))
    return build(entries, registry, projects, owners)


def pairs(view: View, kind: EdgeKind, *, guesses: bool = False) -> set[tuple[str, str]]:
    """Source and target of all edges of a kind: identities, guesses only if asked for."""
    return {
        (edge.source, edge.target)
        for edge in view.all_edges()
        if edge.kind == kind and (edge.origin == Origin.HEURISTIC) == guesses
    }

"""Real folders with a few files, their graphs, and the servers that are asked about them."""

import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

from knowing.enrich import Enricher, FileAnswers, Limits, Options, RunReport, Work
from knowing.files import FileRules, SourceText, read, scan
from knowing.graph import FileEntry, Graph, Project, Setting, build_graph, read_project
from knowing.graph.projects import PROJECT_FILES
from knowing.languages import load_languages
from knowing.model import Edge, EdgeKind
from knowing.parse import extract

FAKE = Path(__file__).with_name("fake_server.py")
_PROJECT = "project"


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8", newline="")


def graph_of(root: Path) -> tuple[Graph, dict[str, bytes]]:
    """The graph of a folder as it is on disk, and the digests of its files."""
    registry = load_languages()
    languages = dict(registry.by_suffix) | dict.fromkeys(sorted(PROJECT_FILES), _PROJECT)
    rules = FileRules(
        languages=languages,
        test_patterns={item.name: item.test_patterns for item in registry.languages},
    )
    entries: list[FileEntry] = []
    projects: list[Project] = []
    digests: dict[str, bytes] = {}
    for file in scan(root, rules).files:
        source = read(root, file.path, 10_000_000)
        assert isinstance(source, SourceText), source
        if file.language == _PROJECT:
            project = read_project(file.path, source.data.decode("utf-8", "replace"))
            projects += [project] if project else []
            continue
        facts = extract(source.data, registry[file.language], file.flags)
        entries.append(FileEntry(path=file.path, language=file.language, facts=facts))
        digests[file.path] = source.digest
    entries.sort(key=lambda entry: entry.path)
    setting = Setting(registry=registry, projects=tuple(projects))
    return build_graph(entries, setting), digests


def fake(behaviour: str, *, more: str = "", name: str = "fake") -> str:
    """A description of a server that misbehaves in one way."""
    return f"""
[[server]]
name = "{name}"
languages = ["python"]
command = ['{sys.executable}', '{FAKE}', '{behaviour}']
in_flight = 2
thorough = true
request_seconds = 0.4
{more}
"""


OFF = ("ty", "pyrefly", "basedpyright", "pyright", "jedi")
"""The real servers for the language that the fakes speak."""


def enricher(
    root: Path,
    description: str,
    *,
    trusted: bool = True,
    limits: Limits | None = None,
    idle_seconds: float = 300.0,
) -> Enricher:
    """An enricher with the described servers only."""
    file = root.parent / "servers.toml"
    file.write_text(description, encoding="utf-8")
    options = Options(
        servers_file=file,
        disabled=OFF,
        idle_seconds=idle_seconds,
        limits=limits or Limits(load_per_core=0, on_battery=True),
    )
    return Enricher(root, load_languages(), options, root.parent / "cache", trusted=trusted)


def run(enricher: Enricher, root: Path) -> tuple[RunReport, list[FileAnswers]]:
    graph, digests = graph_of(root)
    answers: list[FileAnswers] = []
    report = enricher.enrich(Work(graph=graph, digests=digests), answers.append)
    return report, sorted(answers, key=lambda answer: answer.path)


def until(true: Callable[[], bool]) -> bool:
    """Waits for something that happens soon, or never."""
    done = threading.Event()
    for _ in range(400):
        if true():
            return True
        done.wait(0.025)
    return False


def edges(view_edges: list[Edge], kind: EdgeKind) -> set[tuple[str, str, str]]:
    """Source, target and origin of all edges of a kind."""
    return {(e.source, e.target, e.origin.label) for e in view_edges if e.kind == kind}

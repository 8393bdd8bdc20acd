"""What the samples of a language folder promise, held against what is found in them."""

import re
from pathlib import Path

import numpy as np

from knowing.graph import PROJECT_FILES, FileEntry, Project, View, build, read_project
from knowing.languages import Language, Registry
from knowing.model import Origin, SymbolFlag, SymbolKind
from knowing.parse import FileFacts, extract
from knowing.parse.facts import ImportColumn, RefColumn, Role, SymbolColumn
from tests.languages.samples import Expectation, expectations, sample_files

_HIDDEN = len(SymbolKind)


def read(language: Language, registry: Registry) -> list[tuple[Path, FileFacts, list[Expectation]]]:
    return [
        (path, extract(path.read_bytes(), language), expectations(language, path, path.read_text()))
        for path in sample_files(language)
        if registry.for_path(path.name) is language
    ]


def check_sample(language: Language, registry: Registry) -> None:
    """There is one, it speaks of definitions and uses, and it is read without a problem."""
    found = read(language, registry)
    verbs = {item.verb for _, _, wanted in found for item in wanted}
    assert {"definition", "reference"} <= verbs
    for path, facts, _ in found:
        assert facts.problem == "", path.name


def check_definitions(language: Language, registry: Registry) -> None:
    """Every definition is found where it is expected, and nothing beside them."""
    for path, facts, wanted in read(language, registry):
        found = {
            (int(row[SymbolColumn.NAME_LINE]), int(row[SymbolColumn.NAME_COLUMN])): row
            for row in facts.symbols[1:]
            if row[SymbolColumn.KIND] != _HIDDEN
        }
        strings = facts.strings
        claimed = set()
        for item in wanted:
            if item.verb != "definition":
                continue
            row = found.get((item.line, item.column))
            assert row is not None, f"nothing is defined at {item}"
            kind = SymbolKind(int(row[SymbolColumn.KIND])).label
            chain = strings[row[SymbolColumn.CHAIN]].replace(" ", "_")
            assert (kind, chain) == item.words[:2], f"{item}: found {kind} {chain}"
            flags = SymbolFlag(int(row[SymbolColumn.FLAGS])).labels
            assert set(item.words[2:]) <= set(flags), f"{item}: flags are {flags}"
            claimed.add((item.line, item.column))
        unclaimed = [
            f"{path.name}:{line}:{column} {strings[found[line, column][SymbolColumn.CHAIN]]}"
            for line, column in sorted(found.keys() - claimed)
        ]
        assert not unclaimed, f"not claimed by any expectation: {unclaimed}"


def check_references(language: Language, registry: Registry) -> None:
    for _, facts, wanted in read(language, registry):
        found = {(int(row[RefColumn.LINE]), int(row[RefColumn.COLUMN])): row for row in facts.refs}
        for item in wanted:
            if item.verb != "reference":
                continue
            row = found.get((item.line, item.column))
            assert row is not None, f"no reference at {item}"
            roles = Role(int(row[RefColumn.CODE]) >> 4)
            role = item.words[0]
            right = roles & Role[role.upper()] if role != "read" else not roles & Role.CALL
            assert right, f"{item}: found as {roles!r}"


def check_imports(language: Language, registry: Registry) -> None:
    for _, facts, wanted in read(language, registry):
        strings = facts.strings
        found = [
            (int(row[ImportColumn.LINE]), *(strings[max(0, row[c])] for c in ImportColumn if c < 3))
            for row in facts.imports
        ]
        for item in wanted:
            if item.verb != "import":
                continue
            module, *names = item.words
            name = names[0] if names and names[0] != "as" else ""
            alias = names[-1] if "as" in names else ""
            assert (item.line, module, name, alias) in found, f"{item}: found {found}"


def check_arrows(language: Language, registry: Registry) -> None:
    """The graph of the whole sample folder resolves what it must, and nothing that it must not."""
    folder = Path(language.folder) / "sample"
    view = build(entries(folder, registry), registry, projects(folder))
    for path in sample_files(language):
        wanted = expectations(language, path, path.read_text())
        lines = path.read_text().splitlines()
        for item in wanted:
            if item.verb != "reference" or "->" not in item.words:
                continue
            name = path.relative_to(folder).as_posix()
            found = targets(view, name, item.line)
            meant = item.words[item.words.index("->") + 1]
            if meant == "?":
                token = word_at(lines[item.line - 1], item.column)
                bound = [chain for chain in found if chain.rpartition(".")[2] == token]
                assert not bound, f"{item}: bound to {bound}"
            else:
                assert meant in found, f"{item}: that line leads to {sorted(found)}"


def entries(folder: Path, registry: Registry) -> list[FileEntry]:
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        language = registry.for_path(name)
        if language is not None:
            facts = extract(path.read_bytes(), language)
            found.append(FileEntry(path=name, language=language.name, facts=facts))
    return sorted(found, key=lambda entry: entry.path)


def projects(folder: Path) -> list[Project]:
    files = (path for path in sorted(folder.rglob("*")) if path.name in PROJECT_FILES)
    read_all = (read_project(p.relative_to(folder).as_posix(), p.read_text()) for p in files)
    return [project for project in read_all if project is not None]


def targets(view: View, path: str, line: int) -> set[str]:
    """Owner chains of what a line leads to, guesses left out."""
    edges = view.edges
    file = list(view.paths).index(path)
    rows = np.flatnonzero(
        (edges.file == file) & (edges.line == line) & (edges.origin != Origin.HEURISTIC)
    )
    return {view.symbols.chain[int(edges.target[row])].replace(" ", "_") for row in rows}


def word_at(line: str, column: int) -> str:
    found = re.match(r"\w+[?!]?", line.encode()[column:].decode())
    return found.group() if found else ""

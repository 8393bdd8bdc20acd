"""Every language folder tests itself: its samples say what must be found in them."""

from pathlib import Path

import pytest
from tests.languages.samples import Expectation, expectations, sample_files

from knowing.languages import Language, load_languages
from knowing.model import SymbolFlag, SymbolKind
from knowing.parse import FileFacts, extract
from knowing.parse.facts import ImportColumn, RefColumn, Role, SymbolColumn

LANGUAGES = load_languages().languages
_HIDDEN = len(SymbolKind)


def ids(language: Language) -> str:
    return language.name


@pytest.fixture(params=LANGUAGES, ids=ids)
def language(request: pytest.FixtureRequest) -> Language:
    return request.param


def read(language: Language) -> list[tuple[Path, FileFacts, list[Expectation]]]:
    return [
        (path, extract(path.read_bytes(), language), expectations(language, path, path.read_text()))
        for path in sample_files(language)
        if load_languages().for_path(path.name) is language
    ]


def test_has_a_sample_with_definitions_and_references(language: Language) -> None:
    verbs = {item.verb for _, _, wanted in read(language) for item in wanted}
    assert "definition" in verbs
    assert language.prose or "reference" in verbs


def test_every_definition_is_found_and_claimed(language: Language) -> None:
    for path, facts, wanted in read(language):
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


def test_references_have_their_roles(language: Language) -> None:
    for _, facts, wanted in read(language):
        found = {
            (int(row[RefColumn.LINE]), int(row[RefColumn.COLUMN])): row for row in facts.refs
        }
        for item in wanted:
            if item.verb != "reference":
                continue
            row = found.get((item.line, item.column))
            assert row is not None, f"no reference at {item}"
            roles = Role(int(row[RefColumn.CODE]) >> 4)
            role = item.words[0]
            right = roles & Role[role.upper()] if role != "read" else not roles & Role.CALL
            assert right, f"{item}: found as {roles!r}"


def test_imports(language: Language) -> None:
    for _, facts, wanted in read(language):
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


def test_sample_is_read_without_a_problem(language: Language) -> None:
    for path, facts, _ in read(language):
        assert facts.problem == "", path.name

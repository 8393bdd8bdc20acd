import re
import tomllib
from pathlib import Path

import pytest

from knowing.settings import leaves
from knowing.settings_surfaces import markdown

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def test_the_manual_page_of_settings_is_current() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == markdown(), "run `make docs`"
    for key in leaves():
        assert f"| `{key}` |" in page


def test_the_readme_opens_with_the_two_commands_and_is_short() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    commands = [line.split("#")[0].strip() for line in lines[:8] if line.startswith("make ")]
    assert commands == ["make run", "make test"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    local = [link.split("#")[0] for link in links if not link.startswith(("http", "#"))]
    assert [link for link in local if not (document.parent / link).exists()] == []


def test_the_architecture_has_a_place_for_every_part() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    headings = "\n".join(re.findall(r"^### .*$", text, re.MULTILINE))
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob("knowing/*/__init__.py")}
    modules = {path.relative_to(ROOT) for path in ROOT.glob("knowing/*.py")}
    families = {path for path in modules if "_" not in path.stem.strip("_")}
    missing = sorted(
        path.as_posix()
        for path in folders | families - {Path("knowing/__init__.py")}
        if f"`{path.as_posix()}" not in headings
    )
    assert missing == []


def test_every_command_of_the_makefile_is_explained_by_it() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    explained = set(re.findall(r"@echo 'make (\w+)", text))
    assert set(phony[1].split()) - {"help"} == explained


def test_the_changelog_knows_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0] == version
    assert set(re.findall(r"^### (.*)$", changelog, re.MULTILINE)) <= {
        *("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
    }

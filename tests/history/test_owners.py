import os
from pathlib import Path

import pytest

from knowing.history import owners_of
from knowing.history.owners import LOCATIONS, MAX_BYTES

CASES = [
    ("*", "a.py", True),
    ("*", "deep/er/a.py", True),
    ("*.js", "a.js", True),
    ("*.js", "deep/er/a.js", True),
    ("*.js", "a.jsx", False),
    ("/docs/", "docs/a.md", True),
    ("/docs/", "docs/deep/a.md", True),
    ("/docs/", "sub/docs/a.md", False),
    ("/docs/", "docs", False),
    ("docs/*", "docs/a.md", True),
    ("docs/*", "docs/deep/a.md", False),
    ("docs/*", "sub/docs/a.md", False),
    ("docs/**", "docs/deep/a.md", True),
    ("apps/", "apps/a.py", True),
    ("apps/", "sub/apps/deep/a.py", True),
    ("**/logs", "logs/a.py", True),
    ("**/logs", "a/b/logs/c/d.py", True),
    ("a/**/z.py", "a/z.py", True),
    ("a/**/z.py", "a/b/c/z.py", True),
    ("/apps/github", "apps/github/a.py", True),
    ("/apps/github", "apps/githubber/a.py", False),
    ("src/a.py", "src/a.py", True),
    ("src/a.py", "sub/src/a.py", False),
    ("a?.py", "ab.py", True),
    ("a?.py", "a/.py", False),
    ("[ab].py", "[ab].py", True),
    ("[ab].py", "a.py", False),
    ("my\\ dir/", "my dir/a.py", True),
    ("\\#odd.py", "#odd.py", True),
    ("/", "a.py", True),
    ("grüße/", "grüße/a.py", True),
    ("a.py", "a.py\n", False),
]


@pytest.mark.parametrize(("pattern", "path", "matches"), CASES)
def test_patterns(tmp_path: Path, pattern: str, path: str, matches: bool) -> None:
    (tmp_path / "CODEOWNERS").write_text(f"{pattern} @team\n", encoding="utf-8")
    assert owners_of(tmp_path)(path) == (("@team",) if matches else ())


def owners(tmp_path: Path, text: str, path: str) -> tuple[str, ...]:
    (tmp_path / "CODEOWNERS").write_text(text, encoding="utf-8")
    return owners_of(tmp_path)(path)


def test_the_last_match_wins(tmp_path: Path) -> None:
    text = "* @all\n*.py @python @snakes\n/legacy/ mail@example.org\n"
    assert owners(tmp_path, text, "a.py") == ("@python", "@snakes")
    assert owners(tmp_path, text, "legacy/a.py") == ("mail@example.org",)
    assert owners(tmp_path, text, "a.go") == ("@all",)


def test_a_pattern_without_owners_takes_them_away(tmp_path: Path) -> None:
    assert owners(tmp_path, "* @all\n/generated/\n", "generated/a.py") == ()


def test_comments_and_blank_lines(tmp_path: Path) -> None:
    text = "\ufeff# heading @nobody\n\n*.py @python # not @this\n   \t\n"
    assert owners(tmp_path, text, "a.py") == ("@python",)


def test_the_sections_of_gitlab_add_up(tmp_path: Path) -> None:
    text = (
        "* @all\n"
        "[Documentation] @writers\n*.md\ndocs/ @docs-team\n"
        "^[Database][2] @dba\n*.sql\n*.md @sql-docs\n!vendor/\n"
        "[documentation]\nREADME.md @boss\n"
    )
    assert owners(tmp_path, text, "a.md") == ("@all", "@writers", "@sql-docs")
    assert owners(tmp_path, text, "docs/x.txt") == ("@all", "@docs-team")
    assert owners(tmp_path, text, "README.md") == ("@all", "@boss", "@sql-docs")
    assert owners(tmp_path, text, "vendor/a.sql") == ("@all",)


def test_the_first_location_counts(tmp_path: Path) -> None:
    for location in reversed(LOCATIONS):
        (tmp_path / location).parent.mkdir(exist_ok=True)
        (tmp_path / location).write_text(f"* @{location}\n", encoding="utf-8")
        assert owners_of(tmp_path)("a.py") == (f"@{location}",)


def test_a_folder_of_a_repository_asks_at_the_top(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CODEOWNERS").write_text("/sub/a.py @top\n/a.py @wrong\n", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    assert owners_of(tmp_path / "sub")("a.py") == ("@top",)


def test_a_folder_outside_a_repository_asks_nobody_above(tmp_path: Path) -> None:
    (tmp_path / "CODEOWNERS").write_text("* @above\n", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    assert owners_of(tmp_path / "sub")("a.py") == ()


def test_without_a_file_nobody_owns_anything(tmp_path: Path) -> None:
    assert owners_of(tmp_path)("a.py") == ()


def test_a_file_that_is_too_large_is_not_used(tmp_path: Path) -> None:
    text = "* @all\n" + "#" * MAX_BYTES
    assert owners(tmp_path, text, "a.py") == ()


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_file_that_cannot_be_read_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "CODEOWNERS").symlink_to("CODEOWNERS")
    assert owners_of(tmp_path)("a.py") == ()

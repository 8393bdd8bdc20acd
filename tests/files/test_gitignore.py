"""Ignore rules are git's: every case here is decided by asking git itself."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowing.files import FileRules, scan

FILE_NAMES = (
    "a", "b", "ab", "abc", "A", "a.py", "b.py", "ab.py", "a b", "a ", " a", "#a", "!a", "a!",
    "[a]", "a]", "a-b", "-", "é", "éa", "a\\b", "a*b", "1", "_", "a\nb", "bar", "foobar", "x.y.z",
)  # fmt: skip
FOLDER_NAMES = ("a", "b", "ab", "foo", "bar", "foobar", "a b", "a ", "é", "d.py", "[a]", "#a", "!a")
LANGUAGES = dict.fromkeys((*FILE_NAMES, ".gitignore"), "any")
PIECES = (
    "a", "b", "foo", "bar", "*", "**", "***", "?", "/", "/**/", "/**", "**/", "[ab]", "[!a]",
    "[^b]", "[a-c]", "[]a]", "[!]a]", "[a-]", "[[:alpha:]]", "[[:digit:]_]", "[[:nope:]]", "[[:a]",
    "[\\]a]", "[a", "\\", "\\a", "\\*", "\\#", "\\!", "\\ ", " ", "  ", "#", "!", ".py", ".", "é",
    "\t", "-", "_", "]", "\r", "1",
)  # fmt: skip
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}

random_patterns = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
folders = st.lists(st.sampled_from(FOLDER_NAMES), max_size=3).map("/".join)
files = st.tuples(folders, st.sampled_from(FILE_NAMES)).map(
    lambda pair: "/".join(filter(None, pair))
)


@st.composite
def patterns_near(draw: st.DrawFn, paths: list[str]) -> str:
    """A pattern made from a path by putting wildcards in the place of some of its parts."""
    parts = draw(st.sampled_from(paths)).split("/")
    parts = parts[draw(st.integers(0, len(parts) - 1)) :]
    changed = []
    for part in parts:
        at = draw(st.integers(0, len(part) - 1))
        wild = draw(
            st.sampled_from(["", "*", "**", "?", "[!x]", "\\" + part[at], f"[{part[at]}-z]"])
        )
        whole = draw(st.sampled_from([part, part, part, "*", "**"]))
        changed.append(draw(st.sampled_from([whole, part[:at] + wild + part[at + 1 :]])))
    pattern = "/".join(changed)
    prefix = draw(st.sampled_from(["", "", "/", "!", "!/", "**/"]))
    return prefix + pattern + draw(st.sampled_from(["", "", "", "/", "/*", "/**", "*", " ", "\r"]))


def ignore_files(paths: list[str]) -> st.SearchStrategy[str]:
    lines = st.one_of(patterns_near(paths), patterns_near(paths), random_patterns)
    return st.lists(lines, min_size=1, max_size=5).map("\n".join)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], dict[str, str]]:
    """Paths of files, and ignore files for the top, for info/exclude and for some folders."""
    paths = draw(st.lists(files, min_size=1, max_size=12))
    texts = {".gitignore": draw(ignore_files(paths))}
    if draw(st.booleans()):
        texts[".git/info/exclude"] = draw(ignore_files(paths))
    for path in draw(st.lists(st.sampled_from(paths), max_size=2)):
        folder = path.rpartition("/")[0]
        below = [other.removeprefix(f"{folder}/") for other in paths]
        texts[f"{folder}/.gitignore".removeprefix("/")] = draw(ignore_files(below))
    return paths, texts


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        git(Path(folder), "init", "-q")
        yield Path(folder)


def git(root: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["git", *arguments],
        cwd=root,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        timeout=60,
        input=stdin,
    ).stdout


def empty(root: Path) -> None:
    """Remove all but the repository, whose index and exclude file become empty."""
    for entry in root.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    (root / ".git/index").unlink(missing_ok=True)
    (root / ".git/info/exclude").write_bytes(b"")


def fill(root: Path, paths: Sequence[str]) -> None:
    """Create the files, leaving out those that collide with a folder of the same name."""
    for path in paths:
        file = root / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("x\n")
        except OSError:
            continue


def expected(root: Path) -> set[str]:
    """What git considers part of the project: tracked, or untracked and not ignored."""
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return {os.fsdecode(path) for path in listed.split(b"\0") if path}


def found(root: Path) -> set[str]:
    return {file.path for file in scan(root, FileRules(languages=LANGUAGES)).files}


def write(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        if (root / path).parent.is_dir():
            (root / path).write_bytes(text.encode())


def check(root: Path, paths: Sequence[str], texts: dict[str, str]) -> None:
    empty(root)
    fill(root, paths)
    write(root, texts)
    assert found(root) == expected(root)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(tree=trees())
def test_any_tree_and_any_patterns(checkout: Path, tree: tuple[list[str], dict[str, str]]) -> None:
    check(checkout, *tree)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(tree=trees(), data=st.data())
def test_what_git_tracks_is_not_ignored(
    checkout: Path, tree: tuple[list[str], dict[str, str]], data: st.DataObject
) -> None:
    paths, texts = tree
    empty(checkout)
    fill(checkout, paths)
    write(checkout, texts)
    present = [path for path in paths if (checkout / path).is_file()]
    chosen = data.draw(st.lists(st.sampled_from(present), unique=True))
    names = b"\0".join(os.fsencode(path) for path in chosen)
    version = data.draw(st.sampled_from(["2", "4"]))
    git(checkout, "update-index", "--index-version", version, "--add", "-z", "--stdin", stdin=names)
    assert found(checkout) == expected(checkout)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(tree=trees())
def test_a_repository_that_ignores_case(
    checkout: Path, tree: tuple[list[str], dict[str, str]]
) -> None:
    paths, texts = tree
    git(checkout, "config", "core.ignorecase", "true")
    try:
        check(checkout, paths, {path: text.swapcase() for path, text in texts.items()})
    finally:
        git(checkout, "config", "core.ignorecase", "false")


@pytest.mark.parametrize(
    "pattern",
    [
        "foo**/bar",
        "foo/**",
        "**/foo/**/bar",
        "foo**bar",
        "a/**\\/b",
        "?",
        "??",
        "[é]",
        "é*",
        "[[:alpha:]-z]",
        "[a-]",
        "[!]-]",
        "[[:",
        "[",
        "a\\",
        "\\",
        "/",
        "//",
        "foo//",
        "/foo[!x]a",
        "/foo[.-0]a",
        "/foo?a",
        "!",
        "!!a",
        "a\\ ",
        "a ",
        "a \\",
        "\\#a",
        "#a",
        "\\!a",
        "*.py/",
        "d.py/",
        "/*/b",
        "*/",
        "***",
        "a\t",
        "\ufeffa",
    ],
)
def test_a_pattern_with_a_trap(checkout: Path, pattern: str) -> None:
    paths = [
        *FILE_NAMES,
        *(f"foo/{name}" for name in FILE_NAMES),
        *(f"d.py/bar/{name}" for name in FILE_NAMES),
        "foo/x.y.z/b",
        "foox/bar",
    ]
    check(checkout, paths, {".gitignore": pattern})
    check(checkout, paths, {".gitignore": f"*\n!*/\n!{pattern}"})


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_line_ends_and_a_byte_order_mark(checkout: Path, end: str) -> None:
    check(checkout, ["a", "b", "foo/a"], {".gitignore": f"\ufeff/a\r\n\r\n# b{end}"})


def test_an_ignore_file_that_is_a_link_is_not_heeded(checkout: Path) -> None:
    empty(checkout)
    fill(checkout, ["a", "foo/a", "b"])
    (checkout / "foo/rules").write_text("a\n")
    (checkout / "foo/.gitignore").symlink_to("rules")
    assert "foo/a" in found(checkout)
    assert found(checkout) == expected(checkout) - {"foo/rules", "foo/.gitignore"}


def test_a_hostile_pattern_does_not_stall(checkout: Path) -> None:
    """Git itself takes minutes for this: it goes back over every way to place the stars."""
    empty(checkout)
    name = "a" * 240
    deep = "/".join(["a"] * 60) + "/b"
    fill(checkout, [deep, name])
    stars = ["*a" * 60 + "c", "**/a/" * 30 + "c", "a*/**/" * 30 + "c", "**\\/a" * 20 + "/c"]
    (checkout / ".gitignore").write_text("\n".join(stars))
    assert found(checkout) == {".gitignore", deep}
    languages = {name: "any", "b": "any"}
    (checkout / ".gitignore").write_text("\n".join([*stars, "*a" * 100]))
    assert [file.path for file in scan(checkout, FileRules(languages=languages)).files] == [deep]

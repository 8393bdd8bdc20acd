"""Which files a scan finds, and what it says about the others."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.errors import WorkspaceError
from knowing.files import ScanCancelled, scan
from tests.files.workspace import Workspace, make_rules

needs_case = pytest.mark.skipif(sys.platform != "linux", reason="names may collide by case here")


def test_finds_files_in_the_order_of_their_paths(workspace: Workspace) -> None:
    names = ["b.py", "a/z.py", "a.py", "a-b/c.go", "Z.py", "a/b/c.md", ".github/x.md", ".hidden.py"]
    workspace.touch(*names)
    assert workspace.paths() == sorted(names)


def test_a_file_carries_size_time_and_language(workspace: Workspace) -> None:
    workspace.write({"a.py": "12345"})
    os.utime(workspace.root / "a.py", ns=(1, 1_234_567_890_123_456_789))
    (file,) = workspace.scan().files
    assert (file.size, file.mtime_ns) == (5, 1_234_567_890_123_456_789)
    assert (file.language, file.flags) == ("python", 0)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("A.PY", "python"),
        ("a.b.py", "python"),
        ("a.d.ts", "types"),
        ("d.ts", "typescript"),
        ("Rakefile", "ruby"),
        ("x.C", "cpp"),
        ("x.c", "c"),
        ("rakefile", None),
        ("py", None),
        ("a.py.orig", None),
        ("a.", None),
    ],
)
def test_language_by_name_then_by_longest_extension(name: str, language: str | None) -> None:
    languages = {
        ".py": "python",
        ".ts": "typescript",
        ".d.ts": "types",
        ".c": "c",
        ".C": "cpp",
        "Rakefile": "ruby",
    }
    assert make_rules(languages=languages).language_of(name) == language


def test_files_without_language_are_counted_not_listed(workspace: Workspace) -> None:
    workspace.touch("a.png", "b.PNG", "sub/c.txt", "LICENSE", "made/d.png", "e.log", "f.py")
    workspace.write({".knowingignore": "made/\n*.log\n"})
    found = workspace.scan()
    assert found.unsupported == {"": 2, ".png": 2, ".txt": 1}
    assert [item.path for item in found.skipped] == ["made"]


def test_too_large_is_told_with_both_sizes(workspace: Workspace) -> None:
    workspace.write({"a.py": "x" * 1500, "b.py": "x" * 1000})
    assert workspace.paths(max_file_bytes=1000) == ["b.py"]
    reasons = workspace.reasons(max_file_bytes=1000)
    assert reasons == {"a.py": "too large: 1,500 bytes, the limit is 1,000"}


def test_an_empty_file_is_a_file(workspace: Workspace) -> None:
    assert workspace.write({"__init__.py": ""}).paths() == ["__init__.py"]


def test_a_workspace_without_files(workspace: Workspace) -> None:
    found = workspace.scan()
    assert (found.files, found.skipped, found.unsupported) == ((), (), {})


class TestCaches:
    @pytest.mark.parametrize(
        "name", ["__pycache__", ".mypy_cache", "node_modules", ".tox", ".yarn"]
    )
    def test_are_skipped_by_name(self, workspace: Workspace, name: str) -> None:
        workspace.touch(f"sub/{name}/a.py", "b.py")
        assert workspace.paths() == ["b.py"]
        assert list(workspace.reasons()) == [f"sub/{name}"]

    @pytest.mark.parametrize("name", [".venv", "venv", "any-name"])
    def test_a_python_environment_is_known_by_its_marker(
        self, workspace: Workspace, name: str
    ) -> None:
        workspace.touch(f"{name}/lib/a.py", "venv.py").write({f"{name}/pyvenv.cfg": "home = /"})
        assert workspace.paths() == ["venv.py"]
        assert workspace.reasons() == {name: "cache or environment (a Python environment)"}

    def test_a_folder_called_venv_alone_is_no_environment(self, workspace: Workspace) -> None:
        assert workspace.touch("venv/a.py").paths() == ["venv/a.py"]

    def test_a_tagged_cache(self, workspace: Workspace) -> None:
        workspace.touch("target/a.py").write({"target/CACHEDIR.TAG": "Signature: 8a477f597d28d172"})
        assert workspace.paths() == []
        assert workspace.paths(include=("target/*.py",)) == ["target/a.py"]

    def test_the_root_is_read_whatever_it_is(self, workspace: Workspace) -> None:
        workspace.touch("node_modules/a.py").write({"node_modules/pyvenv.cfg": ""})
        assert workspace.paths("node_modules") == ["a.py"]


class TestOddNames:
    @pytest.mark.parametrize(
        "name",
        [
            "a b.py",
            "new\nline.py",
            " lead.py",
            "caf\u00e9.py",
            "cafe\u0301.py",
            "日本/語.py",
            "'\"$.py",
        ],
    )
    def test_are_kept_as_they_are(self, workspace: Workspace, name: str) -> None:
        assert workspace.touch(name).paths() == [name]

    @needs_case
    def test_forms_and_cases_of_one_name_are_two_files(self, workspace: Workspace) -> None:
        names = ["caf\u00e9.py", "cafe\u0301.py", "A.py", "a.py"]
        assert workspace.touch(*names).paths() == sorted(names)

    @needs_case
    def test_a_backslash_is_part_of_a_name(self, workspace: Workspace) -> None:
        assert workspace.touch("a\\b.py", "c/d.py").paths() == ["a\\b.py", "c/d.py"]

    @needs_case
    def test_bytes_that_are_no_text_are_reported_readably(self, workspace: Workspace) -> None:
        root = os.fsencode(workspace.root)
        os.mkdir(root + b"/caf\xe9")
        for name in (b"/caf\xe9/a.py", b"/b\xff.py", b"/c.py", b"/d\xff.png"):
            with open(root + name, "w"):
                pass
        assert workspace.paths() == ["c.py"]
        assert workspace.reasons() == {
            "b\\xff.py": "name is not valid UTF-8",
            "caf\\xe9": "name is not valid UTF-8",
        }


class TestLinks:
    @pytest.fixture
    def outside(self, workspace: Workspace) -> Path:
        folder = workspace.root.parent / "outside"
        (folder / "deep").mkdir(parents=True)
        (folder / "a.py").write_text("x")
        (folder / "deep/b.py").write_text("x")
        return folder

    @pytest.mark.parametrize("follow", [False, True])
    def test_to_what_is_scanned_anyway(self, workspace: Workspace, follow: bool) -> None:
        workspace.touch("real/a.py").link("b.py", "real/a.py").link("again", "real")
        assert workspace.paths(follow_symlinks=follow) == ["real/a.py"]
        assert workspace.reasons(follow_symlinks=follow) == {
            "again": "symbolic link to real, which is scanned by itself",
            "b.py": "symbolic link to real/a.py, which is scanned by itself",
        }

    def test_out_of_the_workspace_are_not_followed(
        self, workspace: Workspace, outside: Path
    ) -> None:
        workspace.link("lib", outside).link("c.py", outside / "a.py").link(
            "pic.png", outside / "a.py"
        )
        assert workspace.paths() == []
        assert set(workspace.reasons()) == {"lib", "c.py"}
        assert "out of the workspace" in workspace.reasons()["lib"]

    def test_out_of_the_workspace_are_followed_on_demand(
        self, workspace: Workspace, outside: Path
    ) -> None:
        workspace.link("lib", outside).link("c.py", outside / "a.py").touch("d.py")
        assert workspace.paths(follow_symlinks=True) == [
            "c.py",
            "d.py",
            "lib/a.py",
            "lib/deep/b.py",
        ]

    def test_rules_hold_behind_a_link(self, workspace: Workspace, outside: Path) -> None:
        workspace.link("lib", outside).write({".gitignore": "deep/\n"})
        assert workspace.paths(follow_symlinks=True) == ["lib/a.py"]

    def test_a_folder_behind_two_links_is_taken_once(
        self, workspace: Workspace, outside: Path
    ) -> None:
        workspace.link("lib1", outside).link("lib2", outside)
        paths = workspace.paths(follow_symlinks=True)
        assert [path.partition("/")[2] for path in paths] == ["a.py", "deep/b.py"]

    @pytest.mark.parametrize("target", [".", "..", "../..", "/"])
    def test_a_loop_through_the_root_ends(self, workspace: Workspace, target: str) -> None:
        workspace.touch("sub/a.py").link("sub/loop", Path("..") / target)
        assert workspace.paths(follow_symlinks=True) == ["sub/a.py"]
        assert list(workspace.reasons(follow_symlinks=True)) == ["sub/loop"]

    def test_a_loop_outside_the_root_ends(self, workspace: Workspace, outside: Path) -> None:
        (outside / "deep/up").symlink_to(outside)
        workspace.link("lib", outside)
        assert workspace.paths(follow_symlinks=True) == ["lib/a.py", "lib/deep/b.py"]
        assert "symbolic link loop" in workspace.reasons(follow_symlinks=True)["lib/deep/up"]

    def test_that_lead_nowhere(self, workspace: Workspace) -> None:
        workspace.link("gone.py", "nowhere.py").link("self.py", "self.py").link("x/y.py", "y.py/z")
        assert workspace.reasons() == {
            "gone.py": "broken symbolic link",
            "self.py": "symbolic link loop",
            "x/y.py": "symbolic link loop",
        }


class TestWhatIsNoFile:
    @pytest.fixture
    def listening(self, workspace: Workspace) -> Iterator[None]:
        with socket.socket(socket.AF_UNIX) as server:
            before = Path.cwd()
            os.chdir(workspace.root)
            try:
                server.bind("socket.py")
            finally:
                os.chdir(before)
            yield

    def test_pipes_and_sockets_are_never_opened(
        self, workspace: Workspace, listening: None
    ) -> None:
        os.mkfifo(workspace.root / "pipe.py")
        os.mkfifo(workspace.root / "pipe.png")
        assert workspace.paths() == []
        assert workspace.reasons() == {
            "pipe.py": "not a regular file: a named pipe",
            "socket.py": "not a regular file: a socket",
        }

    def test_a_link_to_a_device(self, workspace: Workspace) -> None:
        workspace.link("zero.py", "/dev/zero")
        reasons = workspace.reasons(follow_symlinks=True)
        assert reasons == {"zero.py": "not a regular file: a device"}

    def test_what_vanishes_during_the_scan(self, workspace: Workspace) -> None:
        workspace.touch("a.py", "m/b.py", "z/c.py")
        calls = iter(range(10))

        def cancelled() -> bool:
            """Called before each folder: the other one goes away."""
            if next(calls) == 0:
                (workspace.root / "m/b.py").unlink()
                (workspace.root / "m").rmdir()
            return False

        found = scan(workspace.root, make_rules(), cancelled)
        assert [file.path for file in found.files] == ["a.py", "z/c.py"]
        assert [(item.path, item.reason) for item in found.skipped] == [
            ("m", "vanished while it was being read")
        ]

    def test_what_may_not_be_listed_or_asked(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The user of the tests may be allowed everything, so the system call is made to fail."""
        workspace.touch("shut/a.py", "b.py")
        listing = os.scandir

        def scandir(path: str | Path) -> object:
            if Path(path).name == "shut":
                raise PermissionError(13, "Permission denied", str(path))
            return listing(path)

        monkeypatch.setattr(os, "scandir", scandir)
        assert workspace.paths() == ["b.py"]
        assert workspace.reasons() == {"shut": "unreadable: Permission denied"}


@pytest.mark.parametrize("root", ["absent", "file.py", "file.py/below"])
def test_a_root_that_is_no_folder(workspace: Workspace, root: str) -> None:
    workspace.touch("file.py")
    with pytest.raises(WorkspaceError) as caught:
        workspace.scan(root)
    assert root in str(caught.value)
    assert caught.value.hint


def test_a_cancelled_scan_gives_no_answer(workspace: Workspace) -> None:
    workspace.touch(*(f"{letter}/a.py" for letter in "abcdef"))
    answers = iter([False, False, True, True])
    with pytest.raises(ScanCancelled):
        scan(workspace.root, make_rules(), lambda: next(answers))
    assert len(workspace.paths()) == 6


def test_a_tree_deeper_than_a_path_may_be(workspace: Workspace) -> None:
    """Below the longest path the system takes there is a reason; recursion would not get there."""
    part = "d" * 250
    before = Path.cwd()
    os.chdir(workspace.root)
    try:
        for _ in range(20):
            Path(part).mkdir()
            os.chdir(part)
        Path("a.py").write_text("")
    finally:
        os.chdir(before)
    (reason,) = workspace.reasons().values()
    assert reason == "unreadable: File name too long"


def test_a_relative_root(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.repository().touch("sub/a.py", "sub/b.py").write({".gitignore": "/sub/b.py\n"})
    monkeypatch.chdir(workspace.root / "sub")
    found = scan(Path(), make_rules())
    assert [file.path for file in found.files] == ["a.py"]


def test_nothing_is_written(workspace: Workspace) -> None:
    workspace.repository().touch("a.py", "made/b.py", "made/c.py").write({".gitignore": "made/"})
    workspace.git("add", "-f", "a.py", "made/c.py")
    state = (workspace.root / ".git/index").read_bytes(), sorted(workspace.root.rglob("*"))
    assert workspace.paths() == ["a.py", "made/c.py"]
    assert state == (
        (workspace.root / ".git/index").read_bytes(),
        sorted(workspace.root.rglob("*")),
    )


class TestIndexForms:
    """The git index of each form is understood or, if not, costs only the exception it grants."""

    @pytest.fixture
    def tracked(self, workspace: Workspace) -> Workspace:
        workspace.repository().touch("made/long-name-one.py", "made/long-name-two.py", "made/x.py")
        workspace.git("add", "made/long-name-one.py", "made/long-name-two.py")
        return workspace.write({".gitignore": "made/\n"})

    @pytest.mark.parametrize("version", ["2", "4"])
    def test_versions(self, tracked: Workspace, version: str) -> None:
        tracked.git("update-index", "--index-version", version)
        assert tracked.paths() == ["made/long-name-one.py", "made/long-name-two.py"]

    def test_version_three_with_extended_flags(self, tracked: Workspace) -> None:
        tracked.git("add", "-N", "-f", "made/x.py")
        assert (tracked.root / ".git/index").read_bytes()[7] == 3
        assert len(tracked.paths()) == 3

    def test_sha256(self, workspace: Workspace) -> None:
        workspace.git("init", "-q", "--object-format=sha256")
        workspace.touch("made/a.py", "made/b.py", "made/c.py").git("add", "made/a.py", "made/b.py")
        workspace.write({".gitignore": "made/\n"})
        assert workspace.paths() == ["made/a.py", "made/b.py"]

    @pytest.mark.parametrize("damage", [b"", b"DIRC", b"nonsense", b"DIRC\0\0\0\2\0\0\0\x09abc"])
    def test_damage(self, tracked: Workspace, damage: bytes) -> None:
        (tracked.root / ".git/index").write_bytes(damage)
        assert tracked.paths() == []
        assert list(tracked.reasons()) == ["made"]

    def test_split(self, tracked: Workspace) -> None:
        tracked.git("update-index", "--split-index")
        assert tracked.paths() == []
        assert list(tracked.reasons()) == ["made"]

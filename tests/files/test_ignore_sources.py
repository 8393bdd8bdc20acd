"""Where ignore rules come from, and which of them wins."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from knowing.files import is_ignore_file, scan
from tests.files.workspace import Workspace, make_rules


def test_gitignore_is_heeded_without_git(workspace: Workspace) -> None:
    workspace.touch("a.py", "build/b.py").write({".gitignore": "build/\n"})
    assert workspace.paths() == ["a.py"]
    assert workspace.reasons() == {"build": "ignored by .gitignore:1 (build/)"}


def test_the_reason_names_file_line_and_pattern(workspace: Workspace) -> None:
    workspace.touch("a.py", "sub/b.py").write({"sub/.gitignore": "# no b\n\n/b.*\n"})
    assert workspace.reasons() == {"sub/b.py": "ignored by sub/.gitignore:3 (/b.*)"}


def test_gitignore_can_be_switched_off(workspace: Workspace) -> None:
    workspace.repository().touch("a.py", "b.py", "c.py", "d.py")
    workspace.write({".gitignore": "a.py\n", ".knowingignore": "b.py\n"})
    workspace.write({".git/info/exclude": "c.py\n"})
    assert workspace.paths() == ["d.py"]
    assert workspace.paths(respect_gitignore=False) == ["a.py", "c.py", "d.py"]


def test_own_ignore_file_adds_and_takes_back(workspace: Workspace) -> None:
    workspace.touch("made/a.py", "kept/b.py", "kept/deep/b.py", "c.py")
    workspace.write({".gitignore": "made/\n", ".knowingignore": "!made/\nb.py\n"})
    workspace.write({"kept/deep/.knowingignore": "!b.py\n"})
    assert workspace.paths() == ["c.py", "kept/deep/b.py", "made/a.py"]
    assert workspace.reasons() == {"kept/b.py": "ignored by .knowingignore:2 (b.py)"}


def test_own_ignore_file_beats_a_deeper_gitignore(workspace: Workspace) -> None:
    workspace.touch("sub/a.py").write({"sub/.gitignore": "a.py\n", ".knowingignore": "!a.py\n"})
    assert workspace.paths() == ["sub/a.py"]


@pytest.mark.parametrize("folder", ["vendor", "node_modules", ".tox"])
def test_own_ignore_file_can_ask_for_a_folder_by_name(workspace: Workspace, folder: str) -> None:
    workspace.touch("a.py", f"{folder}/b.py")
    assert workspace.paths() == ["a.py"]
    workspace.write({".knowingignore": f"!{folder}/\n"})
    assert set(workspace.paths()) == {"a.py", f"{folder}/b.py"}


def test_taking_back_all_folders_does_not_ask_for_caches(workspace: Workspace) -> None:
    workspace.touch("a.py", "sub/b.py", "node_modules/c.py", ".tox/d.py")
    workspace.write({".knowingignore": "*\n!*/\n!*.py\n"})
    assert workspace.paths() == ["a.py", "sub/b.py"]


def test_exclude_setting_is_asked_before_ignore_files(workspace: Workspace) -> None:
    workspace.touch("a.py", "docs/b.py", "sub/docs/c.py", "d.py")
    workspace.write({".knowingignore": "!docs/\nd.py\n"})
    assert workspace.paths(exclude=("/docs/", "!d.py")) == ["a.py", "d.py", "sub/docs/c.py"]
    reason = workspace.reasons(exclude=("/docs/",))["docs"]
    assert reason == "excluded by the exclude setting (/docs/)"


class TestInclude:
    def test_reaches_into_an_ignored_folder(self, workspace: Workspace) -> None:
        workspace.touch(
            "build/gen/a.py", "build/gen/b.go", "build/x.py", "build/other/y.py", "z.py"
        )
        workspace.write({".gitignore": "build/\n"})
        include = ("build/gen/*.py",)
        assert workspace.paths(include=include) == ["build/gen/a.py", "z.py"]
        assert workspace.reasons(include=include) == {
            "build/gen/b.go": "ignored by .gitignore:1 (build/)",
            "build/other": "ignored by .gitignore:1 (build/)",
            "build/x.py": "ignored by .gitignore:1 (build/)",
        }

    @pytest.mark.parametrize(
        "glob", ["out", "out/", "/out", "out/**", "**/out/**", "o[tu]t/**/*.py"]
    )
    def test_a_folder_stands_for_all_in_it(self, workspace: Workspace, glob: str) -> None:
        workspace.touch("out/a.py", "out/deep/b.py", "c.py")
        workspace.write({".gitignore": "out\n*.py\n!c.py\n"})
        assert workspace.paths(include=(glob,)) == ["c.py", "out/a.py", "out/deep/b.py"]

    @pytest.mark.parametrize("by", ["gitignore", "own", "exclude", "vendored", "generated"])
    def test_wins_over_every_rule(self, workspace: Workspace, by: str) -> None:
        path = {"vendored": "vendor/a.py", "generated": "a_pb2.py"}.get(by, "a.py")
        workspace.touch(path)
        if by == "gitignore":
            workspace.write({".gitignore": "a.py"})
        if by == "own":
            workspace.write({".knowingignore": "a.py"})
        settings: dict[str, Any] = {
            "exclude": ("a.py",) if by == "exclude" else (),
            "skip_generated": True,
        }
        assert workspace.paths(**settings) == []
        assert workspace.paths(include=(path,), **settings) == [path]

    def test_a_floating_glob_finds_ignored_files_anywhere(self, workspace: Workspace) -> None:
        workspace.touch("x/made/a_gen.py", "x/made/b.py", "made/a_gen.py")
        workspace.write({".gitignore": "made/\n"})
        assert workspace.paths(include=("*_gen.py",)) == ["made/a_gen.py", "x/made/a_gen.py"]

    def test_caches_and_vendored_code_have_to_be_spelt_out(self, workspace: Workspace) -> None:
        workspace.touch("src/node_modules/p/a.js", "src/.tox/b.py", "src/vendor/c.py", "src/d.py")
        assert workspace.paths(include=("src/**", "*.js")) == ["src/d.py"]
        include = ("src/node_modules/p/**", "**/vendor/**")
        assert workspace.paths(include=include) == [
            "src/d.py",
            "src/node_modules/p/a.js",
            "src/vendor/c.py",
        ]

    def test_never_opens_version_control_data(self, workspace: Workspace) -> None:
        workspace.repository().touch(".git/hooks/a.py", ".hg/b.py", ".svn/c.py", "d.py")
        assert workspace.paths(include=(".git/hooks/a.py", ".hg/**", "**/*.py", ".svn")) == ["d.py"]

    def test_does_not_add_files_without_a_language(self, workspace: Workspace) -> None:
        workspace.touch("a.txt").write({".gitignore": "a.txt"})
        assert workspace.paths(include=("a.txt",)) == []


class TestAroundTheRoot:
    def test_rules_of_parents_apply_up_to_the_top(self, workspace: Workspace) -> None:
        workspace.write({".gitignore": "unrelated.py\n"})
        workspace.repository("repo").touch(
            *("repo/pkg/sub/" + name for name in ("a.py", "made.py", "secret.py", "unrelated.py")),
            "repo/pkg/sub/out/b.py",
            "repo/out/c.py",
        )
        workspace.write({"repo/.gitignore": "made.py\n/pkg/sub/out/\n"})
        workspace.write({"repo/pkg/.knowingignore": "sub/secret.py\n"})
        assert workspace.paths("repo/pkg/sub") == ["a.py", "unrelated.py"]
        reasons = workspace.reasons("repo/pkg/sub")
        top = (workspace.root / "repo").as_posix()
        assert reasons["out"] == f"ignored by {top}/.gitignore:2 (/pkg/sub/out/)"
        assert reasons["secret.py"] == f"ignored by {top}/pkg/.knowingignore:1 (sub/secret.py)"

    def test_exclude_file_of_the_repository_applies_below(self, workspace: Workspace) -> None:
        workspace.repository().touch("pkg/a.py", "pkg/b.py")
        workspace.write({".git/info/exclude": "/pkg/a.py\n"})
        assert workspace.paths("pkg") == ["b.py"]

    def test_a_root_that_is_ignored_was_asked_for(self, workspace: Workspace) -> None:
        workspace.repository().touch("build/gen/a.py", "build/gen/b.py")
        workspace.write({".gitignore": "build/\na.py\n", "build/gen/.gitignore": "b.py\n"})
        assert workspace.paths("build/gen") == ["a.py"]

    def test_tracked_files_below_a_root_inside_the_repository(self, workspace: Workspace) -> None:
        workspace.repository().touch("pkg/out/a.py", "pkg/out/b.py")
        workspace.git("add", "pkg/out/a.py")
        workspace.write({".gitignore": "out/\n"})
        assert workspace.paths("pkg") == ["out/a.py"]

    def test_a_root_reached_through_a_link(self, workspace: Workspace) -> None:
        workspace.repository("repo").touch("repo/pkg/a.py", "repo/pkg/b.py")
        workspace.write({"repo/.gitignore": "b.py\n"}).link("short", "repo/pkg")
        assert workspace.paths("short") == ["a.py"]


class TestRepositoriesInside:
    def test_a_clone_has_its_own_rules_only(self, workspace: Workspace) -> None:
        workspace.repository().repository("libs/clone")
        workspace.touch("log.py", "libs/clone/log.py", "libs/clone/own.py", "libs/clone/hidden.py")
        workspace.write({".gitignore": "log.py\n", "libs/clone/.gitignore": "own.py\n"})
        workspace.write({"libs/clone/.git/info/exclude": "hidden.py\n"})
        assert workspace.paths() == ["libs/clone/log.py"]
        assert workspace.paths("libs/clone") == ["log.py"]

    def test_own_rules_of_the_workspace_reach_into_it(self, workspace: Workspace) -> None:
        workspace.repository("clone").touch("clone/a.py", "clone/b.py", "clone/c.py")
        workspace.write({".knowingignore": "a.py\n"})
        assert workspace.paths(exclude=("/clone/b.py",)) == ["clone/c.py"]

    def test_an_ignored_clone_is_skipped_as_a_whole(self, workspace: Workspace) -> None:
        workspace.repository().repository("repos/one").touch("repos/one/a.py", "b.py")
        workspace.write({".gitignore": "repos/\n"})
        assert workspace.paths() == ["b.py"]
        assert workspace.paths(include=("repos/one/**",)) == ["b.py", "repos/one/a.py"]

    def test_several_repositories_under_a_plain_folder(self, workspace: Workspace) -> None:
        for name in ("one", "two"):
            workspace.repository(name).touch(f"{name}/a.py", f"{name}/b.py")
        workspace.write({"one/.gitignore": "a.py", "two/.gitignore": "b.py"})
        assert workspace.paths() == ["one/b.py", "two/a.py"]

    def test_a_submodule_is_read_even_if_its_path_is_ignored(self, workspace: Workspace) -> None:
        workspace.repository("lib").touch("lib/a.py", "lib/b.py").commit("lib")
        workspace.repository("main").touch("main/c.py")
        workspace.git("submodule", "--quiet", "add", "../lib", "dep", at="main")
        assert (workspace.root / "main/dep/.git").is_file()
        workspace.write({"main/.git/modules/dep/info/exclude": "later.py\n"})
        workspace.touch("main/dep/later.py").write({"main/.gitignore": "dep/\nb.py\n"})
        assert workspace.paths("main") == ["c.py", "dep/a.py", "dep/b.py"]

    def test_an_empty_git_folder_is_no_repository(self, workspace: Workspace) -> None:
        workspace.repository().touch("sub/a.py", "sub/b.py").write({".gitignore": "a.py\n"})
        (workspace.root / "sub/.git").mkdir()
        assert workspace.paths() == ["sub/b.py"]


class TestWorktrees:
    @pytest.fixture
    def main(self, workspace: Workspace) -> Workspace:
        workspace.repository("main").touch("main/a.py", "main/b.py").commit("main")
        workspace.write({"main/.git/info/exclude": "secret.py\n"})
        return workspace

    def test_the_exclude_file_of_the_main_checkout_applies(self, main: Workspace) -> None:
        main.git("worktree", "add", "-q", "../other", at="main")
        main.touch("other/secret.py", "other/c.py")
        assert (main.root / "other/.git").is_file()
        assert main.paths("other") == ["a.py", "b.py", "c.py"]
        excludes = (main.root / "main/.git/info/exclude").resolve().as_posix()
        assert main.reasons("other") == {"secret.py": f"ignored by {excludes}:1 (secret.py)"}

    def test_each_worktree_has_its_own_tracked_files(self, main: Workspace) -> None:
        main.git("worktree", "add", "-q", "../other", at="main")
        main.touch("main/new.py", "other/new.py").git("add", "new.py", at="other")
        for name in ("main", "other"):
            main.write({f"{name}/.gitignore": "new.py\n"})
        assert main.paths("other") == ["a.py", "b.py", "new.py"]
        assert main.paths("main") == ["a.py", "b.py"]

    def test_a_worktree_inside_its_checkout_is_a_copy(self, main: Workspace) -> None:
        main.git("worktree", "add", "-q", "trees/other", at="main")
        assert main.paths("main") == ["a.py", "b.py"]
        assert "worktree" in main.reasons("main")["trees/other"]
        assert len(main.paths("main", include=("trees/other/**",))) == 4

    def test_worktrees_beside_each_other_are_all_read(self, main: Workspace) -> None:
        main.git("worktree", "add", "-q", "../other", at="main")
        assert main.paths() == ["main/a.py", "main/b.py", "other/a.py", "other/b.py"]

    def test_worktrees_around_a_bare_repository(self, main: Workspace) -> None:
        main.git("clone", "-q", "--bare", "main", "folder/.bare")
        main.write({"folder/.git": "gitdir: ./.bare\n"})
        main.git("worktree", "add", "-q", "first", at="folder")
        assert main.paths("folder") == ["first/a.py", "first/b.py"]


class TestFingerprint:
    def test_changes_with_every_source(self, workspace: Workspace) -> None:
        workspace.repository().touch("pkg/sub/a.py")
        sources = [".gitignore", "pkg/.gitignore", "pkg/sub/.knowingignore", ".git/info/exclude"]
        seen = [dict(workspace.scan("pkg").ignore_files)]
        for number, source in enumerate(sources):
            workspace.write({source: f"{'x' * (number + 1)}\n"})
            seen.append(dict(workspace.scan("pkg").ignore_files))
        workspace.write({sources[0]: "other\n"})
        seen.append(dict(workspace.scan("pkg").ignore_files))
        assert all(before != after for before, after in pairwise(seen))
        assert set(seen[-1]) == {
            (workspace.root / ".gitignore").as_posix(),
            (workspace.root / ".git/info/exclude").as_posix(),
            ".gitignore",
            "sub/.knowingignore",
        }

    def test_notices_a_change_of_the_same_size(self, workspace: Workspace) -> None:
        workspace.touch("a.py", "b.py").write({".gitignore": "a.py"})
        before = workspace.scan()
        workspace.write({".gitignore": "b.py"})
        os.utime(workspace.root / ".gitignore", ns=(0, 12345))
        after = workspace.scan()
        assert before.ignore_files != after.ignore_files
        assert [file.path for file in after.files] == ["a.py"]

    def test_is_the_same_when_nothing_changed(self, workspace: Workspace) -> None:
        workspace.repository().touch("a.py").write({".gitignore": "b.py"})
        assert workspace.scan() == workspace.scan()

    @pytest.mark.parametrize(
        ("path", "is_one"),
        [
            (".gitignore", True),
            ("a/b/.knowingignore", True),
            (".git/info/exclude", True),
            ("a/gitignore", False),
            ("a.gitignore", False),
            ("info/exclude", False),
        ],
    )
    def test_which_paths_are_ignore_files(self, path: str, is_one: bool) -> None:
        assert is_ignore_file(path) is is_one


def test_an_ignore_file_that_is_no_file_is_left_alone(workspace: Workspace) -> None:
    workspace.touch("a.py", "sub/b.py")
    (workspace.root / ".gitignore").mkdir()
    os.mkfifo(workspace.root / "sub/.gitignore")
    assert workspace.paths() == ["a.py", "sub/b.py"]


def test_an_unreadable_ignore_file_is_reported(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user of the tests may be allowed to read everything, so the disk is made to fail."""
    workspace.touch("a.py").write({".gitignore": "a.py"})

    def fail(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", fail)
    found = scan(workspace.root, make_rules())
    assert [file.path for file in found.files] == ["a.py"]
    assert [(item.path, item.reason) for item in found.skipped] == [
        (".gitignore", "unreadable: Permission denied, so its rules are not heeded")
    ]

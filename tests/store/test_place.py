"""Each workspace has a folder of its own, never inside itself."""

import os
from pathlib import Path

import pytest

from knowing.errors import WorkspaceError
from knowing.store import index_folder


def test_the_folder_is_named_after_the_workspace(tmp_path: Path) -> None:
    root = tmp_path / "My Work!"
    root.mkdir()
    folder = index_folder(root, tmp_path / "index")
    assert folder.parent == tmp_path / "index"
    assert folder.name.startswith("My-Work-")


def test_two_workspaces_of_one_name_do_not_meet(tmp_path: Path) -> None:
    folders = set()
    for parent in ("a", "b"):
        (tmp_path / parent / "work").mkdir(parents=True)
        folders.add(index_folder(tmp_path / parent / "work", tmp_path / "index"))
    assert len(folders) == 2


def test_a_link_to_the_workspace_leads_to_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "work")
    index = tmp_path / "index"
    assert index_folder(tmp_path / "link", index) == index_folder(tmp_path / "work", index)


def test_without_a_choice_it_lies_below_the_cache(tmp_path: Path) -> None:
    folder = index_folder(tmp_path)
    assert folder.is_relative_to(Path(os.environ["XDG_CACHE_HOME"]).resolve())


@pytest.mark.parametrize("chosen", ["{root}/index", "{root}", "{root}/../work/x", "{link}/index"])
def test_a_folder_inside_the_workspace_is_refused(tmp_path: Path, chosen: str) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    with pytest.raises(WorkspaceError, match="inside the workspace") as caught:
        index_folder(root, Path(chosen.format(root=root, link=tmp_path / "link")))
    assert "--index-dir" in caught.value.hint


def test_a_relative_choice_is_seen_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkspaceError):
        index_folder(tmp_path, Path("index"))

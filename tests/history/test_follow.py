from typing import Any

from knowing.history import Commit, Rename, current_paths

Repo = Any


def code(*names: str) -> str:
    return "".join(f"def {name}():\n    value = '{name}'\n    return value\n\n\n" for name in names)


def move(repo: Repo, old: str, new: str, message: str) -> None:
    (repo.root / new).parent.mkdir(parents=True, exist_ok=True)
    repo.git("mv", old, new)
    repo.commit(message)


def test_a_file_is_followed_through_a_chain_of_names(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one", "two", "three")})
    move(repo, "a.py", "b.py", "a to b")
    repo.commit("edited", {"b.py": code("one", "two", "changed")})
    move(repo, "b.py", "deep/er/c.py", "b to c")
    assert repo.current(repo.mine()) == {"deep/er/c.py": {"made", "a to b", "edited", "b to c"}}


def test_a_file_is_followed_when_it_is_edited_while_it_moves(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one", "two", "three", "four")})
    repo.git("mv", "a.py", "b.py")
    repo.commit("moved", {"b.py": code("one", "two", "three", "five")})
    mined = repo.mine()
    assert repo.current(mined) == {"b.py": {"made", "moved"}}
    assert {touch.name for touch in mined.commits[0].touches} >= {"five"}
    assert all(touch.path == "b.py" for touch in mined.commits[0].touches)


def test_a_moved_folder_takes_its_files_along(repo: Repo) -> None:
    files = {f"old/m{n}.py": code(f"a{n}", f"b{n}", f"c{n}") for n in range(4)}
    repo.commit("made", files)
    move(repo, "old", "new/home", "move folder")
    assert repo.current(repo.mine()) == {
        f"new/home/m{n}.py": {"made", "move folder"} for n in range(4)
    }


def test_a_file_rewritten_while_its_folder_moves_is_followed(repo: Repo) -> None:
    repo.commit("made", {"old/a.py": code("a", "b", "c"), "old/x.py": code("p", "q", "r")})
    repo.git("mv", "old", "new")
    repo.commit("moved", {"new/x.py": "something = 'else entirely'\n"})
    assert repo.current(repo.mine())["new/x.py"] == {"made", "moved"}


def test_a_file_of_the_same_name_elsewhere_is_another_file(repo: Repo) -> None:
    repo.commit("made", {"old/__init__.py": code("a", "b", "c")})
    (repo.root / "old/__init__.py").unlink()
    repo.commit("replaced", {"other/__init__.py": "something = 'else entirely'\n"})
    assert repo.current(repo.mine()) == {"other/__init__.py": {"replaced"}}


def test_two_files_that_swap_their_names(repo: Repo) -> None:
    first, second = code("a1", "a2", "a3"), code("b1", "b2", "b3")
    repo.commit("both", {"a.py": first, "b.py": second})
    repo.commit("old a", {"a.py": first + "x = 1\n"})
    move(repo, "a.py", "t.py", "swap 1")
    move(repo, "b.py", "a.py", "swap 2")
    move(repo, "t.py", "b.py", "swap 3")
    current = repo.current(repo.mine())
    assert current["b.py"] == {"both", "old a", "swap 1", "swap 3"}
    assert current["a.py"] == {"both", "swap 2"}


def test_a_swap_in_one_commit_does_not_make_one_file_of_two() -> None:
    swap = commit("s", ("a.py", "b.py"), (Rename("b.py", "a.py"), Rename("a.py", "b.py")))
    assert current_paths([swap, commit("t", ("a.py",))], {"a.py", "b.py"})[1] == ("b.py",)
    assert current_paths([swap, commit("t", ("b.py",))], {"a.py", "b.py"})[1] == ("a.py",)


def test_a_name_that_is_used_again_belongs_to_the_newer_file(repo: Repo) -> None:
    repo.commit("old life", {"a.py": code("one", "two", "three")})
    move(repo, "a.py", "b.py", "move")
    repo.commit("new life", {"a.py": code("seven", "eight", "nine")})
    assert repo.current(repo.mine()) == {"a.py": {"new life"}, "b.py": {"old life", "move"}}


def test_a_rename_that_is_taken_back(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one", "two", "three")})
    move(repo, "a.py", "b.py", "there")
    move(repo, "b.py", "a.py", "back")
    assert repo.current(repo.mine()) == {"a.py": {"made", "there", "back"}}


def test_a_change_on_a_branch_beside_the_rename_is_followed(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one", "two", "three", "four", "five")})
    repo.git("checkout", "-q", "-b", "side")
    repo.git("checkout", "-q", "main")
    move(repo, "a.py", "b.py", "move")
    repo.git("checkout", "-q", "side")
    repo.commit("beside", {"a.py": code("one", "two", "three", "four", "six")})
    repo.git("checkout", "-q", "main")
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    assert repo.current(repo.mine()) == {"b.py": {"made", "move", "beside"}}


def test_of_two_renames_of_one_name_the_newer_brings_a_stray_home() -> None:
    history = [
        commit("stray", ("a.py",)),
        commit("newer", ("b.py",), (Rename("a.py", "b.py"),)),
        commit("older", ("c.py",), (Rename("a.py", "c.py"),)),
    ]
    assert current_paths(history, {"b.py", "c.py"})[0] == ("b.py",)


def test_a_deleted_file_is_nowhere(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one"), "b.py": code("two")})
    (repo.root / "a.py").unlink()
    repo.commit("deleted")
    assert repo.current(repo.mine()) == {"b.py": {"made"}}


def test_commits_stored_before_a_rename_follow_it(repo: Repo) -> None:
    repo.commit("made", {"a.py": code("one", "two", "three")})
    stored = repo.mine()
    move(repo, "a.py", "b.py", "move")
    fresh = repo.mine(since=stored.since, known=stored.order)
    paths = current_paths([*fresh.commits, *stored.commits], {"b.py"})
    assert paths == [("b.py",), ("b.py",)]


def test_renames_in_a_circle_come_to_an_end() -> None:
    rounds = [
        commit("x", ("b",), (Rename("a", "b"),)),
        commit("y", ("a",), (Rename("b", "a"),)),
    ]
    assert current_paths(rounds, set()) == [(None,), (None,)]


def commit(name: str, files: tuple[str, ...], renames: tuple[Rename, ...] = ()) -> Commit:
    return Commit(
        hash=name,
        time=0,
        author="",
        email="",
        subject=name,
        body="",
        file_count=len(files),
        files=files,
        renames=renames,
        touches=(),
    )

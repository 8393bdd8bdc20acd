from pathlib import Path

from tests.server.conftest import Connect
from tests.server.talking import WATCHING, Editor, at, names_of
from tests.server.workspaces import commit, git, repository, shop

NEW = '''

def refund_everything(number: int) -> None:
    """Gives the money back."""
    place_order(number)
'''


def test_unsaved_text_counts_until_it_is_saved_or_dropped(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    path = root / "shop.py"
    uri = editor.opened(path, path.read_text("utf-8") + NEW)
    assert editor.names("refund") == {"refund_everything"}
    found = editor.ask("knowing/context", {"task": "refund_everything gives the money back"})
    assert names_of(found["symbols"])[0] == "refund_everything"
    assert "Gives the money back." in found["text"]
    assert found["index"]["state"] == "fresh"
    blast = editor.ask("knowing/blastRadius", {"symbol": "place_order"})
    assert "refund_everything" in names_of(blast["direct"])

    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert editor.names("refund") == set()

    editor.opened(path)
    editor.typed(path, {"text": path.read_text("utf-8") + NEW})
    assert editor.names("refund") == {"refund_everything"}
    path.write_text(path.read_text("utf-8") + NEW, "utf-8")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert editor.names("refund") == {"refund_everything"}


def test_a_function_that_is_renamed_while_typing_is_found_by_its_new_name(
    tmp_path: Path, connect: Connect
) -> None:
    """Edits are counted in UTF-16, also behind an emoji, CRLF and a form feed."""
    root = shop(tmp_path / "work")
    path = root / "odd.py"
    text = 'MOOD = "😀😀"; first = 1\r\n\x0c\r\ndef second():\r\n    return "\u2028"\r\n'
    path.write_bytes(text.encode())
    editor = connect()
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    assert editor.names("second") == {"second"}
    editor.opened(path, text)
    editor.typed(path, _replace(2, 4, 10, "seventh"), _replace(0, 15, 20, "eighth"))
    assert editor.names("second") == set()
    assert editor.names("seventh") == {"seventh"}
    assert editor.names("eighth") == {"eighth"}
    place = editor.ask("workspace/symbol", {"query": "eighth"})[0]["location"]["range"]
    assert place["start"] == {"line": 0, "character": 15}
    assert place["end"] == {"line": 0, "character": 21}


def _replace(line: int, start: int, end: int, text: str) -> dict[str, object]:
    ends = {name: {"line": line, "character": n} for name, n in (("start", start), ("end", end))}
    return {"range": ends, "text": text}


def _disk_changes(editor: Editor, root: Path, tell: bool) -> None:
    """Makes, renames and removes files, and checks after each step what is known."""

    def told(*paths: Path, kind: int) -> None:
        if tell:
            editor.watched(*paths, kind=kind)

    made = root / "returns.py"
    made.write_text("def take_back():\n    return 1\n", "utf-8")
    told(made, kind=1)
    expect_names(editor, "take_back", {"take_back"})
    moved = root / "tests" / "returns.py"
    made.rename(moved)
    told(made, kind=3)
    told(moved, kind=1)
    expect_names(editor, "take_back", {"take_back"})
    places = {i["location"]["uri"] for i in editor.ask("workspace/symbol", {"query": "take_back"})}
    assert places == {moved.as_uri()}
    moved.unlink()
    told(moved, kind=3)
    expect_names(editor, "take_back", set())


def expect_names(editor: Editor, query: str, wanted: set[str]) -> None:
    """The next answer may be behind by as much as the protocol allows: until the next news."""
    seen = len(editor.received)
    while (found := editor.names(query)) != wanted:
        editor.wait(lambda m: m.get("method") == "knowing/indexChanged", since=seen)
        seen = len(editor.received)
    assert found == wanted


def test_files_that_change_on_disk(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    registered = editor.all("client/registerCapability")[0]["registrations"]
    assert [item["method"] for item in registered] == ["workspace/didChangeWatchedFiles"]
    _disk_changes(editor, root, tell=True)


def test_files_are_looked_at_where_the_editor_does_not_watch_them(
    tmp_path: Path, connect: Connect
) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    made = root / "returns.py"
    made.write_text("def take_back():\n    return 1\n", "utf-8")
    while not editor.names("take_back"):
        # Not more often than every few seconds, so the first question may come too early.
        assert editor.process.poll() is None
    made.unlink()
    while editor.names("take_back"):
        assert editor.process.poll() is None
    assert editor.names("place_order") == {"place_order", "test_place_order"}


def test_another_branch_and_other_ignore_rules(tmp_path: Path, connect: Connect) -> None:
    root = repository(tmp_path / "work")
    git(root, "checkout", "-q", "-b", "other")
    (root / "shop.py").write_text("def sell_nothing():\n    return 0\n", "utf-8")
    (root / "store.py").unlink()
    commit(root, "Sell nothing")
    git(root, "checkout", "-q", "main")
    editor = connect()
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    assert editor.names("place_order") == {"place_order", "test_place_order"}

    git(root, "checkout", "-q", "other")
    editor.watched(root / ".git" / "HEAD", root / "shop.py")
    editor.watched(root / "store.py", kind=3)
    expect_names(editor, "sell_nothing", {"sell_nothing"})
    assert editor.names("OrderStore") == set()

    (root / "draft.py").write_text("def sell_later():\n    return 0\n", "utf-8")
    editor.watched(root / "draft.py", kind=1)
    expect_names(editor, "sell_later", {"sell_later"})
    (root / ".gitignore").write_text("draft.py\n", "utf-8")
    editor.watched(root / ".gitignore", kind=1)
    expect_names(editor, "sell_later", set())
    (root / ".gitignore").unlink()
    editor.watched(root / ".gitignore", kind=3)
    expect_names(editor, "sell_later", {"sell_later"})


def test_renamed_and_removed_folders(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    editor.start(root, capabilities=WATCHING)
    editor.fresh(root)
    (root / "tests").rename(root / "checks")
    files = [{"oldUri": (root / "tests").as_uri(), "newUri": (root / "checks").as_uri()}]
    editor.tell("workspace/didRenameFiles", {"files": files})
    wanted = (root / "checks" / "test_shop.py").as_uri()
    seen = 0
    while True:
        found = editor.ask("workspace/symbol", {"query": "test_place_order"})
        if [item["location"]["uri"] for item in found] == [wanted]:
            break
        editor.wait(lambda m: m.get("method") == "knowing/indexChanged", since=seen)
        seen = len(editor.received)
    hover = editor.ask("textDocument/hover", at(root / "checks" / "test_shop.py", "place_order"))
    assert "place_order" in hover["contents"]["value"]

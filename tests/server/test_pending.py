"""An edit is judged before it is saved."""

from pathlib import Path

import pytest

from tests.server.conftest import Connect
from tests.server.talking import Refused
from tests.server.workspaces import shop


def test_callers_of_a_function_that_is_being_renamed(connect: Connect, tmp_path: Path) -> None:
    root = shop(tmp_path / "shop")
    (root / "late.py").write_text("def late_fee(days):\n    rate = 2\n    return days * rate\n")
    (root / "uses_late.py").write_text("from late import late_fee\n\n\nFEE = late_fee(3)\n")
    editor = connect()
    editor.start(root)
    editor.fresh(root)
    path = root / "late.py"
    text = path.read_text().replace("late_fee", "overdue_fee")
    uri = editor.opened(path, text)
    for found in (
        editor.ask("knowing/pendingEdit", {"textDocument": {"uri": uri}}),
        editor.run("knowing.pendingEdit", {"textDocument": {"uri": uri}, "text": text}),
    ):
        [change] = found["changes"]
        assert change["change"] == "renamed"
        assert {(use["path"], use["line"]) for use in change["uses"]} == {
            ("uses_late.py", 1),
            ("uses_late.py", 4),
        }
        assert "uses_late.py:4" in found["markdown"]
    assert "overdue_fee" in editor.names("overdue_fee")


def test_a_document_has_to_be_named(connect: Connect, tmp_path: Path) -> None:
    editor = connect()
    editor.start(shop(tmp_path / "shop"))
    with pytest.raises(Refused):
        editor.ask("knowing/pendingEdit", {})

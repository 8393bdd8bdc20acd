from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

from tests.server.conftest import Connect
from tests.server.talking import Editor, at
from tests.server.workspaces import shop

LITERALS: dict[str, Any] = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}


def _actions(editor: Editor, root: Path, **context: Any) -> Any:
    place = at(root / "shop.py", "place_order")
    span = {"start": place["position"], "end": place["position"]}
    given = {"diagnostics": [], **context}
    return editor.ask(
        "textDocument/codeAction",
        {"textDocument": place["textDocument"], "range": span, "context": given},
    )


@pytest.mark.parametrize("able", [True, False], ids=["literals", "commands"])
def test_actions_run_commands_whose_answer_is_shown(
    tmp_path: Path, connect: Connect, able: bool
) -> None:
    """In a document where the editor can be asked to open one, in a message where not."""
    root = shop(tmp_path / "work")
    editor = connect()
    editor.answers["window/showDocument"] = lambda _: {"success": True}
    document = {"codeAction": LITERALS} if able else {}
    window = {"showDocument": {"support": able}}
    editor.start(root, capabilities={"textDocument": document, "window": window})
    editor.fresh(root)
    actions = _actions(editor, root)
    assert [action["title"] for action in actions] == [
        "Knowing: context for this selection",
        "Knowing: blast radius of place_order",
        "Knowing: related to place_order",
    ]
    for action in actions:
        command = action["command"] if able else action
        found = editor.run(command["command"], command["arguments"][0])
        assert found["markdown"]
        if able:
            uri = editor.all("window/showDocument")[-1]["uri"]
            path = Path(url2pathname(urlparse(uri).path))
            assert path.read_text("utf-8").rstrip() == found["markdown"].rstrip()
            assert not path.is_relative_to(root)
        else:
            shown = editor.all("window/showMessage")[-1]["message"]
            assert found["markdown"].startswith(shown)
    assert _actions(editor, root, only=["quickfix"]) == []
    assert len(_actions(editor, root, only=["source"])) == 3

"""What the documents say about the server holds."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from server import protocol
from tests.server.conftest import Connect
from tests.server.talking import PATIENCE, REPOSITORY, at, environment
from tests.server.workspaces import shop

PROTOCOL = (REPOSITORY / "docs" / "protocol.md").read_text("utf-8")
EDITORS = (REPOSITORY / "docs" / "editors.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_every_method_and_command_is_documented() -> None:
    for command, method in protocol.COMMANDS.items():
        assert f"### `{method}`" in PROTOCOL
        assert f"`{command}`" in PROTOCOL
    for name in (protocol.INDEX_CHANGED, protocol.REINDEX_COMMAND, protocol.ENRICH_COMMAND):
        assert f"`{name}`" in PROTOCOL


@pytest.mark.parametrize(
    ("kind", "text"), BLOCK.findall(EDITORS), ids=lambda text: text[:24].replace("\n", " ")
)
def test_snippets_are_what_they_claim_to_be(kind: str, text: str) -> None:
    if kind == "json":
        assert json.loads(text)
    elif kind == "toml":
        assert tomllib.loads(text)
    else:
        brackets = {"(": ")", "{": "}"}
        for opening, closing in brackets.items():
            assert text.count(opening) == text.count(closing)
    if "PYTHON" in text:
        assert re.search(r"-P\W+-m\W+server\W+--stdio", text)


def test_the_options_of_the_command_are_documented(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "server", "--help"],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path,
        timeout=PATIENCE,
        check=True,
    )
    for option in set(re.findall(r"--[a-zA-Z-]+", ran.stdout)) - {"--help"}:
        assert f"`{option}" in PROTOCOL


def test_an_editor_that_shows_plain_text_gets_plain_text(tmp_path: Path, connect: Connect) -> None:
    root = shop(tmp_path / "work")
    editor = connect()
    hover = {"hover": {"contentFormat": ["plaintext"]}}
    lenses = {"codeLens": {"refreshSupport": True}}
    editor.start(root, capabilities={"textDocument": hover, "workspace": lenses})
    editor.fresh(root)
    found = editor.ask("textDocument/hover", at(root / "shop.py", "place_order"))["contents"]
    assert found["kind"] == "plaintext"
    assert found["value"].startswith("place_order — function, shop.py\n")
    assert "](" not in found["value"]
    editor.wait(lambda m: m.get("method") == "workspace/codeLens/refresh")
    assert editor.end() == 0

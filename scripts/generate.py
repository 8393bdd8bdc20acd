"""Writes the documents that are generated from the code: `make docs`."""

import json
from pathlib import Path

from knowing.settings import leaves
from knowing.settings_schema import Scope
from knowing.settings_surfaces import editor_key, markdown, vscode_configuration

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "vscode-extension" / "package.json"

_OWN_SETTINGS = ("knowing.python.path",)
"""Of the extension itself: what an untrusted workspace must not choose."""


def main() -> None:
    """Write each generated document to its place."""
    (ROOT / "docs" / "settings.md").write_text(markdown(), encoding="utf-8", newline="\n")
    if MANIFEST.exists():
        written = manifest(MANIFEST.read_text(encoding="utf-8"))
        MANIFEST.write_text(written, encoding="utf-8", newline="\n")


def manifest(text: str) -> str:
    """The extension's manifest with the settings of the server as they are declared."""
    found = json.loads(text)
    found["contributes"]["configuration"][1] = vscode_configuration()
    machine = [editor_key(leaf) for leaf in leaves().values() if leaf.scope is Scope.MACHINE]
    restricted = found["capabilities"]["untrustedWorkspaces"]
    restricted["restrictedConfigurations"] = [*_OWN_SETTINGS, *machine]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()

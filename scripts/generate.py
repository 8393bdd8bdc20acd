"""Writes the documents that are generated from the code: `make docs`."""

from pathlib import Path

from knowing.settings_surfaces import markdown

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write each generated document to its place."""
    (ROOT / "docs" / "settings.md").write_text(markdown(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

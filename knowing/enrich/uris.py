"""Paths to and from the addresses that language servers use for files."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"/[A-Za-z]:")


def to_uri(path: Path) -> str:
    return path.as_uri()


def to_path(uri: str) -> Path | None:
    """The file behind an address; None for what is no file, such as a class in an archive."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    text = unquote(parts.path)
    if _DRIVE.match(text):
        text = text[1:]
    return Path(os.path.normpath(text)) if text and "\0" not in text else None

"""URIs to paths and back."""

from pathlib import Path

from pygls import uris

_SCHEME = "file:"


def to_path(uri: str) -> Path | None:
    """The file that a URI names; None for other schemes and for what cannot be a file here."""
    if uri[: len(_SCHEME)].lower() != _SCHEME:
        return None
    try:
        found = uris.to_fs_path(_SCHEME + uri[len(_SCHEME) :])
        if not found or "\0" in found:
            return None
        found.encode("utf-8")
        path = Path(found)
    except ValueError:
        return None
    return path if path.is_absolute() else None


def from_path(path: Path) -> str:
    return path.as_uri()

"""Where the data of a workspace lies: one folder under the user's cache directory."""

import re
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def index_folder(root: Path, chosen: Path | None = None) -> Path:
    """The folder for `root`: below `chosen`, or below the cache directory.

    Its name begins with the workspace's own, so that a person finds it, and ends with a hash of
    the resolved path, so that two workspaces of one name do not meet.
    """
    resolved = root.resolve()
    digest = blake2b(str(resolved).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    name = _UNSAFE.sub("-", resolved.name)[:40].strip("-") or "workspace"
    base = chosen if chosen is not None else user_cache_path("knowing", appauthor=False)
    return base / f"{name}-{digest}"

"""Where the data of a workspace lies: one folder under the user's cache directory."""

import re
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path

from knowing.errors import WorkspaceError

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def index_folder(root: Path, chosen: Path | None = None) -> Path:
    """The folder for `root`: below `chosen`, or below the cache directory; never below `root`.

    Its name begins with the workspace's own, so that a person finds it, and ends with a hash of
    the resolved path, so that two workspaces of one name do not meet.
    """
    resolved = root.resolve()
    digest = blake2b(str(resolved).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    name = _UNSAFE.sub("-", resolved.name)[:40].strip("-") or "workspace"
    base = chosen if chosen is not None else user_cache_path("knowing", appauthor=False)
    folder = base.resolve() / f"{name}-{digest}"
    if folder.is_relative_to(resolved):
        raise WorkspaceError(
            f"the index must not lie inside the workspace: {folder}",
            "choose a folder elsewhere with --index-dir",
        )
    return folder

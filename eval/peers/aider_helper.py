"""Runs in aider's environment: `aider_helper.py index|serve ROOT`.

`serve` reads `{"task", "limit"}` a line and answers `[[path, line, name], ...]` a line. Words of
the task count as identifiers that are mentioned, files whose name is one of them as files that
are, which is what aider does with a message.
"""

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

SHORTEST_STEM = 5
"""Letters of a file's name that make it recognisable in a sentence, as aider has it."""


class Quiet:
    """Takes what the map would say to a user."""

    def tool_output(self, *_: object, **__: object) -> None: ...

    def tool_warning(self, *_: object, **__: object) -> None: ...

    def tool_error(self, *_: object, **__: object) -> None: ...

    def read_text(self, name: str, **_: object) -> str | None:
        try:
            return Path(name).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None


class Model:
    """Counts tokens roughly; ranking does not depend on it."""

    def token_count(self, text: str) -> int:
        return len(text) // 4


def files_of(root: Path) -> list[str]:
    """All files but those of tools."""
    files = (file for file in root.rglob("*") if file.is_file())
    return sorted(str(f) for f in files if not f.relative_to(root).parts[0].startswith("."))


def ranked(repo_map: Any, root: Path, files: list[str], task: str) -> list[tuple[str, int, str]]:
    """Definitions in the order of the map."""
    words = set(re.split(r"\W+", task))
    lower = {word.lower() for word in words}
    stems = {name: Path(name).stem.lower() for name in files}
    mentioned = {
        str(Path(name).relative_to(root))
        for name, stem in stems.items()
        if len(stem) >= SHORTEST_STEM and stem in lower
    }
    tags = repo_map.get_ranked_tags([], files, mentioned, words)
    return [(tag.rel_fname, tag.line + 1, tag.name) for tag in tags if hasattr(tag, "name")]


def main() -> None:
    what, root = sys.argv[1], Path(sys.argv[2]).resolve()
    module = importlib.import_module("aider.repomap")
    repo_map = module.RepoMap(root=str(root), io=Quiet(), main_model=Model())
    files = files_of(root)
    if what == "index":
        ranked(repo_map, root, files, "")
        return
    for line in sys.stdin:
        asked = json.loads(line)
        found = ranked(repo_map, root, files, asked["task"])
        print(json.dumps(found[: asked["limit"]]), flush=True)


if __name__ == "__main__":
    main()

"""A workspace on disk: shorthand for filling, scanning and asking git."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowing.files import FileRules, Scan, scan
from knowing.model import SourceFile

LANGUAGES = {
    ".py": "python",
    ".go": "go",
    ".js": "javascript",
    ".cs": "csharp",
    ".java": "java",
    ".md": "markdown",
    ".json": "json",
}


def make_rules(**changes: Any) -> FileRules:
    return FileRules(**{"languages": LANGUAGES, **changes})


@dataclass(frozen=True)
class Workspace:
    """A folder of a test, in which paths are relative and written with `/`."""

    root: Path

    def write(self, files: Mapping[str, str | bytes]) -> "Workspace":
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def touch(self, *names: str) -> "Workspace":
        return self.write(dict.fromkeys(names, "x = 1\n"))

    def link(self, name: str, target: str | Path) -> "Workspace":
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        return self

    def git(self, *arguments: str, at: str = ".") -> bytes:
        return subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root / at,
            check=True,
            capture_output=True,
            timeout=60,
        ).stdout

    def repository(self, at: str = ".") -> "Workspace":
        (self.root / at).mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", at=at)
        return self

    def commit(self, at: str = ".") -> "Workspace":
        self.git("add", "-A", at=at)
        self.git("commit", "-q", "-m", "all", at=at)
        return self

    def scan(self, at: str = ".", **changes: Any) -> Scan:
        return scan(self.root / at, make_rules(**changes))

    def paths(self, at: str = ".", **changes: Any) -> list[str]:
        return [file.path for file in self.scan(at, **changes).files]

    def reasons(self, at: str = ".", **changes: Any) -> dict[str, str]:
        """Why things are skipped, the version control folder aside."""
        skipped = self.scan(at, **changes).skipped
        return {item.path: item.reason for item in skipped if item.path != ".git"}

    def file(self, path: str, **changes: Any) -> SourceFile:
        return next(file for file in self.scan(**changes).files if file.path == path)

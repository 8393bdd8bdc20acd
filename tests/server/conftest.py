"""Editors for the tests, ended when a test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.talking import Editor, command, environment

Connect = Callable[..., Editor]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Starts servers; each keeps its index in a folder of the test."""
    editors: list[Editor] = []

    def start(
        *more: str, cwd: Path | None = None, given: list[str] | None = None, **env: str
    ) -> Editor:
        log = tmp_path / f"server-{len(editors)}.log"
        editor = Editor(
            given or command(tmp_path / "index", *more),
            cwd=cwd or tmp_path,
            env=environment(**env),
            log=log,
        )
        editors.append(editor)
        return editor

    yield start
    for editor in editors:
        editor.kill()

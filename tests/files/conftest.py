"""An empty workspace for each test."""

from pathlib import Path

import pytest

from tests.files.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "workspace"
    root.mkdir()
    return Workspace(root)

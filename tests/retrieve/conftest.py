"""An engine over a copy of this project's own code, indexed once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.engine import Engine

PACKAGE = Path(__file__).resolve().parents[2] / "knowing"


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("workspace") / "project"
    for folder in ("files", "graph", "store"):
        shutil.copytree(PACKAGE / folder, root / "knowing" / folder)
    (root / "tests").mkdir()
    (root / "tests" / "test_ignore.py").write_text(
        "from knowing.files.ignore import *\n\n\ndef test_gitignore_patterns():\n    assert True\n"
    )
    with Engine.open(root, index_dir=tmp_path_factory.mktemp("index")) as opened:
        opened.index(history=False)
        yield opened

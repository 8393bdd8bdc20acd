from pathlib import Path
from textwrap import dedent

import pytest

from tests.history.conftest import Repo
from tests.mcp.agents import SHOP


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small workspace with one commit, not indexed."""
    root = tmp_path / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "--quiet")
    repo.git("config", "user.name", "Ann")
    repo.git("config", "user.email", "ann@example.org")
    repo.commit("Sell things", {path: dedent(text).lstrip() for path, text in SHOP.items()})
    return root

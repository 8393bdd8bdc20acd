from pathlib import Path

import pytest

from tests.cli.running import Case
from tests.cli.workspaces import small


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A small workspace that is not indexed."""
    return Case(small(tmp_path / "work"), tmp_path / "index")


@pytest.fixture
def indexed(case: Case) -> Case:
    """A small workspace that is indexed."""
    ran = case.call("index", "--json")
    assert ran.code == 0, ran.err
    return case

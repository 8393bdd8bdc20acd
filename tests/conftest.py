"""What holds for all tests: no user's cache, no user's git configuration, no clock."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes depends on the machine, so it says nothing about the code.
settings.register_profile("knowing", deadline=None)
settings.load_profile("knowing")

_GIT_CONFIG = """\
[user]
    name = Ada Example
    email = ada@example.org
[init]
    defaultBranch = main
[commit]
    gpgSign = false
[core]
    autocrlf = false
"""


@pytest.fixture(autouse=True, scope="session")
def _own_surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the person at the machine has stored and configured out of the tests."""
    home = tmp_path_factory.mktemp("surroundings")
    config = home / "gitconfig"
    config.write_text(_GIT_CONFIG, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        patch.setenv("GIT_CONFIG_GLOBAL", str(config))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        # Set while a hook of git runs the tests; repositories made by tests are not that one.
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"):
            patch.delenv(name, raising=False)
        yield

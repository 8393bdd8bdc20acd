"""What is shipped works where nothing else of this project is."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from knowing.languages import load_languages

# One process runs them all, because building and installing is the slow part.
pytestmark = pytest.mark.xdist_group("wheel")

ROOT = Path(__file__).resolve().parent.parent
SURROUNDINGS = dict(os.environ)
"""As they are before the fixtures of all tests change them: pip keeps its cache."""

NOT_SHIPPED = {"__pycache__", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True)
class Shipped:
    """A source archive, the wheel made from it and an environment that holds only the wheel."""

    sdist: Path
    wheel: Path
    environment: Path

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with a cache folder of its own."""
        program = self.environment / "bin" / command[0]
        surroundings = {**SURROUNDINGS, "XDG_CACHE_HOME": str(cwd / "cache")}
        surroundings.pop("PYTHONPATH", None)
        return _run([str(program), *command[1:]], cwd, surroundings)


def _run(
    command: list[str], cwd: Path, surroundings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env=surroundings, capture_output=True, text=True, timeout=300, check=False
    )


def _must(command: list[str], cwd: Path) -> None:
    done = _run(command, cwd, SURROUNDINGS)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def _build(kind: str, source: Path, target: Path) -> Path:
    _must([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)], source)
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    """Build the archive, the wheel from the archive, and install the wheel."""
    folder = tmp_path_factory.mktemp("shipped")
    sdist = _build("sdist", ROOT, folder / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    wheel = _build("wheel", source, folder / "wheel")
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    _must([python, "-m", "pip", "install", "--quiet", str(wheel)], folder)
    return Shipped(sdist, wheel, environment)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "greet.py").write_text("def greet():\n    return name()\n\n\ndef name():\n    pass\n")
    return root


def _package_files() -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for package in ("knowing", "server")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not NOT_SHIPPED & set(path.relative_to(ROOT).parts)
    }


def test_wheel_and_archive_hold_every_file_of_the_packages(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.wheel) as wheel:
        in_wheel = set(wheel.namelist())
    with tarfile.open(shipped.sdist) as archive:
        in_archive = {name.partition("/")[2] for name in archive.getnames()}
    expected = _package_files()
    assert {Path(name).suffix for name in expected} >= {".py", ".toml", ".scm"}
    assert expected - in_wheel == set()
    assert expected - in_archive == set()
    assert not [name for name in in_wheel if name.startswith(("tests/", "eval/", "scripts/"))]


def test_every_language_is_shipped_with_its_data(shipped: Shipped) -> None:
    with zipfile.ZipFile(shipped.wheel) as wheel:
        names = set(wheel.namelist())
    for language in load_languages().languages:
        folder = f"knowing/languages/{Path(language.folder).name}/"
        inside = {name for name in names if name.startswith(folder)}
        # Prose is read by rules, without a query.
        wanted = {".toml"} if language.prose else {".toml", ".scm"}
        assert {Path(name).suffix for name in inside} >= wanted, folder
        assert any("/sample/" in name for name in inside), folder
    queries = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("knowing/store/**/*.sql")}
    assert queries <= names


def test_the_installed_command_explains_itself(shipped: Shipped, tmp_path: Path) -> None:
    for command in (["knowing", "--help"], ["python", "-m", "knowing", "--help"]):
        done = shipped.run(*command, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "index" in done.stdout
        assert done.stderr == ""


def test_the_installed_command_indexes_a_workspace(
    shipped: Shipped, workspace: Path, tmp_path: Path
) -> None:
    done = shipped.run("knowing", "index", "--json", "--root", str(workspace), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert Path(answer["root"]) == workspace.resolve()
    assert answer["files"] == 1
    assert answer["by_language"]["python"]
    assert answer["by_edge_kind"]["calls"] == 1
    assert answer["skipped"] == []
    assert [path.name for path in workspace.iterdir()] == ["greet.py"]
    dumped = shipped.run("knowing", "dump", "symbols", "--root", str(workspace), cwd=tmp_path)
    names = {json.loads(line)["name"] for line in dumped.stdout.splitlines()}
    assert {"greet", "name"} <= names

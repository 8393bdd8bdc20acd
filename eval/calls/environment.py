"""Run a project's own tests under the recorder, away from the project's folder.

The repository is copied to a temporary directory, its dependencies are installed into a private
virtual environment that is cached by their list, and the copy is put on the path: nothing is
written into the repository.
"""

import hashlib
import importlib.resources
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from eval.failure import EvalError
from eval.process import finished

PLUGIN = "knowing_calls"
"""Name under which the recorder is importable beside the project under test."""

PLUGIN_FILES = ("sites.py", "callee.py", "recorder.py")
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "venv", "node_modules", "__pycache__")
INSTALL_SECONDS = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """How the tests of a repository are run."""

    packages: tuple[str, ...]
    """Folders whose calls are recorded, relative to the repository."""
    tests: tuple[str, ...] = ("tests",)
    requires: tuple[str, ...] = ("pytest",)
    pytest: tuple[str, ...] = ()
    """Further arguments."""
    seconds: int = 1200
    python: str = ""
    """An interpreter that has the requirements; empty to make an environment."""


def known_project(name: str) -> Project | None:
    """The project kept in `projects.toml` under a repository's folder name."""
    text = importlib.resources.files("eval.calls").joinpath("projects.toml").read_text("utf-8")
    entry = tomllib.loads(text).get(name)
    if entry is None:
        return None
    return Project(
        packages=tuple(entry["packages"]),
        tests=tuple(entry["tests"]),
        requires=tuple(entry["requires"]),
        pytest=tuple(entry.get("pytest", ())),
        seconds=int(entry.get("seconds", 1200)),
    )


def record(repository: Path, project: Project, output: Path, cache: Path) -> str:
    """Run the tests, write the calls to `output`, and return pytest's last lines."""
    python = project.python or environment(project.requires, cache)
    with copied(repository) as copy, tempfile.TemporaryDirectory(prefix="knowing-") as folder:
        plugin, calls = Path(folder), Path(folder) / "calls.jsonl"
        _place_plugin(plugin / PLUGIN)
        _place_metadata(copy, plugin)
        sources = [(copy / package).parent for package in project.packages]
        variables = {
            **_clean_environment(),
            "PYTHONPATH": os.pathsep.join(str(each) for each in [*sources, copy, plugin]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        done = finished(
            _pytest(python, project, copy, calls),
            seconds=project.seconds,
            folder=copy,
            variables=variables,
        )
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        # pytest exits with 1 when tests fail: what ran before and after is recorded all the same.
        if done.returncode not in (0, 1) or not calls.exists() or not calls.stat().st_size:
            raise EvalError(f"no calls were recorded (exit {done.returncode}):\n{tail}")
        shutil.copyfile(calls, output)
    return tail


def _pytest(python: str, project: Project, copy: Path, calls: Path) -> list[str]:
    return [
        *(python, "-m", "pytest", "-q", "-p", f"{PLUGIN}.recorder", "-p", "no:cacheprovider"),
        "--continue-on-collection-errors",
        *("--record-calls", str(calls), "--record-root", str(copy)),
        *(part for package in project.packages for part in ("--record-package", package)),
        *project.pytest,
        *project.tests,
    ]


def environment(requires: tuple[str, ...], cache: Path) -> str:
    """Interpreter of a virtual environment that has these requirements; made once."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    key = hashlib.sha256("\n".join([version, *sorted(requires)]).encode()).hexdigest()[:16]
    folder = cache / f"environment-{key}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = folder / "complete"
    if complete.exists():
        return str(python)
    shutil.rmtree(folder, ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    _install([sys.executable, "-m", "venv", str(folder)])
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    _install([str(python), "-m", "pip", "install", *quiet, *requires])
    complete.write_text("\n".join(requires) + "\n", encoding="utf-8")
    return str(python)


def _install(command: list[str]) -> None:
    done = finished(command, seconds=INSTALL_SECONDS, variables=_clean_environment())
    if done.returncode:
        raise EvalError(f"{' '.join(command[:5])} ... failed:\n{done.stderr.strip()[-2000:]}")


def _clean_environment() -> dict[str, str]:
    """Our own variables without those that would lead the child back to our environment."""
    unwanted = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    return {
        name: value
        for name, value in os.environ.items()
        if name not in unwanted and not name.startswith("PYTEST_")
    }


@contextmanager
def copied(repository: Path) -> Iterator[Path]:
    """A throw-away copy of a repository's files, without its history."""
    with tempfile.TemporaryDirectory(prefix="knowing-copy-") as folder:
        copy = Path(folder).resolve() / repository.resolve().name
        shutil.copytree(repository, copy, symlinks=True, ignore=NOT_COPIED)
        yield copy


def _place_plugin(folder: Path) -> None:
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name in PLUGIN_FILES:
        shutil.copyfile(Path(__file__).parent / name, folder / name)


def _place_metadata(copy: Path, folder: Path) -> None:
    """Give the project the installed metadata that its own tests may ask for."""
    file = copy / "pyproject.toml"
    project = tomllib.loads(file.read_text("utf-8")).get("project") if file.exists() else None
    if not project or "name" not in project:
        return
    name, version = str(project["name"]), str(project.get("version", "0"))
    info = folder / f"{name.replace('-', '_').lower()}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8"
    )
    scripts = "".join(f"{key} = {value}\n" for key, value in project.get("scripts", {}).items())
    (info / "entry_points.txt").write_text(f"[console_scripts]\n{scripts}", encoding="utf-8")


def default_cache() -> Path:
    """Where environments are kept between runs."""
    return Path(platformdirs.user_cache_dir("knowing-eval", appauthor=False))

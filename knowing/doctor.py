"""Looks at the environment: what the program needs, and what to do where it is missing."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from knowing.errors import KnowingError
from knowing.languages import Registry, load_languages
from knowing.parse.grammar import compiled
from knowing.reports import Finding
from knowing.settings import Settings
from knowing.store import SQLITE_VERSION, index_folder

_PACKAGES = ("numpy", "tree-sitter", "tree-sitter-language-pack")
_MIN_FREE_BYTES = 200_000_000


def examine(root: Path, settings: Settings, index_dir: Path | None) -> list[Finding]:
    """Everything that a run depends on, good or bad."""
    return [
        _python(),
        *_packages(),
        _sqlite(),
        _git(),
        _folder(root, index_dir),
        *_languages(settings),
    ]


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= (3, 11)
    return Finding(
        name="python",
        good=good,
        detail=f"{found} at {sys.executable}",
        advice="" if good else "install Python 3.11 or newer",
    )


def _packages() -> Iterator[Finding]:
    for name in _PACKAGES:
        try:
            yield Finding(name=name, good=True, detail=version(name))
        except PackageNotFoundError:
            yield Finding(
                name=name, good=False, detail="not installed", advice=f"pip install {name}"
            )


def _sqlite() -> Finding:
    good = SQLITE_VERSION >= (3, 37)
    return Finding(
        name="sqlite",
        good=good,
        detail=".".join(map(str, SQLITE_VERSION)),
        advice="" if good else "use a Python with SQLite 3.37 or newer",
    )


def _git() -> Finding:
    """Git is optional: without it there is no history, and that is all."""
    path = shutil.which("git")
    if path is None:
        return Finding(
            name="git",
            good=True,
            detail="not found: history is left out",
            advice="install git to rank by history",
        )
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return Finding(name="git", good=True, detail=f"{answer.stdout.strip()} at {path}")


def _folder(root: Path, index_dir: Path | None) -> Finding:
    try:
        folder = index_folder(root, index_dir)
    except KnowingError as error:
        return Finding(name="index folder", good=False, detail=str(error), advice=error.hint)
    try:
        free = _free_bytes(folder)
    except OSError as error:
        return Finding(
            name="index folder",
            good=False,
            detail=f"{folder}: {error.strerror}",
            advice="choose a folder that can be written with --index-dir",
        )
    good = free > _MIN_FREE_BYTES
    return Finding(
        name="index folder",
        good=good,
        detail=f"{folder}, {free / 1e9:.1f} GB free",
        advice="" if good else "free some space, or choose another folder with --index-dir",
    )


def _free_bytes(folder: Path) -> int:
    """Room where the folder is or is to be made; OSError if nothing can be written there."""
    place = folder
    while not place.exists():
        place = place.parent
    with tempfile.TemporaryFile(dir=place):
        return shutil.disk_usage(place).free


def _languages(settings: Settings) -> Iterator[Finding]:
    folder = settings.index.languages_dir
    try:
        registry: Registry = load_languages(Path(folder) if folder else None)
    except KnowingError as error:
        yield Finding(name="languages", good=False, detail=str(error), advice=error.hint)
        return
    for language in registry.languages:
        try:
            # Prose is read without a grammar.
            if language.grammar:
                compiled(language)
        except KnowingError as error:
            yield Finding(
                name=f"language {language.name}",
                good=False,
                detail=str(error),
                advice=error.hint or "correct the language's folder",
            )
        else:
            yield Finding(
                name=f"language {language.name}",
                good=True,
                detail=" ".join((*language.extensions, *language.filenames)),
            )

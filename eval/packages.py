"""`python -m eval packages`: the code that fixtures ask about, brought from its registries.

Beside the pinned packages lies a copy of this project's own sources under the name `knowing`,
without `eval` and `tests`: the former holds the questions and the latter would answer them.
"""

import argparse
import hashlib
import io
import shutil
import tarfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval.failure import EvalError
from eval.index import PROJECT

PINS = Path(__file__).resolve().parent / "packages.toml"
PLACE = PROJECT / "build" / "eval-packages"
"""Where packages lie unless a folder is given; git ignores it."""

SELF = "knowing"
OWN_SOURCES = ("knowing", "server", "docs", "scripts", "README.md", "pyproject.toml")
DOWNLOAD_SECONDS = 60
TRIES = 3
LARGEST = 20 << 20
"""Bytes; no pinned package is near this size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package at one version."""

    name: str
    version: str
    licence: str
    address: str
    sha256: str
    inside: str
    """The folder of the archive that holds it."""
    keep: tuple[str, ...]
    """What is taken of it; everything if empty."""

    @property
    def stamp(self) -> str:
        """Changes whenever what lies in the folder would."""
        return f"{self.version} {self.sha256} {','.join(self.keep)}\n"


def packages(file: Path = PINS) -> list[Package]:
    """The packages that are pinned."""
    try:
        rows = tomllib.loads(file.read_text("utf-8"))["package"]
        return [Package(**{**row, "keep": tuple(row["keep"])}) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvalError(f"cannot read {file}: {error}") from error


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("packages", help="bring what fixtures of our own ask about")
    parser.add_argument("--to", type=Path, default=PLACE, help="folder to put it in")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Bring what is not there yet."""
    for line in provide(options.to):
        print(line, flush=True)
    return 0


def provide(folder: Path) -> Iterator[str]:
    """Put all packages and our own sources into a folder; says what is done."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages():
        target, stamp = folder / package.name, folder / f"{package.name}.stamp"
        if target.is_dir() and stamp.is_file() and stamp.read_text("utf-8") == package.stamp:
            yield f"{package.name} {package.version}: in place"
            continue
        shutil.rmtree(target, ignore_errors=True)
        unpack(package, download(package), target)
        stamp.write_text(package.stamp, encoding="utf-8")
        yield f"{package.name} {package.version}: from {package.address}"
    copy_own(folder / SELF)
    yield f"{SELF}: copied from {PROJECT}"


def copy_own(target: Path, names: Sequence[str] = OWN_SOURCES) -> None:
    """This project's sources as they are now."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in names:
        source = PROJECT / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, target / name, ignore=left_out)
        elif source.is_file():
            shutil.copy2(source, target / name)


def download(package: Package) -> bytes:
    """The archive of a package, checked."""
    for last in (*[False] * (TRIES - 1), True):
        try:
            with urllib.request.urlopen(package.address, timeout=DOWNLOAD_SECONDS) as answer:
                data = bytes(answer.read(LARGEST))
            break
        except (urllib.error.URLError, OSError) as error:
            if last:
                raise EvalError(f"cannot get {package.address}: {error}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != package.sha256:
        raise EvalError(f"{package.address} is not what was pinned: its SHA-256 is {found}")
    return data


def unpack(package: Package, data: bytes, target: Path) -> None:
    """Write the files of an archive that are kept; nothing outside the target."""
    prefix = PurePosixPath(package.inside).parts
    for name, content in _members(data):
        parts = PurePosixPath(name).parts
        rest = parts[len(prefix) :]
        if parts[: len(prefix)] != prefix or not rest or ".." in rest:
            continue
        if package.keep and rest[0] not in package.keep:
            continue
        file = target.joinpath(*rest)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    if not target.is_dir():
        raise EvalError(f"{package.address} has no {package.inside}")


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    yield info.filename, archive.read(info)
        return
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        for member in tar.getmembers():
            opened = tar.extractfile(member) if member.isfile() else None
            if opened is not None:
                yield member.name, opened.read()

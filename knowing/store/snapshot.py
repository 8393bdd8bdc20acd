"""A `View` and what belongs to it on disk: a folder of arrays per generation, mapped when read.

A snapshot is written beside the others under a temporary name, renamed when complete, and made
current by replacing one small file. Readers that still use an older one keep it: its files are
only unlinked.
"""

import json
import os
import shutil
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO

import numpy as np

from knowing.graph.view import View
from knowing.store.arrays import Array, Value, arrays_of, assembled
from knowing.store.database import VERSION
from knowing.store.failures import DamagedError, translated

_CURRENT = "current.json"
_KEPT = 2
_HEADER_BYTES = 128
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotInfo:
    """What a snapshot is of."""

    generation: int
    content: str
    """Hash of all files' contents, of build files and of ownership."""
    files: int
    symbols: int
    edges: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pointer:
    """What `current.json` says."""

    folder: str
    sums: Mapping[str, int]
    """Checksum of each array's file."""
    info: SnapshotInfo


class _Summed:
    """A file that is written to and summed up. Numpy names no reason if a real file fails it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.sum = 0

    def write(self, data: bytes) -> int:
        self.sum = zlib.crc32(data, self.sum)
        return self._file.write(data)


def save(folder: Path, info: SnapshotInfo, **parts: object) -> None:
    """Writes values made of arrays, each under its name, and makes them current."""
    name = f"{info.generation:08d}"
    final, temporary = folder / name, folder / f".{name}.{os.getpid()}"
    pointer = folder / f".{_CURRENT}.{os.getpid()}"
    with translated():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        try:
            sums = {
                key: _write(temporary / f"{key}.npy", array)
                for name, part in parts.items()
                for key, array in arrays_of(part, f"{name}_")
            }
            shutil.rmtree(final, ignore_errors=True)
            temporary.rename(final)
            written = {item.name: getattr(info, item.name) for item in fields(info)}
            text = json.dumps({"version": VERSION, "folder": name, "sums": sums, **written})
            pointer.write_text(text, "utf-8")
            pointer.replace(folder / _CURRENT)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            pointer.unlink(missing_ok=True)
            raise
        _forget_old(folder, name)


def _write(path: Path, array: Array) -> int:
    with path.open("wb") as file:
        summed = _Summed(file)
        np.save(summed, array, allow_pickle=False)
    return summed.sum


def info(folder: Path) -> SnapshotInfo | None:
    """What the current snapshot is of; None if there is none that can be read."""
    found = _pointer(folder)
    return found.info if found else None


def mark(folder: Path) -> tuple[int, int] | None:
    """Changes whenever another snapshot becomes current; None while there is none."""
    try:
        status = (folder / _CURRENT).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def load(folder: Path) -> tuple[View, SnapshotInfo] | None:
    """The view of the current snapshot; None if there is none. DamagedError if it is not whole."""
    loaded = load_part(folder, "view", View)
    if loaded is None:
        return None
    view, found = loaded
    held = (len(view.paths), len(view.symbols), len(view.edges))
    if held != (found.files, found.symbols, found.edges) or not _even(view):
        raise DamagedError(f"the snapshot {found.generation} does not hold what it should")
    return view, found


def load_part(folder: Path, name: str, cls: type[Value]) -> tuple[Value, SnapshotInfo] | None:
    """One value of the current snapshot, mapped; None if there is none. DamagedError as above."""
    found = _pointer(folder)
    while found is not None:
        try:
            return assembled(cls, _reader(folder / found.folder), f"{name}_"), found.info
        except (OSError, ValueError, TypeError, EOFError) as error:
            again = _pointer(folder)
            if again == found:
                raise DamagedError(f"the snapshot {found.folder} is damaged: {error}") from error
            # Another process has just replaced it.
            found = again
    return None


def flaw(folder: Path) -> str:
    """What is wrong with the current snapshot, all of it looked at; nothing if all is well."""
    found = _pointer(folder)
    if found is None:
        unread = (folder / _CURRENT).exists()
        return "the description of the snapshot is damaged or of another version" if unread else ""
    for key, wanted in found.sums.items():
        try:
            why = "" if _sum(folder / found.folder / f"{key}.npy") == wanted else "has changed"
        except OSError as error:
            why = error.strerror or type(error).__name__
        if why and _pointer(folder) != found:
            # Another process has just replaced it.
            return flaw(folder)
        if why:
            return f"the snapshot {found.folder} is damaged: {key}: {why}"
    return ""


def _sum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while data := file.read(_READ_BYTES):
            total = zlib.crc32(data, total)
    return total


def _pointer(folder: Path) -> _Pointer | None:
    try:
        data = json.loads((folder / _CURRENT).read_text("utf-8"))
        if data.pop("version") != VERSION:
            return None
        name, sums = str(data.pop("folder")), dict(data.pop("sums"))
        values = SnapshotInfo(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    numbers = (values.generation, values.files, values.symbols, values.edges)
    sound = all(isinstance(number, int) for number in numbers) and isinstance(values.content, str)
    return _Pointer(folder=name, sums=sums, info=values) if sound else None


def _even(view: View) -> bool:
    """Whether all columns of a table are of one length."""
    return all(
        len(getattr(part, item.name)) == len(part)
        for part in (view.symbols, view.edges)
        for item in fields(part)
    )


def _reader(folder: Path) -> Callable[[str], Array]:
    def read(name: str) -> Array:
        path = folder / f"{name}.npy"
        # An empty file cannot be mapped.
        mapped = path.stat().st_size > _HEADER_BYTES
        found: Array = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
        return found

    return read


def _forget_old(folder: Path, current: str) -> None:
    """Removes all but the newest snapshots and what killed writers left behind."""
    names = sorted(path.name for path in folder.iterdir() if path.is_dir())
    complete = [name for name in names if not name.startswith(".") and name <= current]
    for name in names:
        if name not in complete[-_KEPT:]:
            shutil.rmtree(folder / name, ignore_errors=True)
    for left in folder.glob(f".{_CURRENT}.*"):
        left.unlink(missing_ok=True)

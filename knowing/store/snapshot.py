"""A `View` on disk: one folder of arrays per generation, mapped into memory when read.

A snapshot is written beside the others under a temporary name, renamed when complete, and made
current by replacing one small file. Readers that still use an older one keep it: its files are
only unlinked.
"""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from knowing.errors import StoreError
from knowing.graph.edges import EdgeTable
from knowing.graph.view import StringColumn, SymbolTable, View
from knowing.store.database import VERSION, translated

_CURRENT = "current.json"
_KEPT = 2
_HEADER_BYTES = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotInfo:
    """What a snapshot is of."""

    generation: int
    content: str
    """Hash of all files' contents, of build files and of ownership."""
    files: int
    symbols: int
    edges: int


def save(folder: Path, view: View, info: SnapshotInfo) -> None:
    """Writes the snapshot and makes it current."""
    name = f"{info.generation:08d}"
    final, temporary = folder / name, folder / f".{name}.{os.getpid()}"
    with translated():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        try:
            for key, array in _arrays(view):
                np.save(temporary / f"{key}.npy", array, allow_pickle=False)
            shutil.rmtree(final, ignore_errors=True)
            temporary.rename(final)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        written = {item.name: getattr(info, item.name) for item in fields(info)}
        pointer = folder / f".{_CURRENT}.{os.getpid()}"
        pointer.write_text(json.dumps({"version": VERSION, "folder": name, **written}), "utf-8")
        pointer.replace(folder / _CURRENT)
        _forget_old(folder, name)


def info(folder: Path) -> SnapshotInfo | None:
    """What the current snapshot is of; None if there is none that can be read."""
    found = _pointer(folder)
    return found[1] if found else None


def load(folder: Path) -> tuple[View, SnapshotInfo] | None:
    """The current snapshot, mapped; None if there is none. StoreError when it is damaged."""
    for _ in range(3):
        found = _pointer(folder)
        if found is None:
            return None
        try:
            return _read(folder / found[0]), found[1]
        except FileNotFoundError:
            # Another process has just replaced it; the pointer names its successor.
            continue
        except (OSError, ValueError) as error:
            raise StoreError(f"the snapshot {found[0]} is damaged: {error}") from error
    return None


def _pointer(folder: Path) -> tuple[str, SnapshotInfo] | None:
    try:
        data = json.loads((folder / _CURRENT).read_text("utf-8"))
        if data.pop("version") != VERSION:
            return None
        return str(data.pop("folder")), SnapshotInfo(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _arrays(view: View) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    for prefix, part in (("", view), ("symbols_", view.symbols), ("edges_", view.edges)):
        for item in fields(part):
            value = getattr(part, item.name)
            if isinstance(value, StringColumn):
                yield f"{prefix}{item.name}_data", value.data
                yield f"{prefix}{item.name}_bounds", value.bounds
            elif isinstance(value, np.ndarray):
                yield prefix + item.name, value


def _read(folder: Path) -> View:
    def array(name: str) -> npt.NDArray[Any]:
        path = folder / f"{name}.npy"
        # An empty file cannot be mapped.
        mapped = path.stat().st_size > _HEADER_BYTES
        found: npt.NDArray[Any] = np.load(
            path, mmap_mode="r" if mapped else None, allow_pickle=False
        )
        return found

    def part(cls: type, prefix: str) -> dict[str, object]:
        return {
            item.name: StringColumn(
                array(f"{prefix}{item.name}_data"), array(f"{prefix}{item.name}_bounds")
            )
            if item.type is StringColumn
            else array(prefix + item.name)
            for item in fields(cls)
            if item.type not in (SymbolTable, EdgeTable)
        }

    symbols = SymbolTable(**part(SymbolTable, "symbols_"))  # type: ignore[arg-type]
    edges = EdgeTable(**part(EdgeTable, "edges_"))  # type: ignore[arg-type]
    return View(symbols=symbols, edges=edges, **part(View, ""))  # type: ignore[arg-type]


def _forget_old(folder: Path, current: str) -> None:
    """Removes all but the newest snapshots and what killed writers left behind."""
    names = sorted(path.name for path in folder.iterdir() if path.is_dir())
    complete = [name for name in names if not name.startswith(".") and name <= current]
    for name in names:
        if name not in complete[-_KEPT:]:
            shutil.rmtree(folder / name, ignore_errors=True)

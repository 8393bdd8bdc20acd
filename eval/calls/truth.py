"""Recorded calls, read back from the recorder's file."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.calls.callee import BASE_CLASS, Place
from eval.calls.sites import FileSites, Site, collect
from eval.failure import EvalError
from eval.index import json_lines

INITIALISERS = ("__init__", "__new__")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One (site, callee) pair as the recorder wrote it."""

    path: str
    site: Site
    callee: Place
    internal: bool
    also: tuple[tuple[str, Place], ...] = ()

    @property
    def named(self) -> bool:
        """Whether an index can have a symbol for the callee; lambdas have none."""
        return not self.callee.name.endswith(">")

    def accepted(self) -> list[Place]:
        """Every definition that is a right answer for this call (see `judge`)."""
        owner, _, member = self.callee.name.rpartition(".")
        own_name = self.site.called == member
        places = [self.callee]
        places += [place for role, place in self.also if role != BASE_CLASS or not own_name]
        if owner and member in INITIALISERS:
            places.append(Place(self.callee.path, owner, 0))
        return places


def observations(lines: Iterable[str]) -> list[Observation]:
    """Decode a recorder's file."""
    return [_observation(row) for row in json_lines(lines)]


def read(file: Path) -> list[Observation]:
    if not file.is_file():
        raise EvalError(f"no recorded calls at {file}: run without --truth to record them")
    with file.open(encoding="utf-8") as lines:
        return observations(lines)


def _observation(row: Mapping[str, Any]) -> Observation:
    site = Site(
        line=row["line"],
        column=row["col"],
        end_line=row["end_line"],
        end_column=row["end_col"],
        name_line=row["name_line"],
        called=row["called"],
        context=row["context"],
        caller=row["caller"],
        inside=row["inside"],
        owner=row["owner"],
    )
    return Observation(
        path=row["caller_path"],
        site=site,
        callee=Place(row["callee_path"], row["callee"], row["callee_line"]),
        internal=row["internal"],
        also=tuple((role, Place(path, name, line)) for role, path, name, line in row["also"]),
    )


def written(repository: Path, paths: Iterable[str]) -> dict[str, FileSites]:
    """The call sites that stand in the source of these files, executed or not."""
    found = {}
    for path in sorted(set(paths)):
        file = repository / path
        if not file.is_file():
            raise EvalError(f"{file} is in the recorded calls but not in the repository")
        found[path] = collect(ast.parse(file.read_bytes(), path))
    return found

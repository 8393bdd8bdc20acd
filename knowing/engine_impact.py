"""What the engine knows about a symbol beyond its graph: files that were not read, mentions of
its name in the text of all files, whether others may depend on it."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from knowing.engine import Engine
from knowing.files import scan
from knowing.graph import View
from knowing.history import revision
from knowing.impact.blast import Circumstances
from knowing.impact.mentions import Read, find_mentions
from knowing.impact.possible import searched_names
from knowing.impact.published import is_published
from knowing.impact.tests import Change
from knowing.indexer import file_rules
from knowing.model import Skipped, SymbolKind

_MAX_FILE_BYTES = 8 * 1024 * 1024
_UNREAD = "@unread"
_OFTEN = 0.99
"""The share of symbols that change less often than one that changes as often as can be."""
_CODE_OF_NO_LANGUAGE = (
    *(".vue", ".svelte", ".astro", ".coffee", ".html", ".htm", ".jinja", ".jinja2", ".j2"),
    *(".erb", ".haml", ".slim", ".twig", ".ejs", ".hbs", ".pug", ".mustache", ".liquid"),
    *(".jsp", ".ftl", ".cshtml", ".razor", ".xaml", ".tmpl", ".gotmpl", ".mako"),
    *(".pyx", ".pxd", ".ipynb", ".groovy", ".gradle", ".clj", ".cljs", ".fs", ".vb", ".swift"),
    *(".m", ".mm", ".cu", ".cuh", ".lua", ".pl", ".pm", ".r", ".jl", ".dart", ".ex", ".exs"),
    *(".erl", ".hs", ".ml", ".zig", ".nim", ".cr", ".d", ".f90", ".pas", ".sh", ".bash"),
    *(".ps1", ".bat", ".proto", ".thrift", ".sql", ".y", ".l", ".s", ".asm", ".wxs"),
)
"""Of files that name code although no language is known for them."""


def reader(root: Path) -> Read:
    """Reads files below a root; None for what is not there, too large, or not below it."""
    base = root.resolve()

    def read(path: str) -> bytes | None:
        file = base / path
        try:
            if not file.resolve().is_relative_to(base) or not file.is_file():
                return None
            return file.read_bytes() if file.stat().st_size <= _MAX_FILE_BYTES else None
        except (OSError, ValueError):
            return None

    return read


def circumstances(
    engine: Engine, view: View, symbol: int, *, search: bool = True, indexing: str = ""
) -> Circumstances:
    """All that decides whether an answer about a symbol is complete.

    With `search` the text of all files is read, which takes a moment in a large workspace.
    `indexing` says what is still to be done, if the view is not of the files as they are.
    """
    read = reader(engine.root)
    unread = unread_files(engine)
    file = int(view.symbols.file[symbol])
    names = searched_names(view, symbol)
    searchable = search and file >= 0 and view.symbols.kind[symbol] != SymbolKind.MODULE
    mentions = find_mentions(names, _paths(view, unread), read) if searchable and names else None
    churn, commits = _churn(engine, view, symbol)
    return Circumstances(
        unread=unread,
        mentions=mentions,
        churn=churn,
        commits=commits,
        indexing=indexing,
        published=file >= 0 and is_published(view.paths[file], read),
        word_calls=frozenset(
            language.name for language in engine.registry.languages if not language.calls_by_paren
        ),
    )


def _churn(engine: Engine, view: View, symbol: int) -> tuple[float | None, int]:
    """How often a symbol changes compared with the rest, as far as that is known without effort."""
    past = engine.known_past(view)
    if past is None or symbol >= len(past.churn):
        return None, 0
    touched = past.churn[past.churn > 0]
    if not len(touched):
        return None, 0
    commits, usual = float(past.churn[symbol]), float(np.quantile(touched, _OFTEN))
    return min(1.0, math.log1p(commits) / math.log1p(max(usual, 1.0))), int(commits)


def unread_files(engine: Engine) -> list[Skipped]:
    """What is not in the graph: skipped files, and files of code in no known language."""
    rules = file_rules(engine.settings, engine.registry)
    known = {suffix for suffix in rules.languages if suffix.startswith(".")}
    wanted = {suffix: _UNREAD for suffix in _CODE_OF_NO_LANGUAGE if suffix not in known}
    found = scan(engine.root, replace(rules, languages=wanted)).files
    unsupported = [
        Skipped(path=file.path, reason=f"unsupported: no language for {Path(file.path).suffix}")
        for file in found
    ]
    return [*engine.skipped(), *unsupported]


def _paths(view: View, unread: list[Skipped]) -> Iterator[str]:
    """All files of the graph, then those that are not in it."""
    inside = list(view.paths)
    yield from inside
    known = set(inside)
    yield from (item.path for item in unread if item.path not in known)


def changes_since(root: Path, base: str) -> tuple[list[Change], list[str]]:
    """What differs from a revision, as lines of the files as they are, and what to say about it."""
    found = revision.changes(root, base)
    changes = [
        Change(path=file.path, lines=tuple(_lines(hunk) for hunk in file.hunks))
        for file in found.files
        if file.kind is not revision.ChangeKind.DELETED
    ]
    gone = [file.path for file in found.files if file.kind is revision.ChangeKind.DELETED]
    notes = [f"{path} was deleted: tests that use it cannot run" for path in gone]
    return changes, [*notes, *found.problems]


def _lines(hunk: revision.Hunk) -> tuple[int, int]:
    """First and last line; where lines were only taken away, those around the gap."""
    if hunk.new_count == 0:
        return max(1, hunk.new_start), hunk.new_start + 1
    return hunk.new_start, hunk.new_start + hunk.new_count - 1

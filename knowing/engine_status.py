"""What is indexed, and how it compares with the workspace as it is at the moment."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from knowing.engine_known import enriched_files
from knowing.files import FileRules, compare, scan
from knowing.graph import View
from knowing.languages import Registry
from knowing.model import EdgeKind, Origin
from knowing.reports import Status
from knowing.store import MENDS, Shelf, snapshot

Content = Callable[[Mapping[str, tuple[bytes, str, int]]], str]


def counted(view: View) -> dict[str, Any]:
    """How much a view holds, in all and by kind."""
    kinds = Counter(view.edges.kind.tolist())
    origins = Counter(view.edges.origin.tolist())
    return {
        "files": len(view.paths),
        "symbols": len(view.symbols),
        "edges": len(view.edges),
        "by_language": dict(sorted(Counter(view.languages).items())),
        "by_edge_kind": {EdgeKind(kind).label: kinds[kind] for kind in sorted(kinds)},
        "by_origin": {Origin(origin).label: origins[origin] for origin in sorted(origins)},
    }


def status_of(
    root: Path, shelf: Shelf, registry: Registry, rules: FileRules, content: Content
) -> Status:
    """Looks at all that is stored and at the stamps of all files; reads none of them."""
    shelf.look_over()
    database = shelf.database
    meta, digests = database.meta(), database.digests()
    found = scan(root, rules)
    sources = [file for file in found.files if file.language in registry]
    changes = compare(database.stamps(), sources)
    gone = set(digests) - {file.path for file in sources}
    pending = len(changes.added) + len(changes.modified) + len(gone)
    flaw = snapshot.flaw(shelf.snapshots)
    loaded = None if flaw else snapshot.load(shelf.snapshots)
    view, info = loaded or (None, None)
    fresh = info and not pending and info.content == content(digests)
    notes = [*shelf.notes, *([f"{flaw}; {MENDS}"] if flaw else [])]
    return Status(
        root=root,
        folder=shelf.path,
        state="fresh" if fresh else "stale" if info else "missing",
        generation=info.generation if info else 0,
        files=info.files if info else 0,
        symbols=info.symbols if info else 0,
        edges=info.edges if info else 0,
        by_language=dict(sorted(Counter(view.languages).items())) if view else {},
        pending=pending,
        skipped=tuple(item for item, _ in database.skipped()) if info else found.skipped,
        unsupported=found.unsupported,
        commits=len([part for part in meta.get("history.order", "").split(",") if part]),
        disk_bytes=shelf.size(),
        notes=tuple(notes),
        enriched=enriched_files(shelf),
    )

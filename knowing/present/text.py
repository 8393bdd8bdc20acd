"""Reports, symbols and edges as JSON objects and as text for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from knowing.model import Edge, Skipped, Symbol
from knowing.present.enrich import enriched_json, enriched_lines
from knowing.reports import Finding, IndexReport, Status
from knowing.settings_sources import Loaded

_SHOWN_SKIPPED = 10

Json = dict[str, Any]


def symbol_json(symbol: Symbol) -> Json:
    return {
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "kind": symbol.kind.label,
        "path": symbol.path,
        "line": symbol.line,
        "end_line": symbol.end_line,
        "flags": symbol.flags.labels,
    }


def edge_json(edge: Edge) -> Json:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind.label,
        "origin": edge.origin.label,
        "confidence": edge.confidence,
        "path": edge.path,
        "line": edge.line,
    }


def skipped_json(items: Sequence[Skipped]) -> list[Json]:
    return [{"path": item.path, "reason": item.reason} for item in items]


def index_json(report: IndexReport) -> Json:
    return {
        "root": str(report.root),
        "generation": report.generation,
        "files": report.files,
        "symbols": report.symbols,
        "edges": report.edges,
        "commits": report.commits,
        "by_language": dict(report.by_language),
        "by_edge_kind": dict(report.by_edge_kind),
        "by_origin": dict(report.by_origin),
        "skipped": skipped_json(report.skipped),
        "notes": list(report.notes),
        "seconds": dict(report.seconds),
    }


def index_text(report: IndexReport) -> str:
    seconds = sum(report.seconds.values())
    lines = [
        f"indexed {report.root}",
        f"  {report.files:,} files, {report.symbols:,} symbols, {report.edges:,} edges, "
        f"{report.commits:,} commits in {seconds:.1f} s (generation {report.generation})",
        f"  languages: {_counts(report.by_language)}",
        f"  edges: {_counts(report.by_edge_kind)}",
        *_skipped_lines(report.skipped),
        *(f"  note: {note}" for note in report.notes),
    ]
    return "\n".join(lines)


def status_json(status: Status) -> Json:
    return {
        "root": str(status.root),
        "folder": str(status.folder),
        "state": status.state,
        "generation": status.generation,
        "files": status.files,
        "symbols": status.symbols,
        "edges": status.edges,
        "commits": status.commits,
        "by_language": dict(status.by_language),
        "pending": status.pending,
        "skipped": skipped_json(status.skipped),
        "unsupported": dict(status.unsupported),
        "disk_bytes": status.disk_bytes,
        "enrichment": enriched_json(status.enriched),
        "notes": list(status.notes),
    }


def status_text(status: Status) -> str:
    if status.state == "missing":
        lines = [f"{status.root} is not indexed", "  run `knowing index`"]
    else:
        differ = f"{status.pending:,} files differ" if status.pending else "to be linked anew"
        fresh = "up to date" if status.state == "fresh" else differ
        lines = [
            f"{status.root}: {status.state} ({fresh})",
            f"  {status.files:,} files, {status.symbols:,} symbols, {status.edges:,} edges, "
            f"{status.commits:,} commits (generation {status.generation})",
            f"  languages: {_counts(status.by_language)}",
        ]
    if status.unsupported:
        most = sorted(status.unsupported.items(), key=lambda item: (-item[1], item[0]))[:8]
        named = {extension or "(no extension)": count for extension, count in most}
        lines.append(f"  no language for: {_counts(named)}")
    lines += enriched_lines(status.enriched)
    lines += _skipped_lines(status.skipped)
    lines.append(f"  stored in {status.folder} ({status.disk_bytes / 1e6:.1f} MB)")
    lines += [f"  note: {note}" for note in status.notes]
    return "\n".join(lines)


def doctor_json(findings: Sequence[Finding]) -> Json:
    return {
        "good": all(finding.good for finding in findings),
        "findings": [
            {"name": f.name, "good": f.good, "detail": f.detail, "advice": f.advice}
            for f in findings
        ],
    }


def doctor_text(findings: Sequence[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        lines.append(f"{'ok ' if finding.good else 'BAD'} {finding.name}: {finding.detail}")
        if finding.advice:
            lines.append(f"    {finding.advice}")
    return "\n".join(lines)


def settings_json(loaded: Loaded) -> Json:
    return {
        "settings": [
            {"key": item.leaf.key, "value": item.value, "origin": item.origin, "doc": item.leaf.doc}
            for item in loaded.chosen
        ],
        "problems": [
            {"layer": p.layer, "key": p.key, "message": p.message} for p in loaded.problems
        ],
    }


def settings_text(loaded: Loaded) -> str:
    width = max(len(item.leaf.key) for item in loaded.chosen)
    return "\n".join(
        f"{item.leaf.key:<{width}} = {item.value!r}  ({item.origin})" for item in loaded.chosen
    )


def _counts(counts: Mapping[str, int]) -> str:
    most_first = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count:,}" for name, count in most_first) or "none"


def _skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    if not skipped:
        return []
    lines = [f"  skipped {len(skipped):,}:"]
    lines += [f"    {item.path}: {item.reason}" for item in skipped[:_SHOWN_SKIPPED]]
    if len(skipped) > _SHOWN_SKIPPED:
        lines.append(f"    and {len(skipped) - _SHOWN_SKIPPED:,} more: `knowing status --json`")
    return lines

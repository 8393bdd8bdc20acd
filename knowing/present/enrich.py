"""What language servers said, as JSON objects and as text for a terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knowing.reports import Enriched

if TYPE_CHECKING:
    # Only for types: a command that asks no server must not wait for what asks them.
    from knowing.enrich import Disagreement, Imported, Verdict

Json = dict[str, Any]

_SHOWN = 10


def enriched_json(found: Enriched) -> Json:
    return {"files": dict(found.files), "outdated": found.outdated, "last": dict(found.last)}


def enriched_lines(found: Enriched) -> list[str]:
    """How much is known from servers, and what stood in the way of more."""
    if not found.files and not found.last:
        return []
    counts = ", ".join(f"{server} {count:,}" for server, count in found.files.items())
    lines = [f"  enriched files: {counts or 'none'}"]
    if found.outdated:
        lines.append(f"    {found.outdated:,} have changed since: `knowing index --enrich`")
    for language in found.last.get("languages", []):
        if language.get("reason"):
            lines.append(f"    {language['language']}: {language['use']} ({language['reason']})")
    return lines


def run_lines(last: Mapping[str, Any]) -> list[str]:
    """One run, for the one who waited for it."""
    lines = [
        f"  asked about {last['files']:,} files in {last['seconds']:.1f} s: "
        f"{last['sites']:,} sites, {last['resolved']:,} answered, {last['failures']:,} failed"
    ]
    if not last["complete"]:
        lines.append("  stopped before the end; the next run goes on from here")
    for language in last["languages"]:
        said = language["server"] or language["use"]
        lines.append(f"  {language['language']}: {said}")
        if language["reason"]:
            lines.append(f"    {language['reason']}")
        if language["advice"] and not language["server"]:
            lines.append(f"    {language['advice']}")
    return lines


def verdicts_text(tally: "Mapping[Verdict, int]") -> str:
    """How often the syntax was right, in one line."""
    total = sum(tally.values())
    if not total:
        return "no language server has been asked; run `knowing index --enrich`"
    counts = ", ".join(f"{verdict.value} {count:,}" for verdict, count in tally.items())
    return f"{total:,} answered references; the syntax was: {counts}"


def disagreement_json(item: "Disagreement") -> Json:
    return {
        "path": item.path,
        "line": item.line,
        "column": item.column,
        "name": item.name,
        "verdict": item.verdict.value,
        "thought": item.thought,
        "said": list(item.said),
        "inferred": item.inferred,
    }


def disagreements_text(
    items: "Sequence[Disagreement]", tally: "Mapping[Verdict, int]", limit: int
) -> str:
    lines = [verdicts_text(tally)]
    for item in items[:limit]:
        thought = item.thought or "nothing"
        lines.append(f"{item.path}:{item.line}: {item.name} ({item.verdict.value})")
        lines.append(f"    the syntax said {thought}, the server {', '.join(item.said)}")
    if len(items) > limit:
        lines.append(f"and {len(items) - limit:,} more: give a higher --limit")
    return "\n".join(lines)


def scip_json(found: "Imported") -> Json:
    return {
        "files": len(found.answers),
        "sites": sum(map(len, found.answers)),
        "resolved": sum(answers.resolved for answers in found.answers),
        "skipped": dict(sorted(found.skipped.items())),
    }


def scip_text(found: "Imported") -> str:
    known = scip_json(found)
    lines = [
        f"took in {known['files']:,} files: {known['resolved']:,} of {known['sites']:,} "
        "occurrences are known"
    ]
    skipped = list(known["skipped"].items())
    lines += [f"  skipped {path}: {reason}" for path, reason in skipped[:_SHOWN]]
    if len(skipped) > _SHOWN:
        lines.append(f"  and {len(skipped) - _SHOWN:,} more: --json names them")
    return "\n".join(lines)

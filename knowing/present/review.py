"""A review as Markdown that can be pasted into a pull request, and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from knowing.graph import View
from knowing.impact.blast import Item
from knowing.impact.compare import Sketch, SymbolChange, SymbolChangeKind
from knowing.impact.reviewed import Review, Reviewed, ReviewedFile
from knowing.impact.tests import Sureness
from knowing.model import EdgeKind, SymbolKind
from knowing.present.answers import context_json, state_json
from knowing.present.impact import plan_json
from knowing.reports import IndexState

Json = dict[str, Any]
_ROWS = 25
_SITES = 8
_NAMED = 10
_COMMANDS = 6
_NO_USE = (EdgeKind.IMPORTS, EdgeKind.DOCUMENTS, EdgeKind.CONTAINS, EdgeKind.TESTS)
_LEVELS = {"low": 0, "medium": 1, "high": 2}


# -- Markdown ----------------------------------------------------------------------------------


def review_markdown(view: View, review: Review, state: IndexState) -> str:
    """What a reviewer wants to know, the most pressing first."""
    if not review.files:
        return "\n".join(["Nothing has changed.", *review.notes])
    parts = [
        _summary(review),
        _breaking(review),
        _symbols(review),
        _tests(view, review),
        _files(review.files),
        _notes(review, state),
    ]
    if review.context is not None and review.context.text:
        parts.append(
            f"<details><summary>Code around it</summary>\n\n{review.context.text}\n\n</details>"
        )
    return "\n\n".join(part for part in parts if part)


def _summary(review: Review) -> str:
    counts = Counter(item.change.kind for item in _listed(review))
    said = ", ".join(f"{counts[kind]} {kind.value}" for kind in SymbolChangeKind if counts[kind])
    levels = [item.impact.risk.level for item in _own(review) if item.impact]
    risk = max(levels, key=_LEVELS.__getitem__, default="")
    lines = [
        f"## {_title(review)}",
        "",
        f"{_count(len(review.files), 'file')}, "
        f"+{sum(file.added for file in review.files)} "
        f"−{sum(file.removed for file in review.files)} lines"
        + (f"; symbols: {said}" if said else ""),
    ]
    if risk:
        most = next(i for i in _own(review) if i.impact and i.impact.risk.level == risk)
        lines.append(f"**Risk: {risk}** ({_linked(most.change.shown)}: {_why(most)})")
    return "\n".join(lines)


def _title(review: Review) -> str:
    if review.tip == ":":
        return f"Staged changes against {review.base}"
    return f"Changes {review.base}..{review.tip}" if review.tip else f"Changes since {review.base}"


def _own(review: Review) -> list[Reviewed]:
    """Symbols of the code that were there before: nobody can depend on what is new."""
    found = [i for i in review.symbols if i.change.kind is not SymbolChangeKind.ADDED]
    found = [i for i in found if not i.is_test and i.change.shown.kind is not SymbolKind.MODULE]
    return sorted(found, key=lambda i: -(i.impact.risk.score if i.impact else 0.0))


def _listed(review: Review) -> list[Reviewed]:
    """Symbols of the code; a file counts only where it is moved or gone."""
    found = [item for item in review.symbols if not item.is_test]
    return [i for i in found if i.change.shown.kind is not SymbolKind.MODULE or i.change.breaks]


def _why(item: Reviewed) -> str:
    users = _users(item)
    packages = {use.path.rpartition("/")[0] for use in users}
    return f"{_count(len(users), 'direct user')} in {_count(len(packages), 'package')}"


def _users(item: Reviewed) -> list[Item]:
    direct = item.impact.direct if item.impact else ()
    return [use for use in direct if use.via.edge not in _NO_USE and not use.is_test]


def _breaking(review: Review) -> str:
    """What may no longer work, with the places to look at."""
    lines: list[str] = []
    for item in review.symbols:
        change = item.change
        if not change.breaks or item.is_test or not (sites := list(_sites(item))):
            continue
        lines.append(f"- {described_change(change)}")
        lines += [f"  - {site}" for site in sites[:_SITES]]
        if len(sites) > _SITES:
            lines.append(f"  - and {len(sites) - _SITES} more")
    return "\n".join(["### Check these uses", "", *lines]) if lines else ""


def _sites(item: Reviewed) -> Iterator[str]:
    seen: set[tuple[str, int]] = set()
    for use in _users(item):
        for site in use.sites or (use.via,):
            if (site.path, site.line) not in seen:
                seen.add((site.path, site.line))
                yield f"`{site.path}:{site.line}` {use.name}"
    for mention in item.leftovers:
        yield f"`{mention.path}:{mention.line}` still names it: `{mention.text.strip()[:80]}`"


def described_change(change: SymbolChange) -> str:
    """A change of a symbol in a few words."""
    shown, before = change.shown, change.before
    text = f"**{change.kind.value}**: {_linked(shown)}"
    if change.kind in (SymbolChangeKind.RENAMED, SymbolChangeKind.MOVED) and before:
        place = f" in `{before.path}`" if before.path != shown.path else ""
        text += f", was `{before.name or before.path}`{place if before.name else ''}"
    return text + (f" ({'; '.join(change.details)})" if change.details else "")


def _linked(sketch: Sketch) -> str:
    return f"`{sketch.name or sketch.path}`"


def _symbols(review: Review) -> str:
    rows = _listed(review)
    if not rows:
        return ""
    untested = set(review.untested)
    lines = ["### Symbols", "", "| change | symbol | where | users | tests | risk |"]
    lines.append("|---|---|---|---|---|---|")
    for item in rows[:_ROWS]:
        lines.append(_row(item, untested))
    if len(rows) > _ROWS:
        counts = Counter(item.change.kind.value for item in rows[_ROWS:])
        rest = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        lines += ["", f"and {rest}"]
    return "\n".join(lines)


def _row(item: Reviewed, untested: set[int]) -> str:
    change, impact = item.change, item.impact
    shown = change.shown
    name = _linked(shown)
    if change.kind in (SymbolChangeKind.RENAMED, SymbolChangeKind.MOVED) and change.before:
        name += f" (was `{change.before.name or change.before.path}`)"
    elif change.details:
        name += f" ({'; '.join(change.details)})".replace("|", "\\|")
    users = str(len(_users(item))) if impact else ""
    tests = str(item.tests) if impact else ""
    if item.symbol in untested:
        tests = "**none**"
    risk = impact.risk.level if impact and change.kind is not SymbolChangeKind.ADDED else ""
    kind = f"**{change.kind.value}**" if change.breaks else change.kind.value
    return f"| {kind} | {name} | {shown.path}:{shown.line} | {users} | {tests} | {risk} |"


def _tests(view: View, review: Review) -> str:
    plan = review.tests
    levels = Counter(pick.sureness for pick in plan.tests)
    lines = ["### Tests", ""]
    if plan.tests:
        said = ", ".join(f"{levels[level]} {level.value}" for level in Sureness if levels[level])
        lines.append(f"{_count(len(plan.tests), 'test')} may be concerned: {said}.")
    if review.first:
        shown = [command.line for command in review.first[:_COMMANDS]]
        lines += ["", "The surest first:", "", "```sh", *shown, "```"]
    if review.untested:
        names = [f"`{view.symbols.chain[symbol]}`" for symbol in review.untested]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        lines += ["", f"No known test runs {', '.join(names[:_NAMED])}{more}."]
    return "\n".join(lines) if len(lines) > 2 else ""


def _files(files: Sequence[ReviewedFile]) -> str:
    lines = ["### Files", "", "| file | lines | commits | who knows it |", "|---|---|---|---|"]
    order = sorted(files, key=lambda file: (not file.hot, -(file.added + file.removed), file.path))
    for file in order[:_ROWS]:
        past = file.activity
        commits = f"{past.commits}{' 🔥' if file.hot else ''}" if past and past.commits else ""
        known = [f"{name} ({count})" for name, count in past.authors] if past else []
        who = ", ".join([*file.owners, *known])
        was = f" (was `{file.old_path}`)" if file.old_path not in (None, file.path) else ""
        state = "" if file.kind.value in ("modified", "renamed") else f" {file.kind.value}"
        changed = f"+{file.added} −{file.removed}"
        lines.append(f"| `{file.path}`{was}{state} | {changed} | {commits} | {who} |")
    if len(order) > _ROWS:
        lines += ["", f"and {len(order) - _ROWS} more files"]
    if any(file.hot for file in files):
        lines += ["", "🔥 one of the files that change most often"]
    return "\n".join(lines)


def _notes(review: Review, state: IndexState) -> str:
    notes = list(review.notes)
    if state.state != "fresh":
        notes += [f"the index is {state.state}", *state.notes]
    doubts = Counter(
        reason.code for item in _own(review) if item.impact for reason in item.impact.reasons
    )
    dynamic = [code for code in ("unresolved", "dynamic", "parse_failed") if doubts[code]]
    if dynamic:
        notes.append(f"there may be more users than listed ({', '.join(dynamic)})")
    return "\n".join(f"> {note}" for note in notes)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


# -- JSON --------------------------------------------------------------------------------------


def review_json(view: View, review: Review, state: IndexState) -> Json:
    return {
        "base": review.base,
        "tip": {"": "working tree", ":": "staged"}.get(review.tip, review.tip),
        "index": state_json(state),
        "files": [_file_json(file) for file in review.files],
        "symbols": [_symbol_json(view, item) for item in review.symbols],
        "tests": plan_json(view, review.tests),
        "first": [command.line for command in review.first],
        "untested": [view.identity(symbol) for symbol in review.untested],
        "context": context_json(review.context) if review.context else None,
        "notes": list(review.notes),
        "markdown": review_markdown(view, review, state),
    }


def _file_json(file: ReviewedFile) -> Json:
    past = file.activity
    return {
        "path": file.path,
        "old_path": file.old_path,
        "change": file.kind.value,
        "lines_added": file.added,
        "lines_removed": file.removed,
        "commits": past.commits if past else None,
        "hot": file.hot,
        "owners": list(file.owners),
        "authors": [{"name": name, "commits": count} for name, count in past.authors]
        if past
        else [],
    }


def change_json(change: SymbolChange) -> Json:
    """A change of a symbol, as every answer shows it."""
    return {
        "change": change.kind.value,
        "name": change.shown.name,
        "kind": change.shown.kind.label,
        "path": change.shown.path,
        "line": change.shown.line,
        "breaks": change.breaks,
        "details": list(change.details),
        "before": _sketch_json(change.before),
        "after": _sketch_json(change.after),
    }


def _sketch_json(sketch: Sketch | None) -> Json | None:
    if sketch is None:
        return None
    return {
        "name": sketch.name,
        "path": sketch.path,
        "line": sketch.line,
        "signature": sketch.signature,
    }


def _symbol_json(view: View, item: Reviewed) -> Json:
    impact = item.impact
    return {
        **change_json(item.change),
        "qualified_name": view.identity(item.symbol) if item.symbol is not None else None,
        "is_test": item.is_test,
        "risk": {"level": impact.risk.level, "score": impact.risk.score} if impact else None,
        "users": len(_users(item)),
        "sites": list(_sites(item)),
        "tests": item.tests,
        "complete": impact.complete if impact else False,
        "reasons": [str(reason) for reason in impact.reasons] if impact else [],
    }

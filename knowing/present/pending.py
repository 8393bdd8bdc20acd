"""An edit that is not saved yet as JSON and as Markdown."""

from typing import Any

from knowing.impact.pending import Pending, PendingEdit
from knowing.present.impact import plan_json
from knowing.present.review import change_json, described_change

Json = dict[str, Any]
_SHOWN = 20


def pending_json(edit: PendingEdit) -> Json:
    return {
        "path": edit.path,
        "changes": [_change_json(item) for item in edit.changes],
        "breaks": sum(len(item.uses) for item in edit.changes),
        "tests": plan_json(edit.view, edit.tests),
        "notes": list(edit.notes),
        "markdown": pending_markdown(edit),
    }


def _change_json(item: Pending) -> Json:
    return {
        **change_json(item.change),
        "uses": [
            {
                "path": use.path,
                "line": use.line,
                "name": use.name,
                "confidence": use.confidence,
                "sure": use.sure,
                "is_test": use.is_test,
            }
            for use in item.uses
        ],
        "complete": item.complete,
        "reasons": list(item.reasons),
    }


def pending_markdown(edit: PendingEdit) -> str:
    """Changes with the places to look at, then the tests to run."""
    lines: list[str] = []
    for item in edit.changes:
        lines.append(f"- {described_change(item.change)}")
        for use in item.uses[:_SHOWN]:
            doubt = "" if use.sure else " (may mean something else)"
            lines.append(f"  - `{use.path}:{use.line}` {use.name}{doubt}")
        if len(item.uses) > _SHOWN:
            lines.append(f"  - and {len(item.uses) - _SHOWN} more")
        if item.change.breaks and not item.uses:
            known = "nothing uses it" if item.complete else "no use is known"
            lines.append(f"  - {known}")
    if not edit.changes:
        lines.append("No symbol is changed.")
    if edit.tests.commands:
        lines += ["", "Tests to run:", "", "```sh"]
        lines += [command.line for command in edit.tests.commands[:_SHOWN]]
        lines.append("```")
    return "\n".join([*lines, *(f"> {note}" for note in edit.notes)])

"""Blast radius, tests to run and paths as JSON objects and as text for a terminal or a chat."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from knowing.graph import View
from knowing.impact.blast import Blast, Item, Site
from knowing.impact.doubts import Reason
from knowing.impact.path import Route, Routes, Step
from knowing.impact.possible import Possible
from knowing.impact.risk import Risk
from knowing.impact.tests import Pick, TestPlan
from knowing.model import EdgeKind
from knowing.present.text import symbol_json

_SHOWN = 40

Json = dict[str, Any]


def described(view: View, symbol: int) -> Json:
    """A symbol as every answer names it."""
    return {**symbol_json(view.symbol(symbol)), "qualified_name": view.identity(symbol)}


def _name(view: View, symbol: int) -> str:
    return view.symbols.chain[symbol] or view.identity(symbol)


def _where(view: View, symbol: int) -> str:
    found = view.symbol(symbol)
    place = f", {found.path}:{found.name_line}" if found.path else ""
    return f"{_name(view, symbol)} ({found.kind.label}{place})"


# -- blast radius ------------------------------------------------------------------------------


def blast_json(view: View, answer: Blast) -> Json:
    return {
        "symbol": described(view, answer.symbol),
        "direct": [_item_json(item) for item in answer.direct],
        "transitive": [_item_json(item) for item in answer.transitive],
        "tests": [_item_json(item) for item in answer.tests],
        "files": list(answer.files),
        "risk": _risk_json(answer.risk),
        "complete": answer.complete,
        "reasons": [str(reason) for reason in answer.reasons],
        "possible": [_possible_json(item) for item in answer.possible],
        "possible_count": answer.possible_count,
    }


def _item_json(item: Item) -> Json:
    shown: Json = {
        "name": item.name,
        "kind": item.kind.label,
        "path": item.path,
        "line": item.line,
        "depth": item.depth,
        "confidence": item.confidence,
        "origin": item.origin.label,
        "via": _site_json(item.via),
        "target": item.target,
    }
    if item.through:
        shown["through"] = item.through
    if len(item.sites) > 1:
        shown["sites"] = [_site_json(site) for site in item.sites]
    return shown


def _site_json(site: Site) -> Json:
    return {"edge": site.edge.label, "path": site.path, "line": site.line}


def _possible_json(item: Possible) -> Json:
    return {
        "name": item.name,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "depth": 1,
        "confidence": item.confidence,
        "origin": "heuristic",
        "via": {"edge": item.edge, "path": item.path, "line": item.line},
        "text": item.text,
    }


def _risk_json(risk: Risk) -> Json:
    return {
        "level": risk.level,
        "score": risk.score,
        "parts": [
            {"name": part.name, "value": part.value, "detail": part.detail} for part in risk.parts
        ],
    }


def blast_text(view: View, answer: Blast) -> str:
    """Sure uses by package and file, then what may be a use, with the reasons for any doubt."""
    parts = ", ".join(
        f"{part.name} {part.value:.2f}" + (f" ({part.detail})" if part.detail else "")
        for part in answer.risk.parts
    )
    lines = [
        _where(view, answer.symbol),
        f"risk: {answer.risk.level} {answer.risk.score:.2f} = {parts}",
        f"{len(answer.direct)} direct, {len(answer.transitive)} transitive, "
        f"{len(answer.tests)} tests, {len(answer.files)} files",
        *_doubt_lines(answer.complete, answer.reasons),
    ]
    code = [item for item in answer.direct if not item.is_test]
    prose = [item for item in code if item.via.edge is EdgeKind.DOCUMENTS]
    uses = [item for item in code if item.via.edge is not EdgeKind.DOCUMENTS]
    further = [item for item in answer.transitive if not item.is_test]
    for title, items in (
        ("direct", uses),
        ("tests", answer.tests),
        ("transitive", further),
        ("documents", prose),
    ):
        lines += _section(title, items)
    if answer.possible:
        lines += ["", f"possible ({answer.possible_count}; these may mean something else):"]
        lines += [_possible_line(item) for item in answer.possible[:_SHOWN]]
        lines += _more(answer.possible_count)
    return "\n".join(lines)


def _doubt_lines(complete: bool, reasons: Sequence[Reason]) -> list[str]:
    if complete and not reasons:
        return ["complete: every use of the name is accounted for"]
    head = "complete:" if complete else "not complete, there may be more:"
    return [head, *(f"  {reason.detail} [{reason.code}]" for reason in reasons)]


def _section(title: str, items: Sequence[Item]) -> list[str]:
    if not items:
        return []
    lines = ["", f"{title} ({len(items)}):"]
    shown = items[:_SHOWN]
    for package, inside in _grouped(shown, lambda item: item.path.rpartition("/")[0] or "."):
        lines.append(f"  {package}/")
        for path, here in _grouped(inside, lambda item: item.path):
            lines.append(f"    {path.rpartition('/')[2] or '(outside the code)'}")
            lines += [f"      {_item_line(item)}" for item in here]
    return lines + _more(len(items))


def _grouped(items: Iterable[Item], key: Callable[[Item], str]) -> Iterable[tuple[str, list[Item]]]:
    """Groups in the order in which their first, and so their surest, items come."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups.items()


def _item_line(item: Item) -> str:
    used = f" {item.target}" if item.depth > 1 else ""
    through = f" through {item.through}" if item.through else ""
    elsewhere = f"{item.via.path}:" if item.via.path != item.path else ""
    steps = f", {item.depth} steps" if item.depth > 1 else ""
    return (
        f"{item.name} {item.via.edge.label}{used}{through} at {elsewhere}{item.via.line}"
        f" ({item.confidence:.2f} {item.origin.label}{steps})"
    )


def _possible_line(item: Possible) -> str:
    said = f": {item.text}" if item.text else ""
    return f"  {item.path}:{item.line} in {item.name} ({item.confidence:.2f} {item.edge}){said}"


def _more(count: int) -> list[str]:
    return [f"  and {count - _SHOWN} more: use --json"] if count > _SHOWN else []


# -- tests to run ------------------------------------------------------------------------------


def plan_json(view: View, plan: TestPlan) -> Json:
    return {
        "symbols": [described(view, symbol) for symbol in plan.symbols],
        "tests": [_pick_json(pick) for pick in plan.tests],
        "commands": [
            {
                "runner": command.runner,
                "folder": command.folder,
                "command": command.line,
                "tests": command.tests,
            }
            for command in plan.commands
        ],
        "untested": [described(view, symbol) for symbol in plan.untested],
        "notes": list(plan.notes),
    }


def _pick_json(pick: Pick) -> Json:
    return {
        "name": pick.name,
        "path": pick.path,
        "line": pick.line,
        "confidence": pick.confidence,
        "sureness": pick.sureness.value,
        "why": pick.why,
    }


def plan_text(view: View, plan: TestPlan) -> str:
    if not plan.symbols:
        return "\n".join(["nothing has changed that tests could run", *plan.notes])
    lines = [f"# {len(plan.tests)} tests for {_listed(_name(view, s) for s in plan.symbols)}"]
    for level in ("sure", "likely", "possible"):
        picks = [pick for pick in plan.tests if pick.sureness.value == level]
        if picks:
            lines += ["", f"{level} ({len(picks)}):"]
            lines += [
                f"  {pick.path}:{pick.line} {pick.name} ({pick.confidence:.2f}, {pick.why})"
                for pick in picks[:_SHOWN]
            ]
            lines += _more(len(picks))
    if plan.commands:
        lines += ["", "run:", *(f"  {command.line}" for command in plan.commands)]
    if plan.untested:
        names = _listed(_where(view, symbol) for symbol in plan.untested)
        lines += ["", f"no test is known to run: {names}"]
    lines += [f"note: {note}" for note in plan.notes]
    return "\n".join(lines)


def _listed(names: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - 5} more" if len(distinct) > 5 else ""
    return ", ".join(distinct[:5]) + more


# -- paths -------------------------------------------------------------------------------------


def path_json(view: View, routes: Routes) -> Json:
    return {
        "from": described(view, routes.start),
        "to": described(view, routes.end),
        "reversed": routes.reversed,
        "paths": [_route_json(view, route) for route in routes.found],
        "depth": routes.depth,
    }


def _route_json(view: View, route: Route) -> Json:
    return {
        "confidence": route.confidence,
        "symbols": [view.identity(symbol) for symbol in route.symbols],
        "steps": [_step_json(view, step) for step in route.steps],
    }


def _step_json(view: View, step: Step) -> Json:
    return {
        "source": view.identity(step.source),
        "target": view.identity(step.target),
        "edge": _edge(step),
        "origin": step.origin.label,
        "confidence": step.confidence,
        "path": step.site.path,
        "line": step.site.line,
    }


def _edge(step: Step) -> str:
    return "overridden_by" if step.dispatched else step.edge.label


def path_text(view: View, routes: Routes) -> str:
    start, end = _name(view, routes.start), _name(view, routes.end)
    if not routes.found:
        return f"no path between {start} and {end} within {routes.depth} steps, in either direction"
    lines = [f"from {start} to {end}" + (" (the other way round)" if routes.reversed else "")]
    for number, route in enumerate(routes.found, 1):
        lines += ["", f"{number}. {len(route.steps)} steps, {route.confidence:.2f}"]
        lines.append(f"   {_where(view, route.steps[0].source)}")
        for step in route.steps:
            site = f"{step.site.path}:{step.site.line}"
            lines.append(f"   {_edge(step)} {_where(view, step.target)} at {site}")
    return "\n".join(lines)

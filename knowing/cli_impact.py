"""Commands about what a change touches: blast, tests, review, path, map."""

import argparse
from typing import Any

from knowing.cli_common import answer, command, prepared

_BUDGET = 4000
_BYTES_A_TOKEN = 3
"""Fewer than any tokenizer has for paths and identifiers, so that a budget is never exceeded."""


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands to the command line."""
    blast = command(commands, "blast", _blast, "who is affected by a change to a symbol")
    blast.add_argument("symbol", metavar="SYMBOL", help="name, path::name or path:line")
    blast.add_argument("--depth", type=_positive, default=3, help="how many steps (default: 3)")

    tests = command(commands, "tests", _tests, "which tests to run, and how")
    tests.add_argument("symbols", metavar="SYMBOL", nargs="*", help="what has changed")
    tests.add_argument(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="BASE",
        help="what differs from a revision (default: HEAD)",
    )

    path = command(commands, "path", _path, "how two symbols hang together")
    path.add_argument("first", metavar="A")
    path.add_argument("second", metavar="B")
    path.add_argument("--depth", type=_positive, default=6, help="how many steps (default: 6)")

    review = command(commands, "review", _review, "what a reviewer of a change wants to know")
    review.add_argument(
        "base",
        metavar="BASE",
        nargs="?",
        default="HEAD",
        help="a revision, or A..B for what lies between two (default: HEAD)",
    )
    review.add_argument("--staged", action="store_true", help="what the next commit would hold")
    review.add_argument("--budget", type=_natural, default=0, help="tokens of code to add")

    overview = command(commands, "map", _map, "the modules of the workspace and what joins them")
    overview.add_argument("--budget", type=_positive, default=_BUDGET, help="most tokens of text")
    overview.add_argument("--format", choices=("markdown", "json", "mermaid"), default="markdown")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(f"{number} is less than 1")
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(f"{number} is less than 0")
    return number


def _blast(options: argparse.Namespace) -> int:
    from knowing.engine_impact import circumstances
    from knowing.impact.blast import blast
    from knowing.present.impact import blast_json, blast_text
    from knowing.retrieve.locate import locate_one

    with prepared(options) as (engine, view):
        symbol = locate_one(view, options.symbol)
        given = circumstances(engine, view, symbol)
    found = blast(view, symbol, depth=options.depth, given=given)
    return answer(options, blast_json(view, found), blast_text(view, found))


def _tests(options: argparse.Namespace) -> int:
    from knowing.engine_impact import changes_since, reader
    from knowing.impact.tests import changed_symbols, plan_tests
    from knowing.present.impact import plan_json, plan_text
    from knowing.retrieve.locate import locate_one

    notes: list[str] = []
    with prepared(options) as (engine, view):
        symbols = [locate_one(view, text) for text in options.symbols]
        if options.changed is not None or not options.symbols:
            changes, notes = changes_since(engine.root, options.changed or "HEAD")
            touched, unknown = changed_symbols(view, changes)
            symbols += [symbol for symbol in touched if symbol not in symbols]
            notes += [f"{path} has changed and is not in the index" for path in unknown]
        plan = plan_tests(view, symbols, reader(engine.root), notes=notes)
    return answer(options, plan_json(view, plan), plan_text(view, plan))


def _review(options: argparse.Namespace) -> int:
    from knowing.engine_review import review, sides
    from knowing.present.review import review_json, review_markdown

    base, tip = sides(options.base, staged=options.staged)
    with prepared(options, history=True) as (engine, _):
        found = review(engine, base, tip, budget=options.budget)
        view, state = engine.view(), engine.state()
    return answer(options, review_json(view, found, state), review_markdown(view, found, state))


def _path(options: argparse.Namespace) -> int:
    from knowing.impact.path import routes_between
    from knowing.present.impact import path_json, path_text
    from knowing.retrieve.locate import locate_one

    with prepared(options) as (_engine, view):
        first, second = locate_one(view, options.first), locate_one(view, options.second)
        found = routes_between(view, first, second, depth=options.depth)
    return answer(options, path_json(view, found), path_text(view, found))


def _map(options: argparse.Namespace) -> int:
    from knowing.impact.map import fitted, module_map
    from knowing.present.map import map_json, map_markdown, map_mermaid

    with prepared(options) as (_engine, view):
        whole = module_map(view)
    shown = map_mermaid if options.format == "mermaid" else map_markdown
    kept, text = fitted(whole, options.budget, _tokens, shown)
    budget = {"tokens": options.budget, "used": _tokens(text), "tokenizer": "estimate"}
    data: dict[str, Any] = {**map_json(kept), "budget": budget, "text": text}
    if options.format == "json":
        options.json = True
    return answer(options, data, text.rstrip("\n"))


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8")) // _BYTES_A_TOKEN)

"""Commands that ask what matters: context, why, search, related."""

import argparse
import sys
from typing import TYPE_CHECKING

from knowing.cli_common import answer, command, prepared
from knowing.errors import NotFoundError
from knowing.present import answers

if TYPE_CHECKING:
    from knowing.engine import Engine
    from knowing.reports import ContextAnswer

_MOST_TASK_CHARACTERS = 200_000


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands."""
    context = command(commands, "context", _context, "what matters for a task, ready for a chat")
    context.add_argument("task", nargs="?", help="the task in plain words; - reads standard input")
    context.add_argument("--files", nargs="+", metavar="FILE", help="what belongs with these files")
    context.add_argument("--pr", metavar="BASE", help="what belongs with the changes since BASE")
    context.add_argument("--budget", type=int, help="tokens that the answer may take")
    context.add_argument("--limit", type=int, help="symbols that the answer may hold")
    context.add_argument("--format", choices=("markdown", "xml", "json"), default="markdown")

    why = command(commands, "why", _why, "why a symbol is in the answer to a task, or is not")
    why.add_argument("task", help="the task in plain words")
    why.add_argument("--symbol", required=True, help="Owner.name, path::name or path:line")

    search = command(commands, "search", _search, "symbols, files or documentation by words")
    search.add_argument("query")
    search.add_argument("--mode", choices=("hybrid", "keyword", "vector"), default="hybrid")
    search.add_argument("--what", choices=("symbols", "files", "docs"), default="symbols")
    search.add_argument("--limit", type=int, default=20, help="how many to show")

    related = command(commands, "related", _related, "what belongs with a symbol")
    related.add_argument("symbol", help="Owner.name, path::name or path:line")
    related.add_argument("--limit", type=int, default=20, help="how many to show")


def _context(options: argparse.Namespace) -> int:
    _expect_one_question(options)
    with prepared(options, history=True) as (asked, _):
        found = _asked(asked, options)
    if options.format == "json":
        options.json = True
    for note in found.notes:
        if not options.json:
            print(f"note: {note}", file=sys.stderr)
    return answer(options, answers.context_json(found), found.text)


def _expect_one_question(options: argparse.Namespace) -> None:
    given = [options.task is not None, bool(options.files), options.pr is not None]
    if sum(given) != 1:
        raise NotFoundError(
            "say what the context is for",
            'one of: knowing context "a task", --files FILE..., --pr BASE',
        )


def _asked(engine: "Engine", options: argparse.Namespace) -> "ContextAnswer":
    from knowing.engine_answers import Extent
    from knowing.pack import Form

    form = Form.XML if options.format == "xml" else Form.MARKDOWN
    extent = Extent(budget=options.budget, limit=options.limit, form=form)
    if options.files:
        return engine.context_for_files(options.files, extent)
    if options.pr is not None:
        return engine.context_for_changes(options.pr, extent)
    task: str = options.task
    if task == "-":
        task = sys.stdin.read(_MOST_TASK_CHARACTERS)
    return engine.context(task, extent)


def _why(options: argparse.Namespace) -> int:
    with prepared(options, history=True) as (asked, _):
        found = asked.why(options.task, options.symbol)
    return answer(options, answers.explanation_json(found), answers.explanation_text(found))


def _search(options: argparse.Namespace) -> int:
    from knowing.retrieve import Mode, What

    with prepared(options, history=True) as (asked, _):
        found = asked.search(
            options.query,
            mode=Mode(options.mode),
            what=What(options.what),
            limit=max(1, options.limit),
        )
    return answer(options, answers.items_json(found), answers.items_text(found))


def _related(options: argparse.Namespace) -> int:
    with prepared(options, history=True) as (asked, _):
        found = asked.related(options.symbol, limit=max(1, options.limit))
    return answer(options, answers.items_json(found), answers.items_text(found))

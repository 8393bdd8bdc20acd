"""`python -m eval rank`: rank the symbols of repositories for tasks, and write what came.

Each repository gets an index of its own, which is gone afterwards unless `--index-dir` is given.
Nothing is learned from one task for the next, and what a task wants is never read.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from eval.overrides import Overrides
from eval.rankers import EngineSystem, System, rank_all
from eval.results import write_costs, write_rankings
from eval.systems import system_of
from eval.tasks import Question, read_questions

OWN = "knowing"


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("rank", help="rank symbols for tasks")
    add_ranking_arguments(parser)
    parser.add_argument("--output", type=Path, required=True, help="file to write rankings to")
    parser.add_argument("--costs", type=Path, help="file to write times and sizes to")
    parser.set_defaults(run=run)


def add_ranking_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that ranks."""
    add_corpus_arguments(parser)
    parser.add_argument("--limit", type=int, default=50, help="results for a task")
    parser.add_argument("--system", default=OWN, help="what ranks; by default this engine")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes")


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that asks tasks of repositories."""
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--no-history", action="store_true", help="read no git history")
    parser.add_argument("--index-dir", type=Path, help="keep indexes here and use them again")


def run(options: argparse.Namespace) -> int:
    """Rank and write."""
    system = chosen_system(options)
    questions = chosen_questions(options.tasks, options.repo)
    rankings, costs = rank_all(
        system,
        questions,
        options.corpus,
        limit=options.limit,
        index_dir=options.index_dir,
        tolerant=options.system != OWN,
    )
    write_rankings(options.output, rankings)
    if options.costs:
        write_costs(options.costs, costs)
    print(f"{len(rankings)} tasks ranked by {system.name}", file=sys.stderr)
    return 0


def chosen_questions(tasks: Path, repos: Sequence[str] | None) -> list[Question]:
    """What is asked, of some repositories or all."""
    return [item for item in read_questions(tasks) if not repos or item.repo in repos]


def chosen_system(options: argparse.Namespace) -> System:
    """What the arguments say shall rank."""
    if options.system != OWN:
        return system_of(options.system)
    return EngineSystem(Overrides(tuple(options.changes)), history=not options.no_history)

"""`python -m eval score`: what rankings are worth, by both matchers and by group."""

import argparse
import json
import sys
from pathlib import Path

from eval.corpus import languages
from eval.report import Report, as_json, as_markdown, score_all
from eval.results import read_costs, read_rankings
from eval.tasks import chosen, read_tasks


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("score", help="score rankings against what tasks want")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--ranking", type=Path, required=True, help="file that `rank` wrote")
    parser.add_argument("--costs", type=Path, help="file of costs that `rank` wrote")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score and print."""
    tasks = chosen(read_tasks(options.tasks, languages()), options.repo)
    costs = read_costs(options.costs).tasks if options.costs else {}
    report = score_all(tasks, read_rankings(options.ranking), costs)
    print_report(report, options.json)
    return 0


def print_report(report: Report, wants_json: bool) -> None:
    """Print tables or JSON; tasks that were not ranked are said aloud."""
    print(json.dumps(as_json(report)) if wants_json else as_markdown(report))
    if report.unranked:
        print(f"warning: {len(report.unranked)} tasks are not ranked", file=sys.stderr)

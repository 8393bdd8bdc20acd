"""`python -m eval run`: rank, score and report in one go."""

import argparse
import json
from pathlib import Path

from eval import rank
from eval.corpus import languages
from eval.rankers import rank_all
from eval.report import as_json, as_markdown, score_all
from eval.results import write_costs, write_rankings, write_text
from eval.score import print_report
from eval.tasks import chosen, read_tasks


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("run", help="rank, score and report")
    rank.add_ranking_arguments(parser)
    parser.add_argument(
        "--output", type=Path, help="folder for ranking.json, costs.json, report.md and report.json"
    )
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Rank first, then read what was wanted.

    The reports that are written hold no times, so a second run writes them again to the letter.
    """
    rankings, costs = rank_all(
        rank.chosen_system(options),
        rank.chosen_questions(options.tasks, options.repo),
        options.corpus,
        limit=options.limit,
        index_dir=options.index_dir,
        tolerant=options.system != rank.OWN,
    )
    tasks = chosen(read_tasks(options.tasks, languages()), options.repo)
    folder: Path | None = options.output
    if folder is not None:
        write_rankings(folder / "ranking.json", rankings)
        write_costs(folder / "costs.json", costs)
        report = score_all(tasks, rankings)
        write_text(folder / "report.md", as_markdown(report) + "\n")
        write_text(folder / "report.json", json.dumps(as_json(report), indent=1) + "\n")
    print_report(score_all(tasks, rankings, costs.tasks), options.json)
    return 0

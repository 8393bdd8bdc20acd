"""`python -m eval verify`: every name that a task wants must exist as a symbol."""

import argparse
from pathlib import Path

from eval.index import indexed
from eval.tasks import read_rows
from eval.truth import cover, wanted_names


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("verify", help="fail if a wanted name is no symbol")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Index each repository; a MISSING line for each name that is not there, and exit 1."""
    wanted = wanted_names(read_rows(options.tasks))
    missing = 0
    for repo in sorted(wanted):
        if options.repo and repo not in options.repo:
            continue
        with indexed(options.corpus / repo) as index:
            coverage = cover(repo, wanted[repo], index.symbols())
        for name, tasks in coverage.missing.items():
            print(f"MISSING {repo} {name} ({', '.join(tasks)})")
        missing += len(coverage.missing)
        print(f"{repo}: {coverage.found} of {coverage.wanted} names exist", flush=True)
    return 1 if missing else 0

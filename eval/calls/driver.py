"""`python -m eval calls`: record a project's calls if need be, and judge its index by them."""

import argparse
import dataclasses
import json
import sys
import tempfile
from pathlib import Path

from eval.calls import environment, report, truth
from eval.calls.judge import judge
from eval.failure import EvalError
from eval.index import Edge, Symbol, edge, indexed, json_lines, symbol


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("calls", help="judge call edges by recorded calls")
    parser.add_argument("--repo", type=Path, required=True, help="repository, never written to")
    parser.add_argument("--truth", type=Path, help="judge by this recording instead of a new one")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the recording here")
    parser.add_argument("--record-only", action="store_true", help="do not judge")
    parser.add_argument("--package", action="append", help="folder whose calls are recorded")
    parser.add_argument("--tests", action="append", help="what pytest is given to run")
    parser.add_argument("--require", action="append", help="requirement of the tests")
    parser.add_argument("--python", default="", help="interpreter that has the requirements")
    parser.add_argument("--cache", type=Path, help="where environments are kept")
    parser.add_argument("--symbols", type=Path, help="output of `knowing dump symbols`")
    parser.add_argument("--edges", type=Path, help="output of `knowing dump edges`")
    parser.add_argument("--show", action="store_true", help="list wrong edges and misses")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Record unless a recording is given, judge, print."""
    repository: Path = options.repo.resolve()
    with tempfile.TemporaryDirectory(prefix="knowing-calls-") as folder:
        recording = options.truth or options.record or Path(folder) / "calls.jsonl"
        if options.truth is None:
            said = _record(repository, recording, options)
            print(said, file=sys.stderr)
        observed = truth.read(recording)
    if options.record_only:
        return 0
    symbols, edges = _claims(repository, options)
    sources = truth.written(repository, (observation.path for observation in observed))
    judgement = judge(observed, edges, symbols, sources)
    if options.json:
        print(json.dumps({"repo": str(repository), **report.as_json(judgement)}))
    else:
        print(report.as_text(judgement, options.show))
    return 0


def _record(repository: Path, recording: Path, options: argparse.Namespace) -> str:
    known = environment.known_project(repository.name)
    if known is None and not options.package:
        raise EvalError(f"{repository.name} is not in projects.toml: give --package and --tests")
    base = known or environment.Project(packages=())
    project = dataclasses.replace(
        base,
        packages=tuple(options.package or base.packages),
        tests=tuple(options.tests or base.tests),
        requires=tuple(options.require or base.requires),
        python=options.python,
    )
    cache = options.cache or environment.default_cache()
    return environment.record(repository, project, recording, cache)


def _claims(repository: Path, options: argparse.Namespace) -> tuple[list[Symbol], list[Edge]]:
    if options.symbols and options.edges:
        with options.symbols.open(encoding="utf-8") as lines:
            symbols = [symbol(row) for row in json_lines(lines)]
        with options.edges.open(encoding="utf-8") as lines:
            return symbols, [edge(row) for row in json_lines(lines)]
    if options.symbols or options.edges:
        raise EvalError("give both --symbols and --edges, or neither")
    with indexed(repository) as index:
        return index.symbols(), index.edges()

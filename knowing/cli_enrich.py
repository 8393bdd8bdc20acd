"""Commands about language servers and other sources of sure edges: doctor, import-scip."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowing.cli_common import WAIT_SECONDS, Stop, answer, command, engine, loaded, prepared
from knowing.present import text

if TYPE_CHECKING:
    from knowing.engine import Engine
    from knowing.indexer import Progress

_SHOWN = 50


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands."""
    doctor = command(commands, "doctor", _doctor, "whether the environment has what is needed")
    doctor.add_argument(
        "--disagreements",
        action="store_true",
        help="where a language server explains a reference otherwise than the syntax did",
    )
    doctor.add_argument(
        "--limit", type=int, default=_SHOWN, help=f"how many of them to show (default: {_SHOWN})"
    )
    scip = command(commands, "import-scip", _import_scip, "take in edges from a SCIP index")
    scip.add_argument("file", metavar="FILE", type=Path, help="as a SCIP indexer wrote it")


def _doctor(options: argparse.Namespace) -> int:
    if options.disagreements:
        return _disagreements(options)
    from knowing.doctor import examine
    from knowing.engine_enrich import server_findings

    settings = loaded(options).settings
    findings = examine(options.root, settings, options.index_dir)
    if all(finding.good for finding in findings):
        with engine(options) as asked:
            languages = set(asked.view().languages) if asked.is_indexed else None
            findings += server_findings(asked.root, settings, asked.folder, languages)
    answer(options, text.doctor_json(findings), text.doctor_text(findings))
    return 0 if all(finding.good for finding in findings) else 1


def _disagreements(options: argparse.Namespace) -> int:
    from knowing.engine_enrich import disagreements
    from knowing.present.enrich import disagreement_json, disagreements_text

    with prepared(options) as (asked, _view):
        items, tally = disagreements(asked)
    data = {
        "tally": {verdict.value: count for verdict, count in tally.items()},
        "disagreements": [disagreement_json(item) for item in items[: options.limit]],
        "left_out": max(0, len(items) - options.limit),
    }
    return answer(options, data, disagreements_text(items, tally, options.limit))


def _import_scip(options: argparse.Namespace) -> int:
    from knowing.engine_enrich import take_scip
    from knowing.present.enrich import scip_json, scip_text

    with prepared(options) as (asked, _view):
        found = take_scip(asked, options.file, WAIT_SECONDS)
        asked.index(history=False, wait=WAIT_SECONDS)
    return answer(options, scip_json(found), scip_text(found))


def enriched(
    asked: "Engine", report: "Callable[[Progress], None]", stopped: Stop
) -> tuple[dict[str, Any], list[str]]:
    """Asks language servers about an engine's files and shows what they said in the index.

    The user's own words ask for it, so the workspace counts as trusted and nothing holds back.
    """
    from knowing.engine_enrich import as_json, enrich, open_enricher
    from knowing.present.enrich import run_lines

    with open_enricher(asked, trusted=True, polite=False) as enricher:
        done = as_json(enrich(asked, enricher, report=report, cancelled=stopped))
    return done, run_lines(done)


def enriched_index(options: argparse.Namespace) -> int:
    """`index --enrich`: files first, so that they can be asked about while servers work."""
    from knowing.present.progress import reporter

    stopped = Stop()
    with engine(options) as asked, stopped, reporter(sys.stderr) as report:
        asked.index(
            full=options.full,
            history=not options.no_history,
            wait=WAIT_SECONDS,
            report=report,
            cancelled=stopped,
        )
        run, lines = enriched(asked, report, stopped)
        done = asked.index(history=not options.no_history, wait=WAIT_SECONDS, report=report)
    data = {**text.index_json(done), "enrichment": run}
    return answer(options, data, "\n".join((text.index_text(done), *lines)))

"""Commands about the index itself: making it, looking at it, caring for it."""

import argparse
import json
import sys
from pathlib import Path

from knowing.cli_common import WAIT_SECONDS, Stop, answer, command, engine, loaded, prepared
from knowing.cli_enrich import enriched_index
from knowing.present import text


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands."""
    index = command(commands, "index", _index, "build or update the index")
    index.add_argument("--full", action="store_true", help="read every file again")
    index.add_argument("--no-history", action="store_true", help="leave the git history out")
    index.add_argument(
        "--enrich", action="store_true", help="ask language servers what the syntax leaves open"
    )

    command(commands, "status", _status, "what is indexed, what is skipped and why")
    command(commands, "check", _check, "whether the stored data is sound")
    clear = command(commands, "clear", _clear, "remove the index of the workspace")
    clear.add_argument("--learned", action="store_true", help="and what was learned from use")

    settings = command(commands, "settings", _settings, "every setting, its value and origin")
    settings.add_argument("--markdown", action="store_true", help="the reference, as Markdown")
    settings.add_argument("--vscode", action="store_true", help="as VS Code declares settings")

    dump = command(commands, "dump", _dump, "all symbols or edges as JSON lines")
    dump.add_argument("what", choices=("symbols", "edges"))


def _index(options: argparse.Namespace) -> int:
    if options.enrich:
        return enriched_index(options)
    from knowing.present.progress import reporter

    stopped = Stop()
    with engine(options) as asked, stopped, reporter(sys.stderr) as report:
        done = asked.index(
            full=options.full,
            history=not options.no_history,
            wait=WAIT_SECONDS,
            report=report,
            cancelled=stopped,
        )
    return answer(options, text.index_json(done), text.index_text(done))


def _status(options: argparse.Namespace) -> int:
    with engine(options) as asked:
        status = asked.status()
    return answer(options, text.status_json(status), text.status_text(status))


def _check(options: argparse.Namespace) -> int:
    with engine(options) as asked:
        problems = asked.check()
    shown = "\n".join(problems) if problems else "the index is sound"
    answer(options, {"sound": not problems, "problems": problems}, shown)
    if problems:
        print("error: the index is not sound", file=sys.stderr)
        print("run `knowing index --full` to make it anew", file=sys.stderr)
    return 1 if problems else 0


def _clear(options: argparse.Namespace) -> int:
    with engine(options) as asked:
        folder: Path = asked.folder
        there = folder.exists()
        asked.clear(wait=WAIT_SECONDS)
        learned = asked.remove_learned() if options.learned else asked.learned_path
    shown = f"removed {folder}" if there else f"nothing is stored in {folder}"
    if learned is not None and options.learned:
        shown += f"\nremoved {learned}"
    elif learned is not None:
        shown += f"\nkept what was learned in {learned}; --learned removes it"
    removed = {
        "removed": str(folder) if there else None,
        "learned": str(learned) if learned else None,
    }
    return answer(options, removed, shown)


def _settings(options: argparse.Namespace) -> int:
    from knowing.settings_surfaces import markdown, vscode_configuration

    if options.markdown:
        print(markdown(), end="")
        return 0
    if options.vscode:
        print(json.dumps(vscode_configuration(), indent=2))
        return 0
    found = loaded(options)
    return answer(options, text.settings_json(found), text.settings_text(found))


def _dump(options: argparse.Namespace) -> int:
    with prepared(options) as (_, view):
        pass
    if options.what == "symbols":
        for symbol in view.all_symbols():
            print(json.dumps(text.symbol_json(symbol)))
    else:
        for edge in view.all_edges():
            print(json.dumps(text.edge_json(edge)))
    return 0

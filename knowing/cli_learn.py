"""Commands about what is learned from use: feedback, learned, tune."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from knowing.cli_common import answer, command, engine, prepared
from knowing.errors import NotFoundError, StoreError
from knowing.present import learned as present

if TYPE_CHECKING:
    from knowing.engine import Engine
    from knowing.reports_learned import Noted

_DEEDS = {
    "used": "used",
    "opened": "opened",
    "edited": "edited",
    "copied": "copied",
    "up": "up",
    "down": "down",
    "pin": "pinned",
    "ban": "banned",
}
_UNDO = ("unpin", "unban", "forget")


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands."""
    feedback = command(commands, "feedback", _feedback, "say what was useful, pin or ban symbols")
    feedback.add_argument("deed", choices=(*_DEEDS, *_UNDO), help="what was done, or is taken back")
    feedback.add_argument("symbols", nargs="+", metavar="SYMBOL", help="Owner.name or path::name")
    feedback.add_argument("--task", default="", help="the task it is about (default: the last one)")

    learned = command(commands, "learned", _learned, "what was learned from use")
    what = learned.add_mutually_exclusive_group()
    what.add_argument("--clear", action="store_true", help="forget everything")
    what.add_argument("--export", type=Path, metavar="FILE", help="write it to a file")
    what.add_argument(
        "--import", type=Path, metavar="FILE", dest="import_from", help="add what a file holds"
    )

    tune = command(commands, "tune", _tune, "fit ranking to this workspace's own commits")
    tune.add_argument("--commits", type=int, default=60, help="how many commits are replayed")
    tune.add_argument("--dry-run", action="store_true", help="show the gain, change nothing")
    tune.add_argument("--reset", action="store_true", help="rank as shipped again")


def _feedback(options: argparse.Namespace) -> int:
    with prepared(options, history=True) as (asked, _):
        noted = _noted(asked, options)
    return answer(options, present.noted_json(noted), noted.reason)


def _noted(asked: "Engine", options: argparse.Namespace) -> "Noted":
    from knowing.model_events import Deed
    from knowing.reports_learned import Noted

    if options.deed in _DEEDS:
        return asked.feedback(Deed(_DEEDS[options.deed]), options.symbols, task=options.task)
    wishes = options.deed != "forget"
    taken = [asked.forget(name, task=options.task, wishes=wishes) for name in options.symbols]
    return Noted(accepted=sum(taken) > 0, reason=f"{sum(taken)} events were taken back")


def _learned(options: argparse.Namespace) -> int:
    with engine(options) as asked:
        if options.clear:
            count = asked.clear_learned()
            return answer(options, {"removed": count}, f"{count} events were removed")
        if options.export:
            text = asked.export_learned()
            _write(options.export, text)
            count = text.count("\n") - 1
            written = {"written": count, "file": str(options.export)}
            return answer(options, written, f"{count} events are in {options.export}")
        if options.import_from:
            count = asked.import_learned(_read(options.import_from))
            return answer(options, {"added": count}, f"{count} events were added")
        report = asked.learned_report()
    return answer(options, present.learned_json(report), present.learned_text(report))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFoundError(f"cannot read {path}: {error}", "name a file to read") from error


def _tune(options: argparse.Namespace) -> int:
    from knowing.engine_tune import tune

    with prepared(options, history=True) as (asked, _):
        if options.reset:
            asked.set_tuning({})
            return answer(options, {"applied": False, "chosen": {}}, "ranking is as shipped again")
        report = tune(asked, commits=max(1, options.commits), apply=not options.dry_run)
    return answer(options, present.tune_json(report), present.tune_text(report))

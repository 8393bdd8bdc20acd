"""What all commands share: their options, the engine they ask, how they answer."""

import _thread
import argparse
import contextlib
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowing.errors import StoreError, WorkspaceError
from knowing.settings import Settings
from knowing.settings_sources import Loaded, load

if TYPE_CHECKING:
    # Only for types: a command that fails on its arguments must not wait for the engine.
    from knowing.engine import Engine
    from knowing.graph import View

Command = Callable[[argparse.Namespace], int]

WAIT_SECONDS = 5.0
"""For another process that is indexing: it may be about to finish."""
_BRIEF_WAIT_SECONDS = 0.5
"""For one that stores a file or two, by those who can do without."""
_PATIENCE_SECONDS = 1.0
"""For work that was asked to stop, before it is interrupted."""


def command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Command,
    purpose: str,
) -> argparse.ArgumentParser:
    """A command with the options that every command has."""
    parser = commands.add_parser(name, help=purpose, description=purpose.capitalize() + ".")
    parser.add_argument("--root", type=Path, default=Path(), help="the workspace (default: here)")
    parser.add_argument("--index-dir", type=Path, help="where to keep data instead of the cache")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="assignments",
        help="a setting for this run, e.g. files.max_file_kb=500",
    )
    parser.add_argument("--debug", action="store_true", help="log details and show tracebacks")
    parser.set_defaults(command=run)
    return parser


def root_of(options: argparse.Namespace) -> Path:
    given: Path = options.root
    try:
        root = given.resolve()
        missing = not root.exists()
        if root.is_dir():
            return root
    except (OSError, RuntimeError) as error:
        raise WorkspaceError(f"cannot use {given}: {error}") from error
    raise WorkspaceError(
        f"{'no such folder' if missing else 'not a folder'}: {given}",
        "give an existing folder with --root",
    )


def loaded(options: argparse.Namespace) -> Loaded:
    found = load(root_of(options), assignments=options.assignments)
    for problem in found.problems:
        print(f"warning: {problem.layer}: {problem.key}: {problem.message}", file=sys.stderr)
    return found


def engine(options: argparse.Namespace) -> "Engine":
    from knowing.engine import Engine

    settings: Settings = loaded(options).settings
    return Engine.open(options.root, settings, options.index_dir)


def answer(options: argparse.Namespace, data: Any, shown: str) -> int:
    print(json.dumps(data) if options.json else shown)
    return 0


@contextlib.contextmanager
def prepared(
    options: argparse.Namespace, *, history: bool = False
) -> "Iterator[tuple[Engine, View]]":
    """An engine whose index is brought up to date first, if it can be, and its view."""
    from knowing.present.progress import reporter

    stopped = Stop()
    with engine(options) as asked:
        wait = _BRIEF_WAIT_SECONDS if asked.is_indexed else WAIT_SECONDS
        try:
            with stopped, reporter(sys.stderr) as report:
                done = asked.index(history=history, wait=wait, report=report, cancelled=stopped)
            notes = done.notes
        except StoreError as error:
            if not asked.is_indexed:
                raise
            asked.fall_behind(f"{error}; this is the last complete index")
            notes = asked.state().notes
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
        yield asked, asked.view()


class Stop:
    """Turns Ctrl-C into a wish to stop; a second one, or a second later, interrupts at once."""

    def __init__(self) -> None:
        self._wished = False
        self._before: Any = None
        self._patience = threading.Timer(_PATIENCE_SECONDS, _thread.interrupt_main)
        self._patience.daemon = True

    def __call__(self) -> bool:
        return self._wished

    def __enter__(self) -> "Stop":
        with contextlib.suppress(ValueError):
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._patience.cancel()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        if self._wished:
            raise KeyboardInterrupt
        self._wished = True
        self._patience.start()

"""The command line: arguments in, one engine call, text or JSON out.

Exit codes: 0 done, 1 failed (one line on standard error and what to do), 2 wrong usage.
"""

import _thread
import argparse
import contextlib
import io
import json
import logging
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from knowing.errors import AmbiguousError, KnowingError, StoreError, WorkspaceError
from knowing.present import text
from knowing.settings import Settings
from knowing.settings_sources import Loaded, load

Command = Callable[[argparse.Namespace], int]

_WAIT_SECONDS = 5.0
"""For another process that is indexing: it may be about to finish."""
_BRIEF_WAIT_SECONDS = 0.5
"""For one that stores a file or two, by those who can do without."""
_PATIENCE_SECONDS = 1.0
"""For work that was asked to stop, before it is interrupted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; never lets a traceback reach the user."""
    debug = False
    try:
        options = _parser().parse_args(arguments)
        debug = options.debug
        _prepare_streams(debug)
        command: Command = options.command
        code = command(options)
        sys.stdout.flush()
        return code
    except KnowingError as error:
        return _failed(error, debug)
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        print("the last complete index is still in place", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has gone (`knowing dump symbols | head`); it has what it wanted.
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return 0
    except Exception as error:
        if debug:
            raise
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        print("run again with --debug to see where it comes from", file=sys.stderr)
        return 1


def _prepare_streams(debug: bool) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that the terminal cannot show is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.ERROR,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )


def _failed(error: KnowingError, debug: bool) -> int:
    if debug:
        logging.getLogger(__name__).debug("failed", exc_info=error)
    print(f"error: {error}", file=sys.stderr)
    if isinstance(error, AmbiguousError):
        for candidate in error.candidates:
            print(f"  {candidate}", file=sys.stderr)
    if error.hint:
        print(error.hint, file=sys.stderr)
    return 1


# -- arguments ---------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knowing",
        description="Knows a code base: what matters for a task, what a change touches.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    index = _command(commands, "index", _index, "build or update the index")
    index.add_argument("--full", action="store_true", help="read every file again")
    index.add_argument("--no-history", action="store_true", help="leave the git history out")

    _command(commands, "status", _status, "what is indexed, what is skipped and why")
    _command(commands, "doctor", _doctor, "whether the environment has what is needed")
    _command(commands, "check", _check, "whether the stored data is sound")
    _command(commands, "clear", _clear, "remove everything stored about the workspace")

    settings = _command(commands, "settings", _settings, "every setting, its value and origin")
    settings.add_argument("--markdown", action="store_true", help="the reference, as Markdown")
    settings.add_argument("--vscode", action="store_true", help="as VS Code declares settings")

    dump = _command(commands, "dump", _dump, "all symbols or edges as JSON lines")
    dump.add_argument("what", choices=("symbols", "edges"))
    return parser


def _command(
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


class _Version(argparse.Action):
    """Looks the version up only when asked: it takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("knowing")
        except PackageNotFoundError:
            found = "unknown"
        print(f"knowing {found}")
        parser.exit()


def _root(options: argparse.Namespace) -> Path:
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


def _loaded(options: argparse.Namespace) -> Loaded:
    loaded = load(_root(options), assignments=options.assignments)
    for problem in loaded.problems:
        print(f"warning: {problem.layer}: {problem.key}: {problem.message}", file=sys.stderr)
    return loaded


def _engine(options: argparse.Namespace) -> Any:
    from knowing.engine import Engine

    settings: Settings = _loaded(options).settings
    return Engine.open(options.root, settings, options.index_dir)


def _answer(options: argparse.Namespace, data: Any, shown: str) -> int:
    print(json.dumps(data) if options.json else shown)
    return 0


# -- commands ----------------------------------------------------------------------------------


def _index(options: argparse.Namespace) -> int:
    from knowing.present.progress import reporter

    stopped = Stop()
    with _engine(options) as engine, stopped, reporter(sys.stderr) as report:
        done = engine.index(
            full=options.full,
            history=not options.no_history,
            wait=_WAIT_SECONDS,
            report=report,
            cancelled=stopped,
        )
    return _answer(options, text.index_json(done), text.index_text(done))


def _status(options: argparse.Namespace) -> int:
    with _engine(options) as engine:
        status = engine.status()
    return _answer(options, text.status_json(status), text.status_text(status))


def _doctor(options: argparse.Namespace) -> int:
    from knowing.doctor import examine

    findings = examine(options.root, _loaded(options).settings, options.index_dir)
    _answer(options, text.doctor_json(findings), text.doctor_text(findings))
    return 0 if all(finding.good for finding in findings) else 1


def _check(options: argparse.Namespace) -> int:
    with _engine(options) as engine:
        problems = engine.check()
    shown = "\n".join(problems) if problems else "the index is sound"
    _answer(options, {"sound": not problems, "problems": problems}, shown)
    if problems:
        print("error: the index is not sound", file=sys.stderr)
        print("run `knowing index --full` to make it anew", file=sys.stderr)
    return 1 if problems else 0


def _clear(options: argparse.Namespace) -> int:
    with _engine(options) as engine:
        folder: Path = engine.folder
        there = folder.exists()
        engine.clear(wait=_WAIT_SECONDS)
    shown = f"removed {folder}" if there else f"nothing is stored in {folder}"
    return _answer(options, {"removed": str(folder) if there else None}, shown)


def _settings(options: argparse.Namespace) -> int:
    from knowing.settings_surfaces import markdown, vscode_configuration

    if options.markdown:
        print(markdown(), end="")
        return 0
    if options.vscode:
        print(json.dumps(vscode_configuration(), indent=2))
        return 0
    loaded = _loaded(options)
    return _answer(options, text.settings_json(loaded), text.settings_text(loaded))


def _dump(options: argparse.Namespace) -> int:
    """Answers from what is on disk now: the index is brought up to date first, if it can be."""
    stopped = Stop()
    with _engine(options) as engine, stopped:
        wait = _BRIEF_WAIT_SECONDS if engine.is_indexed else _WAIT_SECONDS
        try:
            notes = engine.index(history=False, wait=wait, cancelled=stopped).notes
        except StoreError as error:
            if not engine.is_indexed:
                raise
            notes = (f"{error}; this is the last complete index",)
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
        view = engine.view()
    if options.what == "symbols":
        for symbol in view.all_symbols():
            print(json.dumps(text.symbol_json(symbol)))
    else:
        for edge in view.all_edges():
            print(json.dumps(text.edge_json(edge)))
    return 0


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

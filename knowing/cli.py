"""The command line: arguments in, one engine call, text or JSON out.

Exit codes: 0 done, 1 failed (one line on standard error and what to do), 2 wrong usage.
"""

import argparse
import contextlib
import io
import logging
import sys
from collections.abc import Sequence

from knowing import cli_ask, cli_enrich, cli_impact, cli_index, cli_learn, cli_mcp
from knowing.cli_common import Command
from knowing.errors import AmbiguousError, KnowingError

_MODULES = (cli_ask, cli_impact, cli_index, cli_learn, cli_enrich, cli_mcp)
"""In the order in which their commands are listed."""


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

    for module in _MODULES:
        module.register(commands)
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

"""`python -m server`: arguments, logging, the connection.

Only the standard library is imported until it is sure that our own packages are found: a workspace
may have a `server` or a `knowing` package of its own, and with `python -m` the folder that the
editor started us in comes first on the path.
"""

import argparse
import logging
import logging.handlers
import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent

_SWITCH_SECONDS = 0.001
_LOG_BYTES = 5_000_000
_LOG_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def main(arguments: list[str] | None = None) -> int:
    """Runs the server until its client is done with it."""
    options = _parser().parse_args(arguments)
    if options.tcp is None and not options.stdio:
        _parser().error("say how to talk to the client: --stdio or --tcp HOST:PORT")
    _logging(options.log, options.debug)
    _own_packages_first()

    from server.app import create_server
    from server.transport import accepted, private_stdio

    # What is prepared in the background computes for seconds; a hover must not wait its turn long.
    sys.setswitchinterval(_SWITCH_SECONDS)
    channel = accepted(*options.tcp) if options.tcp else private_stdio()
    server = create_server(options.index_dir)
    server.client_process = options.client_process
    return server.serve(channel)


def run() -> None:
    """Runs the server and ends the process with its exit code."""
    code = main()
    logging.shutdown()
    # Threads that wait for a pipe or for a run to notice its end must not keep the process.
    os._exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="server", description="The language server of knowing.")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="talk over standard input and output")
    way.add_argument("--tcp", type=_address, metavar="HOST:PORT", help="listen, for one client")
    parser.add_argument("--log", type=Path, metavar="FILE", help="also write the log to a file")
    parser.add_argument("--index-dir", type=Path, help="where to keep data instead of the cache")
    parser.add_argument("--clientProcessId", type=int, dest="client_process", metavar="PID")
    parser.add_argument("--debug", action="store_true", help="log everything")
    return parser


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"expected HOST:PORT, got {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)


def _logging(file: Path | None, debug: bool) -> None:
    """To standard error, and to a file that is not let grow for ever."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(
            logging.handlers.RotatingFileHandler(
                file.absolute(), maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8"
            )
        )
    level = logging.DEBUG if debug else logging.WARNING
    logging.basicConfig(level=level, format=_FORMAT, handlers=handlers)
    if not debug:
        # The library logs every message that is sent.
        logging.getLogger("pygls").setLevel(logging.ERROR)


def _own_packages_first() -> None:
    """Looks for our packages where this file is, and never in the folder we were started in."""
    here = os.getcwd()
    others = [path for path in sys.path if path not in ("", ".", here) or Path(path) == HOME]
    sys.path[:] = [str(HOME), *(path for path in others if path != str(HOME))]
    for name in [name for name in sys.modules if name.partition(".")[0] == "knowing"]:
        del sys.modules[name]
    package = sys.modules.get("server")
    if package is not None and Path(package.__file__ or "").parent != HOME / "server":
        del sys.modules["server"]


if __name__ == "__main__":
    run()

"""The command that serves agents."""

import argparse
from importlib.util import find_spec

from knowing.cli_common import command, root_of
from knowing.errors import KnowingError


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command."""
    command(commands, "mcp", _mcp, "serve agents over the model context protocol, on stdio")


def _mcp(options: argparse.Namespace) -> int:
    root = root_of(options)
    if find_spec("mcp") is None:
        raise KnowingError(
            "the package `mcp` is not installed", 'install it with: pip install "knowing[mcp]"'
        )
    from knowing.mcp import serve

    serve(root, options.index_dir)
    return 0

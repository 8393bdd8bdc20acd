"""`python -m eval COMMAND`: measurements of the engine from outside."""

import argparse
import sys
from collections.abc import Sequence

from eval import (
    ablate,
    bench,
    blast,
    compare,
    corpus,
    findings,
    packages,
    rank,
    ratchet,
    replay,
    run,
    score,
    show,
    simulate,
    truth,
    verify,
)
from eval.calls import driver
from eval.failure import EvalError
from eval.peers import table as peers

COMMANDS = (
    driver,
    truth,
    bench,
    blast,
    rank,
    score,
    run,
    verify,
    compare,
    show,
    ablate,
    replay,
    simulate,
    corpus,
    packages,
    ratchet,
    findings,
    peers,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 failed, 2 usage."""
    parser = argparse.ArgumentParser(prog="python -m eval", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for module in COMMANDS:
        module.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except EvalError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())

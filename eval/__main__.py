"""`python -m eval COMMAND`: measurements of the engine from outside."""

import argparse
import sys
from collections.abc import Sequence

from eval import bench, truth
from eval.calls import driver
from eval.failure import EvalError

COMMANDS = (driver, truth, bench)


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

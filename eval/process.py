"""Running other programs within a time."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.failure import EvalError


def finished(
    command: Sequence[str],
    *,
    seconds: float,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end, whatever its exit code; raises if it does not start or end."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EvalError(f"not done after {seconds:.0f} s: {' '.join(command)}") from error
    except OSError as error:
        raise EvalError(f"cannot run {command[0]}: {error}") from error

"""`python -m eval corpus`: pinned public repositories, cloned or taken from clones at hand."""

import argparse
import tomllib
from dataclasses import dataclass
from pathlib import Path

from eval.failure import EvalError
from eval.process import finished

PINS = Path(__file__).resolve().parent / "corpus.toml"
CLONE_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One repository at one commit."""

    name: str
    address: str
    commit: str
    language: str


def pins(file: Path = PINS) -> list[Pin]:
    """The repositories that are pinned."""
    try:
        content = tomllib.loads(file.read_text("utf-8"))
        return [Pin(**row) for row in content["repository"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvalError(f"cannot read {file}: {error}") from error


def languages() -> dict[str, str]:
    """Repository -> its main language."""
    return {pin.name: pin.language for pin in pins()}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("corpus", help="pinned public repositories")
    kinds = parser.add_subparsers(dest="what", required=True)
    fetch = kinds.add_parser("fetch", help="get them at their commits")
    fetch.add_argument("--to", type=Path, required=True, help="folder to clone into")
    fetch.add_argument("--from", type=Path, dest="source", help="folder of clones to copy from")
    fetch.add_argument("--repo", action="append", help="only this repository")
    fetch.set_defaults(run=run_fetch)
    listing = kinds.add_parser("list", help="say which there are and whether they are in place")
    listing.add_argument("--to", type=Path, help="folder where they may lie")
    listing.set_defaults(run=run_list)


def run_fetch(options: argparse.Namespace) -> int:
    """Clone what is not in place."""
    wanted = pins()
    unknown = set(options.repo or ()) - {pin.name for pin in wanted}
    if unknown:
        raise EvalError(f"not pinned: {', '.join(sorted(unknown))}")
    for pin in wanted:
        if options.repo and pin.name not in options.repo:
            continue
        print(f"{pin.name}: {fetch(pin, options.to, options.source)}", flush=True)
    return 0


def run_list(options: argparse.Namespace) -> int:
    """One line for each repository."""
    for pin in pins():
        state = f"  {state_of(pin, options.to)}" if options.to else ""
        print(f"{pin.name:10} {pin.language:8} {pin.commit[:12]} {pin.address}{state}")
    return 0


def fetch(pin: Pin, to: Path, source: Path | None = None) -> str:
    """Put a repository in place at its commit, with its history; says what was done."""
    target = to / pin.name
    if state_of(pin, to) == "in place":
        return "in place"
    if target.exists():
        raise EvalError(f"{target} is there, but not at {pin.commit[:12]}; move it away first")
    to.mkdir(parents=True, exist_ok=True)
    origin = str((source / pin.name).resolve()) if source else pin.address
    # A clone of a clone shares nothing with it, so that either can be removed.
    _git("clone", "--quiet", "--no-checkout", "--no-hardlinks", origin, str(target))
    _git("-C", str(target), "checkout", "--quiet", "--detach", pin.commit)
    return f"cloned from {origin}"


def state_of(pin: Pin, folder: Path) -> str:
    """Whether a repository lies in a folder at its commit."""
    target = folder / pin.name
    if not target.is_dir():
        return "absent"
    head = finished(["git", "-C", str(target), "rev-parse", "HEAD"], seconds=60)
    if head.returncode:
        return "no repository"
    return "in place" if head.stdout.strip() == pin.commit else f"at {head.stdout.strip()[:12]}"


def _git(*arguments: str) -> None:
    done = finished(["git", *arguments], seconds=CLONE_SECONDS)
    if done.returncode:
        raise EvalError(f"git {arguments[0]} failed: {done.stderr.strip()[-500:]}")

"""The systems that can be asked by name besides this project's own."""

from pathlib import Path

from eval.baselines import BASELINES
from eval.failure import EvalError
from eval.peers.aider import Aider
from eval.peers.codegraph import PEERS
from eval.peers.predecessor import Predecessor
from eval.rankers import System

SYSTEMS: dict[str, System] = {system.name: system for system in (*BASELINES, *PEERS, Aider())}
PREDECESSOR = "predecessor:"
"""Before the path of its binary."""


def system_of(name: str) -> System:
    """The system of that name."""
    if name.startswith(PREDECESSOR):
        return Predecessor(Path(name.removeprefix(PREDECESSOR)))
    if name not in SYSTEMS:
        known = ", ".join(["knowing", *SYSTEMS])
        raise EvalError(f"no system is called {name}; known are {known}")
    return SYSTEMS[name]

"""A small workspace that there is something to learn about, and engines over it."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knowing.engine import Engine
from knowing.settings import Layer, resolve

TASK = "where is the customer billed for an order"
OTHER = "how are parcels weighed before shipping"
FILES = {
    "billing/invoice.py": '''"""Invoices."""


def bill_customer(order):
    """Bills a customer for an order."""
    return total(order)


def total(order):
    """What an order costs."""
    return sum(order)
''',
    "billing/ledger.py": '''"""The ledger of customers."""


class Ledger:
    """Keeps what each customer was billed."""

    def post(self, customer, order):
        """Posts the order of a customer."""
        return customer, order
''',
    "shipping/parcel.py": '''"""Parcels."""


class Parcel:
    """Is weighed and shipped."""

    def weigh(self):
        """Weighs the parcel before shipping."""
        return 1


def ship(parcel):
    """Ships a parcel."""
    return parcel.weigh()
''',
}


def shop(root: Path) -> Path:
    """Writes the workspace."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@contextmanager
def opened(root: Path, index_dir: Path, *, enabled: bool = True) -> Iterator[Engine]:
    """An engine with an index and a clock that goes on by a minute at each look."""
    settings, problems = resolve(Layer(name="test", values={"learn": {"enabled": enabled}}))
    assert not problems
    with Engine.open(root, settings, index_dir) as engine:
        engine.index(history=False)
        ticks = itertools.count(1_700_000_000.0, 60.0)
        engine.clock = lambda: float(next(ticks))
        yield engine


def names(engine: Engine, task: str = TASK) -> list[str]:
    """The answer to a task, as names, without noting that it was given."""
    ranking = engine.rank(task)
    return [ranking.view.symbols.chain[hit.symbol] for hit in ranking.hits]


def parts(engine: Engine, symbol: str, task: str = TASK) -> dict[str, float]:
    """The parts of a symbol's score."""
    return {part.name: part.value for part in engine.why(task, symbol).parts}

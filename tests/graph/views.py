"""Comparison of two views, told in symbols and edges."""

from dataclasses import fields

import numpy as np

from knowing.graph import View
from knowing.graph.view import StringColumn


def facts_of(view: View) -> tuple[list[str], list[str]]:
    """All symbols and all edges as text, in the order of the view."""
    symbols = [f"{view.identity(i)} {view.symbol(i)}" for i in range(len(view.symbols))]
    edges = [str(view.edge(row)) for row in range(len(view.edges))]
    return symbols, edges


def assert_same(found: View, wanted: View) -> None:
    """Every column equal; a difference is shown as what is missing and what is too much."""
    differing = [name for name, same in _compared(found, wanted) if not same]
    if not differing:
        return
    for have, want in zip(facts_of(found), facts_of(wanted), strict=True):
        missing = [item for item in want if item not in set(have)][:5]
        surplus = [item for item in have if item not in set(want)][:5]
        assert have == want, f"missing: {missing}\nsurplus: {surplus}"
    raise AssertionError(f"columns differ: {differing}")


def _compared(found: View, wanted: View) -> list[tuple[str, bool]]:
    result: list[tuple[str, bool]] = [
        ("paths", list(found.paths) == list(wanted.paths)),
        ("languages", list(found.languages) == list(wanted.languages)),
    ]
    for part in ("symbols", "edges"):
        left, right = getattr(found, part), getattr(wanted, part)
        for item in fields(left):
            one, other = getattr(left, item.name), getattr(right, item.name)
            if isinstance(one, StringColumn):
                same = list(one) == list(other)
            else:
                same = np.array_equal(one, other)
            result.append((f"{part}.{item.name}", same))
    return result

"""Cases: questions with a verdict each, for a repository's own tests.

A JSON list of `{id, type, query, expectedSymbols, topK}`, or a file of tasks. A *needle* wants one
of the expected symbols among the first `topK` (10) results, *ranking* wants the first one to come
first of all, *expansion* wants four of five of them. A task without a type is a needle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from eval.failure import EvalError
from eval.matchers import strict
from eval.metrics import DEPTH, Row, strict_hits
from eval.tasks import read_rows

ENOUGH = 0.8
"""Share of the expected symbols that an expansion must bring."""


class CaseType(StrEnum):
    """What a case asks for."""

    NEEDLE = "needle"
    RANKING = "ranking"
    EXPANSION = "expansion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question and what must come."""

    id: str
    type: CaseType
    query: str
    expected: tuple[str, ...]
    depth: int = DEPTH


def read_cases(file: Path) -> list[Case]:
    """The cases of a file."""
    return [_case(row, file) for row in read_rows(file)]


def _case(row: dict[str, Any], file: Path) -> Case:
    query = row.get("query", row.get("description"))
    expected = row.get("expectedSymbols", row.get("ground_truth"))
    name = str(row.get("id", query))
    if not isinstance(query, str) or not isinstance(expected, list) or not expected:
        raise EvalError(f"{file}: case {name} needs a query and a list of expected symbols")
    try:
        kind = CaseType(row.get("type", CaseType.NEEDLE))
    except ValueError as error:
        known = ", ".join(CaseType)
        raise EvalError(f"{file}: case {name}: the type is one of {known}") from error
    names = tuple(str(each) for each in expected)
    depth = int(row.get("topK", DEPTH))
    return Case(id=name, type=kind, query=query, expected=names, depth=depth)


def flaw(case: Case, rows: Sequence[Row]) -> str:
    """What is wrong with an answer; empty if nothing is."""
    names = [row.name for row in rows[: case.depth]]
    found, _ = strict_hits(case.expected, names)
    came = f"what came: {', '.join(names) or 'nothing'}"
    if case.type is CaseType.RANKING:
        is_first = bool(names) and strict(names[0], case.expected[0])
        return "" if is_first else f"{case.expected[0]} is not the first result; {came}"
    wanted = ENOUGH * len(case.expected) if case.type is CaseType.EXPANSION else 1
    if len(found) >= wanted - 1e-9:
        return ""
    missing = [name for i, name in enumerate(case.expected) if i not in found]
    return f"not among the first {case.depth}: {', '.join(missing)}; {came}"

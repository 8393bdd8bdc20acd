"""How risky a change is: a number between 0 and 1 made of named parts that add up to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from knowing.model import TYPE_KINDS, SymbolFlag, SymbolKind

_HIGH, _MEDIUM = 0.7, 0.4
_MANY_USERS = 20
_MANY_PACKAGES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One reason for a risk and what it adds."""

    name: str
    value: float
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A level for people, the number behind it, and what the number is made of."""

    level: str
    score: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a risk is judged by."""

    kind: SymbolKind
    flags: SymbolFlag
    users: int
    """Distinct symbols of the code that use it directly; tests and prose do not count."""
    packages: int
    overridden: bool
    """Others implement, extend or override it."""
    complete: bool
    churn: float | None = None
    """How often it changes compared with the rest, 0 to 1; None if that is not known."""
    commits: int = 0
    """That changed it, as far as history was read."""


def judge(evidence: Evidence) -> Risk:
    """The risk of changing a symbol.

    What is not known is a risk as well: without known users, and without knowing that there are
    none, a change is never called a low risk.
    """
    parts = _parts(evidence)
    if not evidence.complete:
        known = sum(part.value for part in parts)
        unknown = max(0.05, _MEDIUM - known) if not evidence.users else 0.05
        detail = "there may be users that are not known"
        parts.append(Part(name="unknown", value=round(unknown, 3), detail=detail))
    score = round(min(1.0, sum(part.value for part in parts)), 3)
    level = "high" if score >= _HIGH else "medium" if score >= _MEDIUM else "low"
    return Risk(level=level, score=score, parts=tuple(parts))


def _parts(evidence: Evidence) -> list[Part]:
    visible, detail = _visibility(evidence.flags)
    users = min(1.0, math.log10(evidence.users + 1) / math.log10(_MANY_USERS + 1))
    packages = min(1.0, math.log10(evidence.packages + 1) / math.log10(_MANY_PACKAGES + 1))
    kind, kind_detail = _kind(evidence)
    churn = evidence.churn or 0.0
    weighted: Sequence[tuple[str, float, float, str]] = (
        ("visibility", 0.2, visible, detail),
        ("users", 0.35, users, f"direct users: {evidence.users}"),
        ("packages", 0.2, packages, f"packages with users: {evidence.packages}"),
        ("kind", 0.1, kind, kind_detail),
        ("churn", 0.1, churn, f"commits that changed it: {evidence.commits}"),
    )
    return [
        Part(name=name, value=round(weight * level, 3), detail=said)
        for name, weight, level, said in weighted
        if name != "churn" or evidence.churn is not None
    ]


def _visibility(flags: SymbolFlag) -> tuple[float, str]:
    if flags & SymbolFlag.PRIVATE:
        return 0.2, "private"
    if flags & SymbolFlag.PROTECTED:
        return 0.5, "protected"
    if flags & (SymbolFlag.TEST | SymbolFlag.EXAMPLE):
        return 0.2, "in tests or examples"
    return 0.9, "public"


def _kind(evidence: Evidence) -> tuple[float, str]:
    if evidence.overridden:
        return 0.9, "others implement, extend or override it"
    if evidence.kind in TYPE_KINDS:
        return 0.7, "a type"
    if evidence.kind in (SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT):
        return 0.4, f"a {evidence.kind.label}"
    return 0.6, f"a {evidence.kind.label}"

"""What is known of each symbol before any task: how central, how large, of what kind."""

import re
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from knowing.graph.view import View
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, SymbolFlag, SymbolKind
from knowing.retrieve.bags import Floats, texts_of
from knowing.retrieve.text_index import TextIndex
from knowing.retrieve.uses import Uses, aside

_DATA = (
    SymbolKind.FIELD,
    SymbolKind.VARIABLE,
    SymbolKind.CONSTANT,
    SymbolKind.PROPERTY,
    SymbolKind.ENUM_MEMBER,
)
_CONTAINERS = (*TYPE_KINDS, SymbolKind.NAMESPACE)
_FOUNDATION = re.compile(rb"(Base|Abstract)[A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Priors:
    """One value for each symbol; counts are logarithms."""

    in_degree: Floats
    lines: Floats
    doc: Floats
    subtypes: Floats
    overridden: Floats
    data: npt.NDArray[np.bool_]
    container: npt.NDArray[np.bool_]
    abstract: npt.NDArray[np.bool_]
    space: npt.NDArray[np.bool_]
    """What serves as a namespace."""
    nested: npt.NDArray[np.bool_]
    """What is defined inside a function."""
    hollow: npt.NDArray[np.bool_]
    """Namespaces that hold types and other namespaces, but nothing to call."""

    @classmethod
    def of(cls, view: View, uses: Uses, text: TextIndex) -> Self:
        table, count = view.symbols, len(view.symbols)
        users = uses.user_column()
        plain = ~aside(view)[users]
        degree = np.bincount(uses.used[plain], weights=uses.weight[plain], minlength=count)
        kinds = view.edges.kind
        extends = np.isin(kinds, (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS))
        subtypes = np.bincount(view.edges.target[extends], minlength=count)
        overrides = kinds == EdgeKind.OVERRIDES
        overridden = np.bincount(view.edges.target[overrides], minlength=count)
        foundation = np.array(
            [bool(_FOUNDATION.match(name)) for name in texts_of(table.name)], dtype=bool
        )
        container = np.isin(table.kind, _CONTAINERS)
        callable_ = np.isin(table.kind, tuple(CALLABLE_KINDS))
        calls = callable_ & (table.owner >= 0)
        acting = np.zeros(count, dtype=bool)
        acting[table.owner[calls]] = True
        spaces = np.zeros(count, dtype=bool)
        spaces[table.owner[container & (table.owner >= 0)]] = True
        # A trait that holds types serves as a namespace first of all.
        interface = (table.kind == SymbolKind.INTERFACE) | (
            (table.kind == SymbolKind.TRAIT) & ~spaces
        )
        declared = (table.flags & int(SymbolFlag.ABSTRACT)) != 0
        return cls(
            in_degree=_log(degree),
            lines=_log(table.end_line - table.line),
            doc=_log(text.doc_terms),
            subtypes=_log(subtypes),
            overridden=_log(overridden),
            data=np.isin(table.kind, _DATA),
            container=container,
            nested=(table.owner >= 0) & callable_[np.maximum(table.owner, 0)],
            hollow=(table.kind == SymbolKind.NAMESPACE) & ~acting,
            space=(table.kind == SymbolKind.NAMESPACE)
            | ((table.kind == SymbolKind.TRAIT) & spaces),
            abstract=interface | foundation | (container & declared),
        )


def _log(values: npt.NDArray[np.generic]) -> Floats:
    found: Floats = np.log1p(np.maximum(values, 0)).astype(np.float32)
    return found

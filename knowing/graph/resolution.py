"""The outcome of resolving: what each reference and each import means."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from knowing.graph.keys import Ids, Ints, Mask, expand


@dataclass(frozen=True, slots=True, kw_only=True)
class Bases:
    """Types beside their direct bases, in the order of the references that say so."""

    ref: Ints
    child: Ids
    base: Ids

    def joined_with(self, others: Self, kept: Mask) -> Self:
        """These and the `kept` ones of others, in the order of references."""
        ref = np.concatenate((others.ref[kept], self.ref))
        order = np.argsort(ref, kind="stable")
        return type(self)(
            ref=ref[order],
            child=np.concatenate((others.child[kept], self.child))[order],
            base=np.concatenate((others.base[kept], self.base))[order],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The outcome: columns parallel to the references and the imports of the corpus."""

    target: Ids
    """Symbol, or package container, or `EXTERNAL`, or -1."""
    inferred: Mask
    """The receiver's type was inferred rather than written down."""
    known_receiver: Mask
    """The receiver is known, so a missing target is not for guessing."""
    import_target: Ids
    symbol_container: Ids
    """Where members of a symbol's value are looked up, for symbols whose type is known."""
    symbol_value: Ids
    """The type or function that a variable or field holds: `response_class = Response`."""
    bases: Bases


def rows_of(base: Ints, files: Mask) -> Ints:
    """The rows of a table that belong to the chosen files."""
    chosen = np.flatnonzero(files)
    return expand(base[chosen], base[chosen + 1] - base[chosen])[1]

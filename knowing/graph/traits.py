"""What can be said of each symbol by itself: columns that everything about members starts from."""

from collections.abc import Iterable

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Mask
from knowing.graph.places import Places
from knowing.languages import Language
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolKind
from knowing.parse.facts import SymbolColumn

_KINDS = 256


def kind_set(kinds: Iterable[int]) -> Mask:
    """Kinds as a mask over all of them: `kind_set(...)[column]` is quicker than a search."""
    mask = np.zeros(_KINDS, dtype=bool)
    mask[[int(kind) for kind in kinds]] = True
    return mask


_TYPES = kind_set(TYPE_KINDS)
_CALLABLES = kind_set(CALLABLE_KINDS)
_OUTER = kind_set((SymbolKind.MODULE, SymbolKind.NAMESPACE))


class Traits:
    """Columns parallel to the symbols of a corpus."""

    def __init__(self, corpus: Corpus, places: Places) -> None:
        self.corpus = corpus
        self.places = places
        self.languages: list[Language] = places.languages
        symbols = corpus.symbols
        self.count = len(symbols)
        self.package_count = len(places.package_names)
        self.kind: Ids = symbols[:, SymbolColumn.KIND]
        self.name: Ids = symbols[:, SymbolColumn.NAME]
        self.flags: Ids = symbols[:, SymbolColumn.FLAGS]
        self.is_type: Mask = _TYPES[self.kind]
        self.is_callable: Mask = _CALLABLES[self.kind]
        self.is_outer: Mask = _OUTER[self.kind]
        self.package: Ids = places.package_numbers[corpus.symbol_file]
        self.family_of_file: Ids = places.family_of_file

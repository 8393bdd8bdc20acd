"""What an edit of one file changes for others: its interface, its imports, its types."""

import numpy as np

from knowing.graph.corpus import Corpus
from knowing.graph.keys import Ids, Ints, Mask
from knowing.graph.members import Members
from knowing.model import SymbolKind
from knowing.parse.facts import SymbolColumn


def concerned(members: Members, file: int) -> Ids:
    """The types of a file and all below them, as far as they have ancestors."""
    low, high = (int(members.corpus.symbol_base[file + at]) for at in (0, 1))
    own = np.zeros(members.count, dtype=bool)
    own[members.one[np.arange(low, high)]] = True
    own &= members.is_type | (members.kind == SymbolKind.NAMESPACE)
    family = members.hierarchy
    return np.unique(family.types[own[family.types] | own[family.ancestors]])


def interface(corpus: Corpus, file: int) -> set[tuple[int, ...]]:
    """What other files can see of a file's symbols."""
    symbols = corpus.symbols[corpus.symbol_base[file] : corpus.symbol_base[file + 1]]
    columns = (
        SymbolColumn.NAME,
        SymbolColumn.CHAIN,
        SymbolColumn.KIND,
        SymbolColumn.FLAGS,
        SymbolColumn.OWNER,
        SymbolColumn.OVERLOAD,
    )
    return {tuple(row) for row in symbols[:, columns].tolist()}


def imports(corpus: Corpus, file: int) -> set[tuple[int, ...]]:
    """The imports of a file with the name each gives to importers."""
    rows = corpus.imports[corpus.import_base[file] : corpus.import_base[file + 1]].tolist()
    return {
        (module, name, alias, flags, alias or name) for module, name, alias, _, _, flags in rows
    }


class Room:
    """Columns of the old corpus with the file's block blank and as long as the new one."""

    def __init__(self, old: Ints, new: Ints, file: int) -> None:
        self._low, self._high = int(old[file]), int(old[file + 1])
        self._size = int(new[file + 1] - new[file])

    def numbers(self, column: Ids) -> Ids:
        own = np.full(self._size, -1, dtype=np.int32)
        return np.concatenate((column[: self._low], own, column[self._high :]))

    def flags(self, column: Mask) -> Mask:
        own = np.zeros(self._size, dtype=bool)
        return np.concatenate((column[: self._low], own, column[self._high :]))

"""Who owns whom: the symbol that each symbol belongs to."""

from dataclasses import dataclass

import numpy as np

from knowing.graph.keys import Ids, Ints, KeyTable, Mask, pair
from knowing.graph.traits import Traits, kind_set
from knowing.model import SymbolKind
from knowing.parse.facts import SymbolColumn
from knowing.parse.rows import EXTENSION

_VALUE_KINDS = (SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT)
_VALUES = kind_set(_VALUE_KINDS)
_MADE = kind_set((SymbolKind.FUNCTION, *_VALUE_KINDS))
_MEMBERS = kind_set((SymbolKind.METHOD, SymbolKind.PROPERTY, SymbolKind.FIELD))


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    """Columns parallel to the symbols of a corpus, or of a part of it."""

    owner: Ids
    """The symbol that each belongs to; extensions and named owners looked through."""
    stands_for: Ids
    """The type that an extension extends; every other symbol stands for itself."""
    is_holder: Mask
    """Variables whose value has members of its own: `const api = { get() {} }`."""
    top_level: Mask
    """Symbols that no type or function encloses: they are visible by bare name."""
    owner_name: Ids
    """The name of an owner that the text gives without enclosing its member, else -1."""


def find_owners(traits: Traits, low: int, high: int) -> Owners:
    """The owners of the symbols from `low` to `high`, which are those of whole files."""
    symbols, kind = traits.corpus.symbols[low:high], traits.kind[low:high]
    parent = symbols[:, SymbolColumn.PARENT]
    within = np.maximum(parent - low, 0)
    holder: Mask = np.zeros(high - low, dtype=bool)
    holder[within[_MEMBERS[kind] & (parent >= 0)]] = True
    holder &= _VALUES[kind]
    wanted = _owner_names(traits, symbols[:, SymbolColumn.OWNER])
    named = np.flatnonzero(symbols[:, SymbolColumn.OWNER] >= 0)
    types = find_types(traits, named + low, wanted[named])
    found = types >= 0
    extends = kind[named] == EXTENSION
    stands_for = np.arange(low, high, dtype=np.int32)
    stands_for[named[found & extends]] = types[found & extends]
    owner: Ids = np.where(parent >= 0, stands_for[within], parent)
    extension = kind == EXTENSION
    owner[extension] = parent[extension]
    outside = found & ~extends
    owner[named[outside]] = types[outside]
    # An owner that is no type is a value of the same file.
    valued = types[found]
    holder[valued[~traits.is_type[valued]] - low] = True
    return Owners(
        owner=owner,
        stands_for=stands_for,
        is_holder=holder,
        top_level=_top_level(traits, low, high),
        owner_name=wanted,
    )


def _owner_names(traits: Traits, texts: Ids) -> Ids:
    """The number of the last part of each text, -1 where there is none."""
    wanted: Ids = np.full(len(texts), -1, dtype=np.int32)
    named = np.flatnonzero(texts >= 0)
    names = traits.corpus.names
    distinct, back = np.unique(texts[named], return_inverse=True)
    # A name that no symbol has yet is numbered too, as one may get it with the next edit.
    last = [names[_last_part(names.texts[number])] for number in distinct.tolist()]
    wanted[named] = np.array(last, dtype=np.int32)[back]
    return wanted


def find_types(traits: Traits, named: Ints, wanted: Ids) -> Ids:
    """The type that each named owner means: in the file, the package, the whole family."""
    result = np.full(len(named), -1, dtype=np.int32)
    if not len(named):
        return result
    files = traits.corpus.symbol_file
    asked = np.zeros(len(traits.corpus.names), dtype=bool)
    asked[wanted] = True
    likely = asked[traits.name]
    types = np.flatnonzero(likely & traits.is_type)
    parent = traits.corpus.symbols[:, SymbolColumn.PARENT]
    # `Shelf.prototype.fill = ...`: a function or an object of the same file.
    others = np.flatnonzero(likely & _MADE[traits.kind])
    others = others[parent[others] == traits.corpus.symbol_base[files[others]]]
    family = traits.family_of_file
    scopes: list[tuple[Ints, Ids, Ids, bool]] = [
        (types, files[types], files[named], False),
        (others, files[others], files[named], False),
        (types, traits.package[types], traits.package[named], False),
        (types, family[files[types]], family[files[named]], True),
    ]
    for rows, of_rows, of_named, alone in scopes:
        make = KeyTable.unique_only if alone else KeyTable.first_wins
        usable = of_rows >= 0
        keys = pair(of_rows[usable], traits.name[rows[usable]])
        table = make(keys, rows[usable].astype(np.int32))
        open_ = (result < 0) & (of_named >= 0)
        result[open_] = table.find(pair(of_named[open_], wanted[open_]))
    return result


def _top_level(traits: Traits, low: int, high: int) -> Mask:
    symbols, kind = traits.corpus.symbols[low:high], traits.kind[low:high]
    parent = symbols[:, SymbolColumn.PARENT]
    safe = np.maximum(parent, 0)
    named = symbols[:, SymbolColumn.OWNER] >= 0
    outer: Mask = traits.is_outer[safe]
    listed = traits.places.marked_files(lambda language: language.open_enums)
    if listed.any():
        member = (kind == SymbolKind.ENUM_MEMBER) & listed[traits.corpus.symbol_file[low:high]]
        above = traits.corpus.symbols[safe, SymbolColumn.PARENT]
        outer = outer | (member & traits.is_outer[np.maximum(above, 0)])
    top: Mask = (parent >= 0) & outer & ~named & (kind != EXTENSION)
    return top


def _last_part(text: str) -> str:
    bare = text.partition("<")[0].partition("[")[0].strip("*& ")
    for separator in ("::", ".", "\\"):
        bare = bare.rsplit(separator, 1)[-1]
    return bare

"""Namespaces that are written in parts: what they offer by bare name, and to which types."""

import numpy as np

from knowing.graph.keys import Ids, Ints, pair
from knowing.graph.members import Members
from knowing.graph.refs import Chosen
from knowing.graph.resolution import Bases

_DEEPEST = 8
"""Levels of namespaces that are looked through."""


def enclosing_names(members: Members, refs: Chosen, open_refs: Ints, found: Ids) -> Ids:
    """What a namespace or type around a name offers, also from another file, nearest first.

    Only where namespaces are written in parts: elsewhere the file shows all that is around.
    """
    parted = members.places.marked_files(lambda language: language.reopened_types)
    rows = np.flatnonzero((found < 0) & parted[refs.file[open_refs]])
    around = members.stands_for[refs.scope[open_refs[rows]]]
    names = refs.name[open_refs[rows]]
    for _ in range(_DEEPEST):
        hit = members.direct.find(pair(members.one[around], names))
        safe = np.maximum(hit, 0)
        named = (hit >= 0) & (members.is_type[safe] | members.is_outer[safe])
        found[rows[named]] = hit[named]
        around = members.owner[around]
        inside = ~named & (around >= 0)
        rows, names, around = rows[inside], names[inside], around[inside]
    return found


def with_class_parts(members: Members, bases: Bases) -> Bases:
    """Who mixes a namespace in also gets the part of it that is meant for the type itself."""
    names = members.corpus.names
    refs, child, base = bases.ref, bases.child, bases.base
    for part in sorted({lang.class_part for lang in members.places.spoken if lang.class_part}):
        if part not in names:
            continue
        wanted = np.full(len(base), names[part], dtype=np.int32)
        found = members.direct.find(pair(members.one[base], wanted))
        extra = np.flatnonzero(found >= 0)
        refs = np.concatenate((refs, refs[extra]))
        child = np.concatenate((child, child[extra]))
        base = np.concatenate((base, found[extra]))
    order = np.argsort(refs, kind="stable")
    return Bases(ref=refs[order], child=child[order], base=base[order])

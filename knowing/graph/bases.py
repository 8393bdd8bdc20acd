"""Each type beside each of its direct bases, as the references that say so are explained."""

import numpy as np

from knowing.graph.keys import Ids
from knowing.graph.members import Members
from knowing.graph.namespaces import with_class_parts
from knowing.graph.refs import Chosen
from knowing.graph.resolution import Bases
from knowing.model import SymbolKind
from knowing.parse.facts import Role


def direct_bases(members: Members, refs: Chosen, target: Ids) -> Bases:
    """The bases that `refs` name, given what each of them means."""
    rows = np.flatnonzero((refs.role & (Role.BASE | Role.IMPLEMENTS)) != 0)
    base = target[rows]
    inside = (base >= 0) & (base < members.count)
    rows, base = rows[inside], base[inside]
    usable = members.is_type | (members.kind == SymbolKind.NAMESPACE)
    child = members.stands_for[refs.scope[rows]]
    good = usable[base] & usable[child]
    found = Bases(ref=refs.refs[rows[good]], child=child[good], base=base[good])
    return with_class_parts(members, found)

"""Everything that ranking looks up, made once for each generation and mapped when read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowing.graph.corpus import FileEntry
from knowing.graph.keys import Ids
from knowing.graph.view import View
from knowing.model import Origin, SymbolKind
from knowing.retrieve.bags import Bag
from knowing.retrieve.bridges import Bridges, Documents, bridges, restricted
from knowing.retrieve.fields import Field
from knowing.retrieve.network import Network
from knowing.retrieve.priors import Priors
from knowing.retrieve.text_index import TextIndex, index_text
from knowing.retrieve.tuning import DEFAULT, FieldWeights, Tuning
from knowing.retrieve.uses import Uses

FORMAT = 2
"""Goes up whenever what is stored is made in another way."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sections:
    """All sections of prose, to be searched; not only those that mention code."""

    documents: Documents
    symbols: Ids
    """The symbol that each section is."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """The look-up structures of one view; its history is apart, because it comes later."""

    text: TextIndex
    uses: Uses
    network: Network
    families: Network
    bridges: Bridges
    sections: Sections
    priors: Priors


def prepare(files: Sequence[FileEntry], view: View, tuning: Tuning = DEFAULT) -> Prepared:
    """A pure function of the files' facts, the view made of them and the tuning."""
    view = _attenuated(view, tuning.edges.told)
    uses = Uses.of(view)
    text, fields = index_text(files, view, uses, tuning.fields)
    return Prepared(
        text=text,
        uses=uses,
        network=Network.of_edges(view, tuning.edges),
        families=Network.of_families(view),
        bridges=bridges(view, uses, fields.bags, len(text.codes), tuning.fields),
        sections=_sections(view, fields.bags, len(text.codes), tuning.fields),
        priors=Priors.of(view, uses, text),
    )


def _attenuated(view: View, factor: float) -> View:
    """Edges that a language server told count less, or files that were asked about crowd others."""
    edges = view.edges
    told = np.isin(edges.origin, (Origin.LSP_RESOLVED, Origin.SCIP_RESOLVED))
    if not told.any():
        return view
    confidence = np.where(told, edges.confidence * np.float32(factor), edges.confidence)
    return replace(view, edges=replace(edges, confidence=confidence.astype(np.float32)))


def _sections(view: View, bags: Mapping[Field, Bag], terms: int, tuning: FieldWeights) -> Sections:
    symbols = np.flatnonzero(view.symbols.kind == SymbolKind.DOC_SECTION).astype(np.int32)
    weights = {Field.NAME: tuning.sought_title, Field.OWNER: 1.0, Field.BODY: 1.0, Field.PATH: 1.0}
    bag = restricted(bags, weights, symbols, len(view.symbols))
    return Sections(documents=Documents.of(bag, len(symbols), terms, tuning), symbols=symbols)

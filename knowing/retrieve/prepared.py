"""Everything that ranking looks up, made once for each generation and mapped when read."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowing.graph.corpus import FileEntry
from knowing.graph.view import View
from knowing.retrieve.bridges import Bridges, bridges
from knowing.retrieve.network import Network
from knowing.retrieve.priors import Priors
from knowing.retrieve.text_index import TextIndex, index_text
from knowing.retrieve.tuning import DEFAULT, Tuning
from knowing.retrieve.uses import Uses

FORMAT = 1
"""Goes up whenever what is stored is made in another way."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """The look-up structures of one view; its history is apart, because it comes later."""

    text: TextIndex
    uses: Uses
    network: Network
    families: Network
    bridges: Bridges
    priors: Priors


def prepare(files: Sequence[FileEntry], view: View, tuning: Tuning = DEFAULT) -> Prepared:
    """A pure function of the files' facts, the view made of them and the tuning."""
    uses = Uses.of(view)
    text, fields = index_text(files, view, uses, tuning.fields)
    return Prepared(
        text=text,
        uses=uses,
        network=Network.of_edges(view, tuning.edges),
        families=Network.of_families(view),
        bridges=bridges(view, uses, fields.bags, len(text.codes), tuning.fields),
        priors=Priors.of(view, uses, text),
    )

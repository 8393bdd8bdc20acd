"""The history of a workspace as a bridge: what commits say about what they touched."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knowing.graph.keys import Ids
from knowing.graph.view import View
from knowing.history import Commit, SymbolTable, link
from knowing.history.link import Incidence
from knowing.parse.words import words_in
from knowing.retrieve.bags import Bag, Floats, Runs, texts_of
from knowing.retrieve.bridges import Documents, Linked
from knowing.retrieve.terms import parts
from knowing.retrieve.text_index import TextIndex
from knowing.retrieve.tuning import FieldWeights

_NOISE = re.compile(
    rb"(?im)^(signed-off-by|co-authored-by|reviewed-by|reviewers?|author|refs?|closes|fixes):?.*$"
    rb"|https?://\S+|\b[0-9a-f]{12,40}\b"
)
_BODY_BYTES = 1500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Past:
    """Commits that fit a task vote for the symbols and files they touched."""

    commits: Documents
    symbols: Linked
    files: Linked
    churn: Floats
    """Commits that touched each symbol."""
    log_churn: Floats
    file_churn: Floats
    last_touched: npt.NDArray[np.int64]
    """Unix seconds of the newest commit that touched each symbol, 0 for none."""


def index_past(
    commits: Sequence[Commit], view: View, text: TextIndex, tuning: FieldWeights
) -> Past:
    """The past of the symbols of one view."""
    linked = link(commits, symbol_table(view))
    count, symbols = len(commits), len(view.symbols)
    churn = linked.symbol_activity.churn
    beyond = symbols - len(churn)
    return Past(
        commits=Documents.of(_messages(commits, text), count, len(text.codes), tuning),
        symbols=_linked(linked.symbols, symbols),
        files=_linked(linked.files, len(view.paths)),
        churn=np.pad(churn, (0, beyond)).astype(np.float32),
        log_churn=np.log1p(np.pad(churn, (0, beyond))).astype(np.float32),
        file_churn=linked.file_activity.churn.astype(np.float32),
        last_touched=np.pad(linked.symbol_activity.last_touched, (0, beyond)),
    )


def _linked(incidence: Incidence, targets: int) -> Linked:
    count = len(incidence.indptr) - 1
    documents = np.repeat(np.arange(count), np.diff(incidence.indptr))
    return Linked.of(documents, incidence.indices, incidence.weights, (count, targets))


def symbol_table(view: View) -> SymbolTable:
    """The symbols of a view as the history looks them up."""
    inside = int((view.symbols.file >= 0).sum())
    names = [name.decode("utf-8", "replace") for name in texts_of(view.symbols.name)]
    chains = [chain.decode("utf-8", "replace") for chain in texts_of(view.symbols.chain)]
    return SymbolTable(
        paths=[path.decode("utf-8", "replace") for path in texts_of(view.paths)],
        names=names[:inside],
        owners=[
            chain[: max(0, len(chain) - len(name) - 1)]
            for chain, name in zip(chains[:inside], names[:inside], strict=True)
        ],
        path_ids=view.symbols.file[:inside],
        lines=view.symbols.line[:inside],
    )


def _messages(commits: Sequence[Commit], text: TextIndex) -> Bag:
    """Terms of each message; the subject counts twice."""
    numbered: dict[bytes, int] = {}
    rows: list[int] = []
    keys: list[int] = []
    for row, commit in enumerate(commits):
        body = commit.body.encode("utf-8", "replace")[:_BODY_BYTES]
        subject = commit.subject.encode("utf-8", "replace")
        words = words_in(_NOISE.sub(b"", subject)) * 2 + words_in(_NOISE.sub(b"", body))
        rows += [row] * len(words)
        keys += [numbered.setdefault(word, len(numbered)) for word in words]
    known = Runs.of(_known_terms(word.decode("utf-8", "replace"), text) for word in numbered)
    key_column: Ids = np.array(keys, dtype=np.int32)
    return Bag.spread(np.array(rows, dtype=np.int32), key_column, known)


def _known_terms(word: str, text: TextIndex) -> list[int]:
    return [number for number in map(text.term, parts(word)) if number >= 0]

"""One name for each symbol outside the workspace: the one under which its users import it.

A server says where a symbol is defined, `httpx._client.Client`; those who use it write
`httpx.Client`. What is imported most often is what it is called, and its members after it.
"""

from collections import Counter, defaultdict

from knowing.enrich.answers import External
from knowing.enrich.links import Links
from knowing.graph import Graph
from knowing.graph.keys import Ints
from knowing.graph.places import EXTERNAL
from knowing.parse.facts import How, Mode

# Plain integers: arithmetic on enum members costs several times as much.
_IMPORT, _MEMBER, _SAME = int(How.IMPORT), int(How.MEMBER), int(Mode.SAME)


def written_names(graph: Graph, rows: Ints) -> dict[int, str]:
    """For references to what is imported from outside, the dotted name that the text gives them.

    `rows` must rise, and hold the receivers of what they hold.
    """
    corpus, target = graph.corpus, graph.resolution.target
    outside = rows[target[rows] == EXTERNAL]
    names: dict[int, str] = {}
    texts = corpus.names.texts
    imported: dict[int, str] = {}
    for ref, row in zip(outside.tolist(), corpus.refs[outside].tolist(), strict=True):
        word, code, recv, *_ = row
        how = code & 15
        if how == _IMPORT:
            if recv not in imported:
                imported[recv] = _imported(graph, recv)
            name = imported[recv]
        elif how == _MEMBER and recv % 3 == _SAME and recv // 3 in names:
            name = f"{names[recv // 3]}.{texts[word]}"
        else:
            continue
        if name:
            names[ref] = name
    return names


def _imported(graph: Graph, row: int) -> str:
    """What an import takes from outside."""
    corpus = graph.corpus
    if graph.resolution.import_target[row] != EXTERNAL:
        return ""
    texts = corpus.names.texts
    module, name, alias, *_ = corpus.imports[row].tolist()
    language = graph.members.languages[int(corpus.import_file[row])]
    text = texts[module] if module >= 0 else ""
    if name == 0 and alias == 0 and language.imports == "dotted":
        text = text.split(".")[0]
    return ".".join(part for part in (text, texts[name] if name > 0 else "") if part)


def called(links: Links, written: dict[int, str]) -> list[str]:
    """For each outside symbol of the links, what it is called."""
    votes: dict[External, Counter[str]] = defaultdict(Counter)
    for ref, target in zip(links.ref.tolist(), links.target.tolist(), strict=True):
        if target < 0 and ref in written:
            external = links.outside[-1 - target]
            if _fits(external, written[ref]):
                votes[_apart(external)][written[ref]] += 1
    chosen = {key: min(count, key=lambda n: (-count[n], n)) for key, count in votes.items()}
    return [_name(external, chosen) for external in links.outside]


def _fits(external: External, written: str) -> bool:
    """Whether what is written can be a name of the symbol: a renaming import is none."""
    own = external.name or external.module
    last = own.replace("::", ".").replace("/", ".").rpartition(".")[2]
    return not external.name or written.rpartition(".")[2] == last


def _apart(external: External) -> External:
    """The symbol without what may differ from one file to another."""
    return external._replace(version="", kind=0)


def _name(external: External, chosen: dict[External, str]) -> str:
    """The name that was chosen for the symbol or for what it is a member of, and the rest."""
    parts = external.name.split(".") if external.name else []
    for kept in range(len(parts), -1, -1):
        owner = _apart(external)._replace(name=".".join(parts[:kept]))
        if owner in chosen:
            return ".".join((chosen[owner], *parts[kept:]))
    return external.label

"""Answers laid over a graph: what gives way, what becomes sure, what stays."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from knowing.enrich import (
    Answer,
    External,
    FileAnswers,
    Inside,
    Verdict,
    apply,
    disagreements,
    outdated,
    tally,
)
from knowing.graph import Graph
from knowing.model import EdgeKind, Origin, SymbolKind
from tests.enrich.workspaces import edges, graph_of, write

SHELF = """\
class Shelf:
    def fill(self):
        return 1


class Crate:
    def fill(self):
        return 2
"""
USE = """\
from acme.box import Box
from shelf import Shelf


def guess(thing):
    thing.fill()


def sure():
    Shelf().fill()


def make(box: Box):
    box.open()
"""
BOX = External("pypi", "acme", "1.2", "acme._box", "Box", int(SymbolKind.CLASS))


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    write(tmp_path, {"shelf.py": SHELF, "use.py": USE})
    return graph_of(tmp_path)[0]


def said(answers: Mapping[tuple[int, str], tuple[Inside | External, ...]]) -> FileAnswers:
    """Answers for `use.py`; sites are given by line and the name that stands there."""
    lines = USE.split("\n")
    rows = [
        Answer(line, lines[line - 1].rindex(name), targets)
        for (line, name), targets in sorted(answers.items())
    ]
    return FileAnswers.of("use.py", b"digest", rows, server="fake 1")


FILL = Inside("shelf.py", "Shelf.fill", 0)
OTHER = Inside("shelf.py", "Crate.fill", 0)


def calls(graph: Graph, *answers: FileAnswers) -> set[tuple[str, str, str]]:
    return edges(list(apply(graph, answers).view.all_edges()), EdgeKind.CALLS)


def test_a_guess_gives_way_to_what_the_server_says(graph: Graph) -> None:
    guessed = {edge for edge in calls(graph) if edge[0] == "use.py::guess"}
    assert guessed == {
        ("use.py::guess", "shelf.py::Shelf.fill", "heuristic"),
        ("use.py::guess", "shelf.py::Crate.fill", "heuristic"),
    }
    known = calls(graph, said({(6, "fill"): (OTHER,)}))
    assert {edge for edge in known if edge[0] == "use.py::guess"} == {
        ("use.py::guess", "shelf.py::Crate.fill", "lsp_resolved")
    }


def test_a_right_edge_becomes_sure(graph: Graph) -> None:
    view = apply(graph, [said({(10, "fill"): (FILL,)})]).view
    [edge] = [e for e in view.all_edges() if e.target == FILL.identity and e.line == 10]
    assert (edge.origin, edge.confidence) == (Origin.LSP_RESOLVED, 0.95)


def test_a_wrong_edge_is_led_elsewhere(graph: Graph) -> None:
    found = calls(graph, said({(10, "fill"): (OTHER,)}))
    assert ("use.py::sure", OTHER.identity, "lsp_resolved") in found
    assert not {edge for edge in found if edge[:2] == ("use.py::sure", FILL.identity)}


def test_no_answer_keeps_what_the_syntax_gave(graph: Graph) -> None:
    assert calls(graph, said({(6, "fill"): (), (10, "fill"): ()})) == calls(graph)


def test_a_call_of_a_dependency_is_no_call_of_ours(graph: Graph) -> None:
    method = BOX._replace(name="Box.fill", kind=int(SymbolKind.METHOD))
    found = calls(graph, said({(6, "fill"): (method,)}))
    assert {edge for edge in found if edge[0] == "use.py::guess"} == {
        ("use.py::guess", "external:acme._box.Box.fill", "lsp_resolved")
    }


def test_a_dependency_is_called_as_its_users_import_it(graph: Graph) -> None:
    opened = BOX._replace(name="Box.open", kind=int(SymbolKind.METHOD))
    enriched = apply(graph, [said({(13, "Box"): (BOX,), (14, "open"): (opened,)})])
    view = enriched.view
    all_edges = list(view.all_edges())
    assert ("use.py::make", "external:acme.box.Box", "lsp_resolved") in edges(
        all_edges, EdgeKind.TYPE_HINT_OF
    )
    assert ("use.py::make", "external:acme.box.Box.open", "lsp_resolved") in edges(
        all_edges, EdgeKind.CALLS
    )
    signature = {view.identity(i): view.symbols.signature[i] for i in range(len(view.symbols))}
    assert signature["external:acme.box.Box"] == "class pypi:acme@1.2:acme._box:Box"


def test_what_everybody_uses_joins_nobody_but_refutes_guesses(graph: Graph) -> None:
    method = External("pypi", "python", "", "builtins", "list.fill", int(SymbolKind.METHOD))
    found = calls(graph, said({(6, "fill"): (method,)}))
    assert not {edge for edge in found if edge[0] == "use.py::guess"}


def test_several_targets_are_all_kept_but_less_sure(graph: Graph) -> None:
    view = apply(graph, [said({(6, "fill"): (FILL, OTHER)})]).view
    found = [e for e in view.all_edges() if e.source == "use.py::guess" and e.line == 6]
    calls_ = {(e.target, e.confidence) for e in found if e.kind == EdgeKind.CALLS}
    assert calls_ == {(FILL.identity, 0.7), (OTHER.identity, 0.7)}


def test_a_target_that_is_gone_counts_as_no_answer(graph: Graph) -> None:
    gone = Inside("shelf.py", "Shelf.empty", 0)
    assert calls(graph, said({(6, "fill"): (gone,)})) == calls(graph)


def test_answers_hold_when_targets_move(graph: Graph, tmp_path: Path) -> None:
    answers = said({(6, "fill"): (OTHER,)})
    write(tmp_path, {"shelf.py": "import os\n\n\n" + SHELF})
    moved, digests = graph_of(tmp_path)
    assert ("use.py::guess", OTHER.identity, "lsp_resolved") in calls(moved, answers)
    kept = FileAnswers.of("use.py", digests["use.py"], list(answers), server="fake 1")
    assert outdated(moved, [kept], digests) == set()
    write(tmp_path, {"shelf.py": SHELF.replace("Crate", "Barrel")})
    renamed, digests = graph_of(tmp_path)
    assert outdated(renamed, [kept], digests) == {"use.py"}


def test_bases_that_only_the_server_knows_are_inherited_from(tmp_path: Path) -> None:
    text = "import helper\n\n\nclass Crate(helper.Base):\n    pass\n"
    write(tmp_path, {"shelf.py": SHELF, "crate.py": text})
    graph, _ = graph_of(tmp_path)
    assert not edges(list(graph.view.all_edges()), EdgeKind.INHERITS)
    answer = Answer(4, text.split("\n")[3].index("Base"), (Inside("shelf.py", "Shelf", 0),))
    answers = FileAnswers.of("crate.py", b"", [answer], server="fake 1")
    found = list(apply(graph, [answers]).view.all_edges())
    assert edges(found, EdgeKind.EXTENDS) == {
        ("crate.py::Crate", "shelf.py::Shelf", "lsp_resolved")
    }
    assert edges(found, EdgeKind.INHERITS) == {
        ("crate.py::Crate", "shelf.py::Shelf.fill", "derived")
    }


def test_implementers_become_edges(graph: Graph) -> None:
    pairs = [(Inside("shelf.py", "Shelf", 0), Inside("shelf.py", "Crate", 0))]
    answers = FileAnswers.of("shelf.py", b"", [], server="fake 1", implements=pairs)
    found = edges(list(apply(graph, [answers]).view.all_edges()), EdgeKind.IMPLEMENTS)
    assert found == {("shelf.py::Crate", "shelf.py::Shelf", "lsp_resolved")}


def test_the_view_is_in_order_and_complete(graph: Graph) -> None:
    view = apply(graph, [said({(6, "fill"): (OTHER,), (13, "Box"): (BOX,)})]).view
    keys = list(zip(view.edges.source.tolist(), view.edges.target.tolist(), strict=True))
    assert keys == sorted(keys)
    assert max(max(key) for key in keys) < len(view.symbols)
    kept = {EdgeKind.CONTAINS, EdgeKind.MEMBER_OF, EdgeKind.IMPORTS}
    for kind in kept:
        assert edges(list(view.all_edges()), kind) == edges(list(graph.view.all_edges()), kind)


def test_disagreements_tell_what_was_thought_and_what_is_so(graph: Graph) -> None:
    answers = said({(6, "fill"): (OTHER,), (10, "fill"): (OTHER,), (13, "Box"): (BOX,)})
    found = disagreements(graph, [answers])
    assert [(each.line, each.verdict, each.thought, each.said) for each in found] == [
        (6, Verdict.MISSED, "", (OTHER.identity,)),
        (10, Verdict.WRONG, FILL.identity, (OTHER.identity,)),
    ]
    assert tally(graph, [answers])[Verdict.RIGHT] == 1


def test_answers_survive_being_stored(graph: Graph) -> None:
    answers = said({(6, "fill"): (FILL, BOX), (10, "fill"): ()})
    again = FileAnswers.decode(answers.encode())
    assert list(again) == list(answers)
    assert again.key == answers.key
    assert again.encode() == answers.encode()


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d[:8], lambda d: b"x" + d[1:]])
def test_damaged_answers_are_refused(damage: Callable[[bytes], bytes]) -> None:
    data = said({(6, "fill"): (FILL,)}).encode()
    with pytest.raises(ValueError, match="answers are"):
        FileAnswers.decode(damage(data))

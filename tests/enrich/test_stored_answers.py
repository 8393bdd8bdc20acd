"""Answers that are stored: they outlive indexing, hold for one content, and are shown alike."""

import sqlite3
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowing.engine import Engine
from knowing.enrich import Answer, External, FileAnswers, Inside
from knowing.graph import Graph, View
from knowing.model import EdgeKind, Origin, SymbolKind
from knowing.parse.facts import RefColumn
from tests.enrich.workspaces import edges, write

SHELF = """\
class Shelf:
    def fill(self):
        return 1


class Crate:
    def fill(self):
        return 2
"""
USE = """\
def guess(thing):
    thing.fill()
"""
FILL = Inside("shelf.py", "Crate.fill", 0)
SURE = ("use.py::guess", "shelf.py::Crate.fill", "lsp_resolved")
GUESSED = {
    ("use.py::guess", "shelf.py::Crate.fill", "heuristic"),
    ("use.py::guess", "shelf.py::Shelf.fill", "heuristic"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write(folder, {"shelf.py": SHELF, "use.py": USE})
    return folder


def opened(root: Path) -> Engine:
    return Engine.open(root, index_dir=root.parent / "index")


def said(engine: Engine, line: int = 2, *, server: str = "fake 1") -> FileAnswers:
    """What a server says about `use.py` as it is stored."""
    _, digests = engine.known.state()
    answers = [Answer(line, 10, (FILL,))]
    return FileAnswers.of("use.py", digests["use.py"], answers, server=server)


def calls(view: View) -> set[tuple[str, str, str]]:
    return {edge for edge in edges(list(view.all_edges()), EdgeKind.CALLS) if "use.py" in edge[0]}


def database(root: Path) -> Path:
    [found] = (root.parent / "index").rglob("index.db")
    return found


@pytest.mark.parametrize("full", [False, True])
def test_answers_outlive_indexing_and_make_a_generation(root: Path, full: bool) -> None:
    with opened(root) as engine:
        before = engine.index(history=False).generation
        assert calls(engine.view()) == GUESSED
        engine.known.keep([said(engine)], 0)
        after = engine.index(history=False).generation
        assert after == before + 1
        assert calls(engine.view()) == {SURE}
        again = engine.index(full=full, history=False).generation
        assert (again == after) == (not full)
    with opened(root) as other:
        assert calls(other.view()) == {SURE}
        assert calls(other.live_graph().view) == {SURE}
        assert other.status().state == "fresh"
        assert other.status().enriched.files == {"fake 1": 1}


def test_an_edit_takes_them_away_and_taking_it_back_brings_them_again(root: Path) -> None:
    with opened(root) as engine:
        engine.index(history=False)
        engine.known.keep([said(engine)], 0)
        engine.index(history=False)
        write(root, {"use.py": "# edited\n" + USE})
        assert calls(engine.update(["use.py"])) == GUESSED
        assert engine.status().enriched.outdated == 1
        # Its target moves within its file: nothing has to be asked.
        write(root, {"use.py": USE, "shelf.py": "# moved\n" + SHELF})
        assert calls(engine.update(["use.py", "shelf.py"])) == {SURE}
        # It goes: what the syntax says is all there is.
        write(root, {"shelf.py": SHELF.replace("Crate", "Box")})
        assert not {edge for edge in calls(engine.update(["shelf.py"])) if edge[2] == SURE[2]}


def test_unsaved_text_has_no_answers(root: Path) -> None:
    with opened(root) as engine:
        engine.index(history=False)
        engine.known.keep([said(engine)], 0)
        engine.index(history=False)
        assert calls(engine.overlay("use.py", USE + "\n\n")) == GUESSED
        _, digests = engine.known.state()
        assert "use.py" not in digests
        assert calls(engine.overlay("use.py", None)) == {SURE}


def test_later_answers_count_and_earlier_contents_are_kept(root: Path) -> None:
    with opened(root) as engine:
        engine.index(history=False)
        first = said(engine)
        engine.known.keep([first], 0)
        nothing = FileAnswers.of("use.py", first.digest, [], server="fake 2")
        engine.known.keep([nothing], 0)
        engine.index(history=False)
        assert calls(engine.view()) == GUESSED
        engine.known.keep([first], 0)
        engine.index(history=False)
        assert calls(engine.view()) == {SURE}
        for number in range(9):
            digest = bytes([number] * 16)
            engine.known.keep([FileAnswers.of("use.py", digest, [], server="fake 1")], 0)
    with sqlite3.connect(database(root)) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (4,)


@pytest.mark.parametrize("damage", ["bits", "format"])
def test_damaged_answers_are_ignored_and_can_be_had_again(root: Path, damage: str) -> None:
    with opened(root) as engine:
        engine.index(history=False)
        good = said(engine)
        engine.known.keep([good], 0)
        engine.index(history=False)
    connection = sqlite3.connect(database(root))
    [(data,)] = connection.execute("SELECT data FROM answers").fetchall()
    spoiled = data[:-1] + bytes([data[-1] ^ 1]) if damage == "bits" else b"kans\xff" + data[5:]
    connection.execute("UPDATE answers SET data = ?", (spoiled,))
    if damage == "format":
        # As another version would have written it.
        head = repr((good.path, good.digest)).encode()
        checksum = zlib.crc32(spoiled, zlib.crc32(head))
        connection.execute("UPDATE answers SET checksum = ?", (checksum,))
    connection.commit()
    connection.close()
    with opened(root) as engine:
        assert bool(engine.check()) == (damage == "bits")
        engine.index(full=True, history=False)
        assert calls(engine.view()) == GUESSED
        assert not engine.known.state()[0]
        engine.known.keep([good], 0)
        engine.index(history=False)
        assert calls(engine.view()) == {SURE}
        assert not engine.check()


# -- an update equals a rebuild ------------------------------------------------------------------

NAMES = ("fill", "empty", "Shelf", "Crate", "make")
LINES = (
    "import two",
    "from one import Shelf, fill",
    "from acme.box import Box as Crate",
    "fill()",
    "Shelf().fill()",
    "make(Crate).empty()",
    "def fill(): empty()",
    "def make(x: Shelf): return x.fill()",
    "def test_it(): make(Shelf())",
    "class Shelf:\n    def fill(self): self.empty()\n    def empty(self): return Crate()",
    "class Crate(Shelf):\n    def fill(self): return super().fill()",
    "class Box(Crate): pass",
)
TEXTS = st.lists(st.sampled_from(LINES), max_size=5).map("\n".join)
PATHS = ("one.py", "two.py", "tests/test_three.py")
EDITS = st.lists(st.tuples(st.sampled_from(PATHS), TEXTS), min_size=1, max_size=4)
OUTSIDE = External("pypi", "acme", "1", "acme._box", "Box", int(SymbolKind.CLASS))


def chosen(graph: Graph, digests: dict[str, bytes], seed: int) -> list[FileAnswers]:
    """Some answers for every file: right, wrong, outside, several, none; always the same ones."""
    view = graph.view
    inside = [
        Inside(view.paths[file], chain, 0)
        for file, chain in zip(view.symbols.file.tolist(), view.symbols.chain, strict=True)
        if file >= 0 and chain
    ]
    found = []
    for number, path in enumerate(graph.corpus.paths):
        random = np.random.default_rng((seed, zlib.crc32(digests[path])))
        low, high = graph.corpus.ref_base[number : number + 2].tolist()
        answers = []
        for row in graph.corpus.refs[low:high].tolist():
            targets: Iterable[Inside | External] = ()
            if inside:
                picks = random.integers(0, len(inside), size=int(random.integers(0, 3)))
                targets = {inside[pick]: None for pick in picks.tolist()}
            if random.integers(0, 4) == 0:
                targets = (*targets, OUTSIDE)
            answers.append(Answer(row[RefColumn.LINE], row[RefColumn.COLUMN], tuple(targets)))
        origin = Origin.SCIP_RESOLVED if seed % 2 else Origin.LSP_RESOLVED
        answers_of = FileAnswers.of(path, digests[path], answers, server="fake 1", origin=origin)
        found.append(answers_of)
    return found


def content(view: View) -> tuple[list[object], list[object]]:
    return list(view.all_symbols()), list(view.all_edges())


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(start=st.tuples(TEXTS, TEXTS, TEXTS), edits=EDITS, seed=st.integers(0, 3))
def test_an_update_equals_a_rebuild_with_answers_too(
    tmp_path_factory: pytest.TempPathFactory,
    start: tuple[str, str, str],
    edits: list[tuple[str, str]],
    seed: int,
) -> None:
    root = tmp_path_factory.mktemp("case") / "work"
    write(root, dict(zip(PATHS, start, strict=True)))
    with opened(root) as engine:
        engine.index(history=False)
        engine.known.keep(chosen(engine.live_graph(), engine.known.state()[1], seed), 0)
        engine.index(history=False)
        engine.live_graph()
        for path, text in edits:
            write(root, {path: text})
            moved = engine.update([path])
            with Engine.open(root, index_dir=root.parent / "index") as fresh:
                assert content(moved) == content(fresh.live_graph().view)
            engine.known.keep(chosen(engine.live_graph(), engine.known.state()[1], seed), 0)
            engine.known.forget()
        engine.index(history=False)
        with Engine.open(root, index_dir=root.parent / "index") as fresh:
            fresh.index(full=True, history=False)
            assert content(engine.view()) == content(fresh.view())

"""SCIP indexes, written here byte by byte."""

from pathlib import Path

import pytest

from knowing.enrich import Imported, ScipError, apply, import_scip
from knowing.enrich.scip import external_of
from knowing.languages import load_languages
from knowing.model import EdgeKind
from tests.enrich.workspaces import edges, graph_of, write

SHELF = "class Shelf:\n    def fill(self):\n        return 1\n"
USE = "from acme.box import other\ndef use(thing):\n    'é'; thing.fill(); other()\n"
PACKAGE = "scip-python python work 0.1 "
FILL = PACKAGE + "shelf/Shelf#fill()."
OTHER = "scip-python python acme 2.0 `acme.box`/other()."


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def part(number: int, body: bytes | str | int) -> bytes:
    """One field of a message."""
    if isinstance(body, int):
        return varint(number << 3) + varint(body)
    data = body.encode() if isinstance(body, str) else body
    return varint(number << 3 | 2) + varint(len(data)) + data


def occurrence(symbol: str, line: int, start: int, end: int, roles: int = 0) -> bytes:
    place = b"".join(varint(number) for number in (line, start, end))
    return part(2, part(1, place) + part(2, symbol) + (part(3, roles) if roles else b""))


def document(path: str, *parts: bytes, encoding: int = 2) -> bytes:
    return part(2, part(1, path) + b"".join(parts) + part(6, encoding))


def index(*documents: bytes) -> bytes:
    tool = part(2, part(1, "scip-python") + part(2, "0.6"))
    # A field that is not known is passed over, whatever its width.
    return part(1, tool) + b"".join(documents) + varint(9 << 3 | 5) + b"\0\0\0\0"


SHELF_DOCUMENT = document(
    "shelf.py",
    occurrence(PACKAGE + "shelf/Shelf#", 0, 6, 11, 1),
    occurrence(FILL, 1, 8, 12, 1),
)
USE_DOCUMENT = document(
    "use.py",
    occurrence(PACKAGE + "use/use().", 1, 4, 7, 1),
    occurrence("local 1", 2, 9, 14),
    occurrence(FILL, 2, USE.split("\n")[2].index("fill"), 0),
    occurrence(OTHER, 2, USE.split("\n")[2].index("other"), 0),
)


def imported(root: Path, data: bytes) -> Imported:
    graph, digests = graph_of(root)
    return import_scip(data, root, graph, digests, load_languages())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, {"shelf.py": SHELF, "use.py": USE})
    return tmp_path


def test_an_index_gives_edges_of_its_own_origin(root: Path) -> None:
    found = imported(root, index(SHELF_DOCUMENT, USE_DOCUMENT))
    assert not found.skipped
    assert {answer.server for answer in found.answers} == {"scip-python 0.6"}
    graph, _ = graph_of(root)
    view = apply(graph, found.answers).view
    # The column counts UTF-16 code units and stands behind a character of two bytes.
    assert edges(list(view.all_edges()), EdgeKind.CALLS) == {
        ("use.py::use", "shelf.py::Shelf.fill", "scip_resolved"),
        ("use.py::use", "external:acme.box.other", "scip_resolved"),
    }


def test_documents_of_another_version_are_left_out(root: Path) -> None:
    write(root, {"shelf.py": "# moved\n" + SHELF})
    gone = document("gone.py", occurrence(FILL, 0, 0, 1, 1))
    found = imported(root, index(SHELF_DOCUMENT, USE_DOCUMENT, gone))
    assert found.skipped == {
        "shelf.py": "the SCIP index was made from another version of it",
        "gone.py": "it is not indexed",
    }
    assert [answer.path for answer in found.answers] == ["use.py"]


def test_implementations_are_taken_over(root: Path) -> None:
    write(root, {"box.py": "class Box:\n    pass\n"})
    box = PACKAGE + "box/Box#"
    relation = part(4, part(1, PACKAGE + "shelf/Shelf#") + part(3, 1))
    text = document("box.py", occurrence(box, 0, 6, 9, 1), part(3, part(1, box) + relation))
    found = imported(root, index(SHELF_DOCUMENT, text))
    graph, _ = graph_of(root)
    all_edges = list(apply(graph, found.answers).view.all_edges())
    assert ("box.py::Box", "shelf.py::Shelf") in {
        edge[:2] for edge in edges(all_edges, EdgeKind.IMPLEMENTS)
    }


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04 a zip file", b"\x12\xff\xff\xff\x7f", b"\xff" * 12, b"\x10\x01\x10"],
)
def test_what_is_no_index_is_refused(root: Path, data: bytes) -> None:
    with pytest.raises(ScipError):
        imported(root, data)


def test_symbols_of_dependencies_are_read() -> None:
    found = external_of("scip-go gomod github.com/acme/box v1.2 `github.com/acme/box`/Box#Open().")
    assert found is not None
    assert found.identity == "gomod:github.com/acme/box@v1.2:github.com/acme/box:Box.Open"
    assert external_of("local 3") is None

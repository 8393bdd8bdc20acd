"""Positions of servers and ours, and what stands at them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.enrich.places import Outline, Text
from knowing.languages import load_languages
from knowing.parse import extract
from knowing.text import Encoding

TEXTS = st.text(alphabet="ab \n\r\té😀", max_size=60)


@given(TEXTS, st.sampled_from(list(Encoding)))
def test_positions_come_back_as_they_were(text: str, encoding: Encoding) -> None:
    data = text.encode()
    held = Text(data)
    line, start = 1, 0
    for at, character in enumerate(text):
        offset = len(text[:at].encode())
        inside_line_end = text[at - 1 : at + 1] == "\r\n"
        if not inside_line_end:
            there = held.to_server(line, offset - start, encoding)
            assert held.from_server(*there, encoding) == (line, offset - start)
        if character == "\n":
            line, start = line + 1, offset + 1


def test_a_lone_carriage_return_ends_a_line_for_servers_only() -> None:
    text = Text(b"a\rb\nc")
    assert text.to_server(1, 2, Encoding.UTF8) == (1, 0)
    assert text.from_server(2, 0, Encoding.UTF8) == (2, 0)


GO = b"""package p

type Handler func(int) int

func (f Handler) Serve(w int) int { return f(w) }
"""
PYTHON = b"""@decorated
async def run(argument):
    local = argument


class Box:
    size = 3
"""


@pytest.mark.parametrize(
    ("source", "language", "line", "column", "name"),
    [
        (PYTHON, "python", 2, 10, "run"),
        (PYTHON, "python", 2, 0, "run"),
        (PYTHON, "python", 1, 0, ""),
        (PYTHON, "python", 2, 14, None),
        (PYTHON, "python", 3, 4, None),
        (PYTHON, "python", 6, 6, "Box"),
        (PYTHON, "python", 6, 0, "Box"),
        (PYTHON, "python", 7, 4, "Box.size"),
        (PYTHON, "python", 99, 99, None),
        (GO, "go", 5, 17, "Handler.Serve"),
        (GO, "go", 5, 0, "Handler.Serve"),
        (GO, "go", 5, 6, None),
        (GO, "go", 5, 23, None),
    ],
)
def test_a_symbol_is_found_by_its_name_or_its_beginning(
    source: bytes, language: str, line: int, column: int, name: str | None
) -> None:
    outline = Outline(extract(source, load_languages()[language]))
    row = outline.symbol_at(line, column, Text(source))
    assert (outline.name(row) if row >= 0 else None) == name

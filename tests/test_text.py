import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.text import Encoding, LineIndex, Position, split_identifier

BOM = b"\xef\xbb\xbf"

line_text = st.text(
    st.sampled_from("ab é漢😀\t\u0301\u2028")
    | st.characters(exclude_characters="\r\n", codec="utf-8"),
    max_size=8,
)
line_end = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Text with all line ends, wide characters and sometimes a byte order mark."""
    parts = draw(st.lists(st.tuples(line_text, line_end), max_size=6))
    body = "".join(text + end for text, end in parts) + draw(line_text)
    return ("\ufeff" if draw(st.booleans()) else "") + body


def editor_lines(text: str) -> list[str]:
    """Lines as an editor shows them, counted without the code under test."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def units(text: str, encoding: Encoding) -> int:
    if encoding is Encoding.UTF32:
        return len(text)
    size = len(text.encode("utf-16-le" if encoding is Encoding.UTF16 else "utf-8"))
    return size // 2 if encoding is Encoding.UTF16 else size


@given(texts(), st.sampled_from(Encoding))
def test_every_place_in_every_line_round_trips(text: str, encoding: Encoding) -> None:
    data = text.encode()
    index = LineIndex(data)
    lines = editor_lines(text)
    assert len(index) == len(lines)
    for number, line in enumerate(lines):
        start, end = index.line_span(number)
        assert data[start:end].decode() == line
        for length in range(len(line) + 1):
            column = units(line[:length], encoding)
            offset = start + len(line[:length].encode())
            assert index.position(offset, encoding) == (number, column)
            assert index.offset(number, column, encoding) == offset


@given(
    st.binary(max_size=40) | texts().map(str.encode), st.integers(-5, 50), st.sampled_from(Encoding)
)
def test_any_offset_in_any_bytes_has_a_position_that_stays(
    data: bytes, offset: int, encoding: Encoding
) -> None:
    index = LineIndex(data)
    position = index.position(offset, encoding)
    moved = index.offset(*position, encoding)
    assert index.position(moved, encoding) == position
    assert 0 <= moved <= len(data)
    if 0 <= offset <= len(data):
        bom = len(BOM) if data.startswith(BOM) else 0
        assert moved <= max(offset, bom)
        assert offset - moved < 4


@given(texts(), st.integers(-3, 12), st.integers(-3, 30), st.sampled_from(Encoding))
def test_any_position_has_an_offset_within_its_line(
    text: str, line: int, column: int, encoding: Encoding
) -> None:
    data = text.encode()
    index = LineIndex(data)
    offset = index.offset(line, column, encoding)
    data[:offset].decode()
    if 0 <= line < len(index):
        start, end = index.line_span(line)
        assert start <= offset <= end
        assert index.position(offset, encoding).column <= max(column, 0)
    else:
        assert offset == (index.starts[0] if line < 0 else len(data))


@pytest.mark.parametrize(
    ("encoding", "column"), [(Encoding.UTF8, 5), (Encoding.UTF16, 3), (Encoding.UTF32, 2)]
)
def test_an_emoji_is_as_wide_as_its_encoding_says(encoding: Encoding, column: int) -> None:
    index = LineIndex("x = 1\na😀b".encode())
    assert index.position(11, encoding) == Position(1, column)
    assert index.offset(1, column, encoding) == 11


@pytest.mark.parametrize("encoding", list(Encoding))
def test_inside_an_emoji_is_its_start(encoding: Encoding) -> None:
    index = LineIndex("a😀b".encode())
    assert [index.position(offset, encoding) for offset in (2, 3, 4)] == [(0, 1)] * 3
    middle = {Encoding.UTF8: 3, Encoding.UTF16: 2, Encoding.UTF32: 1}[encoding]
    assert index.offset(0, middle, encoding) == 1


def test_all_line_ends_count_and_belong_to_no_column() -> None:
    index = LineIndex(b"a\r\nb\rc\n\r")
    assert index.starts == [0, 3, 5, 7, 8]
    assert [index.line_span(line) for line in range(5)] == [(0, 1), (3, 4), (5, 6), (7, 7), (8, 8)]
    assert index.position(2) == (0, 1)
    assert index.offset(0, 99) == 1


def test_empty_text_has_one_empty_line() -> None:
    index = LineIndex(b"")
    assert len(index) == 1
    assert index.position(7) == (0, 0)
    assert index.offset(3, 3, Encoding.UTF16) == 0


def test_a_byte_order_mark_has_no_width() -> None:
    index = LineIndex(BOM + b"ab\ncd")
    assert [index.position(offset) for offset in (0, 2, 3, 4)] == [(0, 0), (0, 0), (0, 0), (0, 1)]
    assert index.offset(0, 0) == 3
    assert index.position(7) == (1, 1)


def test_places_outside_the_text_are_moved_into_it() -> None:
    index = LineIndex(b"ab\ncd")
    assert index.position(-3) == (0, 0)
    assert index.position(99) == (1, 2)
    assert index.offset(-1, 5) == 0
    assert index.offset(9, 0) == 5
    assert index.offset(1, -4) == 3


def test_bytes_that_are_not_utf8_count_one_each() -> None:
    index = LineIndex("é".encode("latin-1") + b"t\xe9 x")
    assert index.position(5, Encoding.UTF16) == (0, 5)
    assert index.offset(0, 4, Encoding.UTF16) == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("before_request", "before request"),
        ("__init__", "init"),
        ("HTTPServer", "http server"),
        ("parseURL2Path", "parse url 2 path"),
        ("getURLs", "get urls"),
        ("IDsByName", "ids by name"),
        ("ALLCAPS", "allcaps"),
        ("MAX_FILE_KB", "max file kb"),
        ("kebab-case-name", "kebab case name"),
        ("sha256sum", "sha 256 sum"),
        ("Router.addRoute", "router add route"),
        ("x", "x"),
        ("aB", "a b"),
        ("$scope", "scope"),
        ("___", ""),
        ("", ""),
        ("größeÄndern", "größe ändern"),
        ("ΑθήναΠόλη", "αθήνα πόλη"),
        ("ПарсерJSON", "парсер json"),
        ("名前を取得", "名前を取得"),
        ("cafe\u0301Ouvert", "café ouvert"),
        ("हिन्दी_शब्द", "हिन्दी शब्द"),
    ],
)
def test_words_of_names(name: str, words: str) -> None:
    assert split_identifier(name) == tuple(words.split())


@given(st.from_regex(r"[A-Za-z0-9_.$-]*", fullmatch=True))
def test_no_letter_or_digit_of_a_name_is_lost(name: str) -> None:
    words = split_identifier(name)
    assert "".join(words) == "".join(c for c in name if c.isalnum()).lower()
    assert all(words)


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=5))
def test_the_words_do_not_depend_on_the_convention(words: list[str]) -> None:
    pascal = "".join(word.capitalize() for word in words)
    spellings = [
        "_".join(words),
        "_".join(words).upper(),
        "-".join(words),
        pascal,
        pascal[0].lower() + pascal[1:],
    ]
    assert {split_identifier(spelling) for spelling in spellings} == {tuple(words)}


@given(st.text(max_size=20))
def test_any_text_has_words(name: str) -> None:
    assert all(word and not word.isspace() for word in split_identifier(name))

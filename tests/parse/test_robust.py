"""Whatever a file holds: facts come out, they are sound, and nothing is raised."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowing.languages import Language, load_languages
from knowing.parse import FileFacts, extract
from tests.languages.samples import sample_files
from tests.parse.soundness import assert_sound

REGISTRY = load_languages(Path(__file__).resolve().parent.parent / "data" / "languages")
SAMPLES = {
    language.name: [
        path.read_bytes()
        for path in sample_files(language)
        if REGISTRY.for_path(path.name) is language
    ]
    for language in REGISTRY.languages
}
INSERTS = (
    *("\U0001f600", "é", "\u2028", "\ufeff", "\r", "\r\n", "\n\n", "\t", "\x0c", "\x01"),
    *('"', "'", "`", "```", '"""', "\\", "{", "}", "(", ")", "[", "<", ">", ";", ":", "::", "@"),
    *("#", "//", "/*", "*/", "<!--", "..", "====\n", "----\n", "\n# ", "=", ",", "$", "!", "?."),
)


each_language = pytest.mark.parametrize(
    "language", REGISTRY.languages, ids=lambda language: language.name
)


def text(raw: bytes) -> bytes:
    """As the files are when they are read: UTF-8 without NUL."""
    return raw.decode("utf-8", "replace").replace("\0", "").encode()


@st.composite
def mutated(draw: st.DrawFn, samples: list[bytes]) -> bytes:
    """A sample cut, with other line ends, with pieces taken out, doubled, moved and put in."""
    source = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 6))):
        first, second = sorted(draw(st.tuples(*[st.integers(0, len(source))] * 2)))
        piece = source[first:second]
        match draw(st.integers(0, 6)):
            case 0:
                source = piece
            case 1:
                source = source[:first] + source[second:]
            case 2:
                source = source[:first] + piece[:2000] + source[first:]
            case 3:
                source = source[:first] + source[second:] + piece
            case 4:
                source = source.replace(
                    b"\n", draw(st.sampled_from([b"\r\n", b"\r", b"\n\n", b" "]))
                )
            case _:
                inserts = b"".join(
                    draw(st.lists(st.sampled_from(INSERTS).map(str.encode), max_size=4))
                )
                source = source[:first] + inserts + source[first:]
        source = source[:60_000]
    return text(source)


@each_language
def test_samples_are_sound(language: Language) -> None:
    assert SAMPLES[language.name]
    for source in SAMPLES[language.name]:
        facts = extract(source, language)
        assert_sound(facts, source, language)
        assert len(facts.symbols) > 1


@each_language
@settings(max_examples=20)
@given(data=st.data())
def test_damaged_samples_give_sound_facts(language: Language, data: st.DataObject) -> None:
    source = data.draw(mutated(SAMPLES[language.name]))
    assert_sound(extract(source, language), source, language)


@each_language
@settings(max_examples=15)
@given(raw=st.binary(max_size=300))
def test_any_bytes_give_sound_facts(language: Language, raw: bytes) -> None:
    source = text(raw)
    assert_sound(extract(source, language), source, language)


@each_language
@settings(max_examples=15)
@given(source=st.lists(st.sampled_from(INSERTS), max_size=60).map("".join))
def test_signs_without_sense_give_sound_facts(language: Language, source: str) -> None:
    assert_sound(extract(source.encode(), language), source.encode(), language)


@each_language
@pytest.mark.parametrize(
    "source",
    [b"", b"\n", b" ", b"\r\n\r\n", b"\xef\xbb\xbf", "\U0001f600".encode(), b"\0", b"a\0b"],
)
def test_next_to_nothing_gives_sound_facts(language: Language, source: bytes) -> None:
    assert_sound(extract(source, language), source, language)


@each_language
def test_line_ends_of_windows_change_no_symbol_and_no_line(language: Language) -> None:
    for source in SAMPLES[language.name]:
        unix = extract(source, language)
        windows = extract(source.replace(b"\n", b"\r\n"), language)
        assert windows.strings[: len(unix.strings)] == unix.strings
        places = [0, 1, 2, 3, 4, 7, 8, 9, 10]
        assert windows.symbols[:, places].tolist() == unix.symbols[:, places].tolist()
        assert windows.refs.tolist() == unix.refs.tolist()
        assert windows.texts == unix.texts


@settings(max_examples=60)
@given(data=st.data())
def test_damaged_facts_are_refused(data: st.DataObject) -> None:
    language = REGISTRY["python"]
    good = extract(SAMPLES["python"][0], language).encode()
    at = data.draw(st.integers(0, len(good) - 1))
    bad = data.draw(
        st.sampled_from(
            [
                good[:at],
                good + b"\0",
                good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :],
                good[:at] + good[at + 1 :],
                good[at + 1 :],
            ]
        )
    )
    with pytest.raises(ValueError, match="facts are"):
        FileFacts.decode(bad)

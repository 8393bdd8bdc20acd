"""The words of a symbol are those of its own text, whatever digits and letters run together."""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from knowing.languages import load_languages
from knowing.parse import FileFacts, extract
from knowing.parse.words import LONGEST_WORD, words_in

PYTHON = load_languages()["python"]
PIECES = ("12px", "0x1F", "x1F", "px", "a", "_", "1", "123", "12", "123abc", "abc", "10_000", "é")


def counted(facts: FileFacts) -> dict[str, Counter[str]]:
    """The words of each symbol by its chain."""
    words = facts.word_data.decode("utf-8", "replace").split("\0")
    found: dict[str, Counter[str]] = {}
    for symbol, word, count in facts.words.tolist():
        chain = facts.strings[facts.symbols[symbol, 1]]
        assert words[word] not in found.setdefault(chain, Counter())
        found[chain][words[word]] = count
    return found


@given(st.lists(st.sampled_from((*PIECES, " ", ".", "\n", "-", "z" * (LONGEST_WORD + 1)))))
def test_words_of_a_text_are_counted_once_each(pieces: list[str]) -> None:
    text = "".join(pieces)
    facts = extract(("'''" + text + "'''\n").encode(), PYTHON)
    expected = Counter(
        word.decode() for word in words_in(text.encode()) if len(word) <= LONGEST_WORD
    )
    assert counted(facts).get("", Counter()) == expected


def test_a_word_in_a_run_of_digits_and_letters_adds_to_the_same_word_alone() -> None:
    facts = extract(b"def f():\n    return px, '12px', 0x1F\n\n\nx1F = 1\n", PYTHON)
    assert counted(facts)["f"]["px"] == 2
    assert counted(facts)["f"]["x1F"] == 1
    assert "12px" not in counted(facts)["f"]


def test_what_stands_in_a_child_is_not_counted_for_its_parent() -> None:
    facts = extract(b"class Shelf:\n    def fill(self):\n        return carton\n", PYTHON)
    assert "carton" in counted(facts)["Shelf.fill"]
    assert "carton" not in counted(facts)["Shelf"]
    assert re.search(rb"\bcarton\b", facts.word_data)

"""Words to terms: what is looked up in the index.

A term is a stemmed lower-case word. Names also give the joined form of their words, so that
"file server" finds `FileServer` whole and not just in parts.
"""

import re
from functools import lru_cache
from hashlib import blake2b

import Stemmer

from knowing.text import split_identifier

_STEMMER = Stemmer.Stemmer("english", 0)
_LEAST_DIGITS = 3
_LONGEST_COMPOUND = 4
_CACHED = 1 << 18
_TEXT_WORD = re.compile(r"[A-Za-z0-9_\x80-\U0010ffff]+")
_NOT_ALNUM = re.compile(r"[^a-z0-9\x80-\U0010ffff]+")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    found: str = _STEMMER.stemWord(word)
    return found


@lru_cache(maxsize=_CACHED)
def parts(word: str) -> tuple[str, ...]:
    """The terms of the words that a name is made of."""
    return tuple([stem(part) for part in split_identifier(word) if _says_something(part)])


@lru_cache(maxsize=_CACHED)
def parts_and_whole(name: str) -> tuple[str, ...]:
    """The terms of a name's words, and of all of them joined."""
    words = split_identifier(name)
    found = tuple([stem(part) for part in words if _says_something(part)])
    if 1 < len(words) <= _LONGEST_COMPOUND:
        return (*found, stem("".join(words)))
    return found


def _says_something(part: str) -> bool:
    return len(part) >= _LEAST_DIGITS or (len(part) > 1 and not part.isdigit()) or part > "\x7f"


def text_words(text: str) -> list[str]:
    """The words and names in a text, in order."""
    return _TEXT_WORD.findall(text)


def plain(name: str) -> str:
    """A name without case and separators, as names are compared with words of a task."""
    return _NOT_ALNUM.sub("", name.lower())


def code(term: str) -> int:
    """A number for a term that is the same in every process."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest())

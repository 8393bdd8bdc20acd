"""General words: which of a task's words say little, and which tell what kind of task it is."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Sets of lower-case words; the data file says what each is for."""

    stop: frozenset[str]
    soft: frozenset[str]
    build: frozenset[str]
    explain: frozenset[str]
    find: frozenset[str]
    repair: frozenset[str]
    making: frozenset[str]
    ending: frozenset[str]
    leading: frozenset[str]
    tests: frozenset[str]
    examples: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The words that are shipped."""
    text = files("knowing.retrieve").joinpath("lexicon.toml").read_text("utf-8")
    return Lexicon(**{key: frozenset(words.split()) for key, words in tomllib.loads(text).items()})

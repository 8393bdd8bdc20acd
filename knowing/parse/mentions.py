"""Code names in running text and in blocks of code within it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from knowing.languages import Language
from knowing.parse.markup import joined_pattern, part, span

Mention = tuple[int, int, bytes, bytes]
"""Section, where the name stands, owner with dots, name."""

_PER_SECTION = 400
_CHAIN = re.compile(
    rb"(?<![\w$/.\\\x80-\xff-])(?<!\w@)"
    rb"(?P<chain>[A-Za-z_$]\w{0,99}(?:(?:\.|::|->|\?\.|\\)[A-Za-z_$]\w{0,99}){0,9})"
    rb"(?P<mark>[?!](?![=.\w\[]))?"
    rb"(?![\w/\x80-\xff]|[.\\-]\w|:[\w/])(?P<call>\()?"
)
_WHOLE = re.compile(
    rb"[@$&*!.]?(?P<chain>[A-Za-z_]\w{0,99}(?:(?:\.|::|->|\?\.|\\|\#)[A-Za-z_$]\w{0,99}){0,9})"
    rb"(?P<mark>[?!])?(?P<call>\(.*\)|\[\])?[;:,.=]?"
)
_SEPARATOR = re.compile(rb"\.|::|->|\?\.|\\|#")
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
_PATH = re.compile(rb"^(?:-|[^\s(]*/)")
_INSTANCE = frozenset({b"self", b"this", b"cls", b"super", b"$this"})
_WORDS = frozenset(
    b"""true false none null nil self this super void undefined default string number integer
    boolean bool int float double char byte bytes object array list dict map set tuple type class
    function def func return import from export const static public private protected async await
    yield with while elif else for if in is not and or try except catch finally raise throw
    switch case break continue lambda assert print echo sizeof typeof instanceof defined new
    delete var let val struct enum interface trait impl match where using namespace package
    module include require unless until begin when then done foreach isset empty exit
    True False None NULL Null Nil TRUE FALSE NaN GET POST PUT PATCH DELETE HEAD OPTIONS
    SELECT INSERT UPDATE WHERE FROM TODO main master null""".split()
)
"""Literals, keywords and the like: in code spans more often than not no name of the workspace."""
_ENDINGS = frozenset(
    b"""py pyi pyc ipynb js jsx mjs cjs ts tsx rb erb go rs java kt kts c h cc cpp hpp cs php
    md rst txt html htm css scss less json yaml yml toml ini cfg conf lock xml csv sql sh bash
    zsh bat ps1 png jpg jpeg gif svg ico pdf zip gz tar log env gemspec mod sum proto po mo
    com org net io dev edu gov example local""".split()
)
"""Last parts of names of files and hosts."""


class MentionReader:
    """Finds mentions by the rules of a language."""

    def __init__(self, language: Language) -> None:
        rules = language.rules
        self._inline = joined_pattern(language, mentions=rules.mentions)
        self._in_code = joined_pattern(language, code_mentions=rules.code_mentions)

    def find(
        self,
        text: bytes,
        starts: list[int],
        skipped: list[tuple[int, int]],
        code: list[tuple[int, int]],
        expired: Callable[[], bool],
    ) -> list[Mention]:
        """The mentions in order, each but once in a section; `starts` are those of sections."""
        found: list[Mention] = []
        seen: set[tuple[int, bytes, bytes]] = set()
        counts = [0] * len(starts)
        for start, owner, name in sorted(self._all(text, skipped, code, expired)):
            scope = bisect_right(starts, start) - 1
            key = (scope, owner, name)
            if key not in seen and counts[scope] < _PER_SECTION:
                seen.add(key)
                counts[scope] += 1
                found.append((scope, start, owner, name))
        return found

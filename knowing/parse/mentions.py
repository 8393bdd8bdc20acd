"""Code names in running text and in blocks of code within it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain, islice

from knowing.languages import Language
from knowing.parse.markup import Patterns

Span = tuple[int, int]
Name = tuple[int, bytes, bytes]
"""Where a name stands, its owner with dots, the name."""
Described = tuple[int, bytes, int, int]
"""Indentation, or what everything below belongs to; where the described name begins and ends."""
Mention = tuple[int, int, bytes, bytes]
"""Section, where the name stands, owner with dots, name."""

_PER_SECTION = 400
_PER_FILE = 50_000
_BLOCK_LIMIT = 100_000
"""Bytes of a block of code that are looked at."""
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
_IMPORTED = re.compile(rb"([A-Za-z_]\w*)(?:\s+as\s+\w+)?")
_PATH = re.compile(rb"^(?:-|[^\s(]*/)")
_INSTANCE = frozenset({b"self", b"this", b"cls", b"super"})
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
        self._inline = Patterns(language, {"mentions": rules.mentions})
        self._in_code = Patterns(language, {"code_mentions": rules.code_mentions})

    def find(
        self,
        text: bytes,
        starts: list[int],
        blocks: list[Span],
        code: list[Span],
        described: list[Described],
        expired: Callable[[], bool],
    ) -> list[Mention]:
        """The mentions in order, each but once in a section; `starts` are those of sections."""
        names = chain(
            descriptions(text, described),
            self._running(text, blocks, expired),
            self._code(text, code, expired),
        )
        found: list[Mention] = []
        seen: set[tuple[int, bytes, bytes]] = set()
        counts = [0] * len(starts)
        for start, owner, name in sorted(islice(names, _PER_FILE)):
            scope = bisect_right(starts, start) - 1
            key = (scope, owner, name)
            if key not in seen and counts[scope] < _PER_SECTION:
                seen.add(key)
                counts[scope] += 1
                found.append((scope, start, owner, name))
        return found

    def _running(
        self, text: bytes, blocks: list[Span], expired: Callable[[], bool]
    ) -> Iterator[Name]:
        """Names in the text between the blocks."""
        begin = 0
        for start, end in [*blocks, (len(text), len(text))]:
            for match in self._inline.pattern.finditer(text, begin, start):
                yield from spans(text, *self._inline.span(match, "name"))
            begin = end
            if expired():
                return

    def _code(self, text: bytes, code: list[Span], expired: Callable[[], bool]) -> Iterator[Name]:
        for start, block_end in code:
            if expired():
                return
            end = min(block_end, start + _BLOCK_LIMIT)
            yield from chains(text, start, end)
            for match in self._in_code.pattern.finditer(text, start, end):
                owner = self._in_code.part(match, "owner") or b""
                for name in _IMPORTED.finditer(text, *self._in_code.span(match, "names")):
                    yield name.start(), owner, name[1]


def descriptions(text: bytes, described: list[Described]) -> Iterator[Name]:
    """Names that are described one inside the other: a method below its class."""
    around = [(-1, b"")]
    for indent, context, start, end in described:
        if context:
            around = [(-1, context)]
            continue
        while indent <= around[-1][0]:
            around.pop()
        for at, owner, name in spans(text, start, end, described=True):
            outer = owner or around[-1][1]
            around.append((indent, b".".join(filter(None, (outer, name)))))
            yield at, outer, name
            break


def spans(text: bytes, start: int, end: int, described: bool = False) -> Iterator[Name]:
    """The name that a span of code is, or else the names in it."""
    code = text[start:end]
    whole = _WHOLE.fullmatch(code.strip())
    if whole:
        found = _owned(whole, start + len(code) - len(code.lstrip()))
        if described or (_is_name(whole) and (whole["call"] or found[1] or _looks_named(found[2]))):
            yield found
    elif not _PATH.match(code.strip()):
        yield from chains(text, start, end)


def chains(text: bytes, start: int, end: int) -> Iterator[Name]:
    """Calls in code, and members of what is not a mere variable."""
    for match in _CHAIN.finditer(text, start, end):
        if (match["call"] or _SEPARATOR.search(match["chain"])) and _is_name(match):
            found = _owned(match, 0)
            if len(found[2]) > 1 and (match["call"] or _lasting(found)):
                yield found


def _is_name(match: re.Match[bytes]) -> bool:
    """Whether a chain is neither a word of a language nor the name of a file or host."""
    chain = match["chain"]
    before, dot, last = chain.rpartition(b".")
    if dot and not match["call"] and last in _ENDINGS:
        # `main.c` is a file, `a.b.c` is none.
        return len(last) == 1 and _SEPARATOR.search(before) is not None
    return chain not in _WORDS


def _owned(match: re.Match[bytes], offset: int) -> Name:
    """Place, owner and name of `a.b::c`; the instance at hand is no owner."""
    parts = [part.lstrip(b"$") for part in _SEPARATOR.split(match["chain"])]
    name = parts.pop()
    if parts and parts[0] in _INSTANCE:
        del parts[0]
    at = offset + match.end("chain") - len(name)
    mark = b"" if match["call"] else match["mark"] or b""
    return at, b".".join(parts), name + mark


def _lasting(found: Name) -> bool:
    """Whether a member is one of a type or a module rather than of a variable in an example."""
    _, owner, name = found
    return b"." in owner or not (owner + name).islower()


def _looks_named(name: bytes) -> bool:
    """Whether a bare word is more likely a name in the code than a word of the language."""
    return b"_" in name.strip(b"_") or not name.islower() or len(name) >= 4

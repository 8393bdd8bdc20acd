"""A task in plain words, understood: what to look up, what is named exactly, what is wanted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from knowing.retrieve.lexicon import lexicon
from knowing.retrieve.terms import parts, plain, stem, text_words
from knowing.retrieve.text_index import TextIndex
from knowing.retrieve.tuning import TaskWeights

_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->|#)[A-Za-z_]\w*)*[?!]?(?:\(\))?")
_QUOTED = re.compile(
    r"`+([^`\n]{1,200})`+|(?<!\w)['\"]([A-Za-z_][\w.:#]{2,80})(?:\(\))?['\"](?!\w)"
)
_SEPARATOR = re.compile(r"\.|::|->|#")
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]")
_FIRST_CLAUSE = re.compile(r"[,.;:(]")
_LONGEST_PHRASE = 4
_LONGEST_NOUN = 5
_MOST_TERMS = 160
"""More say nothing more: a pasted log is understood by its rarest words."""
_MOST_WORDS = 4000
_MOST_IDENTIFIERS = 64


class Intent(StrEnum):
    """What kind of answer a task is after."""

    BUILD = "build"
    EXPLAIN = "explain"
    FIND = "find"
    REPAIR = "repair"
    REPORT = "report"
    """A description of a fault, as in a bug tracker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term to look up."""

    number: int
    weight: float
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """A name that stands in the task as it would in code, with what qualifies it before it."""

    chain: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.chain[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is known of a task before anything is looked up but the vocabulary."""

    text: str
    terms: tuple[Term, ...]
    unknown: tuple[str, ...]
    """Words of the task that the workspace never uses."""
    words: tuple[str, ...]
    identifiers: tuple[Identifier, ...]
    intent: Intent
    wants_tests: bool
    wants_examples: bool
    subject: tuple[str, ...]
    """The words that name what is to be made, if the task is to make something."""


def understand(text: str, index: TextIndex, workspace: str, weights: TaskWeights) -> Task:
    """The task that `text` describes, in terms of a workspace's vocabulary."""
    words = text_words(text)[:_MOST_WORDS]
    lower = tuple(word.lower() for word in words)
    terms, unknown = _terms(words, index, workspace.lower(), weights)
    known = lexicon()
    return Task(
        text=text,
        terms=terms,
        unknown=unknown,
        words=lower,
        identifiers=tuple(_identifiers(text))[:_MOST_IDENTIFIERS],
        intent=_intent(lower),
        wants_tests=any(word in known.tests for word in lower),
        wants_examples=any(word in known.examples for word in lower),
        subject=_subject(text),
    )


def is_code(word: str) -> bool:
    """Whether a word is written as only names are: with an underscore or a capital inside."""
    return "_" in word.strip("_") or bool(_MIXED.search(word))


def _terms(
    words: Sequence[str], index: TextIndex, workspace: str, weights: TaskWeights
) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    found: dict[int, Term] = {}
    unknown: dict[str, None] = {}

    def add(term: str, weight: float, shown: str) -> bool:
        number = index.term(term)
        if number >= 0 and (number not in found or found[number].weight < weight):
            found[number] = Term(number=number, weight=weight, shown=shown)
        return number >= 0

    for word in dict.fromkeys(words):
        weight = _weight(word, workspace, weights)
        if weight:
            if not any([add(term, weight, word) for term in parts(word)]):
                unknown[word] = None
            if is_code(word):
                add(stem(plain(word)), weights.identifier, word)
    for phrase, shown in _compounds([word.lower() for word in words]):
        add(stem(phrase), weights.joined, shown)
    terms = sorted(
        found.values(), key=lambda term: (-term.weight * index.rarity[term.number], term.number)
    )
    return tuple(terms[:_MOST_TERMS]), tuple(unknown)


def _weight(word: str, workspace: str, weights: TaskWeights) -> float:
    lower, known = word.lower(), lexicon()
    if is_code(word):
        return weights.identifier
    if lower in known.soft:
        return weights.soft
    if lower in known.stop:
        return 0.0
    return weights.workspace_name if lower.rstrip("s") == workspace else weights.plain


def _compounds(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Neighbouring words written as one, as they are in names."""
    stop = lexicon().stop
    for size in (2, 3):
        for start in range(len(words) - size + 1):
            piece = words[start : start + size]
            if any(word in stop or "_" in word for word in piece):
                continue
            joined, shown = "".join(piece), " ".join(piece)
            yield joined, shown
            if joined.endswith("s"):
                yield joined.rstrip("s"), shown


def _identifiers(text: str) -> Iterator[Identifier]:
    seen: dict[tuple[str, ...], None] = {}
    for match in _CODE.finditer(text):
        whole = match[0]
        chain = tuple(_SEPARATOR.split(whole.removesuffix("()")))
        if len(chain) > 1 or is_code(chain[0]) or whole.endswith("()"):
            seen[chain] = None
    for backticked, other in _QUOTED.findall(text):
        quoted = backticked or other
        chain = tuple(part for part in _SEPARATOR.split(quoted.removesuffix("()").strip()) if part)
        if chain and all(part.isidentifier() for part in chain):
            seen[chain] = None
    return (Identifier(chain=chain) for chain in seen)


def _intent(words: Sequence[str]) -> Intent:
    known, first = lexicon(), words[0] if words else ""
    for intent, begins in (
        (Intent.EXPLAIN, known.explain),
        (Intent.FIND, known.find),
        (Intent.REPAIR, known.repair),
        (Intent.BUILD, known.build),
    ):
        if first in begins:
            return intent
    return Intent.EXPLAIN if words[:4] == ("i", "want", "to", "understand") else Intent.REPORT


def _subject(text: str) -> tuple[str, ...]:
    """In "Implement a custom session store for tests": session, store."""
    known = lexicon()
    words = text_words(_FIRST_CLAUSE.split(text.strip(), maxsplit=1)[0])
    if not words or words[0].lower() not in known.making:
        return ()
    subject: list[str] = []
    for word in words[1:]:
        lower = word.lower()
        if lower in known.ending:
            break
        if lower not in known.leading:
            subject.append(lower)
    return tuple(subject) if len(subject) <= _LONGEST_NOUN else ()


def phrases(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Runs of one to four words in plain form, singular and plural, with their number of words."""
    known = lexicon()
    for size in range(_LONGEST_PHRASE, 0, -1):
        for start in range(len(words) - size + 1):
            piece = words[start : start + size]
            if size == 1 and (piece[0] in known.stop | known.soft or len(piece[0]) < 4):
                continue
            if size > 1 and (piece[0] in known.stop or piece[-1] in known.stop):
                continue
            joined = plain("".join(piece))
            for form in _numbers(joined):
                yield size, form


def _numbers(word: str) -> Iterator[str]:
    """Singular and plural of a word, as far as spelling tells."""
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]
    else:
        yield word + "s"

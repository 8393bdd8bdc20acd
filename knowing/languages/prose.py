"""How text with headings is read: the `[rules]` of a language of prose."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseRules:
    """Regular expressions of Python's `re`, in which `^` and `$` are the ends of a line.

    They are matched against bytes that end with a line feed and have no carriage return before
    one. Groups are named, and referred to by name. `headings`, `skipped`, `code` and `described`
    are tried at the beginning of each line; where several match the first of `skipped`, `code`,
    `headings`, `described` is taken.
    """

    headings: tuple[str, ...] = ()
    """Groups: `name` is the heading's text, `level` its style; `over` is part of the style."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """Style of a heading -> its level. Without any, styles are levels in order of appearance."""
    skipped: tuple[str, ...] = ()
    """Whole blocks in which nothing is looked for: front matter, comments."""
    code: tuple[str, ...] = ()
    """Whole blocks of code."""
    paragraph: str = r"^\S"
    """How the first line of a paragraph begins."""
    markup: tuple[str, ...] = ()
    """What is taken out of headings and paragraphs; the group `code` stays as it is, the group
    `text` stays after markup has been taken out of it, too."""
    mentions: tuple[str, ...] = ()
    """Code in running text: the group `name`. Quick if each begins with a sign of its own."""
    described: tuple[str, ...] = ()
    """Lines that say what the text below is about: `name`, to which those belong that follow
    with a longer `indent`, or `context`, to which all belong that follow."""
    code_mentions: tuple[str, ...] = ()
    """In blocks of code, beside calls and chains: `names`, comma between them, of `owner`."""

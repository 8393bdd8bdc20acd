"""How text with headings is read: the `[rules]` of a language of prose."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseRules:
    """Regular expressions of Python's `re`, in which `^` and `$` are the ends of a line.

    They are matched against bytes that end with a line feed and have no carriage return before
    one. Groups are named, and referred to by name. What stands first in the text is taken first;
    where several rules match at one place the order is `skipped`, `code`, `headings`.
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
    """Code in running text. Groups: `name` is the code; with `indent` it is a description to
    which those below it belong that are indented deeper, `context` what all of them belong to."""
    code_mentions: tuple[str, ...] = ()
    """In blocks of code, beside calls and chains: `names`, comma between them, of `owner`."""

"""What the beginning of a file says about where it came from."""

import re

from knowing.model import SymbolFlag

_HEAD_BYTES = 1024

_PROLOGUE = re.compile(
    rb"(?:\s++"
    rb"|(?://|\#|--|;|%|\.\.\s)[^\n]*+"
    rb"|/\*(?:(?!\*/)[\s\S])*+(?:\*/)?"
    rb"|<!--(?:(?!-->)[\s\S])*+(?:-->)?"
    rb"|\(\*(?:(?!\*\))[\s\S])*+(?:\*\))?"
    rb"|\"\"\"(?:(?!\"\"\")[\s\S])*+(?:\"\"\")?"
    rb"|'''(?:(?!''')[\s\S])*+(?:''')?"
    rb"|<\?[^\n]*+|<%\#?[^\n]*+|\{\#[^\n]*+"
    rb"|[\"']use strict[\"'];?"
    rb"|(?:package|namespace|import|using|module|syntax|option|library)\s[^\n({]*+(?=\n)"
    rb")*+"
)
"""Comments, a module's docstring and lines that name packages: what stands before the code.

A program that writes such markers holds them in its strings, further down.
"""

_GENERATED = re.compile(
    # The words that tools write by convention, wherever they stand in a comment.
    rb"(?<![\w.@/])@generated(?![\w.])"
    rb"|\bcode generated\b[^\n]*\bdo not edit\b"
    rb"|<auto-?generated\b"
    rb"|\b(?:this|the) (?:file|code|module|class|source|document)\b[^\n]{0,40}?"
    rb"\b(?:is|was|has been|were) (?:\w+ )?(?:auto(?:matically)?[- ]?)?generated\b"
    rb"|\bauto(?:matically)?[- ]?generated\b[^\n]*\b(?:do not|don't) (?:edit|modify|change)\b"
    # Words that a person might use within a sentence, so they have to open a line.
    rb"|^[ \t]*+[^\w\s]*+[ \t*#/;=-]*+(?:"
    rb"auto(?:matically)?[- ]?generated(?: (?:by|from|file|code|using|with|on)\b|\W*$)"
    rb"|generated (?:automatically )?(?:by|from|using|with)\b"
    rb"|(?:warning:? *)?do not (?:edit|modify)(?: this file\b| by hand\b| manually\b"
    rb"| directly\b|\W*$))",
    re.MULTILINE,
)
_HINTS = (b"generated", b"do not edit", b"do not modify")

_MINIFIED_BYTES = 8192
_MINIFIED_LINE = 1000


def content_flags(data: bytes) -> SymbolFlag:
    """GENERATED when a comment in the first 1024 bytes says that a tool wrote the file."""
    head = data[:_HEAD_BYTES].lower()
    if not any(hint in head for hint in _HINTS):
        return SymbolFlag(0)
    prologue = _PROLOGUE.match(head)
    if prologue is None or _GENERATED.search(prologue[0]) is None:
        return SymbolFlag(0)
    return SymbolFlag.GENERATED


def is_minified(data: bytes) -> bool:
    """Whether the lines are on average far longer than anyone writes them."""
    if len(data) < _MINIFIED_BYTES:
        return False
    if len(data) <= (data.count(b"\n") + 1) * _MINIFIED_LINE:
        return False
    return len(data) > (data.count(b"\r") + 1) * _MINIFIED_LINE

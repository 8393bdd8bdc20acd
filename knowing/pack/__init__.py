"""Ranked symbols into a token budget, ready for a chat window.

`pack` reads a `View` and the text of files and decides how much of each candidate is shown: its
name, its signature, its documentation, the lines of its body that matter or all of it. Each line
of a file appears at most once and as it stands there; what is left out is marked. The text never
exceeds the budget by the tokenizer that is named. No file is opened here and nothing is kept:
`key` names a pack for a cache, `Arc` is one.
"""

from knowing.pack.arc import Arc
from knowing.pack.identity import key
from knowing.pack.packing import pack
from knowing.pack.tokens import TOKENIZERS, Tokenizer, TokenizerError, tokenizer
from knowing.pack.values import Candidate, Detail, Form, Pack, Packed, PackOptions, Source

__all__ = [
    "TOKENIZERS",
    "Arc",
    "Candidate",
    "Detail",
    "Form",
    "Pack",
    "PackOptions",
    "Packed",
    "Source",
    "Tokenizer",
    "TokenizerError",
    "key",
    "pack",
    "tokenizer",
]

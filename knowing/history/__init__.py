"""HISTORY: the git log as documents about the code.

`mine` reads commits once, `encode` and `decode` keep them, `link` joins them to the symbols
and files of one state of the code. `owners_of` tells who is responsible for a path, and
`knowing.history.revision` what changed since a revision.
"""

from knowing.history.codec import decode, encode
from knowing.history.commit import Commit, Rename, Touch
from knowing.history.follow import current_paths
from knowing.history.link import Activity, Incidence, Links, SymbolTable, link
from knowing.history.mine import Limits, Mined, mine
from knowing.history.owners import owners_of

__all__ = [
    "Activity",
    "Commit",
    "Incidence",
    "Limits",
    "Links",
    "Mined",
    "Rename",
    "SymbolTable",
    "Touch",
    "current_paths",
    "decode",
    "encode",
    "link",
    "mine",
    "owners_of",
]

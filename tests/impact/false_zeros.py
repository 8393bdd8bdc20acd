"""Code with a use that an index easily misses, one for each way of missing it and language.

`caller` is the symbol that must be among the direct items; where no tool can know it without
running the code, `place` is the `path:line` that must be named as possible, or `code` the reason
that must be given.
"""

from tests.impact.false_zeros_calls import (
    DECORATED,
    DYNAMIC,
    ROUTES,
    UNREAD,
    UNRESOLVED,
    VALUES,
)
from tests.impact.false_zeros_types import DISPATCH, OVERRIDE, REEXPORT
from tests.impact.misses import Miss

__all__ = ["MISSES", "Miss"]

MISSES = [
    *(*DISPATCH, *OVERRIDE, *REEXPORT),
    *(*DYNAMIC, *DECORATED, *ROUTES, *VALUES, *UNRESOLVED, *UNREAD),
]

"""Numbers in the column of receivers that are no values."""

BARE = -2
"""Of a name without a receiver."""
PENDING = -3
"""Of a member whose receiver is not looked for yet."""

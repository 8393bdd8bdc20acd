"""Other tools, asked the same tasks: adapters in the shape of our own `System`.

Each runs on a copy of the repository's files, because some write beside what they read, and in an
environment of its own. What a tool returns is turned into symbols of our index by file and line,
so that it is scored on what it found, not on how it spells names. All of this favours the peer.
"""

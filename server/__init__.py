"""The language server: the engine for every editor that speaks the protocol.

`python -m server --stdio`. The package knows the protocol and nothing about code; whatever it
answers, one `Engine` for each folder of the workspace has found.
"""

"""Judges of the engine: what it claims, compared with what can be observed.

Nothing in `knowing` imports this package; it drives the engine from outside, mostly through
the command line, and writes only below a temporary or cache directory.
"""

"""IMPACT: what a change touches, which tests to run, how two symbols hang together, the map.

Pure functions over a `View`. What has to be read from files comes through a function that the
caller passes, so nothing here knows where files lie.
"""

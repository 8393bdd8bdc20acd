"""Knows a code base: its symbols, how they are joined, and how sure each join is."""

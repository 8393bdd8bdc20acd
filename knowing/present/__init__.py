"""PRESENT: values become text for people and JSON for programs; nothing is computed here."""

"""PARSE: one file's bytes become its `FileFacts`; nothing here sees a second file."""

from knowing.parse.extract import extract
from knowing.parse.facts import FileFacts

__all__ = ["FileFacts", "extract"]

"""From a root folder to the text of its files, with a reason for everything left out.

`scan` finds the files that the rules of a workspace let in, `look` judges a single path,
`compare` tells what differs from an index, `read` gives a file's text in UTF-8. Nothing here
starts a process or writes, and nothing about a file's name or content raises.
"""

from knowing.files.changes import Changes, Stamp, compare, stamp_of
from knowing.files.look import look
from knowing.files.markers import content_flags
from knowing.files.read import SourceText, digest_of, read, text_of
from knowing.files.rules import FileRules
from knowing.files.scan import Scan, ScanCancelled, is_ignore_file, scan

__all__ = [
    "Changes",
    "FileRules",
    "Scan",
    "ScanCancelled",
    "SourceText",
    "Stamp",
    "compare",
    "content_flags",
    "digest_of",
    "is_ignore_file",
    "look",
    "read",
    "scan",
    "stamp_of",
    "text_of",
]

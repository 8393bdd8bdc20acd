"""STORE: SQLite holds the truth, mapped arrays hold the view of a generation.

Only `knowing.engine` uses this package. Whatever is in it can be made again from the workspace.
"""

from knowing.store import snapshot
from knowing.store.answers import AnswerRow
from knowing.store.arrays import array_names
from knowing.store.database import SQLITE_VERSION, Database, FileRow
from knowing.store.failures import MENDS, DamagedError
from knowing.store.place import index_folder
from knowing.store.shelf import Shelf
from knowing.store.snapshot import SnapshotInfo

__all__ = [
    "MENDS",
    "SQLITE_VERSION",
    "AnswerRow",
    "DamagedError",
    "Database",
    "FileRow",
    "Shelf",
    "SnapshotInfo",
    "array_names",
    "index_folder",
    "snapshot",
]

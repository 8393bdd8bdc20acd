"""What can go wrong, as a tree.

KnowingError
 +-- WorkspaceError      the root cannot be read
 +-- StoreError          the index cannot be opened, written or trusted
 |    +-- DiskFullError
 |    +-- BusyError      another process is writing
 +-- LanguageError       a language folder is not valid
 +-- HistoryError        git failed
 +-- NotFoundError       no such symbol, file or revision
 +-- AmbiguousError      several symbols answer to one name
 +-- CancelledError      the caller asked for the work to stop

Each carries one sentence for the user and, in `hint`, what to do about it.
"""


class KnowingError(Exception):
    """Base of every error that is meant to reach a user as one line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class WorkspaceError(KnowingError):
    pass


class StoreError(KnowingError):
    pass


class DiskFullError(StoreError):
    pass


class BusyError(StoreError):
    pass


class LanguageError(KnowingError):
    pass


class HistoryError(KnowingError):
    pass


class NotFoundError(KnowingError):
    pass


class CancelledError(KnowingError):
    pass


class AmbiguousError(KnowingError):
    def __init__(self, message: str, candidates: list[str], hint: str = "") -> None:
        super().__init__(message, hint)
        self.candidates = candidates

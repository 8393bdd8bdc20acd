"""The documents that are open in the editor, as they are shown there."""

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from knowing.text import Encoding, LineIndex

_KEPT_EDITS = 8

Change = lsp.TextDocumentContentChangeEvent


@dataclass(slots=True, kw_only=True)
class Document:
    """One open document."""

    uri: str
    data: bytes
    """Its text in UTF-8."""
    version: int

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "surrogatepass")


class Documents:
    """All open documents, and where the user was last."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._open: dict[str, Document] = {}
        self._edits: list[tuple[str, int]] = []

    def open(self, item: lsp.TextDocumentItem) -> Document:
        self._open.pop(item.uri, None)
        data = item.text.encode("utf-8", "surrogatepass")
        document = Document(uri=item.uri, data=data, version=item.version)
        self._open[item.uri] = document
        return document

    def change(self, uri: str, version: int, changes: Sequence[Change]) -> Document | None:
        """Applies edits in order; None for a document that was never opened."""
        document = self._open.get(uri)
        if document is None:
            return None
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                document.data = _edited(document.data, change, self.encoding)
                self._note(uri, change.range.start.line + 1)
            else:
                document.data = change.text.encode("utf-8", "surrogatepass")
        document.version = version
        # The one that was touched last comes last.
        self._open[uri] = self._open.pop(uri)
        return document

    def close(self, uri: str) -> Document | None:
        self._edits = [edit for edit in self._edits if edit[0] != uri]
        return self._open.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        return self._open.get(uri)

    def latest(self) -> list[Document]:
        """All open documents, the one that was touched last first."""
        return list(self._open.values())[::-1]

    def edits(self) -> list[tuple[str, int]]:
        """Documents and 1-based lines of the last edits, the last one first."""
        return self._edits[::-1]

    def _note(self, uri: str, line: int) -> None:
        edit = (uri, line)
        others = [old for old in self._edits if old != edit]
        self._edits = [*others[-_KEPT_EDITS + 1 :], edit]


def _edited(data: bytes, change: lsp.TextDocumentContentChangePartial, encoding: Encoding) -> bytes:
    lines = LineIndex(data)
    first, last = change.range.start, change.range.end
    start = lines.offset(first.line, first.character, encoding)
    end = max(start, lines.offset(last.line, last.character, encoding))
    return data[:start] + change.text.encode("utf-8", "surrogatepass") + data[end:]

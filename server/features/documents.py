"""Documents and files that change."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from server.app import KnowingServer
    from server.folder import Folder

_EVERYTHING = lsp.FileOperationRegistrationOptions(
    filters=[
        lsp.FileOperationFilter(scheme="file", pattern=lsp.FileOperationPattern(glob="**/*")),
    ]
)


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(_open)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(_change)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(_close)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(_save)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_watched)
    server.feature(lsp.WORKSPACE_DID_CREATE_FILES, _EVERYTHING)(_created)
    server.feature(lsp.WORKSPACE_DID_DELETE_FILES, _EVERYTHING)(_deleted)
    server.feature(lsp.WORKSPACE_DID_RENAME_FILES, _EVERYTHING)(_renamed)


def _open(ls: "KnowingServer", params: lsp.DidOpenTextDocumentParams) -> None:
    document = ls.session.documents.open(params.text_document)
    if spot := ls.session.spot(document.uri):
        spot.folder.warm()
        ls.session.lay_over(spot, document)


def _change(ls: "KnowingServer", params: lsp.DidChangeTextDocumentParams) -> None:
    uri, version = params.text_document.uri, params.text_document.version
    document = ls.session.documents.change(uri, version, params.content_changes)
    if document is not None and (spot := ls.session.spot(uri)):
        spot.folder.overlay(spot.path, document.text)


def _close(ls: "KnowingServer", params: lsp.DidCloseTextDocumentParams) -> None:
    ls.session.documents.close(params.text_document.uri)
    if spot := ls.session.spot(params.text_document.uri):
        spot.folder.overlay(spot.path, None)


def _save(ls: "KnowingServer", params: lsp.DidSaveTextDocumentParams) -> None:
    uri = params.text_document.uri
    if spot := ls.session.spot(uri):
        if document := ls.session.documents.get(uri):
            ls.session.lay_over(spot, document)
        _touch(ls, [uri])


def _watched(ls: "KnowingServer", params: lsp.DidChangeWatchedFilesParams) -> None:
    _touch(ls, [change.uri for change in params.changes])


def _created(ls: "KnowingServer", params: lsp.CreateFilesParams) -> None:
    _touch(ls, [file.uri for file in params.files])


def _deleted(ls: "KnowingServer", params: lsp.DeleteFilesParams) -> None:
    _touch(ls, [file.uri for file in params.files])


def _renamed(ls: "KnowingServer", params: lsp.RenameFilesParams) -> None:
    _touch(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def _touch(ls: "KnowingServer", uris: Iterable[str]) -> None:
    """Tells each folder of its files; settings that stand in one of them count at once."""
    paths: dict[str, tuple[Folder, list[str]]] = {}
    settings = False
    for uri in dict.fromkeys(uris):
        if spot := ls.session.spot(uri):
            _, known = paths.setdefault(spot.folder.place.uri, (spot.folder, []))
            known.append(spot.path)
            settings = settings or ls.session.is_project_file(spot)
    if settings:
        ls.warn(ls.session.resettle())
    for folder, changed in paths.values():
        if ls.session.folders.get(folder.place.uri) is folder:
            folder.touch(changed)

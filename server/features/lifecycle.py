"""Start: folders, watching files, watching the client; and folders that come and go."""

import logging
import os
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from knowing.text import Encoding
from server import uris, watch
from server.features import configuration
from server.wire import QuietRefusals

if TYPE_CHECKING:
    from server.app import KnowingServer

logger = logging.getLogger(__name__)

_EVERY_FILE = "**/*"


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(QuietRefusals())
    server.feature(lsp.INITIALIZE)(_initialize)
    server.feature(lsp.INITIALIZED)(_initialized)
    server.feature(lsp.SHUTDOWN)(_shutdown)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_change_folders)
    server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)(_cancel)


def _initialize(ls: "KnowingServer", params: lsp.InitializeParams) -> None:
    session = ls.session
    session.documents.encoding = _encoding(ls.workspace.position_encoding)
    ls.initialization_options = params.initialization_options
    session.watched = _can_watch(params.capabilities)
    options = params.initialization_options
    session.trusted = not (isinstance(options, dict) and options.get("trusted") is False)
    for process in dict.fromkeys((params.process_id, ls.client_process)):
        if process is not None and process != os.getpid():
            watch.watch(process, lambda: ls.end(1))


def _encoding(agreed: object) -> Encoding:
    """What was agreed on with the client, which says UTF-16 by saying nothing."""
    named = agreed.value if isinstance(agreed, lsp.PositionEncodingKind) else agreed
    return next((item for item in Encoding if item.value == named), Encoding.UTF16)


def _can_watch(capabilities: lsp.ClientCapabilities) -> bool:
    workspace = capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    return bool(watched and watched.dynamic_registration)


async def _initialized(ls: "KnowingServer", params: lsp.InitializedParams) -> None:
    folders = list(ls.workspace.folders.values())
    if not folders and ls.workspace.root_uri:
        path = uris.to_path(ls.workspace.root_uri)
        name = path.name if path else ls.workspace.root_uri
        folders = [lsp.WorkspaceFolder(uri=ls.workspace.root_uri, name=name)]
    await configuration.pull(ls, [folder.uri for folder in folders])
    for folder in folders:
        ls.warn(ls.session.add(folder))
    ls.opened.set()
    configuration.apply_log_level(ls)
    await _register_dynamically(ls)


async def _register_dynamically(ls: "KnowingServer") -> None:
    registrations = []
    if ls.session.watched:
        every = lsp.FileSystemWatcher(glob_pattern=_EVERY_FILE)
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=[every])
        registrations.append(_registration(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if configuration.can_register(ls):
        options_of = lsp.DidChangeConfigurationRegistrationOptions(section="knowing")
        registrations.append(_registration(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, options_of))
    if registrations:
        await ls.client_register_capability_async(lsp.RegistrationParams(registrations))


def _registration(method: str, options: object) -> lsp.Registration:
    return lsp.Registration(id=f"knowing-{method}", method=method, register_options=options)


def _shutdown(ls: "KnowingServer", _params: None) -> None:
    for folder in ls.session.folders.values():
        folder.close()


async def _change_folders(ls: "KnowingServer", params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    for folder in params.event.removed:
        ls.session.remove(folder.uri)
    added = list(params.event.added)
    await configuration.pull(ls, [folder.uri for folder in added])
    for folder in added:
        ls.warn(ls.session.add(folder))


def _cancel(ls: "KnowingServer", params: lsp.WorkDoneProgressCancelParams) -> None:
    for indicator in ls.indicators.values():
        indicator.cancelled(params.token)

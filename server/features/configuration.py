"""Settings of the editor: asked for where the client can be asked, taken as sent where not."""

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from server.protocol import SECTION

if TYPE_CHECKING:
    from server.app import KnowingServer

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 5.0


def register(server: "KnowingServer") -> None:
    """Adds the handlers."""

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def change(ls: "KnowingServer", params: lsp.DidChangeConfigurationParams) -> None:
        uris = list(ls.session.folders)
        if _can_pull(ls):
            await pull(ls, uris)
        else:
            ls.session.options = dict.fromkeys(uris, section_of(params.settings))
        ls.warn(ls.session.resettle())
        apply_log_level(ls)


async def pull(ls: "KnowingServer", uris: list[str]) -> None:
    """Asks the client what is set for some folders; without an answer, what it sent at first."""
    first = section_of(ls.initialization_options)
    answers: list[object] = [None] * len(uris)
    if _can_pull(ls) and uris:
        items = [lsp.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in uris]
        try:
            found = await asyncio.wait_for(
                ls.workspace_configuration_async(lsp.ConfigurationParams(items=items)),
                _PATIENCE_SECONDS,
            )
            answers[: len(found)] = list(found)[: len(uris)]
        except (JsonRpcException, TimeoutError, TypeError) as error:
            logger.warning("the client does not say what is set: %s", error)
    for uri, answer in zip(uris, answers, strict=True):
        ls.session.options[uri] = first if answer is None else section_of(answer)


def section_of(given: object) -> object:
    """Our part of what a client sends: all of it, or what stands under our name."""
    if isinstance(given, dict):
        return given.get(SECTION, given)
    return None if given is None else given


def _can_pull(ls: "KnowingServer") -> bool:
    workspace = ls.client_capabilities.workspace
    return bool(workspace and workspace.configuration)


def can_register(ls: "KnowingServer") -> bool:
    """Whether the client wants to be told which settings to report."""
    workspace = ls.client_capabilities.workspace
    change = workspace.did_change_configuration if workspace else None
    return bool(change and change.dynamic_registration)


def apply_log_level(ls: "KnowingServer") -> None:
    """The level that the settings name, unless the command line asked for everything."""
    root = logging.getLogger()
    if root.level != logging.DEBUG:
        root.setLevel(ls.session.log_level.upper())

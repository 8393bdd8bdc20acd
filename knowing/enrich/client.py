"""One language server, from its start to its end, asked where names are defined."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from knowing.enrich import process
from knowing.enrich.detect import Found, Surroundings
from knowing.enrich.rpc import (
    CONTENT_MODIFIED,
    METHOD_NOT_FOUND,
    SERVER_CANCELLED,
    Connection,
    GoneError,
    RefusedError,
    ServerError,
    SilentError,
)
from knowing.enrich.servers import AT_ONCE, NOTICE, ServerSpec, filled
from knowing.enrich.uris import to_uri
from knowing.text import Encoding

logger = logging.getLogger(__name__)

_INITIALIZE_SECONDS = 60.0
_SHUTDOWN_SECONDS = 8.0
_EXIT_SECONDS = 5.0
_RETRIES = 3
_RETRY_SECONDS = 0.2
_PATIENCE = 3
"""Requests in a row without an answer after which a server counts as stuck."""
_QUIET_SECONDS = 0.3
_GRACE_SECONDS = 5.0
"""How long a server that announces its work may take to begin it."""

DEFINITION = "textDocument/definition"
IMPLEMENTATION = "textDocument/implementation"
_PROVIDERS = {DEFINITION: "definitionProvider", IMPLEMENTATION: "implementationProvider"}

_CAPABILITIES: Mapping[str, Any] = {
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": False},
        "definition": {"linkSupport": True},
        "implementation": {"linkSupport": True},
    },
    "window": {"workDoneProgress": True},
    "general": {
        "positionEncodings": [Encoding.UTF8, Encoding.UTF16, Encoding.UTF32],
        "staleRequestSupport": {
            "cancel": True,
            "retryOnContentModified": [DEFINITION, IMPLEMENTATION],
        },
    },
    "experimental": {"serverStatusNotification": True},
}

_NOTHING_TO_SAY = frozenset(
    {
        "client/registerCapability",
        "client/unregisterCapability",
        "window/workDoneProgress/create",
        "window/showMessageRequest",
        "workspace/diagnostic/refresh",
        "workspace/semanticTokens/refresh",
        "workspace/inlayHint/refresh",
        "workspace/inlineValue/refresh",
        "workspace/codeLens/refresh",
        "workspace/foldingRange/refresh",
        "workspace/_roslyn_projectNeedsRestore",
    }
)
"""Requests of servers that want to be noticed, and do not go on until they are."""

_FIXED_ANSWERS: Mapping[str, Any] = {
    "workspace/applyEdit": {"applied": False, "failureReason": "this client changes nothing"},
    "window/showDocument": {"success": False},
    "workspace/executeClientCommand": [],
}


class NotReadyError(ServerError):
    """A server did not come to the end of reading the workspace."""


class Place(NamedTuple):
    """A position as a server gave it: 0-based, in the server's own encoding."""

    uri: str
    line: int
    character: int


class LanguageServer:
    """A server that has said hello. Not to be used by several event loops."""

    def __init__(self, running: process.Process, found: Found, around: Surroundings) -> None:
        self.process = running
        self.found = found
        self.encoding = Encoding.UTF16
        """What columns count; given by the server."""
        self._root = around.root
        self._settings = filled(found.spec.settings, around.places)
        self._options = filled(found.spec.options, around.places)
        self._capabilities: Mapping[str, Any] = {}
        self._working: set[str] = set()
        self._began, self._ready, self._changed = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._silences = 0
        self._connection = Connection(running.stdout, running.stdin, self._answer, self._notice)

    @classmethod
    async def start(cls, found: Found, around: Surroundings) -> Self:
        """Starts a server and waits until it has introduced itself."""
        variables = filled(found.spec.environment, around.places)
        running = await process.start(found.command, around.root, variables)
        server = cls(running, found, around)
        try:
            await server._initialize()
        except ServerError as error:
            await server._abandon()
            words = running.last_words[-1] if running.last_words else ""
            detail = f"{error}; it said: {words}" if words else str(error)
            raise GoneError(f"{found.spec.name} did not start: {detail}") from error
        except BaseException:
            await server._abandon()
            raise
        return server

    @property
    def spec(self) -> ServerSpec:
        return self.found.spec

    @property
    def is_open(self) -> bool:
        return self._connection.is_open and self.process.is_running

    def offers(self, method: str) -> bool:
        """Whether the server has said that it answers these requests."""
        return bool(self._capabilities.get(_PROVIDERS[method]))

    async def _initialize(self) -> None:
        folder = {"uri": to_uri(self._root), "name": self._root.name}
        params = {
            "processId": os.getpid(),
            "clientInfo": {"name": "knowing"},
            "rootUri": folder["uri"],
            "rootPath": str(self._root),
            "workspaceFolders": [folder],
            "capabilities": _CAPABILITIES,
            "initializationOptions": self._options,
        }
        result = await self._connection.request("initialize", params, _INITIALIZE_SECONDS)
        capabilities = result.get("capabilities") if isinstance(result, dict) else None
        if not isinstance(capabilities, dict):
            raise GoneError("it answered `initialize` with something else")
        self._capabilities = capabilities
        if not self.offers(DEFINITION):
            raise GoneError("it does not say where names are defined")
        with contextlib.suppress(ValueError):
            self.encoding = Encoding(capabilities.get("positionEncoding", Encoding.UTF16))
        await self._connection.notify("initialized", {})

    # -- what is asked of us -------------------------------------------------------------------

    def _answer(self, method: str, params: Any) -> Any:
        if method in _NOTHING_TO_SAY:
            return None
        if method in _FIXED_ANSWERS:
            return _FIXED_ANSWERS[method]
        if method == "workspace/configuration":
            return self._configuration(params)
        if method == "workspace/workspaceFolders":
            return [{"uri": to_uri(self._root), "name": self._root.name}]
        raise RefusedError(METHOD_NOT_FOUND, f"{method} is not known here")

    def _configuration(self, params: Any) -> list[Any]:
        """One value for each section that is asked for, null for those nobody has set."""
        items = params.get("items") if isinstance(params, dict) else None
        return [self._section(item) for item in items] if isinstance(items, list) else []

    def _section(self, item: Any) -> Any:
        section = item.get("section") if isinstance(item, dict) else None
        value: Any = self._settings
        for part in str(section).split(".") if section else ():
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def _notice(self, method: str, params: Any) -> None:
        if method == "$/progress" and isinstance(params, dict):
            value = params.get("value")
            kind = value.get("kind") if isinstance(value, dict) else None
            token = repr(params.get("token"))
            if kind == "begin":
                self._working.add(token)
                self._began.set()
            elif kind == "end":
                self._working.discard(token)
            self._changed.set()
        elif self.spec.ready.met_by(method, params):
            self._ready.set()

    # -- readiness -----------------------------------------------------------------------------

    async def wait_until_ready(self) -> None:
        """Returns once the server has read the workspace; NotReadyError if it never does."""
        if self._ready.is_set() or self.spec.ready.kind == AT_ONCE:
            return
        seconds = self.spec.ready_seconds
        waiting = asyncio.ensure_future(
            self._ready.wait() if self.spec.ready.kind == NOTICE else self._settled()
        )
        ending = asyncio.ensure_future(self._watch_for_end())
        try:
            done, _ = await asyncio.wait(
                (waiting, ending), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for task in (waiting, ending):
                task.cancel()
            await asyncio.gather(waiting, ending, return_exceptions=True)
        if ending in done:
            raise GoneError(f"{self.spec.name} ended while it read the workspace")
        if waiting not in done:
            raise NotReadyError(f"{self.spec.name} was not ready after {seconds:g} seconds")
        self._ready.set()

    async def _settled(self) -> None:
        """Work was announced and has come to an end, or none was announced for a while."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await self._began.wait()
        while True:
            self._changed.clear()
            try:
                async with asyncio.timeout(None if self._working else _QUIET_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                return

    async def _watch_for_end(self) -> None:
        while self.is_open:
            await asyncio.sleep(_RETRY_SECONDS)

    # -- what we ask ---------------------------------------------------------------------------

    async def open(self, path: Path, language: str, text: str) -> None:
        """Tells the server that a file is being looked at."""
        document = {
            "uri": to_uri(path),
            "languageId": self.spec.language_id(str(path), language),
            "version": 1,
            "text": text,
        }
        await self._connection.notify("textDocument/didOpen", {"textDocument": document})

    async def close(self, path: Path) -> None:
        document = {"uri": to_uri(path)}
        await self._connection.notify("textDocument/didClose", {"textDocument": document})

    async def changed(self, paths: Mapping[Path, int]) -> None:
        """Tells of files that were made (1), edited (2) or removed (3)."""
        events = [{"uri": to_uri(path), "type": kind} for path, kind in paths.items()]
        await self._connection.notify("workspace/didChangeWatchedFiles", {"changes": events})

    async def places(self, method: str, uri: str, line: int, character: int) -> list[Place]:
        """Where the name at a position is defined or implemented; GoneError if it is stuck."""
        params = {
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": character},
        }
        try:
            result = await self._persistent(method, params)
        except SilentError:
            self._silences += 1
            if self._silences >= _PATIENCE:
                raise GoneError(f"{self.spec.name} no longer answers") from None
            raise
        self._silences = 0
        return _places(result)

    async def _persistent(self, method: str, params: Any) -> Any:
        """Asks again when the server says that the moment was a bad one."""
        for _ in range(_RETRIES):
            try:
                return await self._connection.request(method, params, self.spec.request_seconds)
            except RefusedError as error:
                if error.code not in (CONTENT_MODIFIED, SERVER_CANCELLED):
                    raise
                await asyncio.sleep(_RETRY_SECONDS)
        return await self._connection.request(method, params, self.spec.request_seconds)

    # -- the end -------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Asks the server to end, waits a little, and makes sure."""
        if self.is_open:
            self.process.resume()
            with contextlib.suppress(ServerError):
                await self._connection.request("shutdown", None, _SHUTDOWN_SECONDS)
                await self._connection.notify("exit")
                await self.process.ended(_EXIT_SECONDS)
        await self._abandon()

    async def _abandon(self) -> None:
        await self._connection.close()
        await self.process.end()


def _places(result: Any) -> list[Place]:
    """Locations or links, one or many, as positions; what has another form is left out."""
    items = result if isinstance(result, list) else [result]
    return [place for item in items if (place := _place(item)) is not None]


def _place(item: Any) -> Place | None:
    if not isinstance(item, dict):
        return None
    uri = item.get("targetUri", item.get("uri"))
    area = item.get("targetSelectionRange", item.get("range"))
    start = area.get("start") if isinstance(area, dict) else None
    if not isinstance(uri, str) or not isinstance(start, dict):
        return None
    line, character = start.get("line"), start.get("character")
    if not isinstance(line, int) or not isinstance(character, int) or min(line, character) < 0:
        return None
    return Place(uri, line, character)

"""The protocol as this server speaks it: every request gets an answer, whatever it looks like."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    lsp_method,
)

from server import protocol

logger = logging.getLogger(__name__)

Message = dict[str, Any]


class WireProtocol(LanguageServerProtocol):
    """Checks each message before anything is done with it."""

    on_exit: Callable[[int], None] = staticmethod(lambda _code: None)
    """Called with the exit code once the client says that the server shall end."""
    initialized = False

    def receive(self, body: bytes) -> None:
        """Takes in one message."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("a message is not JSON: %s", error)
            self.refuse(None, JsonRpcParseError(f"not JSON: {error}"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            number = message.get("id") if isinstance(message, dict) else None
            self.refuse(number, JsonRpcInvalidRequest("not a message of JSON-RPC 2.0"))
            return
        if "method" not in message:
            self._take_response(message)
        elif "id" in message:
            self._take_request(message)
        else:
            self._take_notification(message)

    def refuse(self, number: object, error: JsonRpcException) -> None:
        """Answers with an error; a request without a proper number has none in the answer."""
        known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
        shown: Message = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": known, "error": shown})

    def _take_request(self, message: Message) -> None:
        method, number = message["method"], message["id"]
        problem: JsonRpcException | None = None
        if not isinstance(method, str) or not isinstance(number, int | str):
            problem = JsonRpcInvalidRequest("a method is text, an id is text or a number")
        elif self._shutdown:
            problem = JsonRpcInvalidRequest("the server is shutting down")
        elif self.initialized == (method == lsp.INITIALIZE):
            problem = (
                JsonRpcInvalidRequest("the server is initialized already")
                if self.initialized
                else JsonRpcServerNotInitialized("the server is not initialized yet")
            )
        if problem is not None:
            self.refuse(number, problem)
            return
        try:
            known = self._structured(message)
        except (JsonRpcException, RecursionError) as error:
            logger.info("bad parameters for %s", method)
            self.refuse(number, JsonRpcInvalidParams(f"bad parameters for {method}: {error}"))
            return
        self.initialized = True
        self.handle_message(known)

    def _take_notification(self, message: Message) -> None:
        method = message["method"]
        if not isinstance(method, str) or not (self.initialized or method == lsp.EXIT):
            return
        try:
            self.handle_message(self._structured(message))
        except (JsonRpcException, RecursionError):
            logger.warning("ignored a malformed notification: %s", method)

    def _take_response(self, message: Message) -> None:
        try:
            self.handle_message(self.structure_message(message))
        except (JsonRpcException, AttributeError, KeyError, TypeError):
            logger.warning("ignored a malformed response")

    def _structured(self, message: Message) -> Any:
        """The message as a value; parameters of our own methods stay as they are."""
        method = message["method"]
        if not method.startswith(protocol.PREFIX):
            return self.structure_message(message)
        params = message.get("params")
        if "id" in message:
            return JsonRPCRequestMessage(
                id=message["id"], method=method, jsonrpc=self.VERSION, params=params
            )
        return JsonRPCNotification(method=method, jsonrpc=self.VERSION, params=params)

    # -- what the base class does otherwise ----------------------------------------------------

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]
        """The end, in order or not."""
        self.on_exit(0 if self._shutdown else 1)

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Runs a command as a task, so that cancelling the request reaches it."""
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"no such command: {params.command}")
        arguments = params.arguments or [{}]
        if len(arguments) != 1 or not isinstance(arguments[0], dict | None):
            raise JsonRpcInvalidParams(f"{params.command} takes one object")
        return await command(arguments[0] or {})

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._pass_on(lsp.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        # Documents are kept by `server.documents`: there a form feed does not end a line.
        self._pass_on(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._pass_on(lsp.TEXT_DOCUMENT_DID_CLOSE, params)

    def _pass_on(self, method: str, params: object) -> None:
        if handler := self.fm.features.get(method):
            handler(params)


class QuietRefusals(logging.Filter):
    """Leaves out tracebacks of errors that are an answer, such as a name that is not known."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg.startswith("Unable to deserialize"):
            return False
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, JsonRpcException | asyncio.CancelledError)

"""JSON-RPC with a process that may do anything: lie about lengths, talk nonsense, fall silent.

Every request ends: with a result, with the peer's refusal, with silence past its time limit, or
with the end of the peer. Whatever cannot be read ends the connection, because nothing that
follows on such a stream can be trusted.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

from knowing.errors import KnowingError

logger = logging.getLogger(__name__)

METHOD_NOT_FOUND = -32601
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801
SERVER_CANCELLED = -32802

LONGEST_BODY = 64 * 1024 * 1024
_LONGEST_NOISE = 64 * 1024
"""Bytes beside messages that are put up with: wrappers greet on standard output."""
_LONGEST_LINE = 8 * 1024
_LENGTH = b"content-length:"

Handler = Callable[[str, Any], Any]
"""Answers a request of the peer, or raises `RefusedError`."""
Listener = Callable[[str, Any], None]


class Writer(Protocol):
    """The part of a stream writer that is used."""

    def write(self, data: bytes) -> None: ...
    async def drain(self) -> None: ...
    def close(self) -> None: ...


class ServerError(KnowingError):
    """A language server could not be asked."""


class GoneError(ServerError):
    """The server has ended or can no longer be understood."""


class SilentError(ServerError):
    """The server did not answer in time."""


class RefusedError(ServerError):
    """The server answered with an error, or we answer it with one."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message


def encoded(message: dict[str, Any]) -> bytes:
    """One message as it goes over the stream."""
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


async def read_message(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """The next message, None at the end of the stream; GoneError for what is none."""
    try:
        length = await _read_length(reader)
        if length is None:
            return None
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
    except (asyncio.LimitOverrunError, ValueError) as error:
        raise GoneError("the server sent an endless line") from error
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise GoneError(f"the server sent what is not JSON: {body[:60]!r}") from error
    if not isinstance(message, dict):
        raise GoneError(f"the server sent what is no message: {body[:60]!r}")
    return message


async def _read_length(reader: asyncio.StreamReader) -> int | None:
    """Reads one header; lines before it that belong to none are skipped, up to a limit."""
    noise, length = 0, -1
    while True:
        line = await reader.readline()
        if not line:
            return None
        if len(line) > _LONGEST_LINE:
            raise GoneError("the server sent an endless line")
        text = line.strip().lower()
        if text.startswith(_LENGTH):
            length = _number(text[len(_LENGTH) :])
        elif not text and length >= 0:
            return length
        elif not text.startswith(b"content-type:"):
            noise += len(line)
            if noise > _LONGEST_NOISE:
                raise GoneError(f"the server does not speak the protocol: {line[:60]!r}")


def _number(text: bytes) -> int:
    digits = text.strip()
    if not digits.isdigit() or int(digits) > LONGEST_BODY:
        raise GoneError(f"the server announced a message of {digits[:40]!r} bytes")
    return int(digits)


class Connection:
    """Requests, notifications and answers over one pair of streams."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: Writer, answer: Handler, notice: Listener
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._answer = answer
        self._notice = notice
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        self._end: GoneError | None = None
        self._task = asyncio.create_task(self._listen())

    @property
    def is_open(self) -> bool:
        return self._end is None

    @property
    def ending(self) -> str:
        """Why the connection is no longer open."""
        return str(self._end) if self._end else ""

    async def request(self, method: str, params: Any, seconds: float) -> Any:
        """The peer's result; raises one of `ServerError` in all other cases."""
        if self._end is not None:
            raise self._end
        self._last += 1
        number = self._last
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        message = {"id": number, "method": method}
        if params is not None:
            # Some servers refuse a null where a method takes nothing.
            message["params"] = params
        try:
            async with asyncio.timeout(seconds):
                await self._send(message)
                return await future
        except TimeoutError:
            self._write({"method": "$/cancelRequest", "params": {"id": number}})
            raise SilentError(f"no answer to {method} in {seconds:g} seconds") from None
        finally:
            self._pending.pop(number, None)
            if future.done() and not future.cancelled():
                # It may have failed while the message was still being sent.
                future.exception()

    async def notify(self, method: str, params: Any = None) -> None:
        """Tells the peer something; nothing if it has gone."""
        message = {"method": method}
        if params is not None:
            message["params"] = params
        await self._send(message)

    async def close(self) -> None:
        """Stops listening; whoever still waits for an answer is told so."""
        self._finish(GoneError("the connection was closed"))
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._writer.close()

    def _write(self, message: dict[str, Any]) -> None:
        if self._end is None:
            try:
                self._writer.write(encoded(message))
            except (OSError, RuntimeError) as error:
                self._finish(GoneError(f"the server cannot be written to: {error}"))

    async def _send(self, message: dict[str, Any]) -> None:
        self._write(message)
        try:
            await self._writer.drain()
        except (OSError, RuntimeError) as error:
            self._finish(GoneError(f"the server cannot be written to: {error}"))
        if self._end is not None and "id" in message:
            raise self._end

    async def _listen(self) -> None:
        try:
            while (message := await read_message(self._reader)) is not None:
                self._take(message)
            self._finish(GoneError("the server ended"))
        except GoneError as error:
            self._finish(error)
        except OSError as error:
            self._finish(GoneError(f"the server cannot be read: {error}"))

    def _take(self, message: dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        if isinstance(method, str):
            if number is None:
                self._notice(method, message.get("params"))
            else:
                self._reply(number, method, message.get("params"))
        elif number is not None:
            self._settle(number, message)

    def _reply(self, number: object, method: str, params: Any) -> None:
        try:
            self._write({"id": number, "result": self._answer(method, params)})
        except RefusedError as error:
            problem = {"code": error.code, "message": error.message}
            self._write({"id": number, "error": problem})

    def _settle(self, number: object, message: dict[str, Any]) -> None:
        # Some servers send numbers back as texts.
        key = int(number) if isinstance(number, str) and number.isdigit() else number
        future = self._pending.get(key) if isinstance(key, int) else None
        if future is None or future.done():
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
            return
        details = error if isinstance(error, dict) else {"message": str(error)}
        code = details.get("code")
        text = str(details.get("message", ""))[:500]
        future.set_exception(RefusedError(code if isinstance(code, int) else 0, text))

    def _finish(self, end: GoneError) -> None:
        if self._end is not None:
            return
        self._end = end
        for future in self._pending.values():
            if not future.done():
                future.set_exception(end)

"""Bytes to messages and back: framing, a reader thread, a writer thread.

The event loop never waits for a pipe: an editor that is slow to read, or that sends half a
message, holds up nothing but its own answers.
"""

import logging
import os
import queue
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

logger = logging.getLogger(__name__)

Receive = Callable[[int], bytes]
Send = Callable[[bytes], None]

_HEADER_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*(?=\r\n|$)", re.IGNORECASE)
_LONGEST_HEADER = 64 * 1024
_LARGEST_MESSAGE = 512 * 1024 * 1024
_CHUNK = 64 * 1024
_FLUSH_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Both directions of a connection."""

    receive: Receive
    """At most so many bytes; nothing once the other side is gone."""
    send: Send


def messages(receive: Receive) -> Iterator[bytes]:
    """The bodies of all messages until the stream ends; what is no message is skipped."""
    buffer = bytearray()
    while True:
        end = buffer.find(_HEADER_END)
        if end < 0:
            if len(buffer) > _LONGEST_HEADER:
                del buffer[: -len(_HEADER_END)]
            if not (chunk := receive(_CHUNK)):
                return
            buffer += chunk
            continue
        length = _announced(bytes(buffer[:end]))
        del buffer[: end + len(_HEADER_END)]
        if length is None:
            logger.warning("skipped a header that announces no message")
            continue
        while len(buffer) < length:
            if not (chunk := receive(_CHUNK)):
                return
            buffer += chunk
        yield bytes(buffer[:length])
        del buffer[:length]


def _announced(header: bytes) -> int | None:
    """How many bytes follow a header; None if it does not say so, or says what cannot be."""
    found = _LENGTH.findall(header)
    length = int(found[-1]) if found else None
    return length if length is not None and length <= _LARGEST_MESSAGE else None


class Outbox:
    """Writes what it is given in order, in a thread of its own."""

    def __init__(self, send: Send, lost: Callable[[], None]) -> None:
        self._send = send
        self._lost = lost
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        self._queue.put(data)

    def close(self) -> None:
        """Lets what is queued go out, but does not wait for an editor that does not read."""
        self._queue.put(None)
        self._thread.join(_FLUSH_SECONDS)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._send(data)
            except OSError as error:
                logger.info("the client is gone: %s", error)
                self._lost()
                return


def private_stdio() -> Channel:
    """Standard input and output for the protocol alone.

    Whatever else writes to standard output, in this process or in a child of it, writes to standard
    error from here on, and whatever else reads standard input finds it empty.
    """
    source, sink = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (source, sink):
            msvcrt.setmode(descriptor, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def send(data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(sink, left) :]

    return Channel(receive=lambda size: os.read(source, size), send=send)


def accepted(host: str, port: int) -> Channel:
    """The first client that connects; the port is closed to others."""
    with socket.create_server((host, port)) as listener:
        logger.info("listening on %s:%d", *listener.getsockname()[:2])
        connection, _ = listener.accept()
    return Channel(receive=connection.recv, send=connection.sendall)

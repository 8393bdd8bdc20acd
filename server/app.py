"""The server as a whole: one visible list of features, one connection, one way to end."""

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from knowing.errors import AmbiguousError, CancelledError, KnowingError
from knowing.present.answers import state_json
from server import protocol
from server.features import (
    actions,
    ask,
    calls,
    configuration,
    documents,
    hover,
    lenses,
    lifecycle,
    symbols,
)
from server.folder import Folder
from server.indexing import Shown
from server.progress import Indicator
from server.session import Session, Spot
from server.transport import Channel, Outbox, messages
from server.wire import WireProtocol
from server.work import Cancel, Lane

logger = logging.getLogger(__name__)

T = TypeVar("T")

FEATURES = (
    lifecycle,
    configuration,
    documents,
    ask,
    hover,
    lenses,
    calls,
    symbols,
    actions,
)

_REQUEST_FAILED = -32803
_OPENING_SECONDS = 8.0
_DEADLINE_SECONDS = 1.9
"""By when the process is gone once it shall end, whatever it is at."""


class KnowingServer(LanguageServer):
    """Engines for the folders of an editor."""

    protocol: WireProtocol

    def __init__(self, index_dir: Path | None = None) -> None:
        super().__init__("knowing", _version(), protocol_cls=WireProtocol, max_workers=1)
        self.session = Session(show=self._shown, changed=self._changed, index_dir=index_dir)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.client_process: int | None = None
        """As told on the command line; a client tells in its first message, too."""
        self.indicators: dict[str, Indicator] = {}
        self.initialization_options: object = None
        self.end: Callable[[int], None] = lambda _code: None
        self.opened = asyncio.Event()
        """Set once the folders that the client starts with are known."""

    async def settled(self) -> None:
        """Until the folders are known: the client may have to be asked for their settings first."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.opened.wait(), _OPENING_SECONDS)

    async def spot(self, uri: str) -> Spot | None:
        """The folder and the path of a document, once folders are known."""
        await self.settled()
        return self.session.spot(uri)

    async def read(self, job: Callable[[Cancel], T], lane: Lane = Lane.SLOW) -> T:
        """Runs a job in a thread; errors that are meant for users reach the client as such."""
        try:
            return await self.session.pool.run(job, lane)
        except CancelledError as error:
            raise JsonRpcException(str(error), code=lsp.LSPErrorCodes.RequestCancelled) from error
        except KnowingError as error:
            raise self.as_answer(error) from error
        except RecursionError as error:
            raise JsonRpcException("nested too deeply", code=_REQUEST_FAILED) from error
        except (OSError, ValueError, TypeError, LookupError) as error:
            logger.exception("a request failed")
            message = f"internal error: {type(error).__name__}: {error}; the log says more"
            raise JsonRpcException(message) from error

    @staticmethod
    def as_answer(error: KnowingError) -> JsonRpcException:
        """An error for a user as the protocol has it."""
        data: dict[str, Any] = {"kind": type(error).__name__, "hint": error.hint}
        if isinstance(error, AmbiguousError):
            data["candidates"] = error.candidates
        return JsonRpcException(str(error), code=_REQUEST_FAILED, data=data)

    def warn(self, problems: list[str]) -> None:
        """Tells the user once."""
        if problems:
            message = "knowing: " + "\n".join(problems)
            self.window_show_message(
                lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=message)
            )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Into the log: a window for each would be in the way."""
        logger.info("%s: %s", getattr(source, "__name__", source), error)

    # -- called from other threads -------------------------------------------------------------

    def _shown(self, title: str, cancel: Callable[[], None]) -> Shown | None:
        window = self.client_capabilities.window
        if self.loop is None or not (window and window.work_done_progress):
            return None
        shown = Indicator(self.protocol, self.loop, title, cancel)
        for token in list(self.indicators)[:-16]:
            self.indicators.pop(token, None)
        self.indicators[shown.token] = shown
        return shown

    def _changed(self, folder: Folder) -> None:
        state = folder.state()
        params = {
            "root": str(folder.root),
            "uri": folder.place.uri,
            "name": folder.place.name,
            "index": state_json(state),
        }
        if self.loop is None or self.loop.is_closed():
            return
        self.loop.call_soon_threadsafe(self.protocol.notify, protocol.INDEX_CHANGED, params)
        if state.state == "fresh" and self._refreshes_lenses():
            self.loop.call_soon_threadsafe(self.workspace_code_lens_refresh, None)

    def _refreshes_lenses(self) -> bool:
        workspace = self.client_capabilities.workspace
        lens = workspace.code_lens if workspace else None
        return bool(lens and lens.refresh_support)

    # -- the connection ------------------------------------------------------------------------

    def serve(self, channel: Channel) -> int:
        """Answers until the client has enough or is gone; the exit code."""
        return asyncio.run(self._serve(channel))

    async def _serve(self, channel: Channel) -> int:
        self.loop = loop = asyncio.get_running_loop()
        over: asyncio.Future[int] = loop.create_future()

        def end(code: int) -> None:
            if not over.done():
                over.set_result(code)

        def end_soon(code: int) -> None:
            # Not only the loop: it may be busy, and the client is not there to wait for it.
            _exit_within(_DEADLINE_SECONDS, code)
            loop.call_soon_threadsafe(end, code)

        def read() -> None:
            try:
                for body in messages(channel.receive):
                    loop.call_soon_threadsafe(self.protocol.receive, body)
            except OSError as error:
                logger.info("the connection broke: %s", error)
            end_soon(1)

        outbox = Outbox(channel.send, lambda: end_soon(1))
        self.end = end_soon
        self.protocol.on_exit = end_soon
        self.protocol.set_writer(outbox)
        threading.Thread(target=read, name="reader", daemon=True).start()
        code = await over
        self.session.close()
        outbox.close()
        return code


def create_server(index_dir: Path | None = None) -> KnowingServer:
    """A server with all its features."""
    server = KnowingServer(index_dir)
    for feature in FEATURES:
        feature.register(server)
    return server


def _exit_within(seconds: float, code: int) -> None:
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()


def _version() -> str:
    try:
        return version("knowing")
    except PackageNotFoundError:
        return "0"

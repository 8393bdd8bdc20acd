"""What an edit would break before it is saved."""

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knowing.engine_pending import pending_edit
from knowing.errors import NotFoundError, StoreError
from knowing.present.pending import pending_json
from server import answers
from server.params import Params
from server.work import Cancel

if TYPE_CHECKING:
    from server.app import KnowingServer

Json = dict[str, Any]


async def pending(ls: "KnowingServer", params: Params) -> Json:
    """Compares the text of a document, or one that is given, with what is saved."""
    uri = params.uri
    if uri is None:
        raise JsonRpcInvalidParams("'textDocument' is missing")
    spot = ls.session.spot(uri)
    if spot is None:
        raise NotFoundError(f"{uri} is in no open folder", "open the folder it is in")
    given = params.maybe_text("text")
    folder, path = spot.folder, spot.path

    def ask(cancel: Cancel) -> Json:
        folder.settle(answers.WAIT_SECONDS, cancel)
        if not folder.engine.is_whole:
            raise StoreError("the first index is being made", "ask again when it is there")
        text = given
        if text is None:
            text = (folder.engine.text(path) or b"").decode("utf-8", "replace")
        cancel.check()
        found = pending_json(pending_edit(folder.engine, path, text))
        return {**found, "root": str(folder.root), "index": answers.index_json(folder)}

    return await ls.read(ask)

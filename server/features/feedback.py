"""What was done with an answer, told by the editor."""

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knowing.errors import StoreError
from knowing.model_events import Deed, Source
from knowing.present.learned import noted_json
from knowing.reports_learned import Noted
from server import answers
from server.features.hover import lines_of, symbol_at
from server.folder import Folder
from server.params import Params
from server.work import Cancel

if TYPE_CHECKING:
    from server.app import KnowingServer

Json = dict[str, Any]

_DEEDS = tuple(deed.value for deed in Deed if deed not in (Deed.SHOWN, Deed.IGNORED))


async def feedback(ls: "KnowingServer", params: Params) -> Json:
    """Notes a deed with one or more symbols, what a text uses, or takes all of that back."""
    folder = ls.session.folder_for(params.root, params.uri)
    deed = _deed(params)
    text = params.maybe_text("text")
    task, undo = params.maybe_text("task") or "", params.flag("undo")
    lines = lines_of(ls, folder)
    spot = ls.session.spot(params.uri) if params.uri and params.position else None

    def note(cancel: Cancel) -> Json:
        folder.settle(answers.WAIT_SECONDS, cancel)
        if not folder.engine.has_lookup:
            raise StoreError("nothing can be noted before there is an index", "try again later")
        if text is not None:
            return _told(folder, folder.engine.used_in(text, source=Source.EDITOR))
        names = [*params.texts("symbols"), *filter(None, (params.maybe_text("symbol"),))]
        if spot is not None and params.position is not None:
            view = folder.engine.view()
            number = symbol_at(spot, view, params.position, lines)
            names += [view.identity(number)] if number is not None else []
        if not names:
            raise JsonRpcInvalidParams("'symbol', 'symbols', a position or 'text' is missing")
        if undo:
            return _told(folder, _taken_back(folder, deed, names, task))
        noted = folder.engine.feedback(deed, names, task=task, source=Source.EDITOR)
        return _told(folder, noted)

    return await ls.read(note)


def _deed(params: Params) -> Deed:
    useful = params.given.get("useful")
    if isinstance(useful, bool) and params.maybe_text("deed") is None:
        return Deed.UP if useful else Deed.DOWN
    return Deed(params.choice("deed", (Deed.USED.value, *_DEEDS)))


def _taken_back(folder: Folder, deed: Deed, names: list[str], task: str) -> Noted:
    wishes = deed in (Deed.PINNED, Deed.BANNED)
    count = sum(folder.engine.forget(name, task=task, wishes=wishes) for name in names)
    return Noted(accepted=count > 0, reason=f"{count} events were taken back")


def _told(folder: Folder, noted: Noted) -> Json:
    return {**noted_json(noted), "root": str(folder.root), "markdown": noted.reason}

"""Questions about a few lines of source."""

from collections.abc import Mapping
from textwrap import dedent

from knowing.graph import View
from knowing.impact.blast import Blast, Circumstances, blast
from knowing.impact.mentions import find_mentions
from knowing.impact.possible import searched_names
from knowing.model import Skipped
from knowing.retrieve.locate import locate_one
from tests.graph.making import graph_of


def view_of(files: Mapping[str, str], *, unread: Mapping[str, str] | None = None) -> View:
    """The graph of some files, without those that are not read; test files by their names."""
    read = {path: text for path, text in files.items() if path not in (unread or {})}
    return graph_of(read, tests=frozenset(path for path in read if "test" in path.lower()))


def ask(
    files: Mapping[str, str],
    symbol: str,
    *,
    unread: Mapping[str, str] | None = None,
    published: bool = False,
    depth: int = 3,
    indexing: str = "",
) -> Blast:
    """The blast radius of a symbol; `unread` names files that are not read, and why."""
    view = view_of(files, unread=unread)
    number = locate_one(view, symbol)

    def read(path: str) -> bytes | None:
        return dedent(files[path]).encode() if path in files else None

    given = Circumstances(
        unread=[Skipped(path=path, reason=why) for path, why in (unread or {}).items()],
        mentions=find_mentions(searched_names(view, number), sorted(files), read),
        published=published,
        indexing=indexing,
        word_calls=frozenset({"ruby"}),
    )
    return blast(view, number, depth=depth, given=given)


def codes(answer: Blast) -> set[str]:
    return {reason.code for reason in answer.reasons}


def direct(answer: Blast) -> set[str]:
    return {item.name for item in answer.direct}

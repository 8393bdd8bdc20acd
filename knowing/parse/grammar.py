"""The only place that knows tree-sitter: grammars, compiled queries, capture lists."""

from collections.abc import Callable
from functools import cache
from typing import cast

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, QueryError
from tree_sitter_language_pack import get_language

from knowing.errors import LanguageError
from knowing.languages import Language
from knowing.parse.captures import operation

Event = tuple[int, int, int]
"""Start byte, minus end byte, operation: sorts outer before inner, left before right."""


class CompiledLanguage:
    """A parser and a query made ready for many files."""

    def __init__(self, language: Language) -> None:
        self.language = language
        grammar = load_grammar(language.grammar)
        self._parser = Parser(grammar)
        try:
            query = Query(grammar, language.tags)
        except QueryError as error:
            raise LanguageError(f"{language.folder}/tags.scm: {error}") from error
        self._cursor = QueryCursor(query)
        self._operations = {
            name: operation(name, language)
            for name in (query.capture_name(i) for i in range(query.capture_count))
        }

    def events(self, source: bytes, expired: Callable[[], bool]) -> tuple[list[Event], bool]:
        """The captures of `source` in order, and whether the syntax was sound throughout."""
        tree = self._parser.parse(source)
        root = tree.root_node
        # The binding checks the callback now and then and stops early when it says so.
        captures = self._cursor.captures(root)
        events: list[Event] = []
        for name, nodes in captures.items():
            code = self._operations[name]
            if code >= 0:
                events += [(node.start_byte, -node.end_byte, code) for node in nodes]
        events.sort()
        return events, not _broken(root)


def _broken(root: Node) -> bool:
    """Whether the parser gave up on the file as a whole rather than on a line of it."""
    return root.type == "ERROR"


@cache
def compiled(language: Language) -> CompiledLanguage:
    return CompiledLanguage(language)


@cache
def load_grammar(name: str) -> Grammar:
    try:
        return get_language(cast("str", name))  # type: ignore[arg-type]
    except LookupError as error:
        raise LanguageError(f"no grammar named {name!r} is installed") from error

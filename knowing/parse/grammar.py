"""The only place that knows tree-sitter: grammars, compiled queries, capture lists."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, QueryError
from tree_sitter_language_pack import get_language

from knowing.errors import LanguageError
from knowing.languages import Language
from knowing.parse.blank import first_branches
from knowing.parse.captures import operation

Column = npt.NDArray[np.int64]


class Events(NamedTuple):
    """Captures as columns, sorted outer before inner, left before right, then by operation."""

    starts: Column
    ends: Column
    ops: Column


_NOTHING = Events(*(np.zeros(0, dtype=np.int64) for _ in range(3)))
_OP_BITS = 7
_LARGEST = 1 << 28
"""Bytes of a source: two positions and an operation are sorted as one number of 63 bits."""
_QUICK = 16 * 1024
"""Sources up to this size are read in one go: nothing in them can take long."""
_PIECE = 4096
_DEEPEST = 4000
_WIDEST_DAMAGE = 4000
"""Children of a node that the parser could make no sense of."""
_MUCH_DAMAGE = 10
"""Bytes without sense from which on a second try may be worth its time."""
_SMALL_PART = 2000
"""The same as a part of the file: a long file is not read twice for a line in it."""
_LOOKS = 2000
_start_byte = attrgetter("start_byte")
_end_byte = attrgetter("end_byte")


class CompiledLanguage:
    """A parser and a query made ready for many files."""

    def __init__(self, language: Language) -> None:
        self.language = language
        grammar = load_grammar(language)
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

    def events(self, source: bytes, expired: Callable[[], bool]) -> tuple[Events, str]:
        """The captures of `source` in order, and why some are missing, if so."""
        if len(source) >= _LARGEST:
            return _NOTHING, "the file is too large"
        problem = ""
        root, stopped = self._parse(source, expired)
        if self.language.preprocessor and root.has_error and not stopped:
            root, stopped = self._parse_first_branches(root, source, expired)
        roots = [root] if len(source) <= _QUICK else _untangled(root, len(source))
        if stopped:
            problem = "reading took too long; the rest of the file is missing"
        elif roots != [root]:
            problem = "parts of the file are nested too deeply to be read"
        if not problem and roots[0].type == "ERROR":
            problem = "the file could not be parsed as " + self.language.name
        return self._captured(roots), problem

    def _parse(self, source: bytes, expired: Callable[[], bool]) -> tuple[Node, bool]:
        """The root of the tree, and whether the time was up before the end of the file."""
        if len(source) <= _QUICK:
            return self._parser.parse(source).root_node, False
        reader = _Reader(source, expired)
        return self._parser.parse(reader.read).root_node, reader.stopped

    def _parse_first_branches(
        self, root: Node, source: bytes, expired: Callable[[], bool]
    ) -> tuple[Node, bool]:
        """Another tree, of the first branches of conditions only, if it is much less damaged."""
        damage = _damage(root)
        if damage < max(_MUCH_DAMAGE, len(source) // _SMALL_PART):
            return root, False
        other, stopped = self._parse(first_branches(source), expired)
        better = not stopped and _damage(other) < damage / 2
        return (other, stopped) if better else (root, False)

    def _captured(self, roots: list[Node]) -> Events:
        # A progress callback would end the process: the binding frees it too early.
        nodes: list[Node] = []
        ops: list[int] = []
        counts: list[int] = []
        for root in roots:
            for name, found in self._cursor.captures(root).items():
                op = self._operations[name]
                if op >= 0:
                    nodes += found
                    ops.append(op)
                    counts.append(len(found))
        if not nodes:
            return _NOTHING
        events = _sorted(
            np.fromiter(map(_start_byte, nodes), np.int64, len(nodes)),
            np.fromiter(map(_end_byte, nodes), np.int64, len(nodes)),
            np.array(ops).repeat(counts),
        )
        if any(root.has_error for root in roots):
            # What the parser has made up, to make sense of the rest, is as wide as nothing.
            real = events.starts != events.ends
            events = Events(*(column[real] for column in events))
        return events


def _sorted(starts: Column, ends: Column, ops: Column) -> Events:
    """The columns in order: sorting one column of numbers is several times quicker than rows."""
    width = int(ends.max()) + 1
    keys = starts * width
    keys += width - 1
    keys -= ends
    keys <<= _OP_BITS
    keys |= ops
    keys.sort()
    ops = keys & ((1 << _OP_BITS) - 1)
    keys >>= _OP_BITS
    starts = keys // width
    keys -= starts * width
    return Events(starts, width - 1 - keys, ops)


class _Reader:
    """Hands a source to the parser piece by piece, and ends it when the time is up.

    The parser then takes what it has for the whole file, so a tree of the beginning remains.
    """

    def __init__(self, source: bytes, expired: Callable[[], bool]) -> None:
        self.stopped = False
        self._source = source
        self._expired = expired

    def read(self, offset: int, _point: object) -> bytes:
        if not self.stopped and offset < len(self._source):
            self.stopped = self._expired()
        return b"" if self.stopped else self._source[offset : offset + _PIECE]


def _untangled(root: Node, size: int) -> list[Node]:
    """The parts of a tree that a query gets through in time, which is the root for all real code.

    A query step costs as much as the tree is deep, or a damaged part wide, at that place; where
    both are large the whole would take hours.
    """
    if not _tangled(root, 0, size):
        return [root]
    if root.type == "ERROR" or root.child_count > _WIDEST_DAMAGE:
        return []
    return [node for node in root.children if not _tangled(node, node.start_byte, node.end_byte)]


def _tangled(root: Node, start: int, end: int) -> bool:
    """Looks along the ways from the root to places not far apart in the text."""
    cursor, damaged = root.walk(), root.has_error
    for offset in range(start, end, _QUICK):
        cursor.reset(root)
        if damaged and _wide(cursor.node):
            return True
        while cursor.goto_first_child_for_byte(offset) is not None:
            if cursor.depth > _DEEPEST or (damaged and _wide(cursor.node)):
                return True
    return False


def _damage(root: Node) -> int:
    """How many bytes the parser could make no sense of, as far as a short look tells."""
    total, waiting = 0, [root]
    for _ in range(_LOOKS):
        if not waiting:
            break
        node = waiting.pop()
        if node.is_error:
            total += node.end_byte - node.start_byte
        else:
            waiting += [child for child in node.children if child.has_error]
    return total


def _wide(node: Node | None) -> bool:
    return node is not None and node.is_error and node.child_count > _WIDEST_DAMAGE


@cache
def compiled(language: Language) -> CompiledLanguage:
    return CompiledLanguage(language)


def load_grammar(language: Language) -> Grammar:
    try:
        return get_language(language.grammar)  # type: ignore[arg-type]
    except LookupError as error:
        raise LanguageError(
            f"{language.folder}/language.toml: no grammar named {language.grammar!r} is installed",
            "tree-sitter-language-pack lists the names",
        ) from error

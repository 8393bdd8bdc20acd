"""Import statements: rows from captures, and the parts a query cannot tell apart."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping

from knowing.model import SymbolKind
from knowing.parse.captures import Op
from knowing.parse.facts import ImportFlag
from knowing.parse.grammar import Event
from knowing.parse.rows import ImportRow, Strings, SymbolRow

_QUOTES = re.compile(rb"""^[<"'`]+|[>"'`]+$""")
_ALIAS = re.compile(rb"\s+as\s+|\s*=>\s*", re.IGNORECASE)
_KEYWORD = re.compile(rb"^import\s")
_SPACE = re.compile(rb"\s+")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEEPEST_TREE = 50
_WAITING = -1
"""Module of a row whose names came before it: `import {a} from "m"`."""
_TREE, _REF, _MEMBER_CALL = int(Op.IMPORT_TREE), int(Op.REF), int(Op.MEMBER_CALL)
_FIRST = -(1 << 60)
"""Before the end of anything."""
_DEFAULT = b"default"
"""What a module's unnamed export is called."""


class ImportReader:
    """Builds import rows; a statement is read from its `@import` to the next one."""

    def __init__(self, source: bytes, names: Strings, separator: str) -> None:
        self.rows: list[ImportRow] = []
        self._source = source
        self._names = names
        self._separator = separator.encode()
        self._first = 0
        """The statement's first row."""
        self._module = _WAITING
        self._flags = 0
        self.end = 0
        """Where the statement ends: what is named before is named by it."""
        self._exports: list[ImportRow] = []
        self._prefix = b""
        self._used: dict[bytes, int] = {}

    def handle(self, op: Op, start: int, end: int, scope: int) -> None:
        match op:
            case Op.IMPORT:
                if start >= self.end:  # A call inside `const a = await import("a")` is part of it.
                    self._first, self._module, self._flags = len(self.rows), _WAITING, 0
                    self.end, self._prefix = end, b""
            case Op.IMPORT_MODULE:
                self._on_module(start, end, scope)
            case Op.IMPORT_NAME:
                self._on_name(self._names[self._source[start:end]], start, scope)
            case Op.IMPORT_ALIAS:
                self._on_alias(self._names[self._source[start:end]], start, scope)
            case Op.IMPORT_ALL:
                self._on_all(start, scope)
            case Op.IMPORT_TREE:
                self._on_tree(start, end, scope)
            case Op.IMPORT_DEFAULT:
                row = self._add(self._names[_DEFAULT], start, scope)
                row.alias = self._names[self._source[start:end]]
            case Op.IMPORT_EXPORTED:
                self._flag(ImportFlag.EXPORTED)
            case _:
                self._handle_rest(op, start, end)

    def _handle_rest(self, op: Op, start: int, end: int) -> None:
        """What adds no row by itself."""
        match op:
            case Op.IMPORT_STATIC:
                self._flag(ImportFlag.STATIC)
            case Op.IMPORT_PREFIX:
                self._prefix = self._source[start:end] + self._separator
            case Op.IMPORT_USED:
                self._used.setdefault(self._source[start:end], start)
            case _:
                self._on_export(op, self._names[strip_quotes(self._source[start:end])], start)

    def _on_module(self, start: int, end: int, scope: int) -> None:
        self._module = self._names[strip_quotes(self._source[start:end])]
        waiting = [row for row in self.rows[self._first :] if row.module == _WAITING]
        for row in waiting:
            row.module = self._module
        if not waiting:
            self._add(0, start, scope)

    def _on_name(self, name: int, start: int, scope: int) -> None:
        last = self._last()
        if last and last.name == 0 and not last.flags & ImportFlag.WILDCARD:
            last.name = name
        else:
            self._add(name, start, scope)

    def _on_alias(self, alias: int, start: int, scope: int) -> None:
        last = self._last()
        if last and last.alias == 0 and not last.flags & ImportFlag.WILDCARD:
            last.alias = alias
        else:
            self._add(0, start, scope).alias = alias

    def _on_all(self, start: int, scope: int) -> None:
        last = self._last()
        row = last if last and last.name == 0 and last.alias == 0 else self._add(0, start, scope)
        row.flags |= ImportFlag.WILDCARD

    def _on_tree(self, start: int, end: int, scope: int) -> None:
        # Braces around it, as one statement may have several trees: `import a.b, c.{d, e}`.
        text = _COMMENT.sub(b"", self._source[start:end])
        tree = b"{%s}" % (self._prefix + _KEYWORD.sub(b"", text))
        for module, name, alias, wildcard in expand_tree(tree, self._separator):
            self._module = self._names[module]
            row = self._add(self._names[name], start, scope)
            row.alias = self._names[alias]
            row.flags |= ImportFlag.WILDCARD if wildcard else 0

    def _on_export(self, op: Op, name: int, start: int) -> None:
        """A name, and the name it goes out under, which stands before it or after it."""
        rows = self._exports
        if op == Op.EXPORT_DEFAULT and start < self.end:
            self._add(0, start, 0).alias = self._names[_DEFAULT]
            self._flag(ImportFlag.EXPORTED)
        elif op == Op.EXPORT_ALIAS and rows:
            rows[-1].alias = name
        elif op == Op.EXPORT_NAME and rows and rows[-1].name == 0:
            rows[-1].name = name
        else:
            row = ImportRow(0, name, 0, 0, start, int(ImportFlag.EXPORTED))
            if op == Op.EXPORT_KEY:
                row.name, row.alias = 0, name
            elif op == Op.EXPORT_DEFAULT:
                row.alias = self._names[_DEFAULT]
            rows.append(row)

    def finish(self, package: bytes) -> frozenset[int]:
        """Adds what the file exports under a name it has not given; returns its own names exported.

        An imported name is passed on as an import that is exported; a name of the file's own
        becomes an import without a module where it goes out under another name.
        """
        imported = {
            row.alias or row.name: row
            for row in self.rows
            if row.scope == 0 and row.module > 0 and not row.flags & ImportFlag.EXPORTED
        }
        self._import_used(package, imported)
        own: list[int] = []
        for row in self._exports:
            origin = imported.get(row.name)
            if origin is not None:
                row.alias = row.alias or row.name
                row.module, row.name = origin.module, origin.name
                row.flags |= origin.flags
            else:
                own.append(row.name)
            if row.alias not in (0, row.name) or origin is not None:
                self.rows.append(row)
        return frozenset(own)

    def _import_used(self, package: bytes, imported: Mapping[int, ImportRow]) -> None:
        """Qualified names by their whole text: absolute, below an import or below the package."""
        texts, separator = self._names.texts, self._separator
        for text, start in self._used.items():
            path = text.lstrip(separator)
            if path == text:
                first, _, rest = text.partition(separator)
                origin = imported.get(self._names[first])
                parts = (texts[origin.module], texts[origin.name]) if origin else (package, first)
                path = separator.join(part for part in (*parts, rest) if part)
            module, _, name = path.rpartition(separator)
            row = ImportRow(self._names[module], self._names[name], self._names[text], 0, start)
            self.rows.append(row)

    def _flag(self, flag: ImportFlag) -> None:
        self._flags |= flag
        for row in self.rows[self._first :]:
            row.flags |= flag

    def _last(self) -> ImportRow | None:
        """The row that a name or alias may complete: the statement's last, of its last module."""
        if len(self.rows) > self._first and self.rows[-1].module == self._module:
            return self.rows[-1]
        return None

    def _add(self, name: int, start: int, scope: int) -> ImportRow:
        row = ImportRow(self._module, name, 0, scope, start, int(self._flags))
        self.rows.append(row)
        return row


def outside_trees(events: list[Event]) -> list[Event]:
    """The events without the uses of names in use trees, which are imports and nothing else."""
    kept: list[Event] = []
    at = 0
    for tree in [event for event in events if event[2] == _TREE]:
        begin, finish = bisect_right(events, tree), bisect_left(events, (-tree[1], _FIRST, 0))
        kept += events[at:begin]
        kept += [event for event in events[begin:finish] if not _REF <= event[2] <= _MEMBER_CALL]
        at = max(finish, at)
    return kept + events[at:] if at else events


def lift_supers(rows: list[ImportRow], symbols: list[SymbolRow], names: Strings) -> None:
    """Writes `super` in modules inside the file as what it means for the file itself.

    A submodule (`mod util;`) is named without saying where it is: below the file.
    """
    for row in rows:
        if row.module == _WAITING:
            row.module, row.name = names[b"self::" + names.texts[row.name]], 0
            continue
        parts = names.texts[max(row.module, 0)].split(b"::")
        supers = next((at for at, part in enumerate(parts) if part != b"super"), len(parts))
        depth, scope = 0, row.scope
        while scope > 0:
            depth += symbols[scope].kind == SymbolKind.NAMESPACE
            scope = symbols[scope].parent
        if supers and depth:
            outside = [b"super"] * (supers - depth) or [b"self"]
            row.module = names[b"::".join((*outside, *parts[supers:]))]


def strip_quotes(text: bytes) -> bytes:
    """`"a/b"`, `<a/b>` and `a . b` without quotes, brackets and blanks."""
    return _SPACE.sub(b"", _QUOTES.sub(b"", text))


def expand_tree(
    text: bytes, separator: bytes, depth: int = 0
) -> Iterator[tuple[bytes, bytes, bytes, bool]]:
    """Leaves of `a::{b, c::{self, d as e}, f::*}` as (module, name, alias, wildcard)."""
    prefix, items = _split_braces(text.strip())
    if items is None:
        path, *alias = _ALIAS.split(prefix, maxsplit=1)
        path = _SPACE.sub(b"", path)
        module, _, name = path.rpartition(separator)
        renamed = alias[0].strip() if alias else b""
        if name in (b"*", b"_"):
            yield module, b"", b"", True
        elif name == b"self" and module:
            outer, _, last = module.rpartition(separator)
            yield outer, last, renamed, False
        else:
            yield module, name, renamed, False
        return
    for item in items:
        if item.strip() and depth < _DEEPEST_TREE:
            yield from expand_tree(prefix + item.strip(), separator, depth + 1)


def _split_braces(text: bytes) -> tuple[bytes, list[bytes] | None]:
    """The part before the first brace, and the items inside it split at its own level."""
    opening = text.find(b"{")
    if opening < 0:
        return text, None
    items: list[bytes] = []
    depth, begin = 0, opening + 1
    for at in range(opening, len(text)):
        char = text[at : at + 1]
        if char == b"{":
            depth += 1
        elif char == b"}":
            depth -= 1
            if depth == 0:
                items.append(text[begin:at])
                break
        elif char == b"," and depth == 1:
            items.append(text[begin:at])
            begin = at + 1
    return text[:opening], items

"""Import statements: rows from captures, and the parts a query cannot tell apart."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from knowing.model import SymbolKind
from knowing.parse.facts import ImportFlag
from knowing.parse.rows import ImportRow, Strings, SymbolRow

_QUOTES = re.compile(rb"""^[<"'`]+|[>"'`]+$""")
_ALIAS = re.compile(rb"\s+as\s+|\s*=>\s*", re.IGNORECASE)
_KEYWORD = re.compile(rb"^import\s")
_SPACE = re.compile(rb"\s+")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEEPEST_TREE = 50
_WAITING = -1
"""Module of a row whose names came before it: `import {a} from "m"`."""
# Plain integers: arithmetic on enum members costs several times as much.
_WILDCARD, _EXPORTED = int(ImportFlag.WILDCARD), int(ImportFlag.EXPORTED)
_STATIC = int(ImportFlag.STATIC)
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

    def begin(self, start: int, end: int) -> None:
        if start >= self.end:  # A call inside `const a = await import("a")` is part of it.
            self._first, self._module, self._flags = len(self.rows), _WAITING, 0
            self.end, self._prefix = end, b""

    def on_import_module(self, start: int, end: int, scope: int) -> None:
        self._module = self._names[strip_quotes(self._source[start:end])]
        own = self.rows[self._first :]
        waiting = [row for row in own if row.module == _WAITING] if own else own
        for row in waiting:
            row.module = self._module
        if not waiting:
            self._add(0, start, scope)

    def on_import_name(self, start: int, end: int, scope: int) -> None:
        name = self._names[self._source[start:end]]
        last = self._last()
        if last and last.name == 0 and not last.flags & _WILDCARD:
            last.name = name
        else:
            self._add(name, start, scope)

    def on_import_alias(self, start: int, end: int, scope: int) -> None:
        alias = self._names[self._source[start:end]]
        last = self._last()
        if last and last.alias == 0 and not last.flags & _WILDCARD:
            last.alias = alias
        else:
            self._add(0, start, scope).alias = alias

    def on_import_all(self, start: int, _end: int, scope: int) -> None:
        last = self._last()
        row = last if last and last.name == 0 and last.alias == 0 else self._add(0, start, scope)
        row.flags |= _WILDCARD

    def on_import_tree(self, start: int, end: int, scope: int) -> None:
        # Braces around it, as one statement may have several trees: `import a.b, c.{d, e}`.
        text = _COMMENT.sub(b"", self._source[start:end])
        tree = b"{%s}" % (self._prefix + _KEYWORD.sub(b"", text))
        for module, name, alias, wildcard in expand_tree(tree, self._separator):
            self._module = self._names[module]
            row = self._add(self._names[name], start, scope)
            row.alias = self._names[alias]
            row.flags |= _WILDCARD if wildcard else 0

    def on_import_default(self, start: int, end: int, scope: int) -> None:
        row = self._add(self._names[_DEFAULT], start, scope)
        row.alias = self._names[self._source[start:end]]

    def on_import_exported(self, _start: int, _end: int, _scope: int) -> None:
        self._flag(_EXPORTED)

    def on_import_static(self, _start: int, _end: int, _scope: int) -> None:
        self._flag(_STATIC)

    def on_import_prefix(self, start: int, end: int, _scope: int) -> None:
        self._prefix = self._source[start:end] + self._separator

    def on_import_used(self, start: int, end: int, _scope: int) -> None:
        self._used.setdefault(self._source[start:end], start)

    def on_export_name(self, start: int, end: int, _scope: int) -> None:
        name = self._name_at(start, end)
        if self._exports and self._exports[-1].name == 0:
            self._exports[-1].name = name
        else:
            self._export(name, 0, start)

    def on_export_alias(self, start: int, end: int, _scope: int) -> None:
        """The name that the name before it goes out under."""
        name = self._name_at(start, end)
        if self._exports:
            self._exports[-1].alias = name
        else:
            self._export(name, 0, start)

    def on_export_key(self, start: int, end: int, _scope: int) -> None:
        """The name that the name after it goes out under."""
        self._export(0, self._name_at(start, end), start)

    def on_export_default(self, start: int, end: int, _scope: int) -> None:
        name = self._name_at(start, end)
        if start < self.end:
            self._add(0, start, 0).alias = self._names[_DEFAULT]
            self._flag(_EXPORTED)
        else:
            self._export(name, self._names[_DEFAULT], start)

    def _export(self, name: int, alias: int, start: int) -> None:
        self._exports.append(ImportRow(0, name, alias, 0, start, _EXPORTED))

    def _name_at(self, start: int, end: int) -> int:
        return self._names[strip_quotes(self._source[start:end])]

    def finish(self, package: bytes) -> frozenset[int]:
        """Adds what the file exports under a name it has not given; returns its own names exported.

        An imported name is passed on as an import that is exported; a name of the file's own
        becomes an import without a module where it goes out under another name.
        """
        imported = {
            row.alias or row.name: row
            for row in self.rows
            if row.scope == 0 and row.module > 0 and not row.flags & _EXPORTED
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

    def _flag(self, flag: int) -> None:
        self._flags |= flag
        for row in self.rows[self._first :]:
            row.flags |= flag

    def _last(self) -> ImportRow | None:
        """The row that a name or alias may complete: the statement's last, of its last module."""
        if len(self.rows) > self._first and self.rows[-1].module == self._module:
            return self.rows[-1]
        return None

    def _add(self, name: int, start: int, scope: int) -> ImportRow:
        row = ImportRow(self._module, name, 0, scope, start, self._flags)
        self.rows.append(row)
        return row


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


@lru_cache(maxsize=4096)
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

"""Finishes a file's symbols: kinds, visibility, owner chains, signatures, documentation."""

import re
from functools import cache

from knowing.languages import Language
from knowing.languages.language import Visibility
from knowing.model import CALLABLE_KINDS, TYPE_KINDS, SymbolFlag, SymbolKind
from knowing.parse.comments import clean_doc, leading_comment
from knowing.parse.machine import Machine
from knowing.parse.markup import plain_text
from knowing.parse.rows import EXTENSION, HOLDERS, SymbolRow

_OWNER_PARTS = re.compile(rb"::|\.|\\")
_GENERIC = re.compile(rb"<.*>|\[.*\]", re.DOTALL)
_SIGNATURE_LIMIT = 300
_PRIVATE, _EXPORTED = int(SymbolFlag.PRIVATE), int(SymbolFlag.EXPORTED)
_PROTECTED, _STATIC = int(SymbolFlag.PROTECTED), int(SymbolFlag.STATIC)
_HIDDEN = int(SymbolFlag.PRIVATE | SymbolFlag.PROTECTED)
_DOC_LIMIT = 3000
_PARAGRAPH_LIMIT = 500
_PLACES = (SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.PROPERTY)
_OWNERS = frozenset({*TYPE_KINDS, *CALLABLE_KINDS, EXTENSION, SymbolKind.DOC_SECTION})


def finish_symbols(machine: Machine) -> None:
    """Gives functions in types their kind, names their visibility and decorators their effect."""
    language = machine.language
    if language.companions:
        _join_companions(machine)
    decorated: dict[int, list[str]] = {}
    for end, symbol in machine.decorators:
        value = machine.value_at.get(end, -1)
        if value >= 0:
            name = machine.names.text(machine.ref_name[value // 3])
            decorated.setdefault(symbol, []).append(name)
    for index, row in enumerate(machine.symbols):
        if index == 0:
            continue
        name = machine.names.text(row.name)
        parent = machine.symbols[row.parent].kind
        in_type = parent in HOLDERS or row.owner >= 0
        row.kind = _kind(row.kind, name, in_type, language)
        if row.parent == 0 and row.name in machine.exported:
            row.flags |= _EXPORTED
        if language.file_static and row.flags & _STATIC and not in_type:
            row.flags |= _PRIVATE
        row.flags |= _visibility(name, row.flags, in_type, language)
        for decorator in decorated.get(index, ()):
            _apply_decorator(row, _effect(language, decorator))


def _join_companions(machine: Machine) -> None:
    """Makes the second type of a name in one place add its members to the first."""
    first: dict[tuple[int, int], int] = {}
    for index, row in enumerate(machine.symbols):
        if row.kind not in TYPE_KINDS or row.name <= 0:
            continue
        if first.setdefault((row.parent, row.name), index) != index:
            parts, at = [], index
            while at > 0:
                parts.append(machine.names.text(machine.symbols[at].name))
                at = machine.symbols[at].parent
            row.owner = machine.names[".".join(reversed(parts)).encode()]
            row.kind = EXTENSION


def _kind(kind: int, name: str, in_type: bool, language: Language) -> int:
    if kind in (SymbolKind.FUNCTION, SymbolKind.METHOD) and in_type:
        return SymbolKind.CONSTRUCTOR if name in language.constructors else SymbolKind.METHOD
    if kind == SymbolKind.VARIABLE and in_type:
        return SymbolKind.FIELD
    if kind in _PLACES and language.upper_constants and name.isupper():
        return SymbolKind.CONSTANT
    return kind


def _visibility(name: str, flags: int, in_type: bool, language: Language) -> int:
    match language.visibility:
        case Visibility.UNDERSCORE:
            private = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
            return _PRIVATE if private else _EXPORTED
        case Visibility.CAPITAL:
            return _EXPORTED if name[:1].isupper() else _PRIVATE
        case Visibility.MODULE if not in_type:
            return 0 if flags & _EXPORTED else _PRIVATE
        case Visibility.PRIVATE:
            return 0 if flags & (_EXPORTED | _PROTECTED) else _PRIVATE
        case _:
            return 0 if flags & _HIDDEN else _EXPORTED


@cache
def _effect(language: Language, decorator: str) -> str:
    """What a decorator does to what it decorates: by its name, else by how the name ends."""
    endings = (key for key in language.decorator_flags if decorator.endswith(key.lstrip("*")))
    starred = next((key for key in endings if key.startswith("*")), "")
    return language.decorator_flags.get(decorator) or language.decorator_flags.get(starred, "")


def _apply_decorator(row: SymbolRow, effect: str) -> None:
    if effect == "property":
        row.kind = SymbolKind.PROPERTY
    elif effect:
        row.flags |= int(SymbolFlag[effect.upper()])


def owner_chains(machine: Machine) -> list[bytes]:
    """The display name of each symbol: its owners and itself, joined by dots.

    Headings are full of dots, so another sign stands between them.
    """
    joint = b" > " if machine.language.prose else b"."
    texts = machine.names.texts
    chains: list[bytes] = []
    owning = _OWNERS | ({SymbolKind.NAMESPACE} if machine.language.namespaces_own else set())
    for index, row in enumerate(machine.symbols):
        if index == 0 or row.name < 0:
            chains.append(b"" if index == 0 else chains[row.parent])
            continue
        name = texts[row.name]
        if row.owner >= 0:
            owner = b".".join(owner_parts(texts[row.owner]))
            chains.append(owner if row.kind == EXTENSION else owner + b"." + name)
            continue
        if b"::" in name and not row.titled and not machine.language.prose:
            name = b".".join(owner_parts(name))
        parent = machine.symbols[row.parent]
        owner = chains[row.parent] if parent.kind in owning else _outer(machine, chains, row.parent)
        chains.append(owner + joint + name if owner else name)
    return chains


def _outer(machine: Machine, chains: list[bytes], index: int) -> bytes:
    """The chain around a namespace, which is itself not part of names."""
    while index > 0 and machine.symbols[index].kind == SymbolKind.NAMESPACE:
        index = machine.symbols[index].parent
    return chains[index]


def owner_parts(text: bytes) -> list[bytes]:
    """`crate::a::Foo<T>` as `["crate", "a", "Foo"]`."""
    bare = _GENERIC.sub(b"", text).strip(b"*& ")
    return [part.strip() for part in _OWNER_PARTS.split(bare) if part.strip()]


def signature(machine: Machine, row: SymbolRow) -> bytes:
    """The text from the definition's keyword to its body, on one line."""
    head, source = row.head, machine.source
    if head < 0:
        return b""
    if row.start < head and source[row.start : head].strip().isalpha():
        # `type Point struct`: the keyword stands outside of what it introduces.
        head = row.start
    end = row.body if row.body > head else row.end
    text = source[head : min(end, head + 2 * _SIGNATURE_LIMIT)]
    if row.body < 0 and row.kind not in CALLABLE_KINDS:
        text = text.partition(b"\n")[0]
    return b" ".join(text.split()).rstrip(b"{:= ")[:_SIGNATURE_LIMIT]


def documentation(machine: Machine, row: SymbolRow) -> bytes:
    """The docstring, or the comment that stands directly before the definition."""
    language = machine.language
    if row.doc is not None:
        raw = machine.source[slice(*row.doc)]
        if language.prose:
            text = plain_text(raw, language)[:_PARAGRAPH_LIMIT]
        else:
            text = clean_doc(raw, language, _DOC_LIMIT)
        return text.encode("utf-8", "replace")
    if row.head < 0 or language.prose or row.kind == EXTENSION:
        return b""
    comment = leading_comment(machine.source, row.start, language)
    if not comment:
        return b""
    return clean_doc(comment, language, _DOC_LIMIT).encode("utf-8", "replace")

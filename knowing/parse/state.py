"""What the event machine knows of a file while it reads it."""

from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse.imports import ImportReader
from knowing.parse.refs import PENDING
from knowing.parse.rows import HOLDERS, Binding, Frame, Strings, SymbolRow, encoded

_MODULE = int(SymbolKind.MODULE)
_SUFFIXES = b"?!"
"""Last bytes of names in some languages (`valid?.to_s`) although they are separators in others."""
_DOT = ord(".")
_DASH = ord("-")
_GREATER = ord(">")
_DOLLAR = ord("$")
SEPARATORS = frozenset(b" \t\r\n.?!:\\")


class State:
    """The tables of one file, growing."""

    def __init__(self, source: bytes, language: Language) -> None:
        self.source = source
        self.language = language
        self.names = Strings()
        self.symbols = [SymbolRow(_MODULE, -1, 0, len(source))]
        self.symbols[0].name = self.symbols[0].name_start = 0
        self.bindings: list[Binding] = []
        self.package = b""
        self.ref_name: list[int] = []
        self.ref_start: list[int] = []
        self.ref_end: list[int] = []
        self.ref_scope: list[int] = []
        self.ref_recv: list[int] = []
        """The receiver's value, -1 unknown receiver; or a number of `refs`."""
        self.ref_role: list[int] = []
        self.chain_start: list[int] = []
        self.value_at: dict[int, int] = {}
        self.roles: list[tuple[int, int, int]] = []
        self.decorators: list[tuple[int, int]] = []
        """End of a decorator's expression, and the symbol it decorates."""
        self.notes: list[int] = []
        """Ends of decorators of parameters and local names, which have no symbol."""
        self.literals: list[tuple[int, int, int, int, int]] = []
        """Value, whether it is a lookup, start and end of the text, scope."""
        # What looks beyond the last byte, or before the first, finds nothing.
        self._padded = source + b"\n\0"
        self._frames: list[Frame] = [Frame(0, len(source) + 1, 0, _MODULE, 0)]
        self._frames[0].named = True
        self._scope = 0
        self._renamed: list[tuple[int, int]] = []
        """Uses that mean another name than is written there."""
        self._cast: dict[int, int] = {}
        """Uses that name the type of a whole expression, and where that begins."""
        self._type_scope: dict[tuple[int, int], int] = {}
        self._owner_names: set[int] = set()
        self._assigned: set[int] = set()
        """Fields of which only assignments have been seen."""
        self._pending_decorators: list[tuple[int, int]] = []
        self._spans: dict[int, int] = {}
        self._title: tuple[int, int] | None = None
        self.closures: list[tuple[int, int]] = []
        """Starts of functions without a name, and their rows."""
        self._importing = ImportReader(source, self.names, language.import_separator)
        self.imports = self._importing.rows
        self.transparent: frozenset[int] = frozenset()
        """Names of types that are looked through."""
        self.exported: frozenset[int] = frozenset()
        """Names of the file's own that a list or a later statement exports."""
        self._transparent = encoded(language.transparent_members)

    def _intern(self, start: int, end: int) -> int:
        return self.names[self.source[start:end]]

    def enclosing_type(self, symbol: int) -> int:
        """The nearest type, extension, object or member of a named owner; -1 if there is none."""
        while symbol > 0:
            row = self.symbols[symbol]
            if row.kind in HOLDERS or row.owner >= 0:
                return symbol
            if row.parent == 0 and row.name in self._owner_names:
                return symbol  # A function that makes instances: `Shelf.prototype.fill = ...`.
            symbol = self.symbols[symbol].parent
        return -1

    def _receiver_of(self, ref: int) -> int:
        """The value whose member a use is; -1 if nothing is known of it, `BARE` if it is none."""
        recv = self.ref_recv[ref]
        if recv == PENDING:
            recv = self.ref_recv[ref] = self._receiver(self.ref_start[ref])
        return recv

    def _receiver(self, start: int) -> int:
        """The value whose member is named at `start`; -1 if nothing is known of it."""
        source, value_at = self._padded, self.value_at
        at = start - 1
        if source[at] == _DOT and at in value_at:
            return value_at[at]
        while source[at] in SEPARATORS:
            at -= 1
        if source[at] == _GREATER and source[at - 1] == _DASH:
            at = self._skip_arrow(at)
        recv = value_at.get(at + 1, -1)
        if recv < 0:
            if source[at + 1] in _SUFFIXES:
                recv = value_at.get(at + 2, -1)
            elif source[at] == _DOLLAR:  # `Shelf::$count`
                recv = self._value_before_dot(at)
        return recv

    def _chain_start_of(self, ref: int) -> int:
        """Where the chain begins that a use is a member in."""
        while (recv := self._receiver_of(ref)) >= 0 and ref not in self._cast:
            ref = recv // 3
        return self._cast.get(ref, self.ref_start[ref])

    def _value_before_dot(self, start: int) -> int:
        """The value whose member begins at `start`; -1 if nothing is known of it."""
        at = start - 1
        while at > 0 and self.source[at] in SEPARATORS:
            at -= 1
        if self.source[at - 1 : at + 1] == b"->":
            at = self._skip_arrow(at)
        return self.value_at.get(at + 1, -1)

    def _skip_arrow(self, at: int) -> int:
        """The last byte of what stands before `->`, which ends at `at`."""
        at -= 2
        while at > 0 and self.source[at] in SEPARATORS:
            at -= 1
        return at

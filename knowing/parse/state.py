"""What the event machine knows of a file while it reads it."""

from knowing.languages import Language
from knowing.model import SymbolKind
from knowing.parse.facts import Role
from knowing.parse.imports import ImportReader
from knowing.parse.rows import HOLDERS, Binding, Frame, Strings, SymbolRow

SEPARATORS = frozenset(b" \t\r\n.?!:\\")


class State:
    """The tables of one file, growing."""

    def __init__(self, source: bytes, language: Language) -> None:
        self.source = source
        self.language = language
        self.names = Strings()
        self.symbols = [SymbolRow(SymbolKind.MODULE, -1, 0, len(source), name=0, name_start=0)]
        self.bindings: list[Binding] = []
        self.package = b""
        self.ref_name: list[int] = []
        self.ref_start: list[int] = []
        self.ref_scope: list[int] = []
        self.ref_recv: list[int] = []
        """The receiver's value, -1 unknown receiver, -2 a bare name."""
        self.ref_role: list[int] = []
        self.chain_start: list[int] = []
        self.value_at: dict[int, int] = {}
        self.roles: list[tuple[int, int, Role]] = []
        self.decorators: list[tuple[int, int]] = []
        """End of a decorator's expression, and the symbol it decorates."""
        self.notes: list[int] = []
        """Ends of decorators of parameters and local names, which have no symbol."""
        self.literals: list[tuple[int, int, int, int, int]] = []
        """Value, whether it is a lookup, start and end of the text, scope."""
        # What looks beyond the last byte, or before the first, finds nothing.
        self._padded = source + b"\n\0"
        self._given = -1
        """Where the name stands that is just being given."""
        self._frames: list[Frame] = [Frame(0, len(source) + 1, 0, SymbolKind.MODULE, 0, True)]
        self._scope = 0
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
        self._transparent = frozenset(name.encode() for name in language.transparent_members)

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

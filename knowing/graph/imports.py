"""What each import of the workspace leads to, re-exports and wildcards followed."""

import numpy as np

from knowing.graph.keys import Ids, Ints, Mask
from knowing.graph.members import Members
from knowing.graph.places import EXTERNAL
from knowing.graph.resolution import rows_of
from knowing.languages.language import ImportStyle
from knowing.model import SymbolKind
from knowing.parse.facts import ImportColumn, ImportFlag

_UNKNOWN = -1
_DEPTH = 12
_WILDCARD, _EXPORTED = int(ImportFlag.WILDCARD), int(ImportFlag.EXPORTED)
_NO_CIRCLE = 1 << 30
_PATIENCE = 20_000
"""How many answers are thrown away at most because of circles."""
_IMPORT = -1
"""Stands for a container in questions about imports."""


class Imports:
    """Targets of imports, and look-ups in containers that imports take part in."""

    def __init__(self, members: Members) -> None:
        self._members = members
        self._corpus = members.corpus
        self._places = members.places
        self._rows = self._corpus.imports
        self._texts = self._corpus.names.texts
        self._numbers = self._corpus.names
        self._memo: dict[tuple[int, int], int] = {}
        self._target_memo: dict[int, int] = {}
        self._offers: dict[int, tuple[dict[int, int], list[int]]] = {}
        self._asked: dict[tuple[int, int], int] = {}
        """Questions that are being answered, each with its depth."""
        self._lowest = _NO_CIRCLE
        """The depth of the outermost question that the current one came back to."""
        self._patience = _PATIENCE

    def targets(self, rows: Ints) -> Ids:
        """The container or symbol of each import; `EXTERNAL` outside the workspace."""
        known = self._target_memo
        found = [known[row] if row in known else self.target(row) for row in rows.tolist()]
        return np.array(found, dtype=np.int32)

    def lookup(self, container: int, name: int, depth: int = 0) -> int:
        """The member `name` of a file or package: defined, imported or a submodule; else -1."""
        key = (container, name)
        if key in self._memo:
            return self._memo[key]
        if key in self._asked:
            return self._circular(key)
        outer = self._begin(key)
        one = self._members.one[container] if container < self._members.count else container
        found = self._members.direct.get((int(one) << 32) | name)
        inside = container < self._members.count and depth < _DEPTH
        if found < 0 and inside and self._members.kind[container] == SymbolKind.MODULE:
            found = self._lookup_module(container, name, depth)
        if self._settled(key, outer):
            self._memo[key] = found
        return found

    # Modules import from one another in circles. A question that comes up again while it is being
    # answered finds nothing there; what was found out on the way holds for that question alone
    # and is not kept, so that answers do not depend on which question was asked first.

    def _begin(self, key: tuple[int, int]) -> int:
        outer, self._lowest = self._lowest, _NO_CIRCLE
        self._asked[key] = len(self._asked)
        return outer

    def _circular(self, key: tuple[int, int]) -> int:
        self._lowest = min(self._lowest, self._asked[key])
        return _UNKNOWN

    def _settled(self, key: tuple[int, int], outer: int) -> bool:
        """Ends a question; whether its answer depends on no question that is still open."""
        level, lowest = self._asked.pop(key), self._lowest
        settled = lowest >= level
        self._lowest = outer if settled else min(outer, lowest)
        self._patience -= not settled
        return settled or self._patience < 0

    def forget(self) -> None:
        """Look-ups are answered anew, as the hierarchy has become known."""
        self._memo.clear()

    def wildcard(self, file: int, name: int) -> int:
        """What a bare `name` means in a file that imports everything from somewhere; else -1."""
        for row in self._offered(file)[1]:
            container = self._module_container(row)
            if container >= 0:
                found = self.lookup(container, name, 1)
                if found >= 0:
                    return found
        return _UNKNOWN

    def files_with_wildcards(self, files: Ids) -> Mask:
        """Of `files`, those that may name things they do not list, as a mask over all."""
        asked = np.zeros(len(self._corpus.paths), dtype=bool)
        asked[files] = True
        rows = rows_of(self._corpus.import_base, asked)
        whole = self._rows[rows, ImportColumn.NAME] <= 0
        whole &= self._rows[rows, ImportColumn.ALIAS] <= 0
        found: Mask = np.zeros(len(self._corpus.paths), dtype=bool)
        found[self._corpus.import_file[rows[whole]]] = True
        return found

    def target(self, row: int) -> int:
        if row in self._target_memo:
            return self._target_memo[row]
        key = (_IMPORT, row)
        if key in self._asked:
            return self._circular(key)
        outer = self._begin(key)
        found = self._target(row)
        if self._settled(key, outer):
            self._target_memo[row] = found
        return found

    def default(self, module: int) -> int:
        """What a module gives to those who use it as a whole: its default export, or itself."""
        number = self._numbers.get("default", -1)
        found = self.lookup(module, number) if number >= 0 else _UNKNOWN
        return found if found >= 0 else module

    # -- one import ----------------------------------------------------------------------------

    def _target(self, row: int) -> int:
        module, name, alias, _, _, flags = self._rows[row].tolist()
        file = int(self._corpus.import_file[row])
        text = self._texts[module] if module >= 0 else ""
        language = self._members.languages[file]
        if name == 0 and alias == 0 and language.imports == ImportStyle.DOTTED:
            text = text if text.startswith(".") else text.split(".")[0]
        if not text and name > 0:
            if language.imports == ImportStyle.PATH:
                # `export {a as b}`: what the file itself has under that name.
                return self.lookup(self._places.container(file), name)
            text, name = self._texts[name], 0
        place, rest = self._places.locate(file, text)
        if place < 0:
            return EXTERNAL
        if flags & _WILDCARD:
            name = 0
        return self._descend(place, [*rest, *([self._texts[name]] if name > 0 else [])])

    def _descend(self, place: int, parts: list[str]) -> int:
        for index, part in enumerate(parts):
            last = index == len(parts) - 1
            number = self._numbers.get(part, -1)
            found = self.lookup(place, number) if number >= 0 else _UNKNOWN
            if not last and not self._holds(found):
                # A function may bear the name of the module that is meant.
                found = self._submodule(place, part, found)
            if found < 0:
                # `import x from "./m"` takes the default export, whatever it is called there.
                return place if last and part == "default" else found
            place = found
        return place

    def _holds(self, place: int) -> bool:
        """Whether something can be looked up inside a place."""
        members = self._members
        if not 0 <= place < members.count:
            return place >= 0
        return bool(members.is_type[place] or members.is_outer[place] or members.is_holder[place])

    def _submodule(self, place: int, name: str, otherwise: int) -> int:
        if not 0 <= place < self._members.count:
            return otherwise
        child = self._places.modules.child(int(self._corpus.symbol_file[place]), name)
        return self._places.container(child) if child >= 0 else otherwise

    def _module_container(self, row: int) -> int:
        module = int(self._rows[row, ImportColumn.MODULE])
        text = self._texts[module] if module >= 0 else ""
        place, rest = self._places.locate(int(self._corpus.import_file[row]), text)
        return self._descend(place, list(rest)) if place >= 0 else _UNKNOWN

    # -- names that a file offers --------------------------------------------------------------

    def _offered(self, file: int) -> tuple[dict[int, int], list[int]]:
        """A file's imports by local name, and its wildcard imports."""
        if file not in self._offers:
            self._offers[file] = self._read_offers(file)
        return self._offers[file]

    def _read_offers(self, file: int) -> tuple[dict[int, int], list[int]]:
        bindings: dict[int, int] = {}
        wildcards: list[int] = []
        low, high = (int(self._corpus.import_base[at]) for at in (file, file + 1))
        module = self._corpus.symbol_base[file]
        namespaced = self._members.languages[file].imports == ImportStyle.NAMESPACE
        for row, (_, name, alias, scope, _, flags) in enumerate(
            self._rows[low:high].tolist(), start=low
        ):
            if scope != module:
                continue
            unnamed = name == 0 and alias == 0
            if (flags & _WILDCARD and alias == 0) or (namespaced and unnamed):
                wildcards.append(row)
            elif not unnamed:
                bindings.setdefault(alias or name, row)
        return bindings, wildcards

    def _lookup_module(self, container: int, name: int, depth: int) -> int:
        file = int(self._corpus.symbol_file[container])
        bindings, wildcards = self._offered(file)
        row = bindings.get(name)
        exports_all = self._members.languages[file].imports != ImportStyle.PATH
        outside = _UNKNOWN
        if row is not None and (exports_all or self._exported(row)):
            found = self.target(row)
            if found >= 0:
                return found
            outside = found
        child = self._places.modules.child(file, self._texts[name])
        if child >= 0:
            return self._places.container(child)
        for wild in wildcards:
            if exports_all or self._exported(wild):
                place = self._module_container(wild)
                if place >= 0 and place != container:
                    found = self.lookup(place, name, depth + 1)
                    if found >= 0:
                        return found
        return outside

    def _exported(self, row: int) -> bool:
        return bool(self._rows[row, ImportColumn.FLAGS] & _EXPORTED)

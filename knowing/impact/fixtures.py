"""Which tests take what a helper makes: by a parameter of its name.

Some test runners hand the outcome of a function to every test that has a parameter of the
function's name. No call is written, so no edge says so.
"""

import re
from functools import cached_property

import numpy as np

from knowing.graph import View
from knowing.model import CALLABLE_KINDS, SymbolFlag, SymbolKind

_PARAMETER = re.compile(r"[(,]\s*\**([A-Za-z_]\w*)\s*(?=[,:=)])")


class Fixtures:
    """The parameters of all code of tests, looked at once."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def _taking(self) -> dict[str, list[int]]:
        """Name of a parameter -> the functions of tests that have it."""
        table = self._view.symbols
        in_test = (table.flags & int(SymbolFlag.TEST)) != 0
        callable_ = np.isin(table.kind, [int(kind) for kind in CALLABLE_KINDS])
        found: dict[str, list[int]] = {}
        for symbol in np.flatnonzero(in_test & callable_).tolist():
            for name in dict.fromkeys(_PARAMETER.findall(table.signature[symbol])):
                found.setdefault(name, []).append(symbol)
        return found

    def is_taken(self, helper: int) -> bool:
        return bool(self._users(helper))

    def takers(self, helper: int) -> list[int]:
        """The tests that take a helper, or a helper that takes it."""
        flags = self._view.symbols.flags
        found: dict[int, None] = {}
        pending, seen = [helper], {helper}
        while pending:
            for user in self._users(pending.pop()):
                if int(flags[user]) & SymbolFlag.TEST_CASE:
                    found[user] = None
                elif user not in seen:
                    seen.add(user)
                    pending.append(user)
        return sorted(found)

    def _users(self, helper: int) -> list[int]:
        """Functions of the same file, or of a folder below it, with a parameter of its name."""
        view, table = self._view, self._view.symbols
        if SymbolKind(int(table.kind[helper])) not in CALLABLE_KINDS:
            return []
        file = int(table.file[helper])
        folder = view.paths[file].rpartition("/")[0]
        inside = f"{folder}/" if folder else ""
        shared = view.paths[file].rpartition("/")[2].startswith("conftest.")
        return [
            user
            for user in self._taking.get(table.name[helper], [])
            if user != helper
            and (
                int(table.file[user]) == file
                or (shared and view.paths[int(table.file[user])].startswith(inside))
            )
        ]

"""From recorded definitions and callers to the index's symbols."""

from collections import defaultdict
from collections.abc import Iterable

from eval.calls.callee import Place
from eval.calls.sites import MODULE, Site
from eval.calls.truth import Observation
from eval.index import Symbol

SCOPES = frozenset({"function", "method", "constructor", "class"})
"""Kinds that are callers in their own right when they are nested in another."""

MOST_DECORATOR_LINES = 20
"""How far below its first decorator, where code begins, a symbol's first line may be."""


class Lookup:
    """The index's symbols, by identity, name and place."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.by_identity: dict[str, Symbol] = {}
        self.by_name: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
        self.by_plain: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
        for symbol in symbols:
            self.by_identity[symbol.qualified_name] = symbol
            self.by_name[symbol.path, symbol.name].append(symbol)
            self.by_plain[symbol.path, symbol.plain].append(symbol)

    def find(self, place: Place) -> list[Symbol]:
        """Symbols of a definition: by its name, else by its last component and its line."""
        exact = self.by_name.get((place.path, place.name), [])
        if exact or not place.line:
            return exact
        plain = place.name.rpartition(".")[2]
        near = [
            symbol
            for symbol in self.by_plain.get((place.path, plain), [])
            if 0 <= symbol.line - place.line <= MOST_DECORATOR_LINES
        ]
        return sorted(near, key=lambda symbol: symbol.line)[:1]

    def targets(self, reached: Iterable[Observation]) -> set[str]:
        """Identities of the symbols that are right for one of these observations."""
        return {
            symbol.qualified_name
            for observation in reached
            for place in observation.accepted()
            for symbol in self.find(place)
        }

    def is_caller(self, source: str, path: str, site: Site) -> bool:
        """Whether an edge's source stands for the caller of a site."""
        symbol = self.by_identity.get(source)
        if symbol is None or symbol.path != path:
            return False
        caller = "" if site.caller == MODULE else site.caller
        while caller and not self.by_name.get((path, caller)):
            caller = caller.rpartition(".")[0]
        is_caller = symbol.name == caller if caller else symbol.kind == "module"
        if is_caller or (site.owner and symbol.name == site.owner):
            return True
        nested = not caller or symbol.name.startswith(caller + ".")
        return nested and symbol.kind not in SCOPES and symbol.line <= site.line <= symbol.end_line

"""One file's bytes to `FileFacts`. Never raises for what a file contains."""

from knowing.languages import Language
from knowing.model import SymbolFlag
from knowing.parse.blank import readable
from knowing.parse.deadline import Deadline
from knowing.parse.facts import FileFacts
from knowing.parse.grammar import compiled
from knowing.parse.lexical import explain
from knowing.parse.machine import Machine
from knowing.parse.macros import MacroMachine
from knowing.parse.prose import read_prose
from knowing.parse.symbols import finish_symbols
from knowing.parse.tables import assemble
from knowing.parse.values import assign_roles


def extract(
    source: bytes, language: Language, flags: SymbolFlag = SymbolFlag(0), limit_ms: int = 5000
) -> FileFacts:
    """The facts of `source`; `flags` are those that its path and content give all its symbols."""
    # Half of the time is for the parser: what it has read by then costs the rest about as much.
    expired = Deadline(limit_ms / 2000)
    # Strings are joined by NUL, so a name must not hold one.
    source = source.replace(b"\0", b" ")
    if language.prose:
        return assemble(*read_prose(source, language, expired), flags)
    source = readable(source, language)
    events, problem = compiled(language).events(source, expired)
    machine = (MacroMachine if language.macros else Machine)(source, language)
    machine.run(events)
    finish_symbols(machine)
    assign_roles(machine)
    return assemble(machine, explain(machine), problem, flags)

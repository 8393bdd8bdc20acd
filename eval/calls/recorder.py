"""pytest plug-in that notes which callable each call expression of a package reached.

    python -m pytest -p eval.calls.recorder --record-calls FILE --record-root DIR \
        --record-package src/flask [--record-package ...]

The package's files are instrumented as they are imported: `f(x)` becomes `hook(7, f)(x)`,
where `hook` notes the pair (site 7, object f) and returns `f`. A profiler cannot do this:
it sees a generator or a coroutine when it is first resumed, not where it was called, and takes
a callback run by C code (`sorted(key=f)`) for a call of the line. What is no call expression
(property access, iteration, operators, `with`, imports, a class body) is never noted, threads
need no care, and the object itself tells the receiver's class and what a wrapper wraps.

Each line of the file is one (site, callee) pair, sorted, without duplicates:
`caller_path caller line col end_line end_col` (as `ast` gives them), `name_line called context
inside owner` (see `sites.Site`), `callee_path callee callee_line internal also`, where
`internal` says that the callee lies in the recorded packages and `also` lists
`[role, path, name, line]` of definitions that are as right an answer (see `callee`).
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import json
import sys
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from .callee import Callee, Ground, Place, code_name, describe, identity
from .sites import CALL, DECORATOR, FileSites, Site, collect

CALL_HOOK = "__knowing_called__"
DEFINITION_HOOK = "__knowing_defined__"


@dataclass(slots=True)
class Recording:
    """All that is noted in this process."""

    ground: Ground
    sites: list[tuple[str, Site]] = field(default_factory=list)
    definitions: list[Place] = field(default_factory=list)
    decorated: dict[int, Place | None] = field(default_factory=dict)
    """id of what a decorated definition became -> the definition; None when two share it."""
    guards: dict[int, "weakref.ref[object]"] = field(default_factory=dict)
    """Keeps `decorated` free of ids whose objects are gone."""
    calls: dict[tuple[int, object], Callee] = field(default_factory=dict)
    imported_too_early: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def called(self, number: int, value: object) -> object:
        """Hook around every called expression: note it and hand it back."""
        try:
            key = number, identity(value, self.decorated)
            if key not in self.calls:
                name = self.sites[number][1].called
                self.calls[key] = describe(value, name, self.decorated, self.ground)
        except Exception as error:  # the project's tests must not notice us
            self.failures.append(f"{type(value).__qualname__}: {error!r}")
        return value

    def defined(self, number: int) -> Callable[[object], object]:
        """Outermost decorator of decorated functions: remember what became of the function."""
        place = self.definitions[number]

        def remember(value: object) -> object:
            final = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            key = id(final)
            try:
                self.guards[key] = weakref.ref(final, lambda _: self._forget(key))
            except TypeError:
                return value
            known = self.decorated.get(key, place)
            # `@wraps(f) def wrapper` is a decorated definition itself before it becomes `f`.
            is_own = known is not None and known.name == _own_name(final)
            self.decorated[key] = place if known == place or is_own else None
            return value

        return remember

    def _forget(self, key: int) -> None:
        self.decorated.pop(key, None)
        self.guards.pop(key, None)

    def instrument(self, source: bytes, filename: str) -> types.CodeType:
        """Compile a file with hooks around its calls and decorated definitions."""
        tree = ast.parse(source, filename)
        found = collect(tree)
        path = self.ground.relative(filename)
        first_site, first_definition = len(self.sites), len(self.definitions)
        self.sites.extend((path, site) for site in found.sites)
        for definition in found.definitions:
            self.definitions.append(Place(path, definition.name, definition.line))
            self.ground.lines.setdefault((path, definition.name), definition.line)
        _Instrumenter(found, first_site, first_definition).visit(tree)
        return compile(tree, filename, "exec", dont_inherit=True)

    def write(self, file: Path) -> None:
        """Write what was noted as JSON lines, in an order that depends on nothing but it."""
        lines = {
            json.dumps(_row(*self.sites[number], callee), sort_keys=True)
            for (number, _), callee in self.calls.items()
        }
        rows = sorted((json.loads(line) for line in lines), key=_order)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        file.write_text(text, encoding="utf-8")


def _own_name(value: object) -> str:
    return code_name(value.__code__) if type(value) is types.FunctionType else ""


def _row(path: str, site: Site, callee: Callee) -> dict[str, object]:
    return {
        "caller_path": path,
        "caller": site.caller,
        "line": site.line,
        "col": site.column,
        "end_line": site.end_line,
        "end_col": site.end_column,
        "name_line": site.name_line,
        "called": site.called,
        "context": site.context,
        "inside": site.inside,
        "owner": site.owner,
        "callee_path": callee.place.path,
        "callee": callee.place.name,
        "callee_line": callee.place.line,
        "internal": callee.internal,
        "also": sorted({(role, place.path, place.name, place.line) for role, place in callee.also}),
    }


def _order(row: dict[str, object]) -> tuple[str, int, int, int, int, str, str]:
    keys = ("line", "col", "end_line", "end_col")
    line, column, end_line, end_column = (int(str(row[key])) for key in keys)
    rest = json.dumps(row)
    return str(row["caller_path"]), line, column, end_line, end_column, str(row["context"]), rest


class _Instrumenter(ast.NodeTransformer):
    """Puts the hooks into a file's tree, by the numbers of its collected sites."""

    def __init__(self, found: FileSites, first_site: int, first_definition: int) -> None:
        self.numbers: dict[tuple[int, str], int] = {
            (id(node), site.context): first_site + index
            for index, (node, site) in enumerate(zip(found.site_nodes, found.sites, strict=True))
        }
        self.definitions = {
            id(node): first_definition + index for index, node in enumerate(found.definition_nodes)
        }

    def visit(self, node: ast.AST) -> ast.AST:
        """Instrument the children first: their identities are what the numbers go by."""
        number = self.numbers.get((id(node), CALL))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._decorators(node)
        else:
            self.generic_visit(node)
        if number is not None and isinstance(node, ast.Call):
            node.func = _hook(CALL_HOOK, number, node.func, node.func)
        return node

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        numbers = [self.numbers[id(each), DECORATOR] for each in node.decorator_list]
        self.generic_visit(node)
        decorators: list[ast.expr] = [
            _hook(CALL_HOOK, number, decorator, decorator)
            for number, decorator in zip(numbers, node.decorator_list, strict=True)
        ]
        if decorators and not isinstance(node, ast.ClassDef):
            definition = self.definitions[id(node)]
            decorators.insert(0, _hook(DEFINITION_HOOK, definition, None, decorators[0]))
        node.decorator_list = decorators


def _hook(name: str, number: int, argument: ast.expr | None, at: ast.expr) -> ast.Call:
    arguments: list[ast.expr] = [ast.Constant(number)]
    if argument is not None:
        arguments.append(argument)
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=arguments, keywords=[])
    for node in (call, call.func, arguments[0]):
        ast.copy_location(node, at)
    return call


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its instrumented source, past any bytecode cache."""

    recording: Recording

    def get_code(self, fullname: str) -> types.CodeType:
        filename = self.get_filename(fullname)
        return self.recording.instrument(self.get_data(filename), filename)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules of the recorded packages where the import system would find them."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if spec.origin is None or not self.recording.ground.holds(spec.origin):
            return None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.recording = self.recording
        return spec


def install(root: Path, packages: Sequence[str]) -> Recording:
    """Instrument what is imported from now on; packages are paths below the root."""
    root = root.resolve()
    ground = Ground(str(root), tuple(str(root / package) for package in packages), {})
    recording = Recording(ground)
    for name, module in sorted(sys.modules.items()):
        if ground.holds(getattr(module, "__file__", None) or ""):
            recording.imported_too_early.append(name)
    setattr(builtins, CALL_HOOK, recording.called)
    setattr(builtins, DEFINITION_HOOK, recording.defined)
    sys.meta_path.insert(0, _Finder(recording))
    return recording


_KEY = pytest.StashKey[Recording]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("calls", "record which callables are called where")
    group.addoption("--record-calls", metavar="FILE", help="write the calls there")
    group.addoption("--record-root", metavar="DIR", default=".", help="paths are relative to it")
    group.addoption(
        "--record-package", metavar="DIR", action="append", default=[], help="below the root"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Install before a conftest can import the package."""
    options = early_config.known_args_namespace
    if options.record_calls:
        early_config.stash[_KEY] = install(Path(options.record_root), options.record_package)


def pytest_unconfigure(config: pytest.Config) -> None:
    recording = config.stash.get(_KEY, None)
    if recording is None:
        return
    recording.write(Path(config.option.record_calls))
    print(f"recorded {len(recording.calls)} calls")
    if recording.imported_too_early:
        print(f"not recorded, imported too early: {', '.join(recording.imported_too_early)}")
    if recording.failures:
        print(f"not recorded: {len(recording.failures)}, the first: {recording.failures[0]}")

"""The call expressions of one Python file, and who makes each of them.

Uses only the standard library and relative imports: the recorder is copied, with this module,
into the environment of the project whose tests run.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MODULE = "<module>"
"""Caller of what stands at the top level of a file."""

CALL = "call"
"""A call expression: `f(x)`."""

DECORATOR = "decorator"
"""A decorator being applied to what it decorates; `@f(x)` is a call and an application."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One place where a callable is called; lines are 1-based, columns 0-based UTF-8 bytes."""

    line: int
    column: int
    end_line: int
    end_column: int
    name_line: int
    """Where the called name stands; differs from `line` in a chain broken over lines."""
    called: str
    """Last component of the called expression, empty for `f()()` and `table[key]()`."""
    context: str
    caller: str
    """Owner chain of the enclosing named function or class, or `MODULE`."""
    inside: str = ""
    """`lambda` or `comprehension` when the call runs in a nameless scope of the caller."""
    owner: str = ""
    """The definition whose decorators, defaults or bases contain the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A function or class written in the file."""

    name: str
    line: int
    """Line of the first decorator, or of `def` and `class`: what code objects call first line."""
    is_class: bool


@dataclass(slots=True)
class FileSites:
    """What one file holds; the parallel lists of nodes serve instrumentation."""

    sites: list[Site] = field(default_factory=list)
    site_nodes: list[ast.expr] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    definition_nodes: list[ast.AST] = field(default_factory=list)
    passed: set[tuple[int, str]] = field(default_factory=set)
    """(line, last component) of names handed over as arguments: `register(handler)`."""


def collect(tree: ast.Module) -> FileSites:
    """Find every call and definition of a parsed file, in source order."""
    collector = _Collector()
    collector.visit(tree)
    return collector.found


def called_name(expression: ast.expr) -> str:
    """Last component of a called expression: `run` for `app.run`."""
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


class _Collector(ast.NodeVisitor):
    """Walks a file keeping the chain of named scopes.

    Annotations are left out: whether they run at all depends on the Python version and on
    `from __future__ import annotations`.
    """

    def __init__(self) -> None:
        self.found = FileSites()
        self.chain: tuple[str, ...] = ()
        self.inside = ""
        self.owner = ""

    @contextmanager
    def _scope(
        self, chain: tuple[str, ...] | None = None, inside: str = "", owner: str = ""
    ) -> Iterator[None]:
        saved = self.chain, self.inside, self.owner
        self.chain, self.inside, self.owner = (
            self.chain if chain is None else chain,
            inside,
            owner,
        )
        yield
        self.chain, self.inside, self.owner = saved

    def _add(self, node: ast.expr, called: ast.expr, context: str) -> None:
        name_line = called.end_lineno if isinstance(called, ast.Attribute) else called.lineno
        self.found.site_nodes.append(node)
        self.found.sites.append(
            Site(
                line=node.lineno,
                column=node.col_offset,
                end_line=node.end_lineno or node.lineno,
                end_column=node.end_col_offset or node.col_offset,
                name_line=name_line or called.lineno,
                called=called_name(called),
                context=context,
                caller=".".join(self.chain) or MODULE,
                inside=self.inside,
                owner=self.owner,
            )
        )

    def _define(self, node: FunctionNode | ast.ClassDef) -> tuple[str, ...]:
        chain = (*self.chain, node.name)
        first = node.decorator_list[0] if node.decorator_list else node
        self.found.definition_nodes.append(node)
        self.found.definitions.append(
            Definition(
                name=".".join(chain), line=first.lineno, is_class=isinstance(node, ast.ClassDef)
            )
        )
        return chain

    def _decorators(self, node: FunctionNode | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            self._add(decorator, called, DECORATOR)
            self.visit(decorator)

    def visit_Call(self, node: ast.Call) -> None:
        self._add(node, node.func, CALL)
        for value in [*node.args, *(keyword.value for keyword in node.keywords)]:
            bare = value.value if isinstance(value, ast.Starred) else value
            if name := called_name(bare):
                self.found.passed.add((bare.end_lineno or bare.lineno, name))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: FunctionNode) -> None:
        chain = self._define(node)
        with self._scope(inside=self.inside, owner=".".join(chain)):
            self._decorators(node)
            self._defaults(node.args)
        with self._scope(chain):
            for statement in node.body:
                self.visit(statement)

    def _defaults(self, arguments: ast.arguments) -> None:
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        chain = self._define(node)
        with self._scope(inside=self.inside, owner=".".join(chain)):
            self._decorators(node)
            for base in [*node.bases, *(keyword.value for keyword in node.keywords)]:
                self.visit(base)
        with self._scope(chain):
            for statement in node.body:
                self.visit(statement)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        with self._scope(inside="lambda", owner=self.owner):
            self.visit(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_TypeAlias(self, node: ast.AST) -> None:
        """Leave out the value of a `type` statement: it runs when somebody asks, if ever."""

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def _comprehension(self, node: ast.expr) -> None:
        with self._scope(inside=self.inside or "comprehension", owner=self.owner):
            self.generic_visit(node)

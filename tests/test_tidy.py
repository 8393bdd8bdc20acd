"""The rules of the tree that a program can check; CONTRIBUTING.md says why they are there.

Each rule is a function from sources to complaints, so that it is tested on bad sources too: a
rule that finds nothing anywhere would hold nothing.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ORDER = (
    *("errors", "text", "model", "reports", "settings", "languages", "files", "parse", "graph"),
    *(
        "history",
        "store",
        "indexer",
        "live",
        "doctor",
        "enrich",
        "retrieve",
        "impact",
        "pack",
        "present",
        "learn",
        "engine",
    ),
    # The package itself offers the engine's names, so only the skins may import from it.
    "__init__",
    *("mcp", "cli", "__main__"),
)

ENGINE_PARTS = ("knowing/engine", "knowing/indexer", "knowing/live", "knowing/doctor")
"""The engine and the parts it is made of."""

CONFINED = {
    "tree_sitter": ("knowing/parse/", "knowing/languages/"),
    "tree_sitter_language_pack": ("knowing/parse/", "knowing/languages/"),
    "sqlite3": ("knowing/store/",),
    "pygls": ("server/", "knowing/enrich/"),
    "lsprotocol": ("server/", "knowing/enrich/"),
    "mcp": ("knowing/mcp",),
}

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

MEASURED_ON = re.compile(r"flask|django|fastapi|caddy|kafka|(?<![a-z])rails", re.IGNORECASE)
EXAMPLE_OF_THE_CONTRACT = "Flask.before_request"
"""The name that the command line's documentation uses; a docstring may quote it."""

LEFTOVER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file and its syntax tree."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(self.tree)

    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes() if isinstance(node, Function))

    def docstrings(self) -> Iterator[ast.Constant]:
        """Strings that stand alone: docstrings, and those under a field or a constant."""
        for node in self.nodes():
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield node.value

    def imports(self) -> Iterator[tuple[int, str]]:
        """Line and full dotted name of everything that is imported, relative names resolved."""
        package = self.path.removesuffix(".py").split("/")[:-1]
        for node in self.nodes():
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                parents = package[: len(package) - node.level + 1] if node.level else []
                base = [*parents, *([node.module] if node.module else [])]
                yield from ((node.lineno, ".".join([*base, a.name])) for a in node.names)


def sources(*folders: str) -> list[Source]:
    """All Python files of some folders, samples and test data left out."""
    return [
        Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not {"sample", "data", "__pycache__"} & set(path.relative_to(ROOT).parts)
    ]


def part_of(module: str) -> str:
    """The part of the order that a dotted name below `knowing` belongs to."""
    names = [*module.split("."), "__init__"]
    name = names[1]
    if name in ORDER:
        return name
    family = name.partition("_")[0]
    return family if family in ORDER else "__init__"


def against_the_order(source: Source) -> Iterator[str]:
    """Imports of a part that stands to the right of the importing one."""
    module = source.path.removesuffix(".py").replace("/", ".")
    if part_of(module) == "__init__" and module != "knowing.__init__":
        yield f"{source.path}: has no place in the order of parts"
        return
    for line, name in source.imports():
        if name.split(".")[0] == "knowing":
            here, there = part_of(module), part_of(name)
            if ORDER.index(there) > ORDER.index(here):
                yield f"{source.path}:{line}: {here} imports {there}, which comes after it"


def out_of_confinement(source: Source) -> Iterator[str]:
    """Imports of a library outside the one place that knows it, or of a package none may use."""
    for line, name in source.imports():
        allowed = CONFINED.get(name.split(".")[0])
        if allowed is not None and not source.path.startswith(allowed):
            yield f"{source.path}:{line}: {name} may be imported only in {', '.join(allowed)}"
        store = (name + ".").startswith("knowing.store.")
        if store and not source.path.startswith(("knowing/store/", *ENGINE_PARTS)):
            yield f"{source.path}:{line}: only the engine imports the store"
        if name.split(".")[0] == "eval":
            yield f"{source.path}:{line}: nothing imports eval"


def too_long(source: Source) -> Iterator[str]:
    """Files and functions beyond the limits."""
    lines = source.text.count("\n")
    if lines > LONGEST_FILE:
        yield f"{source.path}: {lines} lines, at most {LONGEST_FILE}"
    for function in source.functions():
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > LONGEST_FUNCTION:
            where = f"{source.path}:{function.lineno}"
            yield f"{where}: {function.name} has {length} lines, at most {LONGEST_FUNCTION}"


def reads_environment(source: Source) -> Iterator[str]:
    """Uses of environment variables."""
    names = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "expandvars"}
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and node.attr in names:
            yield f"{source.path}:{node.lineno}: {node.attr}"
    for line, name in source.imports():
        if name.startswith("os.") and name.rpartition(".")[2] in names:
            yield f"{source.path}:{line}: {name}"


def names_a_measured_repository(source: Source) -> Iterator[str]:
    """Mentions of a repository that the evaluation runs on, wherever they stand in the file."""
    quoting = {
        line
        for text in source.docstrings()
        for line in range(text.lineno, (text.end_lineno or text.lineno) + 1)
    }
    for number, line in enumerate(source.text.splitlines(), start=1):
        words = line.replace(EXAMPLE_OF_THE_CONTRACT, "") if number in quoting else line
        if found := MEASURED_ON.search(words):
            yield f"{source.path}:{number}: {found[0]}"


def leftovers(source: Source) -> Iterator[str]:
    """Comments and docstrings that put something off."""
    tokens = tokenize.generate_tokens(io.StringIO(source.text).readline)
    texts = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    texts += [(text.lineno, str(text.value)) for text in source.docstrings()]
    for line, text in sorted(texts):
        if found := LEFTOVER.search(text):
            yield f"{source.path}:{line}: {found[0]}"


def package_without_words(source: Source) -> Iterator[str]:
    """Packages that do not say what they are for; a folder at the top may be a bare one."""
    bare = source.path.count("/") == 1 and not source.tree.body
    if source.path.endswith("/__init__.py") and not bare and not ast.get_docstring(source.tree):
        yield f"{source.path}: the package has no docstring"


def hollow_tests(source: Source) -> Iterator[str]:
    """Tests without an assertion, their own or one of a helper they call."""
    asserting: set[str] = set()
    functions = list(source.functions())
    # A helper may call a helper, so this goes on until no further function is found to assert.
    while found := {f.name for f in functions if _asserts(f, asserting)} - asserting:
        asserting |= found
    for function in functions:
        if function.name.startswith("test") and function.name not in asserting:
            yield f"{source.path}:{function.lineno}: {function.name} asserts nothing"


def _asserts(function: Function, asserting: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            shared = re.fullmatch(r"(?:\w+\.)*(?:check|assert|expect)_\w+", called)
            if shared or called in asserting or called in ("pytest.raises", "pytest.fail"):
                return True
    return False


ENGINE = ("knowing",)
SHIPPED = ("knowing", "server")
CODE = ("knowing", "server", "eval")
EVERYTHING = ("knowing", "server", "eval", "scripts", "tests")

Rule = Callable[[Source], Iterator[str]]

RULES: list[tuple[Rule, tuple[str, ...]]] = [
    (against_the_order, ENGINE),
    (out_of_confinement, SHIPPED),
    (too_long, CODE),
    (reads_environment, ENGINE),
    (names_a_measured_repository, ENGINE),
    (leftovers, EVERYTHING),
    (package_without_words, CODE),
    (hollow_tests, ("tests",)),
]


@pytest.mark.parametrize(("rule", "folders"), RULES, ids=[rule.__name__ for rule, _ in RULES])
def test_the_tree_keeps_the_rule(rule: Rule, folders: tuple[str, ...]) -> None:
    complaints = [complaint for source in sources(*folders) for complaint in rule(source)]
    assert not complaints, "\n" + "\n".join(complaints)


GOOD = [
    (against_the_order, "knowing/store/read.py", "from knowing import model\nimport numpy"),
    (against_the_order, "knowing/cli.py", "from knowing import Engine, __version__"),
    (against_the_order, "knowing/settings_sources.py", "from knowing.settings import Layer"),
    (against_the_order, "knowing/settings.py", "from knowing.settings_schema import Leaf"),
    (against_the_order, "knowing/graph/view.py", "from . import build\nfrom ..model import Edge"),
    (against_the_order, "knowing/__init__.py", "from knowing.engine import Engine"),
    (against_the_order, "knowing/__main__.py", "from knowing.cli import main"),
    (out_of_confinement, "knowing/parse/parser.py", "import tree_sitter"),
    (out_of_confinement, "knowing/engine.py", "from knowing.store import open_store"),
    (out_of_confinement, "knowing/store/read.py", "import sqlite3\nfrom knowing.store import x"),
    (too_long, "knowing/a.py", "\n" * 400),
    (too_long, "knowing/a.py", "def f():\n" + "    x = 1\n" * 59),
    (reads_environment, "knowing/a.py", "import os\nos.cpu_count()\nenviron = 3"),
    (names_a_measured_repository, "knowing/a.py", '"""As `Flask.before_request`."""\ntrails = 1'),
    (leftovers, "knowing/a.py", "x = 'TO" + "DO'\ntodos = 1  # the list of todos"),
    (package_without_words, "knowing/graph/__init__.py", '"""The graph."""'),
    (package_without_words, "knowing/__init__.py", ""),
    (hollow_tests, "tests/a.py", "def test_a():\n    assert f()"),
    (hollow_tests, "tests/a.py", "def test_a():\n    check_ranking('x')"),
    (
        hollow_tests,
        "tests/a.py",
        "def test_a():\n    one()\ndef one():\n    two()\ndef two():\n    assert f()",
    ),
]

BAD = [
    (against_the_order, "knowing/graph/view.py", "from knowing.store import read"),
    (against_the_order, "knowing/graph/view.py", "from knowing import store"),
    (against_the_order, "knowing/graph/view.py", "from ..store import read"),
    (against_the_order, "knowing/graph/view.py", "def f():\n    import knowing.engine"),
    (against_the_order, "knowing/graph/__init__.py", "from knowing import Engine"),
    (against_the_order, "knowing/graph/view.py", "import knowing"),
    (against_the_order, "knowing/text.py", "from knowing.settings_schema import Leaf"),
    (against_the_order, "knowing/misc/a.py", ""),
    (out_of_confinement, "knowing/graph/view.py", "from tree_sitter import Parser"),
    (out_of_confinement, "knowing/parse2.py", "import tree_sitter_language_pack"),
    (out_of_confinement, "knowing/engine.py", "import sqlite3"),
    (out_of_confinement, "knowing/cli.py", "from lsprotocol import types"),
    (out_of_confinement, "knowing/cli.py", "from knowing import store"),
    (out_of_confinement, "server/app.py", "from knowing.store.read import rows"),
    (out_of_confinement, "server/app.py", "import eval.bench"),
    (too_long, "knowing/a.py", "\n" * 401),
    (too_long, "knowing/a.py", "class A:\n  def f(self):\n" + "    x = 1\n" * 60),
    (reads_environment, "knowing/a.py", "import os\nx = os.environ['A']"),
    (reads_environment, "knowing/a.py", "from os import getenv as g"),
    (names_a_measured_repository, "knowing/a.py", "class DjangoModel: pass"),
    (names_a_measured_repository, "knowing/a.py", "x = 'Flask.before_request'"),
    (names_a_measured_repository, "knowing/a.py", "x = 1  # tuned on kafka"),
    (names_a_measured_repository, "knowing/a.py", "is_rails = 1"),
    (leftovers, "knowing/a.py", "x = 1  # TO" + "DO: more"),
    (leftovers, "knowing/a.py", '"""A.\n\nFIX' + 'ME"""'),
    (package_without_words, "knowing/graph/__init__.py", ""),
    (package_without_words, "knowing/__init__.py", "x = 1"),
    (hollow_tests, "tests/a.py", "def test_a():\n    f()"),
    (hollow_tests, "tests/a.py", "class T:\n  async def test_a(self):\n    help()"),
]


@pytest.mark.parametrize(("rule", "path", "text"), GOOD)
def test_the_rule_lets_good_sources_pass(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Source(path, text))) == []


@pytest.mark.parametrize(("rule", "path", "text"), BAD)
def test_the_rule_finds_what_is_wrong(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Source(path, text)))


def test_the_sources_are_found() -> None:
    paths = {source.path for source in sources(*EVERYTHING)}
    assert {"knowing/model.py", "knowing/settings.py", "tests/test_tidy.py"} <= paths

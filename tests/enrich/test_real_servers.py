"""Real language servers, where they are installed: they know what the syntax does not tell."""

from pathlib import Path

import pytest

from knowing.enrich import Enricher, External, FileAnswers, Limits, Options, Use, Work, apply
from knowing.enrich.detect import Found, Missing, Surroundings, look_for
from knowing.enrich.servers import load_servers
from knowing.languages import load_languages
from knowing.model import EdgeKind, SymbolKind
from tests.enrich.workspaces import edges, graph_of, write

PYTHON = {
    "pyproject.toml": '[project]\nname = "work"\nversion = "1"\n',
    "shelf.py": """\
        import json


        class Shelf:
            def fill(self) -> "Shelf":
                json.dumps({})
                return self


        class Crate:
            def fill(self) -> int:
                return 2
        """,
    "use.py": """\
        from shelf import Shelf


        def make(number: int) -> list[Shelf]:
            return [Shelf() for _ in range(number)]


        def use():
            for each in make(3):
                "ä😀"; each.fill()
        """,
}
TYPESCRIPT = {
    "package.json": '{"name": "work"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true}}\n',
    "shelf.ts": """\
        export class Shelf { fill(): number { return 1; } }
        export class Crate { fill(): number { return 2; } }
        """,
    "use.ts": """\
        import { Shelf } from "./shelf";

        function make(n: number) { return [...Array(n)].map(() => new Shelf()); }

        export function use() {
            for (const each of make(3)) { "ä😀"; each.fill(); }
        }
        """,
}
GO = {
    "go.mod": "module example.com/work\n\ngo 1.21\n",
    "shelf.go": """\
        package work

        type Filler interface{ Fill() int }

        type Shelf struct{}

        func (s *Shelf) Fill() int { return 1 }

        type Crate struct{}

        func (c *Crate) Fill() int { return 2 }
        """,
    "use.go": """\
        package work

        func shelves() map[string][]*Shelf { return nil }

        func Use() int {
            for _, all := range shelves() {
                for _, each := range all {
                    return each.Fill()
                }
            }
            return 0
        }
        """,
}
C = {
    "compile_flags.txt": "-std=c11\n",
    "shelf.h": "int fill(int count);\n",
    "shelf.c": '#include "shelf.h"\n\nint fill(int count) { return count; }\n',
    "use.c": '#include "shelf.h"\n\nint use(void) { return fill(3); }\n',
}

CASES = {
    "ty": (PYTHON, "use.py::use", "shelf.py::Shelf.fill"),
    "pyrefly": (PYTHON, "use.py::use", "shelf.py::Shelf.fill"),
    "basedpyright": (PYTHON, "use.py::use", "shelf.py::Shelf.fill"),
    "pyright": (PYTHON, "use.py::use", "shelf.py::Shelf.fill"),
    "jedi": (PYTHON, "use.py::use", "shelf.py::Shelf.fill"),
    "typescript": (TYPESCRIPT, "use.ts::use", "shelf.ts::Shelf.fill"),
    "typescript-language-server": (TYPESCRIPT, "use.ts::use", "shelf.ts::Shelf.fill"),
    "gopls": (GO, "use.go::Use", "shelf.go::Shelf.Fill"),
    "clangd": (C, "use.c::use", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_server_knows_who_is_called(name: str, tmp_path: Path) -> None:
    root = tmp_path / "work"
    files, caller, callee = CASES[name]
    write(root, files)
    spec = next(spec for spec in load_servers() if spec.name == name)
    seen = look_for(spec, Surroundings(root, tmp_path / "cache"))
    if isinstance(seen, Missing):
        pytest.skip(seen.reason)
    others = tuple(server.name for server in load_servers() if server.name != name)
    options = Options(disabled=others, limits=Limits(load_per_core=0, on_battery=True))
    graph, digests = graph_of(root)
    answers: list[FileAnswers] = []
    with Enricher(root, load_languages(), options, tmp_path / "cache", trusted=True) as servers:
        report = servers.enrich(Work(graph=graph, digests=digests), answers.append)
    assert not report.failures
    assert not report.skipped
    [status] = [status for status in report.languages if status.server]
    assert status.use is Use.ENRICHED
    assert status.server == f"{name} {seen.version}"
    found = edges(list(apply(graph, answers).view.all_edges()), EdgeKind.CALLS)
    called = {(target, origin) for source, target, origin in found if source == caller}
    if callee:
        assert (callee, "lsp_resolved") in called
        assert not {target for target, _ in called if "Crate" in target}
    else:
        assert {origin for _, origin in called} == {"lsp_resolved"}


def test_dependencies_are_named(tmp_path: Path) -> None:
    """At least one server for Python comes with what the tests need."""
    root = tmp_path / "work"
    write(root, PYTHON)
    around = Surroundings(root, tmp_path / "cache")
    specs = [spec for spec in load_servers() if "python" in spec.languages and spec.thorough]
    if not any(isinstance(look_for(spec, around), Found) for spec in specs):
        pytest.skip("no thorough server for Python is installed")
    options = Options(limits=Limits(load_per_core=0, on_battery=True))
    graph, digests = graph_of(root)
    answers: list[FileAnswers] = []
    with Enricher(root, load_languages(), options, tmp_path / "cache", trusted=True) as servers:
        servers.enrich(Work(graph=graph, digests=digests), answers.append)
    named = {target for answer in answers for target in answer.outside_targets()}
    dumps = External("pypi", "python", "", "json", "dumps", int(SymbolKind.FUNCTION))
    assert dumps in named
    found = edges(list(apply(graph, answers).view.all_edges()), EdgeKind.CALLS)
    assert ("shelf.py::Shelf.fill", "external:json.dumps", "lsp_resolved") in found

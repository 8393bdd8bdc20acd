"""Routes, environment variables, processes and endpoints that literals reveal."""

import pytest

from knowing.languages import load_languages
from knowing.model import EdgeKind
from knowing.parse import extract
from knowing.parse.facts import ServiceColumn, SymbolColumn


def services(language: str, source: str) -> list[tuple[str, str, str]]:
    """Edge, text and chain of the handler, or of the scope where there is no handler."""
    facts = extract(source.encode(), load_languages()[language])
    strings = facts.strings
    found = []
    for row in facts.services:
        handler = int(row[ServiceColumn.HANDLER])
        if handler < -1:
            chain = strings[facts.refs[-2 - handler, 0]]
        else:
            symbol = handler if handler >= 0 else row[ServiceColumn.SCOPE]
            chain = strings[facts.symbols[symbol, SymbolColumn.CHAIN]]
        edge = EdgeKind(int(row[ServiceColumn.EDGE])).label
        found.append((edge, strings[row[ServiceColumn.TEXT]], chain))
    return found


SPRING = """
@RequestMapping("/owners")
class Owners {
    @GetMapping("/{id}") Owner one() { return null; }
    @GetMapping Owner all() { return null; }
    @RequestMapping(method = GET, value = "/find") Owner find() { return null; }
    @PostMapping({"/a", "/b"}) Owner add() { return null; }
    @PostMapping(PATH) Owner computed() { return null; }
    Owner helper() { return null; }
}
"""


def test_a_type_puts_its_path_before_those_of_its_handlers() -> None:
    assert services("java", SPRING) == [
        ("handles_route", "GET /owners/{id}", "Owners.one"),
        ("handles_route", "GET /owners", "Owners.all"),
        ("handles_route", "ANY /owners/find", "Owners.find"),
        ("handles_route", "POST /owners/a", "Owners.add"),
    ]


JAX_RS = """
@Path("users") class Users {
    @GET @Path("{id}") User one() { return null; }
    @POST User add() { return null; }
}
class Elsewhere { @GET User one() { return null; } }
"""


def test_a_verb_and_a_path_may_be_two_decorators() -> None:
    assert services("java", JAX_RS) == [
        ("handles_route", "GET /users/{id}", "Users.one"),
        ("handles_route", "POST /users", "Users.add"),
    ]


ASP_NET = """
[Route("api/items")]
class Items {
    [HttpGet("{id}")] public Item One(int id) => null;
    [HttpDelete] [Route("~/trash")] public Item Clear() => null;
}
"""


def test_attributes_declare_routes() -> None:
    assert services("csharp", ASP_NET) == [
        ("handles_route", "GET /api/items/{id}", "Items.One"),
        ("handles_route", "DELETE /trash", "Items.Clear"),
    ]


def test_a_handler_is_named_or_written_in_place() -> None:
    source = """
    class Api {
        void Setup(App app) {
            app.MapGet("/x", Handlers.List);
            app.MapPost("{id}", () => "hi");
        }
    }
    """
    assert services("csharp", source) == [
        ("handles_route", "GET /x", "List"),
        ("handles_route", "POST /{id}", "Api.Setup"),
    ]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        (
            "java",
            'class A { void f() { System.getenv("SHELL"); new ProcessBuilder("git", "log"); } }',
        ),
        (
            "csharp",
            "class A { void f() {"
            ' Environment.GetEnvironmentVariable("SHELL"); Process.Start("git", "log"); } }',
        ),
        (
            "kotlin",
            "class A {\n  fun f() {\n"
            '    System.getenv("SHELL")\n    ProcessBuilder("git", "log")\n  }\n}\n',
        ),
        (
            "scala",
            'class A { def f() = { System.getenv("SHELL"); new ProcessBuilder("git", "log") } }',
        ),
    ],
)
def test_environment_and_processes(language: str, source: str) -> None:
    assert services(language, source) == [
        ("reads_env", "SHELL", "A.f"),
        ("executes_process", "git", "A.f"),
    ]


def test_nested_routes_of_functions() -> None:
    source = 'fun Route.pages() {\n    get("/x") { show() }\n    map.get("/y")\n}\n'
    assert services("kotlin", source) == [("handles_route", "GET /x", "Route.pages")]

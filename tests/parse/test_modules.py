"""What goes in and out of a file of modules: imports, exports, and names that are neither."""

from knowing.languages import load_languages
from knowing.model import EdgeKind, SymbolFlag
from knowing.parse import FileFacts, extract
from knowing.parse.facts import (
    How,
    ImportColumn,
    ImportFlag,
    RefColumn,
    ServiceColumn,
    SymbolColumn,
)


def read(language: str, source: str) -> FileFacts:
    return extract(source.encode(), load_languages()[language])


def exports(facts: FileFacts) -> list[tuple[str, str, str]]:
    strings = facts.strings
    return [
        tuple(strings[row[column]] for column in ImportColumn if column < ImportColumn.SCOPE)
        for row in facts.imports
        if row[ImportColumn.FLAGS] & ImportFlag.EXPORTED
    ]


def exported(facts: FileFacts) -> list[str]:
    strings = facts.strings
    return [
        strings[row[SymbolColumn.CHAIN]]
        for row in facts.symbols[1:]
        if row[SymbolColumn.FLAGS] & SymbolFlag.EXPORTED
    ]


def how(facts: FileFacts, name: str) -> list[How]:
    """How each use of `name` was explained; uses of which nothing is known are not there."""
    strings = facts.strings
    return [
        How(int(row[RefColumn.CODE]) & 15)
        for row in facts.refs
        if strings[row[RefColumn.NAME]] == name
    ]


def services(language: str, source: str) -> list[tuple[str, str]]:
    facts = read(language, source)
    return [
        (EdgeKind(int(row[ServiceColumn.EDGE])).label, facts.strings[row[ServiceColumn.TEXT]])
        for row in facts.services
    ]


def test_a_list_exports_own_and_imported_names() -> None:
    facts = read(
        "typescript",
        """
import { far } from "./far";
function near() {}
function hidden() {}
export { near as close, far, far as away };
""",
    )
    assert exports(facts) == [
        ("", "near", "close"),
        ("./far", "far", "far"),
        ("./far", "far", "away"),
    ]
    assert exported(facts) == ["near"]


def test_each_form_of_default_export_goes_out_as_default() -> None:
    forms = {
        "export default class Shop {}": "Shop",
        "function shop() {} export default shop;": "shop",
        "function shop() {} module.exports = shop;": "shop",
        "module.exports = function shop() {};": "shop",
        "module.exports = class Shop {};": "Shop",
        "var app = exports = module.exports = {};": "app",
    }
    for source, name in forms.items():
        facts = read("javascript", source)
        assert exports(facts) == [("", name, "default")], source
        assert exported(facts) == [name], source
    assert exported(read("javascript", "export default () => 1;")) == ["default"]
    passed_on = read("javascript", 'module.exports = require("./lib/shop");')
    assert exports(passed_on) == [("./lib/shop", "", "default")]


def test_names_given_to_exports_may_stand_on_either_side() -> None:
    facts = read(
        "javascript",
        """
function a() {}
function b() {}
exports.first = a;
module.exports = { a, second: b };
exports.third = require("./third");
""",
    )
    assert sorted(exports(facts)) == [
        ("", "a", "first"),
        ("", "b", "second"),
        ("./third", "", "third"),
    ]


def test_a_required_module_is_an_import_and_no_variable() -> None:
    facts = read(
        "javascript",
        'const shop = require("./shop");\nfunction f() { const x = require("./x"); x.run(shop); }',
    )
    chains = [facts.strings[row[SymbolColumn.CHAIN]] for row in facts.symbols[1:]]
    assert chains == ["f"]
    assert how(facts, "x") == how(facts, "shop") == [How.IMPORT]


def test_a_re_export_brings_no_name_in() -> None:
    facts = read("typescript", 'export { run } from "./a";\nexport * from "./b";\nrun(); other();')
    assert how(facts, "run") == how(facts, "other") == []


def test_what_a_callback_binds_stays_in_it() -> None:
    facts = read(
        "javascript",
        """
function item() {}
list.forEach((item) => item.use());
items.map(function (other) { const item = 1; return item; });
item();
""",
    )
    assert how(facts, "item") == [How.LOCAL]


def test_a_title_is_not_a_name() -> None:
    facts = read("javascript", 'import { add } from "./add";\ntest("add", () => { add(1); });')
    assert how(facts, "add") == [How.IMPORT]


def test_object_members_are_reached_through_their_object() -> None:
    facts = read("javascript", "const api = { get() { return get(); }, put: () => api.get() };")
    assert how(facts, "get") == [How.MEMBER]
    assert how(facts, "api") == [How.LOCAL]


def test_environment_processes_and_endpoints_of_javascript() -> None:
    source = """
import { exec } from "child_process";
exec("git status"); pattern.exec("text");
start(process.env.PORT, process.env["HOST"], import.meta.env.MODE);
fetch(`/api/${id}`); cache.fetch("/no"); axios.get("https://example.org/items");
"""
    assert sorted(services("typescript", source)) == [
        ("consumes_endpoint", "/api/${id}"),
        ("consumes_endpoint", "https://example.org/items"),
        ("executes_process", "git"),
        ("reads_env", "HOST"),
        ("reads_env", "MODE"),
        ("reads_env", "PORT"),
    ]


def test_routes_of_controllers_and_routers() -> None:
    nest = '@Controller("cats") class Cats { @Get(":id") one() {} @Post() add() {} }'
    assert services("typescript", nest) == [
        ("handles_route", "GET /cats/:id"),
        ("handles_route", "POST /cats"),
    ]
    express = 'app.get("/a", (req, res) => res.end()); app.get("title"); map.get("/b", list);'
    assert services("javascript", express) == [("handles_route", "GET /a")]


def test_qualified_names_are_found_by_import_package_or_from_the_root() -> None:
    facts = read(
        "php",
        """<?php
namespace Shop;
use Goods\\Catalogue;
function run(\\Far\\Thing $far, Catalogue\\Item $item, Parts\\Screw $screw) {}
""",
    )
    strings = facts.strings
    rows = {
        strings[row[ImportColumn.ALIAS]]: (
            strings[row[ImportColumn.MODULE]],
            strings[row[ImportColumn.NAME]],
        )
        for row in facts.imports
    }
    assert rows["\\Far\\Thing"] == ("Far", "Thing")
    assert rows["Catalogue\\Item"] == ("Goods\\Catalogue", "Item")
    assert rows["Parts\\Screw"] == ("Shop\\Parts", "Screw")
    assert how(facts, "\\Far\\Thing") == [How.IMPORT]


def test_assignments_make_fields_only_where_fields_need_no_declaration() -> None:
    made = "class A { constructor() { this.x = 1; } }"
    for language, fields in (("javascript", ["A.x"]), ("typescript", [])):
        facts = read(language, made)
        chains = [facts.strings[row[SymbolColumn.CHAIN]] for row in facts.symbols[1:]]
        assert [chain for chain in chains if chain.endswith(".x")] == fields

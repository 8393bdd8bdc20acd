"""A language that no Python of ours knows: a folder of data elsewhere is enough."""

import shutil
from pathlib import Path

import pytest

from knowing.errors import LanguageError
from knowing.languages import Language, Registry, load_languages
from knowing.model import EdgeKind, SymbolFlag, SymbolKind
from knowing.parse import FileFacts, extract
from knowing.parse.facts import RefColumn, Role, ServiceColumn, SymbolColumn
from tests.languages import checks

OUTSIDE = Path(__file__).resolve().parent.parent / "data" / "languages"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_languages(OUTSIDE)


@pytest.fixture(scope="module")
def lua(registry: Registry) -> Language:
    return registry["lua"]


def symbols(facts: FileFacts) -> dict[str, str]:
    strings = facts.strings
    return {
        strings[row[SymbolColumn.CHAIN]]: SymbolKind(int(row[SymbolColumn.KIND])).label
        for row in facts.symbols[1:]
    }


def calls(facts: FileFacts) -> list[tuple[str, str]]:
    """Chain of the caller and name of what it calls, in order."""
    strings = facts.strings
    return [
        (
            strings[facts.symbols[row[RefColumn.SCOPE], SymbolColumn.CHAIN]],
            strings[row[RefColumn.NAME]],
        )
        for row in facts.refs
        if int(row[RefColumn.CODE]) >> 4 & Role.CALL
    ]


def test_the_package_does_not_know_the_language(registry: Registry) -> None:
    assert "lua" not in load_languages()
    assert load_languages().for_path("a/b.lua") is None
    assert registry.for_path("a/b.lua") is registry["lua"]
    assert registry.for_path("a/.luacheckrc") is registry["lua"]
    assert {language.name for language in load_languages().languages} | {"lua"} == {
        language.name for language in registry.languages
    }


@pytest.mark.parametrize(
    "check",
    [
        checks.check_sample,
        checks.check_definitions,
        checks.check_references,
        checks.check_imports,
        checks.check_arrows,
    ],
    ids=lambda check: check.__name__,
)
def test_its_sample_holds(check: object, lua: Language, registry: Registry) -> None:
    assert checks.read(lua, registry)
    assert callable(check)
    check(lua, registry)


def test_functions_of_tables_have_their_owners(lua: Language) -> None:
    source = b"""
local M = {}
function M.a() end
function M.a.b() end
function M:c() self.d = 1 end
local function e() local function f() end end
M.g = function() end
function h() end
"""
    assert symbols(extract(source, lua)) == {
        "M": "class",
        "M.a": "method",
        "M.a.b": "method",
        "M.c": "method",
        "M.d": "field",
        "e": "function",
        "e.f": "function",
        "M.g": "method",
        "h": "function",
    }


def test_calls_know_their_caller(lua: Language) -> None:
    facts = extract(b"local M = {}\nfunction M.a() b() M.a() end\nfunction b() M:c() end\n", lua)
    assert calls(facts) == [("M.a", "b"), ("M.a", "a"), ("b", "c")]


def test_what_the_toml_says_is_heeded(lua: Language) -> None:
    source = b'local function f() print(os.getenv("HOME")) os.execute("ls -l") end\n'
    facts = extract(source, lua, SymbolFlag.TEST)
    strings = facts.strings
    assert [
        (EdgeKind(int(row[ServiceColumn.EDGE])), strings[row[ServiceColumn.TEXT]])
        for row in facts.services
    ] == [(EdgeKind.READS_ENV, "HOME"), (EdgeKind.EXECUTES_PROCESS, "ls")]
    flags = SymbolFlag(int(facts.symbols[1, SymbolColumn.FLAGS]))
    assert SymbolFlag.PRIVATE in flags and SymbolFlag.TEST in flags
    assert "print" not in {strings[row[RefColumn.NAME]] for row in facts.refs}


def test_a_folder_with_the_name_of_a_built_in_language_replaces_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(OUTSIDE / "lua", folder)
    toml = (folder / "language.toml").read_text().replace('name = "lua"', 'name = "python"')
    (folder / "language.toml").write_text(toml)
    registry = load_languages(tmp_path)
    names = [language.name for language in registry.languages]
    assert names == [language.name for language in load_languages().languages]
    assert registry["python"].grammar == "lua"
    assert registry.for_path("a.lua") is registry["python"]
    assert registry.for_path("a.py") is None


def broken(tmp_path: Path, name: str, text: str) -> Path:
    """The folder with one file in another version."""
    shutil.copytree(OUTSIDE / "lua", tmp_path / "lua")
    (tmp_path / "lua" / name).write_text(text, encoding="utf-8")
    return tmp_path


TOML = (OUTSIDE / "lua" / "language.toml").read_text(encoding="utf-8")
TOP = TOML.partition("\n[[")[0] + "\n"


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('colour = "blue"\n' + TOML, "unknown key 'colour'"),
        (TOML.replace('"dotted"', '"crooked"'), "imports: 'crooked' is not a valid ImportStyle"),
        ('open_names = "all"\n' + TOML, "open_names: 'all' is not a valid OpenNames"),
        ("visibility = 3\n" + TOML, "visibility: 3 is not a valid Visibility"),
        (TOML.replace('[".lua"]', '".lua"'), "extensions: expected a list, got '.lua'"),
        ("prose = 1\n" + TOML, "prose: expected true or false, got 1"),
        (TOML.replace('name = "lua"\n', ""), "missing 1 required keyword-only argument: 'name'"),
        (TOML.replace('grammar = "lua"\n', ""), "no grammar is named"),
        (TOML.replace('"reads_env"', '"reads_minds"'), "services: edge: 'reads_minds' is none of"),
        (TOML.replace("callee", "caller"), "services: "),
        (TOP + '[[services]]\nedge = "calls"\nshape = "round"\n', "services: shape: 'round'"),
        (TOP + '[decorator_flags]\nfoo = "shiny"\n', "decorator_flags: 'shiny' is none of"),
        (TOP + "[rules]\ntitles = []\n", "rules: unknown key 'titles'"),
        ("name = \n", "Invalid value"),
    ],
)
def test_a_mistake_in_the_toml_names_file_and_key(tmp_path: Path, toml: str, says: str) -> None:
    with pytest.raises(LanguageError) as caught:
        load_languages(broken(tmp_path, "language.toml", toml))
    assert str(caught.value).startswith(f"{tmp_path / 'lua' / 'language.toml'}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("(function_call) @glorious", "unknown capture @glorious"),
        ("(function_call) @def.wonder", "unknown capture @def.wonder"),
        ("(function_call) @flag.shiny", "unknown capture @flag.shiny"),
        ("(no_such_node) @ref", "no_such_node"),
        ("(function_call @ref", "yntax"),
    ],
)
def test_a_mistake_in_the_query_names_the_file(tmp_path: Path, query: str, says: str) -> None:
    registry = load_languages(broken(tmp_path, "tags.scm", query))
    with pytest.raises(LanguageError) as caught:
        extract(b"f()", registry["lua"])
    assert str(caught.value).startswith(f"{tmp_path / 'lua' / 'tags.scm'}: ")
    assert says in str(caught.value)


def test_a_missing_query_is_named(tmp_path: Path) -> None:
    shutil.copytree(OUTSIDE / "lua", tmp_path / "lua")
    (tmp_path / "lua" / "tags.scm").unlink()
    with pytest.raises(LanguageError) as caught:
        load_languages(tmp_path)
    assert str(tmp_path / "lua" / "tags.scm") in str(caught.value)
    assert caught.value.hint


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    for key in ("keys_from", "tags_from"):
        folder = tmp_path / key
        folder.mkdir()
        with pytest.raises(LanguageError) as caught:
            load_languages(broken(folder, "language.toml", f'{key} = "moon"\n{TOML}'))
        assert str(folder / "moon") in str(caught.value)


def test_an_unknown_grammar_is_named(tmp_path: Path) -> None:
    toml = TOML.replace('grammar = "lua"', 'grammar = "moon"')
    registry = load_languages(broken(tmp_path, "language.toml", toml))
    with pytest.raises(LanguageError) as caught:
        extract(b"f()", registry["lua"])
    assert str(tmp_path / "lua" / "language.toml") in str(caught.value)
    assert "'moon'" in str(caught.value)


def test_a_bad_expression_of_prose_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "tales"
    folder.mkdir()
    (folder / "language.toml").write_text(
        'name = "tales"\nextensions = [".tale"]\nprose = true\n[rules]\nheadings = ["(unclosed"]\n'
    )
    registry = load_languages(tmp_path)
    with pytest.raises(LanguageError) as caught:
        extract(b"Once", registry["tales"])
    assert str(caught.value).startswith(f"{folder / 'language.toml'}: rules.headings: ")


def test_a_language_of_prose_needs_no_python_either(tmp_path: Path) -> None:
    folder = tmp_path / "tales"
    folder.mkdir()
    (folder / "language.toml").write_text(
        """name = "tales"
extensions = [".tale"]
prose = true
[rules]
headings = ['(?P<level>=+) (?P<name>[^\\n]+)']
mentions = ['\\+(?P<name>[^+\\n]+)\\+']
levels = { "=" = 1, "==" = 2 }
"""
    )
    facts = extract(
        b"= Once\n\n== Upon\n\nA +time.ago()+.\n\n= After\n", load_languages(tmp_path)["tales"]
    )
    assert list(symbols(facts)) == ["Once", "Once > Upon", "After"]
    assert [facts.strings[row[RefColumn.NAME]] for row in facts.refs] == ["ago"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LanguageError, match="no such folder of languages"):
        load_languages(tmp_path / "nowhere")

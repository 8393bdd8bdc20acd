import dataclasses
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.settings import (
    DEFAULT,
    Layer,
    Problem,
    Settings,
    explain,
    leaves,
    normalise_key,
    resolve,
)
from knowing.settings_schema import Leaf, Scope, checked
from knowing.settings_sources import COMMAND_LINE, EDITOR, load, read_assignments, read_project
from knowing.settings_surfaces import editor_key, vscode_configuration


def only(values: object) -> tuple[Settings, tuple[Problem, ...]]:
    return resolve(Layer(name="layer", values=values))


def test_without_layers_all_values_are_the_declared_defaults() -> None:
    settings, problems = resolve()
    assert settings == Settings()
    assert problems == ()
    assert {choice.origin for choice in explain()[0]} == {DEFAULT}


@pytest.mark.parametrize(
    "values",
    [
        {"files": {"max_file_kb": 7}},
        {"files": {"maxFileKb": 7}},
        {"files": {"max-file-kb": 7.0}},
        {"files.max_file_kb": 7},
        {"files.maxFileKb": 7},
        {"Files": {"MaxFileKB": 7}},
        {"knowing": {"files": {"maxFileKb": 7}}},
        {"knowing.files.maxFileKb": 7},
        {"knowing": {"files.max-file-kb": 7}},
    ],
)
def test_keys_may_be_written_in_any_convention(values: object) -> None:
    settings, problems = only(values)
    assert settings.files.max_file_kb == 7
    assert problems == ()


def test_the_last_layer_wins_and_each_value_knows_its_origin() -> None:
    layers = (
        Layer(name="project", values={"files": {"exclude": ["a"], "max_file_kb": 1}}),
        Layer(name="editor", values={"files": {"exclude": ["b"]}, "log": {"level": "DEBUG"}}),
        Layer(name="cli", values={"log": {"level": None}}),
    )
    settings, problems = resolve(*layers)
    assert settings.files.exclude == ("b",)
    assert settings.files.max_file_kb == 1
    assert settings.log.level == "debug"
    assert problems == ()
    origins = {choice.leaf.key: choice.origin for choice in explain(*layers)[0]}
    assert origins["files.exclude"] == "editor"
    assert origins["files.max_file_kb"] == "project"
    assert origins["log.level"] == "editor"
    assert origins["files.include"] == DEFAULT


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("files.max_file_kb", 0, "must be at least 1, got 0"),
        ("files.max_file_kb", 10**9, "must be at most 1048576"),
        ("files.max_file_kb", "7", "expected a whole number, got '7'"),
        ("files.max_file_kb", True, "expected a whole number, got True"),
        ("files.max_file_kb", 1.5, "expected a whole number, got 1.5"),
        ("files.max_file_kb", float("nan"), "expected a whole number, got nan"),
        ("files.max_file_kb", {"deep": 1}, "expected a whole number"),
        ("files.respect_gitignore", 1, "expected true or false, got 1"),
        ("files.exclude", "*.js", "expected a list of texts, got '*.js'"),
        ("log.level", "loud", "expected one of debug, info, warning, error, got 'loud'"),
        ("index.languages_dir", "a\0b", "expected a text"),
        ("index.languages_dir", "\ud800", "expected a text"),
        ("files.exclud", [], "unknown setting; did you mean files.exclude?"),
        ("nonsense", {"a": 1}, "unknown setting"),
        ("files", 3, "expected a table of settings, got 3"),
    ],
)
def test_a_bad_value_is_reported_and_the_rest_kept(key: str, value: object, says: str) -> None:
    settings, problems = only({key: value, "history.max_commits": 12})
    assert [(problem.layer, problem.key) for problem in problems] == [("layer", key)]
    assert problems[0].message.startswith(says)
    assert str(problems[0]).startswith(f"layer: {key}: ")
    expected = Settings()
    history = dataclasses.replace(expected.history, max_commits=12)
    assert settings == dataclasses.replace(expected, history=history)


def test_a_number_too_long_to_write_is_reported() -> None:
    settings, problems = only({"files": {"max_file_kb": 10**5000}})
    assert settings == Settings()
    assert [problem.message for problem in problems] == [
        "must be at most 1048576, got a very large number"
    ]


def test_a_bad_value_leaves_the_value_of_the_layer_below() -> None:
    good = Layer(name="project", values={"files": {"max_file_kb": 9}})
    bad = Layer(name="editor", values={"files": {"max_file_kb": -1}})
    settings, problems = resolve(good, bad)
    assert settings.files.max_file_kb == 9
    assert [problem.layer for problem in problems] == ["editor"]


def test_a_bad_item_does_not_lose_its_list() -> None:
    settings, problems = only({"files": {"exclude": ["a/", 3, "b/"]}})
    assert settings.files.exclude == ("a/", "b/")
    assert problems[0].message == "expected only texts in the list, left out 3"


def test_a_key_given_in_two_spellings_is_reported() -> None:
    settings, problems = only({"files": {"maxFileKb": 5, "max_file_kb": 6}})
    assert settings.files.max_file_kb == 6
    assert [problem.message for problem in problems] == ["given twice; this one counts"]


@pytest.mark.parametrize("values", [[], "files", 3, True])
def test_a_layer_that_is_no_table_is_reported(values: object) -> None:
    settings, problems = only(values)
    assert settings == Settings()
    assert problems[0].message.startswith("expected a table of settings")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
keys = st.sampled_from([*leaves(), "files", "index", "knowing", "", ".", "a.b"]) | st.text(
    max_size=9
)


@given(st.lists(st.dictionaries(keys, json_values, max_size=5) | json_values, max_size=3))
def test_whatever_editors_send_gives_settings_that_keep_their_rules(sent: list[object]) -> None:
    settings, _ = resolve(*[Layer(name="editor", values=values) for values in sent])
    for leaf in leaves().values():
        value = getattr(getattr(settings, leaf.section), leaf.name)
        assert type(value) is type(leaf.default)
        assert checked(leaf, value) == (value, "")


@given(st.sampled_from(list(leaves().values())))
def test_every_spelling_of_a_key_has_one_meaning(leaf: Leaf) -> None:
    assert normalise_key(leaf.key) == leaf.key
    assert normalise_key(editor_key(leaf)) == leaf.key
    assert normalise_key(leaf.key.replace("_", "-").upper()) == leaf.key


def test_numbers_of_a_fractional_setting_are_finite() -> None:
    leaf = Leaf(section="a", name="b", default=0.5, doc="", minimum=0, maximum=1)
    assert checked(leaf, 1) == (1.0, "")
    assert checked(leaf, float("inf"))[1] == "expected a number, got inf"
    assert checked(leaf, 10**400)[0] is None
    assert checked(leaf, 2)[1] == "must be at most 1, got 2"


def test_knowing_toml_is_read(tmp_path: Path) -> None:
    (tmp_path / "knowing.toml").write_bytes(b"\xef\xbb\xbf[files]\r\nmax-file-kb = 3\r\n")
    loaded = load(tmp_path)
    assert loaded.settings.files.max_file_kb == 3
    assert loaded.problems == ()
    chosen = {choice.leaf.key: choice.origin for choice in loaded.chosen}
    assert chosen["files.max_file_kb"] == "knowing.toml"


def test_pyproject_is_read_if_there_is_no_knowing_toml(tmp_path: Path) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text("[project]\nname = 'x'\n[tool.knowing.files]\nmax_file_kb = 4\n")
    assert load(tmp_path).settings.files.max_file_kb == 4
    assert load(tmp_path).problems == ()
    (tmp_path / "knowing.toml").write_text("[history]\nenabled = false\n")
    loaded = load(tmp_path)
    assert loaded.settings.files.max_file_kb == Settings().files.max_file_kb
    assert not loaded.settings.history.enabled
    assert [str(problem) for problem in loaded.problems] == [
        "pyproject.toml: [tool.knowing] is not used because there is a knowing.toml"
    ]


@pytest.mark.parametrize("content", ["", "[project]\nname = 'x'\n", "tool = 3\n", "[tool.other]\n"])
def test_a_pyproject_that_does_not_mention_us_is_no_problem(tmp_path: Path, content: str) -> None:
    (tmp_path / "pyproject.toml").write_text(content)
    assert load(tmp_path) == load(tmp_path / "absent")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[files\n", "not valid TOML"),
        (b"a = '\xff'\n", "not valid TOML"),
        (b"a = " + b"9" * 5000, "not valid TOML"),
        (b"a = " + b"[" * 50_000, "nested too deeply"),
        (b"#" * (1 << 20) + b"#", "larger than 1024 KiB"),
    ],
    ids=["syntax", "encoding", "number", "nesting", "size"],
)
@pytest.mark.parametrize("name", ["knowing.toml", "pyproject.toml"])
def test_a_broken_project_file_is_reported(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert [problem.layer for problem in loaded.problems] == [name]
    assert loaded.problems[0].message.startswith(says)


def test_a_project_file_that_is_no_file_is_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "knowing.toml")
    (tmp_path / "pyproject.toml").mkdir()
    assert [str(problem) for problem in load(tmp_path).problems] == [
        "knowing.toml: not a regular file"
    ]


def test_a_project_cannot_set_what_belongs_to_the_machine(tmp_path: Path) -> None:
    (tmp_path / "knowing.toml").write_text("[index]\nlanguages_dir = '/evil'\nworkers = 1\n")
    loaded = load(tmp_path)
    assert loaded.settings.index.languages_dir == ""
    assert loaded.settings.index.workers == 1
    assert [problem.key for problem in loaded.problems] == ["index.languages_dir"]
    machine = [leaf.key for leaf in leaves().values() if leaf.scope is Scope.MACHINE]
    assert "index.languages_dir" in machine
    allowed = load(tmp_path, editor={"index": {"languagesDir": "/mine"}})
    assert allowed.settings.index.languages_dir == "/mine"


def test_the_command_line_wins_over_editor_and_project(tmp_path: Path) -> None:
    (tmp_path / "knowing.toml").write_text("[files]\nmax_file_kb = 1\n[log]\nlevel = 'info'\n")
    loaded = load(
        tmp_path,
        editor={"files": {"maxFileKb": 2}, "history": {"maxCommits": 2}},
        assignments=["files.maxFileKb=3"],
    )
    assert loaded.settings.files.max_file_kb == 3
    origins = {choice.leaf.key: choice.origin for choice in loaded.chosen}
    assert origins["files.max_file_kb"] == COMMAND_LINE
    assert origins["history.max_commits"] == EDITOR
    assert origins["log.level"] == "knowing.toml"


@pytest.mark.parametrize(
    ("assignment", "section", "name", "value"),
    [
        ("files.max_file_kb=5", "files", "max_file_kb", 5),
        ("files.max-file-kb = 5", "files", "max_file_kb", 5),
        ("files.respect_gitignore=off", "files", "respect_gitignore", False),
        ("files.followSymlinks=Yes", "files", "follow_symlinks", True),
        ("files.exclude=a/, b=c", "files", "exclude", ("a/", "b=c")),
        ('files.exclude=["a,b", "c"]', "files", "exclude", ("a,b", "c")),
        ("files.exclude=", "files", "exclude", ()),
        ("index.languages_dir=/a b", "index", "languages_dir", "/a b"),
        ("log.level=error", "log", "level", "error"),
    ],
)
def test_an_assignment_is_typed_by_its_key(
    assignment: str, section: str, name: str, value: object
) -> None:
    layer, problems = read_assignments([assignment])
    settings, more = resolve(layer)
    assert (problems, more) == ((), ())
    assert getattr(getattr(settings, section), name) == value


def test_the_last_of_two_assignments_counts() -> None:
    layer, _ = read_assignments(["files.max_file_kb=5", "files.maxFileKb=6"])
    settings, problems = resolve(layer)
    assert settings.files.max_file_kb == 6
    assert problems == ()


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("files.max_file_kb", "command line: files.max_file_kb: expected key=value"),
        ("files.max_file_kb=lots", "command line: files.max_file_kb: expected a whole number"),
        ("files.respect_gitignore=maybe", "command line: files.respect_gitignore: expected true"),
        ("files.exclude=[1", "command line: files.exclude: expected a list of texts, got '[1'"),
        ("filez.exclude=a", "command line: filez.exclude: unknown setting; did you mean files."),
        ("=3", "command line: unknown setting"),
    ],
)
def test_a_bad_assignment_is_reported(tmp_path: Path, assignment: str, says: str) -> None:
    loaded = load(tmp_path, assignments=[assignment])
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1
    assert str(loaded.problems[0]).startswith(says)


def test_settings_are_values() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().files.max_file_kb = 3  # type: ignore[misc]
    assert len({Settings(), Settings()}) == 1


def test_the_schema_for_vscode_describes_every_setting() -> None:
    properties = json.loads(json.dumps(vscode_configuration()))["properties"]
    assert len(properties) == len(leaves())
    assert properties["knowing.files.maxFileKb"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 1048576,
        "default": 2048,
        "scope": "resource",
        "markdownDescription": "Skip files larger than this many KiB.",
    }
    assert properties["knowing.log.level"]["enum"] == ["debug", "info", "warning", "error"]
    assert properties["knowing.files.exclude"]["items"] == {"type": "string"}
    assert properties["knowing.index.languagesDir"]["scope"] == "machine"
    settings, problems = only({key: schema["default"] for key, schema in properties.items()})
    assert (settings, problems) == (Settings(), ())


def test_every_setting_explains_itself() -> None:
    for leaf in leaves().values():
        assert leaf.doc.endswith("."), leaf.key
        assert checked(
            leaf, list(leaf.default) if isinstance(leaf.default, tuple) else leaf.default
        ) == (
            leaf.default,
            "",
        )


def test_reading_a_project_needs_no_root(tmp_path: Path) -> None:
    layer, problems = read_project(tmp_path / "absent")
    assert layer.values is None
    assert problems == ()

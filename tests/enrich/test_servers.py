"""Servers as data, and which of them are there."""

import stat
import sys
from pathlib import Path

import pytest

from knowing.enrich.detect import Found, Missing, Surroundings, fingerprint, look_for
from knowing.enrich.externals import module_of
from knowing.enrich.servers import ServerSpec, ServerSpecError, filled, load_servers
from knowing.languages import load_languages


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def spec(**more: object) -> ServerSpec:
    values: dict[str, object] = {
        "name": "odd",
        "languages": ("python",),
        "command": ("odd-server", "--root={root}"),
        "version": ("--version",),
    }
    return ServerSpec(**{**values, **more})  # type: ignore[arg-type]


def test_every_server_speaks_for_a_language_that_is_known() -> None:
    known = {language.name for language in load_languages().languages}
    for server in load_servers():
        assert set(server.languages) <= known, server.name
        assert server.install, server.name


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are shell scripts")


def test_a_server_that_tells_its_version_is_found(tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "odd-server", "echo odd v1.4.2 of yesterday")
    around = Surroundings(tmp_path, tmp_path / "cache", search=[tmp_path / "bin"])
    found = look_for(spec(), around)
    assert isinstance(found, Found)
    assert found.version == "1.4.2"
    assert found.command == (str(path), f"--root={tmp_path}")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("echo no such component >&2; exit 1", "does not work: no such component"),
        ("echo 0.9.1", "is version 0.9.1, not 1.0"),
    ],
)
def test_a_program_that_is_there_need_not_work(tmp_path: Path, body: str, reason: str) -> None:
    program(tmp_path / "bin", "odd-server", body)
    around = Surroundings(tmp_path, tmp_path / "cache", search=[tmp_path / "bin"])
    missing = look_for(spec(oldest="1.0"), around)
    assert isinstance(missing, Missing)
    assert reason in missing.reason


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    around = Surroundings(tmp_path, tmp_path / "cache")
    assert look_for(spec(), around) == Missing(spec=spec(), reason="odd-server is not installed")
    unfit = look_for(spec(needs_file=("go.mod", "*.sln")), around)
    assert isinstance(unfit, Missing)
    assert unfit.reason == "the workspace has no go.mod or *.sln"


def test_the_workspaces_own_programs_come_first(tmp_path: Path) -> None:
    environment = tmp_path / ".venv"
    own = program(environment / "bin", "odd-server", "echo 2.0")
    (environment / "pyvenv.cfg").touch()
    program(tmp_path / "bin", "odd-server", "echo 1.0")
    around = Surroundings(tmp_path, tmp_path / "cache", search=[tmp_path / "bin"])
    found = look_for(spec(), around)
    assert isinstance(found, Found)
    assert found.command[0] == str(own)
    assert around.places["python"] == str(environment)


def test_what_depends_on_the_environment_changes_with_it(tmp_path: Path) -> None:
    environment = tmp_path / ".venv"
    packages = environment / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    around = Surroundings(tmp_path, tmp_path / "cache")
    server = spec(depends_on=("lock",), settings={"python": "{python}"})
    first = fingerprint(server, around)
    (packages / "acme-1.0.dist-info").mkdir()
    second = fingerprint(server, around)
    (tmp_path / "lock").write_text("acme 1.1", encoding="utf-8")
    third = fingerprint(server, around)
    assert len({first, second, third}) == 3
    assert fingerprint(server, around) == third


def test_users_change_servers_and_add_their_own(tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(
        '[[server]]\nname = "gopls"\ncommand = ["/opt/gopls"]\n'
        '[[server]]\nname = "mine"\nlanguages = ["go"]\ncommand = ["mine"]\n',
        encoding="utf-8",
    )
    servers = {server.name: server for server in load_servers(file)}
    assert servers["gopls"].command == ("/opt/gopls",)
    assert servers["gopls"].languages == ("go",)
    assert next(iter(servers)) == "mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[server]\n", "cannot read"),
        ('[[server]]\nname = "x"\n', "needs 'languages'"),
        ('[[server]]\nname = "gopls"\ncolour = 1\n', "no field 'colour'"),
        ('[[server]]\nname = "gopls"\nin_flight = "many"\n', "bad value for 'in_flight'"),
        ('[[server]]\nname = "gopls"\nready = "soon"\n', "not ready 'soon'"),
        ("server = 3\n", "as a table"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ServerSpecError, match=message):
        load_servers(file)


def test_places_without_a_value_are_left_out() -> None:
    places = {"python": "", "root": "/w", "sources": ["/w/src"]}
    settings = {
        "a": {"path": "{python}/bin", "keep": 1},
        "b": ["{root}", "{python}"],
        "c": "{sources}",
    }
    assert filled(settings, places) == {"a": {"keep": 1}, "b": ["/w"], "c": ["/w/src"]}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/x/vendored/typeshed/0123456789ab/stdlib/os/__init__.pyi", "pypi:python@:os"),
        ("/usr/lib/python3.11/json/decoder.py", "pypi:python@:json.decoder"),
        ("/e/lib/python3.11/site-packages/acme/box/__init__.py", "pypi:acme@:acme.box"),
        ("/w/node_modules/@types/node/fs.d.ts", "npm:node@:node/fs"),
        ("/w/node_modules/a/node_modules/@b/c/dist/index.d.ts", "npm:@b/c@:@b/c"),
        ("/t/lib/lib.es5.d.ts", "npm:typescript@:lib.es5"),
        (
            "/g/pkg/mod/github.com/!acme/box@v1.2.0/in/a.go",
            "go:github.com/Acme/box@v1.2.0:github.com/Acme/box/in",
        ),
        ("/usr/local/go/src/net/http/client.go", "go:std@:net/http"),
        (
            "/c/registry/src/i-1/some-crate-0.3.1/src/a/mod.rs",
            "crates:some-crate@0.3.1:some_crate::a",
        ),
        ("/usr/include/sys/types.h", "c:system@:sys/types.h"),
        ("/r/gems/rack-3.0.1/lib/rack/utils.rb", "rubygems:rack@3.0.1:rack/utils"),
        ("jdt://contents/java.base/java.util/List.class?=x", "maven:java.base@:java.util"),
        ("/somewhere/else/thing.xyz", "file:@:thing"),
    ],
)
def test_modules_are_told_by_their_paths(path: str, expected: str) -> None:
    module = module_of(path)
    assert f"{module.ecosystem}:{module.package}@{module.version}:{module.name}" == expected


def test_the_distribution_tells_the_version(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    info = packages / "Acme_Tools-3.1.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text("acme/__init__.py,,\nacme/box.py,,\n", encoding="utf-8")
    module = module_of(str(packages / "acme" / "box.py"))
    assert (module.package, module.version, module.name) == ("Acme_Tools", "3.1", "acme.box")

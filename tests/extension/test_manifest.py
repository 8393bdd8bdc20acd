"""The manifest of the VS Code extension: generated parts are current, names have their code."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from server import protocol

ROOT = Path(__file__).resolve().parent.parent.parent
EXTENSION = ROOT / "vscode-extension"


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "scripts" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_settings_are_those_that_are_declared() -> None:
    text = (EXTENSION / "package.json").read_text("utf-8")

    assert _generator().manifest(text) == text, "run `make docs`"


def test_a_setting_of_the_extension_is_none_of_the_server(manifest: dict[str, Any]) -> None:
    own, declared = (part["properties"] for part in manifest["contributes"]["configuration"])

    assert not own.keys() & declared.keys()


def test_every_command_has_code_and_no_name_of_the_server(manifest: dict[str, Any]) -> None:
    offered = {item["command"] for item in manifest["contributes"]["commands"]}
    sources = "\n".join(
        path.read_text("utf-8") for path in sorted((EXTENSION / "src").rglob("*.ts"))
    )
    servers = {*protocol.COMMANDS, protocol.REINDEX_COMMAND, protocol.ENRICH_COMMAND}

    # The language client registers those of the server by itself, and a name can be taken once.
    assert not offered & servers
    for name in sorted(offered):
        short = name.removeprefix("knowing.")
        assert re.search(rf"\b{short}\b", sources), f"{name} is offered, but nothing runs it"


def test_menus_name_commands_that_exist(manifest: dict[str, Any]) -> None:
    offered = {item["command"] for item in manifest["contributes"]["commands"]}
    menus = manifest["contributes"]["menus"]
    named = {entry["command"] for menu in menus.values() for entry in menu if "command" in entry}
    bound = {entry["command"] for entry in manifest["contributes"]["keybindings"]}

    assert (named | bound) <= offered


def test_nothing_is_started_before_a_workspace_is_trusted_with_it(manifest: dict[str, Any]) -> None:
    untrusted = manifest["capabilities"]["untrustedWorkspaces"]

    assert untrusted["supported"] == "limited"
    assert "knowing.python.path" in untrusted["restrictedConfigurations"]
    assert manifest["extensionKind"] == ["workspace"]


def test_version_is_that_of_the_package(manifest: dict[str, Any]) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")

    assert f'version = "{manifest["version"]}"' in project


def test_what_is_carried_is_all_that_is_needed() -> None:
    """Names only: the lock decides on versions, and `make vsix` starts what it has packed."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["server"], *extras["mcp"]]
    pins = (EXTENSION / "bundled" / "requirements.txt").read_text("utf-8")
    carried = {_name(line) for line in pins.splitlines() if line and not line.startswith("#")}

    assert {_name(item) for item in needed} <= carried


def _name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found
    return found.group().lower().replace("_", "-")

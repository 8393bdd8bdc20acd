"""`knowing settings` and `--set`: every value with its origin, problems told and survived."""

from typing import Any

from tests.cli.running import Case


def shown(case: Case, *arguments: str) -> dict[str, dict[str, Any]]:
    ran = case.call("settings", "--json", *arguments)
    assert ran.code == 0
    return {item["key"]: item for item in ran.json["settings"]}


def test_every_setting_has_a_value_an_origin_and_a_description(case: Case) -> None:
    settings = shown(case)
    assert settings["files.max_file_kb"]["origin"] == "default"
    assert "index.workers" in settings
    assert all(item["doc"] for item in settings.values())


def test_each_origin_is_named(case: Case) -> None:
    (case.root / "knowing.toml").write_text("[files]\nmax_file_kb = 77\n")
    settings = shown(case, "--set", "index.workers=3")
    chosen = settings["files.max_file_kb"]
    assert (chosen["value"], chosen["origin"]) == (77, "knowing.toml")
    assigned = settings["index.workers"]
    assert (assigned["value"], assigned["origin"]) == (3, "command line")
    assert "files.max_file_kb" in case.call("settings").out
    assert "(knowing.toml)" in case.call("settings").out


def test_bad_settings_are_told_and_the_rest_is_kept(case: Case) -> None:
    (case.root / "knowing.toml").write_text('[files]\nmax_file_kb = "big"\nnonsense = 1\n')
    (case.root / "big.py").write_text("X = 1\n" * 1000)
    ran = case.call("index", "--json", "--set", "index.workers=many", "--set", "history.enabled=no")
    assert ran.code == 0
    assert ran.json["files"] == 7
    warnings = ran.err.splitlines()
    assert all(line.startswith("warning: ") for line in warnings)
    for key in ("files.max_file_kb", "files.nonsense", "index.workers"):
        assert sum(key in line for line in warnings) == 1
    assert ran.json["notes"] == []


def test_settings_take_effect(case: Case) -> None:
    (case.root / "big.py").write_text("X = 1\n" * 1000)
    ran = case.call("index", "--json", "--set", "files.max_file_kb=1")
    assert [item["path"] for item in ran.json["skipped"]] == ["big.py"]
    assert "big.py" in [item["path"] for item in case.call("status", "--json").json["skipped"]]
    assert case.call("index", "--json").json["files"] == 7

"""What every command answers: JSON or text, exit codes, errors in one line."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from knowing.languages import load_languages
from knowing.model import EdgeKind, Origin, SymbolKind
from tests.cli.running import PATIENCE, Case, call, command, environment
from tests.cli.workspaces import small

INDEX_FIELDS = {
    "root",
    "generation",
    "files",
    "symbols",
    "edges",
    "by_language",
    "by_edge_kind",
    "by_origin",
    "skipped",
    "seconds",
}


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["index", "status", "doctor", "check", "settings", "clear"])
def test_json_is_one_object_and_nothing_else(indexed: Case, name: str) -> None:
    ran = indexed.call(name, "--json")
    assert ran.code == 0, ran.err
    assert isinstance(ran.json, dict)
    assert ran.out.count("\n") == 1
    assert ran.err == ""


@pytest.mark.parametrize("name", ["index", "status", "doctor", "check", "settings", "clear"])
def test_text_is_for_people(indexed: Case, name: str) -> None:
    ran = indexed.call(name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.strip()
    with pytest.raises(json.JSONDecodeError):
        assert ran.json


def test_index_reports_what_it_made(case: Case) -> None:
    (case.root / "picture.py").write_bytes(b"\0\1\2" * 50)
    report = case.call("index", "--json").json
    assert report.keys() >= INDEX_FIELDS
    assert report["root"] == str(case.root)
    assert (report["generation"], report["files"]) == (1, 6)
    assert report["by_language"] == {"python": 6}
    assert sum(report["by_edge_kind"].values()) == report["edges"]
    assert sum(report["by_origin"].values()) == report["edges"]
    assert report["by_edge_kind"].keys() <= {kind.label for kind in EdgeKind}
    assert report["by_origin"].keys() <= {origin.label for origin in Origin}
    assert report["skipped"] == [{"path": "picture.py", "reason": "binary"}]
    assert report["seconds"].keys() >= {"scan", "extract", "store", "graph", "save"}
    assert all(isinstance(seconds, float) for seconds in report["seconds"].values())


def test_an_index_of_the_same_keeps_its_generation(indexed: Case) -> None:
    assert indexed.call("index", "--json").json["generation"] == 1
    (indexed.root / "new.py").write_text("X = 1\n")
    assert indexed.call("index", "--json").json["generation"] == 2
    assert indexed.call("index", "--full", "--json").json["generation"] == 3


def test_dumped_symbols_have_the_fields_they_should(indexed: Case) -> None:
    symbols = [json.loads(line) for line in indexed.call("dump", "symbols").out.splitlines()]
    by_name = {symbol["qualified_name"]: symbol for symbol in symbols}
    assert by_name["module_1.py::Step1.go"] == {
        "name": "Step1.go",
        "qualified_name": "module_1.py::Step1.go",
        "kind": "method",
        "path": "module_1.py",
        "line": 9,
        "end_line": 10,
        "flags": ["exported"],
    }
    assert {symbol["kind"] for symbol in symbols} <= {kind.label for kind in SymbolKind}


def test_dumped_edges_have_the_fields_they_should(indexed: Case) -> None:
    symbols = [json.loads(line) for line in indexed.call("dump", "symbols").out.splitlines()]
    edges = [json.loads(line) for line in indexed.call("dump", "edges").out.splitlines()]
    helper = [edge for edge in edges if edge["target"] == "module_1.py::helper_1"]
    assert {
        "source": "module_1.py::Step1.go",
        "target": "module_1.py::helper_1",
        "kind": "calls",
        "origin": "ast_resolved",
        "confidence": 0.85,
        "path": "module_1.py",
        "line": 10,
    } in helper
    named = {symbol["qualified_name"] for symbol in symbols}
    assert {end for edge in edges for end in (edge["source"], edge["target"])} <= named


def test_dump_shows_the_workspace_as_it_is(case: Case) -> None:
    assert "module_0.py::Step0" in case.call("dump", "symbols").out
    (case.root / "module_0.py").write_text("class Another: pass\n")
    dumped = case.call("dump", "symbols").out
    assert "module_0.py::Another" in dumped
    assert "module_0.py::Step0" not in dumped


def test_the_doctor_names_each_language(case: Case) -> None:
    findings = case.call("doctor", "--json").json["findings"]
    names = {finding["name"] for finding in findings}
    assert names >= {f"language {item.name}" for item in load_languages().languages}
    assert names >= {"python", "numpy", "tree-sitter", "sqlite", "git", "index folder"}
    assert all(finding["good"] and finding["detail"] for finding in findings)


def test_the_doctor_says_what_to_do(case: Case, tmp_path: Path) -> None:
    (tmp_path / "bad" / "brainless").mkdir(parents=True)
    (tmp_path / "bad" / "brainless" / "language.toml").write_text("name = 3\n")
    ran = case.call("doctor", "--set", f"index.languages_dir={tmp_path / 'bad'}")
    assert ran.code == 1
    assert "BAD languages: " in ran.out
    assert "brainless" in ran.out


def test_nothing_that_a_language_knows_is_said(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    case = Case(root, tmp_path / "index")
    empty = case.call("index", "--json", "--no-history")
    assert empty.code == 0
    assert empty.json["notes"] == ["no file of a known language"]
    for number in range(3):
        (root / f"{number}.xyz").write_text("?")
    (root / "noise").write_text("?")
    only = case.call("index", "--no-history")
    assert only.code == 0
    assert "note: no file of a known language; there are: .xyz (3), no extension (1)" in only.out
    assert case.call("status", "--json").json["state"] == "fresh"
    assert case.call("dump", "symbols").out == ""


def test_names_that_a_terminal_cannot_show_do_no_harm(case: Case) -> None:
    (case.root / "größe_日本.py").write_text("def größe(): pass\n", "utf-8")
    (Path(os.fsdecode(os.fsencode(case.root) + b"/odd\xff.py"))).write_text("X = 1\n")
    environ = {**environment(), "PYTHONIOENCODING": "ascii"}
    shown = subprocess.run(
        command("index", *case.arguments), capture_output=True, env=environ, check=False
    )
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"7 files" in shown.stdout
    assert "größe_日本.py::größe" in {
        json.loads(line)["qualified_name"] for line in case.call("dump", "symbols").out.splitlines()
    }


# -- clear -------------------------------------------------------------------------------------


def test_clear_removes_all_that_is_its_own_and_nothing_else(indexed: Case, tmp_path: Path) -> None:
    other = Case(small(tmp_path / "other"), indexed.index_dir)
    assert other.call("index").code == 0
    (indexed.index_dir / "mine.txt").write_text("keep")
    removed = indexed.call("clear", "--json").json["removed"]
    assert Path(removed).parent == indexed.index_dir
    assert not Path(removed).exists()
    assert (indexed.index_dir / "mine.txt").read_text() == "keep"
    assert other.call("status", "--json").json["state"] == "fresh"
    assert indexed.call("status", "--json").json["state"] == "missing"


def test_clear_where_nothing_is_stored(case: Case) -> None:
    ran = case.call("clear")
    assert ran.code == 0
    assert "nothing is stored" in ran.out
    assert not case.index_dir.exists()


def test_clear_removes_what_is_damaged(indexed: Case) -> None:
    folder = indexed.folder
    (folder / "index.db").write_text("nonsense")
    assert indexed.call("clear").code == 0
    assert not folder.exists()


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [("nonsense",), (), ("index", "--nonsense"), ("dump",), ("dump", "files")]
)
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    ran = call(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: knowing")


@pytest.mark.parametrize(
    "arguments",
    [
        ("index",),
        ("status",),
        ("doctor",),
        ("check",),
        ("clear",),
        ("settings",),
        ("dump", "edges"),
    ],
)
def test_a_root_that_is_none_is_an_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, why in (("absent", "no such folder"), ("file", "not a folder"), ("loop", "loop")):
        ran = Case(tmp_path / name, tmp_path / "index").call(*arguments)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("error: ")
        assert why in ran.err.splitlines()[0]
    assert not (tmp_path / "index").exists()


def test_an_index_folder_that_is_a_file_is_an_error(case: Case) -> None:
    case.index_dir.write_text("in the way")
    ran = case.call("index")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the index cannot be written: ")
    assert "--index-dir" in ran.err


def test_an_index_folder_that_cannot_be_written_is_an_error(case: Case) -> None:
    """Nobody may write there, not even the superuser."""
    place = Path("/proc/knowing-test")
    if not Path("/proc/self").exists():
        pytest.skip("there is no such place here")
    ran = Case(case.root, place).call("index", "--json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the index cannot be written: ")
    assert Case(case.root, place).call("doctor").code == 1
    assert Case(case.root, place).call("status", "--json").json["state"] == "missing"


def test_only_debug_shows_where_an_error_comes_from(case: Case) -> None:
    case.index_dir.write_text("in the way")
    assert "Traceback" not in case.call("index").err
    assert "Traceback" in case.run("index", "--debug").err


# -- streams -----------------------------------------------------------------------------------


def test_a_reader_that_leaves_early_is_no_error(indexed: Case) -> None:
    """Both if much is left to be written and if all of it still waits to be."""
    for what, reader, count in (("symbols", "true", 6), ("edges", "head -1", 80)):
        small(indexed.root, count)
        line = f"{' '.join(command('dump', what, *indexed.arguments))} | {reader}"
        ran = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line}"],
            capture_output=True,
            text=True,
            env=environment(),
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert len(ran.stdout.splitlines()) == (reader == "head -1")


def test_progress_is_shown_on_a_terminal_and_wiped(case: Case) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command("index", *case.arguments),
        stdout=subprocess.PIPE,
        stderr=follower,
        env=environment(),
    )
    os.close(follower)
    drawn = _read_all(leader)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b"scanning" in drawn
    assert b"linking" in drawn
    # What is drawn last is nothing at all.
    assert drawn.endswith(b"\r\x1b[2K")
    assert b"\x1b" not in out


def _read_all(descriptor: int) -> bytes:
    drawn = b""
    try:
        while data := os.read(descriptor, 4096):
            drawn += data
    except OSError:
        # A terminal whose last user has left cannot be read.
        pass
    finally:
        os.close(descriptor)
    return drawn

"""Recording a project's own tests, in a copy of it."""

import sys
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.calls import truth
from eval.calls.environment import Project, known_project, record
from eval.failure import EvalError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project whose tests need its metadata, write files, and fail in part."""
    root = tmp_path / "shop"
    files = {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "2.5"\n',
        "src/shop/__init__.py": "from shop.orders import pay\n",
        "src/shop/orders.py": "def pay(): return log('paid')\ndef log(text): return len(text)\n",
        "tests/conftest.py": "import shop\n",
        "tests/test_shop.py": (
            "import importlib.metadata, pathlib, shop\n"
            "def test_pay(): assert shop.pay() == 4\n"
            "def test_version(): assert importlib.metadata.version('shop') == '2.5'\n"
            "def test_write(): (pathlib.Path(__file__).parent / 'left.txt').write_text('x')\n"
            "def test_wrong(): assert False\n"
        ),
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def project(**changes: object) -> Project:
    values: dict[str, object] = {
        "packages": ("src/shop",),
        "python": sys.executable,
        "seconds": 120,
    }
    return Project(**{**values, **changes})  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_calls_are_recorded_and_the_repository_is_left_alone(
    repository: Path, tmp_path: Path
) -> None:
    before = contents(repository)
    output = tmp_path / "calls.jsonl"
    said = record(repository, project(), output, tmp_path / "cache")
    assert "1 failed, 3 passed" in said
    assert contents(repository) == before
    pairs = [(seen.path, seen.site.caller, seen.callee.name) for seen in truth.read(output)]
    assert pairs == [
        ("src/shop/orders.py", "pay", "log"),
        ("src/shop/orders.py", "log", "builtins.len"),
    ]


def test_a_failed_run_leaves_the_last_recording(repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "calls.jsonl"
    output.write_text("kept\n", encoding="utf-8")
    with pytest.raises(EvalError, match="no calls were recorded"):
        record(repository, project(tests=("nowhere",)), output, tmp_path / "cache")
    assert output.read_text("utf-8") == "kept\n"


def test_tests_that_do_not_end_are_ended(repository: Path, tmp_path: Path) -> None:
    (repository / "tests" / "test_shop.py").write_text("while True: pass\n", encoding="utf-8")
    with pytest.raises(EvalError, match="not done after 3 s"):
        record(repository, project(seconds=3), tmp_path / "calls.jsonl", tmp_path / "cache")


def test_sources_are_read_from_the_repository(repository: Path) -> None:
    found = truth.written(repository, ["src/shop/orders.py"])
    assert [site.called for site in found["src/shop/orders.py"].sites] == ["log", "len"]
    with pytest.raises(EvalError, match=r"gone\.py"):
        truth.written(repository, ["gone.py"])


def test_known_projects_say_how_their_tests_run() -> None:
    known = known_project("flask")
    assert known is not None
    assert known.packages == ("src/flask",)
    assert any(requirement.startswith("pytest") for requirement in known.requires)
    assert known_project("unheard of") is None


SYMBOLS = """\
{"name": "pay", "qualified_name": "src/shop/orders.py::pay", "kind": "function", \
"path": "src/shop/orders.py", "line": 1, "end_line": 1, "flags": []}
{"name": "log", "qualified_name": "src/shop/orders.py::log", "kind": "function", \
"path": "src/shop/orders.py", "line": 2, "end_line": 2, "flags": []}
"""

EDGES = """\
{"source": "src/shop/orders.py::pay", "target": "src/shop/orders.py::log", "kind": "calls", \
"origin": "ast_resolved", "confidence": 0.85, "path": "src/shop/orders.py", "line": 1}
"""


def test_the_command_records_and_judges(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    symbols, edges = tmp_path / "symbols.jsonl", tmp_path / "edges.jsonl"
    symbols.write_text(SYMBOLS, encoding="utf-8")
    edges.write_text(EDGES, encoding="utf-8")
    dumps = ["--symbols", str(symbols), "--edges", str(edges)]
    kept = tmp_path / "kept.jsonl"
    where = ["calls", "--repo", str(repository)]
    record_options = ["--package", "src/shop", "--python", sys.executable, "--record", str(kept)]
    assert main([*where, *record_options, *dumps]) == 0
    captured = capsys.readouterr()
    assert "| above_guess | 1.000 | 1/1 |" in captured.out
    assert "recorded 2 calls" in captured.err
    assert main([*where, "--truth", str(kept), *dumps, "--json"]) == 0
    assert '"recall": 1.0' in capsys.readouterr().out


def test_mistakes_are_one_line(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calls", "--repo", str(repository)]) == 1
    assert "give --package" in capsys.readouterr().err
    missing = str(tmp_path / "missing.jsonl")
    assert main(["calls", "--repo", str(repository), "--truth", missing]) == 1
    assert "no recorded calls" in capsys.readouterr().err

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eval.cases import Case, CaseType, flaw, read_cases
from eval.failure import EvalError
from eval.index import PROJECT
from eval.metrics import Row

CODE = """\
class Order:
    def pay(self, amount):
        return amount


def receipt(order):
    return order
"""


def case(kind: str, *expected: str) -> Case:
    return Case(id="c", type=CaseType(kind), query="q", expected=expected, depth=3)


@pytest.mark.parametrize(
    ("kind", "expected", "is_good"),
    [
        ("needle", ("Gone", "C"), True),
        ("needle", ("D",), False),
        ("ranking", ("A", "Gone"), True),
        ("ranking", ("B", "A"), False),
        ("expansion", ("A", "B", "C"), True),
        ("expansion", ("A", "B", "D"), False),
    ],
)
def test_verdicts(kind: str, expected: tuple[str, ...], is_good: bool) -> None:
    rows = [Row(name=name) for name in ("A", "B", "C", "D")]
    assert (flaw(case(kind, *expected), rows) == "") is is_good
    assert flaw(case(kind, *expected), [])


def test_cases_of_two_shapes(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    rows: list[dict[str, object]] = [
        {"id": "a", "type": "ranking", "query": "x", "expectedSymbols": ["A"], "topK": 5},
        {"id": "b", "repo": "shop", "description": "y", "ground_truth": ["B"]},
    ]
    file.write_text(json.dumps(rows), encoding="utf-8")
    assert read_cases(file) == [
        Case(id="a", type=CaseType.RANKING, query="x", expected=("A",), depth=5),
        Case(id="b", type=CaseType.NEEDLE, query="y", expected=("B",)),
    ]
    for wrong in ({"type": "guess"}, {"expectedSymbols": []}, {"query": 3}):
        file.write_text(json.dumps([{**rows[0], **wrong}]), encoding="utf-8")
        with pytest.raises(EvalError, match="case a"):
            read_cases(file)


def test_cases_are_tests_of_a_repository(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "orders.py").write_text(CODE, encoding="utf-8")
    cases = tmp_path / "cases.json"
    rows = [
        {"id": "good", "query": "pay an order", "expectedSymbols": ["Order.pay"]},
        {"id": "bad", "query": "pay an order", "expectedSymbols": ["Invoice"]},
    ]
    cases.write_text(json.dumps(rows), encoding="utf-8")
    options = ["-p", "eval.plugin", "-p", "no:cacheprovider", f"--knowing-eval={cases}"]
    command = [sys.executable, "-m", "pytest", "-v", *options, f"--knowing-root={root}"]
    done = subprocess.run(
        [*command, "--rootdir", str(root), "-c", "/dev/null", str(root)],
        cwd=PROJECT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "cases::good PASSED" in done.stdout
    assert "not among the first 10: Invoice; what came: Order.pay" in done.stdout
    assert [path.name for path in root.iterdir()] == ["orders.py"]

"""The commands against real indexes of small repositories."""

import json
import sys
from pathlib import Path

import pytest

from eval.__main__ import main

ORDERS = """\
class Order:
    def pay(self, amount):
        self.log(amount)
        return receipt(amount)

    def log(self, text):
        pass


def receipt(amount):
    text = str(amount)
    return text


def unsure(thing):
    return thing.pay(1)
"""

TESTS = """\
from shop import orders

def test_pay():
    assert orders.unsure(orders.Order()) == "1"
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with one repository."""
    root = tmp_path / "corpus"
    files = {
        "shop/shop/__init__.py": "",
        "shop/shop/orders.py": ORDERS,
        "shop/tests/test_orders.py": TESTS,
        "shop/README.md": "# Invoice\n\nHow `Order.pay` works.\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_coverage(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = tmp_path / "tasks.json"
    truth = ["shop.orders.Order.pay", "receipt", "Invoice", "Order.refund"]
    tasks.write_text(json.dumps([{"id": "t1", "repo": "shop", "ground_truth": truth}]), "utf-8")
    before = contents(corpus)
    arguments = ["coverage", "--tasks", str(tasks), "--corpus", str(corpus)]
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        "shop: n 4, found 2, 50.0%",
        "MISSING Invoice (t1)",
        "MISSING Order.refund (t1)",
    ]
    assert main([*arguments, "--json"]) == 0
    missing = {"Invoice": ["t1"], "Order.refund": ["t1"]}
    assert json.loads(capsys.readouterr().out) == {
        "shop": {"n": 4, "found": 2, "share": 0.5, "missing": missing}
    }
    assert contents(corpus) == before


def test_coverage_of_a_repository_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.json"
    tasks.write_text('[{"id": "t", "repo": "gone", "ground_truth": ["A"]}]', encoding="utf-8")
    assert main(["coverage", "--tasks", str(tasks), "--corpus", str(tmp_path)]) == 1
    assert "no such folder" in capsys.readouterr().err


def test_calls(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(corpus)
    options = ["--package", "shop", "--python", sys.executable, "--json"]
    assert main(["calls", "--repo", str(corpus / "shop"), *options]) == 0
    found = json.loads(capsys.readouterr().out)
    figures = found["tiers"]["above_guess"]
    assert (figures["sites"], figures["found"], figures["precision"]) == (3, 2, 1.0)
    assert [(miss["caller"], miss["called"]) for miss in found["misses"]] == [("unsure", "pay")]
    assert contents(corpus) == before


def test_bench(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "shop" / "vendor").mkdir()
    (corpus / "shop" / "vendor" / "big.py").write_text("def vendored():\n    a\n    b\n", "utf-8")
    before = contents(corpus)
    arguments = ["bench", "index", "--repo", str(corpus / "shop"), "--no-vendor", "--updates", "2"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parsing"]["files"] >= 3
    assert found["parsing"]["cpu"] > 0
    assert found["index"]["cpu"] > found["parsing"]["cpu"]
    assert found["ratio"] == pytest.approx(
        found["index"]["cpu"] / found["parsing"]["cpu"], rel=0.01
    )
    assert found["index"]["peak_process"] > 1 << 20
    assert found["index"]["disk"] > 0
    edited = [update["path"] for update in found["updates"]]
    assert sorted(edited) == sorted(set(edited))
    assert set(edited) <= {"shop/orders.py", "tests/test_orders.py"}
    assert found["update_ms"]["wall"]["max"] >= found["update_ms"]["wall"]["p50"] > 0
    assert contents(corpus) == before


def test_bench_as_a_table(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "index", "--repo", str(corpus / "shop"), "--updates", "1"]) == 0
    table = capsys.readouterr().out
    assert "| ratio |" in table
    assert "| one-file update, cpu ms (1 files) | p50 " in table


def test_usage() -> None:
    for arguments in ([], ["unheard"], ["calls"], ["bench"]):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2

import json
import sys
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.baselines import symbols_of
from eval.failure import EvalError
from eval.peers import aider_helper
from eval.peers.base import Place, Symbols, parsed, workplace
from eval.peers.predecessor import Predecessor, listed
from eval.systems import system_of

CODE = """\
class Order:
    def pay(self):
        return 1


def pay(order):
    return order
"""

GO_PROGRAM = """\
#!{python}
import json, pathlib, sys
command, arguments = sys.argv[1], sys.argv[2:]
database = pathlib.Path(arguments[arguments.index("-db") + 1])
if command == "index":
    database.write_text(arguments[-1])
elif "fail" in arguments[-1]:
    sys.exit("no such thing")
else:
    found = [{{"qualified_name": "local/shop://orders.py.Order.pay", "file_path": "orders.py",
              "line": 2, "score": 0.5}}]
    print(json.dumps({{"task": arguments[-1], "block": {{"symbols": found}}}}))
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus" / "shop"
    root.mkdir(parents=True)
    (root / "orders.py").write_text(CODE, encoding="utf-8")
    return tmp_path / "corpus"


@pytest.fixture
def predecessor(tmp_path: Path) -> Path:
    program = tmp_path / "predecessor-binary"
    program.write_text(GO_PROGRAM.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.json"
    rows = [
        {"id": "a", "repo": "shop", "description": "pay an order", "ground_truth": ["Order.pay"]},
        {"id": "b", "repo": "shop", "description": "fail", "ground_truth": ["Order"]},
    ]
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


def test_places_are_turned_into_symbols(corpus: Path, tmp_path: Path) -> None:
    with symbols_of(corpus / "shop", tmp_path / "index") as view:
        symbols = Symbols(view)
    assert symbols.at(Place(path="orders.py", line=2, name="pay")) == "Order.pay"
    assert symbols.at(Place(path="orders.py", line=6, name="pay")) == "pay"
    assert symbols.at(Place(path="orders.py", line=3, name="chunk")) == "Order.pay"
    assert symbols.at(Place(path="orders.py", line=3, name="Order")) == "Order"
    assert symbols.at(Place(path="gone.py", line=3, name="Order")) == "Order"
    places = [Place(path="orders.py", line=line, name="") for line in (2, 3, 6, 7)]
    assert [row.name for row in symbols.answer(places, 10).rows] == ["Order.pay", "pay"]


def test_peers_work_on_a_copy(corpus: Path, tmp_path: Path) -> None:
    with workplace(corpus / "shop", tmp_path / "work") as (copy, _):
        (copy / "orders.py").write_text("spoiled", encoding="utf-8")
        assert (copy / ".git").is_dir()
    assert (corpus / "shop" / "orders.py").read_text("utf-8") == CODE
    assert [path.name for path in (corpus / "shop").iterdir()] == ["orders.py"]


def test_the_predecessor_is_asked_through_its_command_line(
    corpus: Path, predecessor: Path, tmp_path: Path
) -> None:
    system = system_of(f"predecessor:{predecessor}")
    assert isinstance(system, Predecessor)
    (tmp_path / "work").mkdir()
    with system.open(corpus / "shop", tmp_path / "work") as ranker:
        (row,) = ranker.rank("pay", 10).rows
        assert (row.path, row.line, row.score) == ("orders.py", 2, 0.5)
        assert row.name.endswith("Order.pay")
        with pytest.raises(EvalError, match="no such thing"):
            ranker.rank("fail", 10)


def test_one_table_for_all(
    corpus: Path,
    predecessor: Path,
    tasks: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    where = ["--tasks", str(tasks), "--corpus", str(corpus), "--output", str(tmp_path / "out")]
    more = ["--system", "fts5", "--system", "unheard", "--predecessor", str(predecessor)]
    assert main(["peers", *where, *more]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split("|")[1].strip(): line.split("|") for line in lines if line.startswith("|")}
    assert {"knowing", "fts5", "predecessor"} <= rows.keys()
    strict_recall = lines[0].split("|").index(" strict R@10 ")
    assert float(rows["predecessor"][strict_recall]) == 0.5
    assert any("unheard failed" in line for line in lines)
    assert "predecessor" in (tmp_path / "out" / "peers.svg").read_text("utf-8")


def test_answers_of_unknown_shape() -> None:
    assert listed({"a": {"b": [1, {"x": 1}], "c": [{"name": "N"}]}}) == [{"name": "N"}]
    assert listed({"a": 1}) == []
    with pytest.raises(EvalError, match="printed no JSON"):
        parsed("Usage: ...", "it")


def test_aider_is_told_what_its_host_would_tell_it(tmp_path: Path) -> None:
    for name in ("orders.py", "cart.py", ".git/config"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    files = aider_helper.files_of(tmp_path)
    assert [Path(name).name for name in files] == ["cart.py", "orders.py"]
    asked: list[object] = []

    class Map:
        def get_ranked_tags(self, *arguments: object) -> list[object]:
            asked.extend(arguments)
            return [("cart.py",)]

    assert aider_helper.ranked(Map(), tmp_path, files, "pay the orders") == []
    assert asked == [[], files, {"orders.py"}, {"pay", "the", "orders"}]

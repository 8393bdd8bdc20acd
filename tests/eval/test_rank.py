import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.failure import EvalError
from eval.rankers import Answer, rank_all
from eval.results import read_costs, read_rankings, write_costs, write_rankings
from eval.tasks import Question
from tests.eval.toys import ByFile


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("shop/order.py", "shop/cart.py", "bank/account.py"):
        file = tmp_path / "corpus" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"class {file.stem.title()}:\n    def pay(self): ...\n", encoding="utf-8")
    return tmp_path / "corpus"


def question(name: str, repo: str, text: str) -> Question:
    return Question(id=name, repo=repo, description=text)


ASKED = [
    question("t2", "shop", "the order"),
    question("t3", "bank", "anything"),
    question("t1", "shop", "the cart"),
]


def test_each_repository_is_opened_once_and_answers_keep_the_order_of_tasks(
    corpus: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    rankings, costs = rank_all(ByFile(), ASKED, corpus, index_dir=index)
    assert list(rankings) == ["t2", "t3", "t1"]
    assert [row.name for row in rankings["t2"]] == ["order", "cart"]
    assert [row.name for row in rankings["t1"]] == ["cart", "order"]
    assert sorted(costs.repos) == ["bank", "shop"]
    assert costs.tasks["t3"].sizes == ((corpus / "bank/account.py").stat().st_size,)
    assert sorted(file.name for file in index.iterdir()) == ["bank", "shop"]
    assert costs.repos["shop"].disk == len("toy")


def test_files_come_back_as_they_were(corpus: Path, tmp_path: Path) -> None:
    rankings, costs = rank_all(ByFile(), ASKED, corpus)
    write_rankings(tmp_path / "r.json", rankings)
    write_costs(tmp_path / "deep" / "c.json", costs)
    assert read_rankings(tmp_path / "r.json") == rankings
    assert read_costs(tmp_path / "deep" / "c.json") == costs
    rows = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert rows["t3"] == [{"name": "account", "path": "account.py", "line": 1, "score": 1.0}]


def test_failing_on_a_question_is_fatal_for_us_and_no_result_for_others(corpus: Path) -> None:
    class Failing:
        name = "failing"

        def open(self, root: Path, folder: Path) -> "nullcontext[Failing]":
            return nullcontext(self)

        def rank(self, description: str, limit: int) -> Answer:
            raise EvalError("no answer")

    with pytest.raises(EvalError, match="no answer"):
        rank_all(Failing(), ASKED[:1], corpus)
    rankings, _ = rank_all(Failing(), ASKED[:1], corpus, tolerant=True)
    assert rankings == {"t2": []}


def test_a_repository_that_is_not_there(corpus: Path) -> None:
    with pytest.raises(EvalError, match="no such folder"):
        rank_all(ByFile(), [question("t", "gone", "x")], corpus)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    file = tmp_path / "tasks.json"
    rows = [
        {"id": "t1", "repo": "shop", "description": "pay an order or a cart", "tier": "easy"},
        {"id": "t2", "repo": "bank", "description": "the account class", "tier": "hard"},
    ]
    truth = [["Order.pay", "Cart"], ["Account"]]
    whole = [{**row, "ground_truth": names} for row, names in zip(rows, truth, strict=True)]
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file


def rank(tasks: Path, corpus: Path, output: Path, *more: str) -> int:
    where = ("--tasks", str(tasks), "--corpus", str(corpus), "--output", str(output))
    return main(["rank", *where, "--system", "fts5", *more])


def test_ground_truth_is_not_read(tasks: Path, corpus: Path, tmp_path: Path) -> None:
    assert rank(tasks, corpus, tmp_path / "a.json") == 0
    rows = json.loads(tasks.read_text("utf-8"))
    for row in rows:
        row["ground_truth"] = {"poison": row.pop("ground_truth")}
    tasks.write_text(json.dumps(rows), encoding="utf-8")
    assert rank(tasks, corpus, tmp_path / "b.json") == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_rank_score_show_and_compare(
    tasks: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, costs = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "costs.json"
    assert rank(tasks, corpus, a, "--costs", str(costs)) == 0
    assert rank(tasks, corpus, b, "--system", "classes") == 0
    assert main(["score", "--tasks", str(tasks), "--ranking", str(a), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["overall"]["all"]["tasks"] == 2
    assert found["overall"]["all"]["sR@10"] == 1.0
    assert sorted(found["groups"]["tier"]) == ["easy", "hard"]
    arguments = ["score", "--tasks", str(tasks), "--ranking", str(a), "--costs", str(costs)]
    assert main(arguments) == 0
    assert "token efficiency" in capsys.readouterr().out
    assert main(["show", "t1", "--tasks", str(tasks), "--ranking", str(b)]) == 0
    page = capsys.readouterr().out
    assert "     -    2  Order.pay" in page
    assert main(["compare", str(a), str(b), "--tasks", str(tasks), "--moved"]) == 0
    table = capsys.readouterr().out
    assert "| all | 2 | strict R@10 | 1.000 | 0.750 | -0.2500 |" in table
    assert "| t1 | -0.500 |" in table


def test_tasks_that_were_not_ranked_are_said(
    tasks: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rank(tasks, corpus, tmp_path / "a.json", "--repo", "bank") == 0
    main(["score", "--tasks", str(tasks), "--ranking", str(tmp_path / "a.json")])
    said = capsys.readouterr()
    assert "counted nowhere: t1" in said.out
    assert "1 tasks are not ranked" in said.err


def test_two_runs_write_the_same(tasks: Path, corpus: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        where = ["--tasks", str(tasks), "--corpus", str(corpus), "--output", str(tmp_path / folder)]
        assert main(["run", *where, "--system", "grep"]) == 0
    for name in ("ranking.json", "report.json", "report.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_verify_fails_on_a_name_that_is_no_symbol(
    tasks: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["verify", "--tasks", str(tasks), "--corpus", str(corpus)]
    assert main(arguments) == 0
    tasks.write_text(tasks.read_text("utf-8").replace("Account", "Ledger"), encoding="utf-8")
    assert main(arguments) == 1
    assert "MISSING bank Ledger (t2)" in capsys.readouterr().out


def test_unknown_systems_and_tasks_are_one_line(
    tasks: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rank(tasks, corpus, tmp_path / "a.json", "--system", "oracle") == 1
    assert "no system is called oracle" in capsys.readouterr().err
    rank(tasks, corpus, tmp_path / "a.json")
    assert main(["show", "t", "--tasks", str(tasks), "--ranking", str(tmp_path / "a.json")]) == 1
    assert "it could be: t1, t2" in capsys.readouterr().err

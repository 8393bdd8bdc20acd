import json
import subprocess
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.baselines import symbols_of
from eval.commits import Change, Commit, changes, is_task, parse, replayable, task_text
from eval.metrics import Row
from eval.overrides import Overrides
from eval.rankers import Answer
from eval.replay import judged, replay, touched

FIRST = """\
class Order:
    def pay(self, amount):
        return amount

    def ship(self):
        return None


def receipt(order):
    return order
"""


def git(repo: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repo), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def commit(repo: Path, message: str, files: dict[str, str]) -> str:
    for name, text in files.items():
        (repo / name).write_text(text, encoding="utf-8")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", message)
    return git(repo, "rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "--quiet")
    commit(root, "Start the little shop project", {"orders.py": FIRST, "test_orders.py": "x = 1\n"})
    paid = FIRST.replace("return amount", "return round(amount, 2)")
    commit(root, "Round the amount when an order is paid\n\nFixes #12.", {"orders.py": paid})
    spaced = paid.replace("    return order", "    return  order")
    commit(root, "Space out the returned order value", {"orders.py": spaced})
    commit(root, "Bump version to 1.2 for the release", {"orders.py": spaced + "V = 12\n"})
    tested = {"test_orders.py": "def test_pay():\n    assert 1\n"}
    commit(root, "Test that an order is paid properly", tested)
    printed = spaced.replace("return  order", "return str(order)")
    commit(root, "Print the receipt as readable text", {"orders.py": printed + "V = 12\n"})
    return root


def is_code(path: str) -> bool:
    return path.endswith(".py")


def test_the_rule_takes_commits_that_say_what_was_to_be_done(repo: Path) -> None:
    found = replayable(repo, 10, is_code)
    assert [each.description for each in found] == [
        "Round the amount when an order is paid Fixes .",
        "Space out the returned order value",
        "Test that an order is paid properly",
        "Print the receipt as readable text",
    ]
    assert [each.description for each in replayable(repo, 1, is_code)] == [
        "Print the receipt as readable text"
    ]


@pytest.mark.parametrize(
    "message",
    [
        'Revert "Round the amount of orders"',
        "Merge branch 'main' into feature work",
        "fixup! Round the amount of orders",
        "Bump werkzeug from 1.0 to 2.0",
        "release version 2.0.1 of everything",
        "v2.3.1 with new order handling",
        "chore: tidy the order module up",
        "style(core): align columns everywhere nicely",
        "Fix typo in the order documentation",
        "use ruff linter and formatter",
        "Fix mypy findings in order module",
        "fastcgi: Fix lint of the order module",
        "update",
    ],
)
def test_the_rule_leaves_out(message: str) -> None:
    assert not is_task(message, "Ada <ada@example.org>")


def test_the_rule_leaves_out_bots() -> None:
    message = "Round the amount when an order is paid"
    assert is_task(message, "Ada <ada@example.org>")
    assert not is_task(message, "dependabot[bot] <49699333+dependabot[bot]@users.example>")


def test_trailers_addresses_and_numbers_are_no_part_of_a_task() -> None:
    message = "Round it (#7)\n\nSee https://example.org/7\n\nCo-authored-by: B <b@example.org>\n"
    assert task_text(message) == "Round it See"


def test_the_old_side_of_a_diff() -> None:
    diff = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
        "@@ -3,2 +3 @@ class A:\n-x\n--- a/not a header\n+y\n@@ -9,0 +9,2 @@\n+z\n+z\n"
        "diff --git a/new.py b/new.py\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
    )
    assert parse(diff) == [
        Change(path="a.py", first=3, last=4),
        Change(path="a.py", first=10, last=9),
    ]


def test_white_space_is_no_change(repo: Path) -> None:
    spaced = next(c for c in replayable(repo, 10, is_code) if c.description.startswith("Space"))
    assert changes(repo, spaced) == []


def test_changed_lines_belong_to_the_innermost_symbol(repo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    with symbols_of(repo, folder) as view:
        assert touched(view, [Change(path="orders.py", first=3, last=3)]) == [
            ("orders.py", "Order.pay")
        ]
        between = Change(path="orders.py", first=4, last=3)
        assert touched(view, [between]) == [("orders.py", "Order")]
        assert touched(view, [Change(path="orders.py", first=8, last=7)]) == []
        assert touched(view, [Change(path="test_orders.py", first=1, last=2)]) == []


def test_figures_of_one_commit() -> None:
    wanted = [("a.py", "A"), ("a.py", "B"), ("b.py", "C")]
    rows = [*(Row(name=f"X{n}", path="a.py") for n in range(10)), Row(name="B", path="a.py")]
    task = judged(Commit(id="c", parent="p", description="d"), wanted, rows)
    assert task.symbols == {10: 0.0, 20: pytest.approx(1 / 3)}
    assert task.files == {10: 0.5, 20: 0.5}
    assert task.first == 11


def test_a_commit_is_asked_of_the_state_before_it(repo: Path) -> None:
    """What ranks sees the parent's text and the parent's history, nothing newer."""
    seen: list[tuple[str, str, str]] = []

    class Looking:
        name = "looking"

        def open(self, root: Path, folder: Path) -> "EngineState":
            return EngineState(root)

    class EngineState:
        def __init__(self, root: Path) -> None:
            self.root = root

        def __enter__(self) -> "EngineState":
            return self

        def __exit__(self, *_: object) -> None: ...

        def rank(self, description: str, limit: int) -> Answer:
            newest = git(self.root, "log", "-1", "--format=%s").strip()
            seen.append((description, newest, (self.root / "orders.py").read_text("utf-8")))
            return Answer(rows=())

    outcome = replay(repo, Looking(), 10, overrides=Overrides())
    assert (outcome.looked_at, outcome.without_truth) == (3, 1)
    (paid, before_paid, text), (_, before_printed, _) = seen
    assert paid.startswith("Round the amount")
    assert before_paid == "Start the little shop project"
    assert "round(" not in text
    assert before_printed == "Test that an order is paid properly"


def test_replay_with_the_engine_leaves_the_repository_alone(
    repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repo / "orders.py").write_text("unsaved work\n", encoding="utf-8")
    before = git(repo, "status", "--porcelain") + git(repo, "worktree", "list")
    output = tmp_path / "replayed.json"
    assert main(["replay", str(repo), "--commits", "5", "--output", str(output)]) == 0
    said = capsys.readouterr().out
    assert "In 2 of 2 tasks" in said
    assert [row["wanted"] for row in json.loads(output.read_text("utf-8"))] == [
        [["orders.py", "Order.pay"]],
        [["orders.py", "receipt"]],
    ]
    assert git(repo, "status", "--porcelain") + git(repo, "worktree", "list") == before


def test_nothing_to_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tmp_path, "init", "--quiet")
    commit(tmp_path, "wip", {"a.py": "x = 1\n"})
    assert main(["replay", str(tmp_path)]) == 1
    assert "can stand as a task" in capsys.readouterr().err

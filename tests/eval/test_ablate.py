from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from eval.ablate import BASE, as_markdown, compared, jittered, measured, variant
from eval.metrics import Row, mean
from eval.tasks import Task


@dataclass(frozen=True)
class Weights:
    text: float = 1.0
    walk: float = 0.5


@dataclass(frozen=True)
class Toy:
    score: Weights = field(default_factory=Weights)
    walk: Weights = field(default_factory=Weights)


TASKS = [
    Task(id=f"t{n}", repo=f"r{n % 2}", description=str(n), truth=("Order.pay",)) for n in range(8)
]


def ask(task: Task, toy: Toy) -> Sequence[Row]:
    """`Order.pay` comes first as long as the walk counts; each task needs it a little more."""
    is_found = toy.score.walk > 0.04 * int(task.id[1:])
    names = ["Order.pay", "Cart"] if is_found else ["Cart"] * 10
    return [Row(name=name) for name in names]


def test_variants_are_written_in_three_ways() -> None:
    wanted = Toy(score=Weights(walk=0.0))
    assert variant(Toy(), {"score.walk": 0.0}) == wanted
    assert variant(Toy(), ["score.walk=0"]) == wanted
    assert variant(Toy(), wanted) is wanted


def test_leaving_out_what_matters_shows() -> None:
    variants = {BASE: Toy(), "no walk": Toy(score=Weights(walk=0.0)), "same": Toy()}
    scores = measured(TASKS, ask, variants, 0)
    worse, same = compared(TASKS, scores)
    found = worse.differences["sR@10"]
    assert (found.gain, found.worse) == (-1.0, 8)
    assert found.p < 0.02
    assert (worse.repos_up, worse.repos_down) == (0, 2)
    assert (same.differences["sR@10"].p, same.repos_down) == (1.0, 0)
    text = as_markdown(mean(scores[BASE].values()), [worse, same], len(TASKS), 0)
    assert "| no walk | -0.1000 | -1.0000 | -1.0000 | -1.0000 |" in text


def test_jitters_are_common_to_all_variants_and_leave_shares_alone() -> None:
    one, other = jittered(Toy(), 3), jittered(Toy(score=Weights(text=2.0, walk=0.0)), 3)
    assert one.score.text != 1.0
    assert other.score.text == pytest.approx(2 * one.score.text)
    assert other.score.walk == 0.0
    assert one.walk == Weights()
    assert jittered(Toy(), 3) == one != jittered(Toy(), 4)


def test_jitters_smooth() -> None:
    edge = replace(Toy(), score=Weights(walk=0.21))
    point = measured(TASKS, ask, {BASE: edge}, 0)[BASE]
    smooth = measured(TASKS, ask, {BASE: edge}, 20)[BASE]
    assert {scores["sR@10"] for scores in point.values()} == {0.0, 1.0}
    assert 0.0 < smooth["t5"]["sR@10"] < 1.0
    assert smooth["t0"]["sR@10"] == 1.0

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from eval.failure import EvalError
from eval.overrides import Overrides, changed, float_leaves
from knowing.retrieve.tuning import DEFAULT


@dataclass(frozen=True)
class Inner:
    walk: float = 0.5
    rounds: int = 3
    on: bool = True
    words: tuple[str, ...] = ("a",)


@dataclass(frozen=True)
class Outer:
    score: Inner = field(default_factory=Inner)
    name: str = "x"
    share: float = 1.0


def test_settings_and_numbers_of_the_ranking_are_told_apart(tmp_path: Path) -> None:
    overrides = Overrides(("history.maxCommits=7", "score.walk=0"))
    assert overrides.settings(tmp_path).history.max_commits == 7
    assert overrides.tuning().score.walk == 0.0
    assert overrides.tuning().score.text == DEFAULT.score.text
    assert Overrides().tuning() == DEFAULT


def test_values_take_the_type_of_what_they_replace() -> None:
    texts = {"score.rounds": "5", "score.on": "false", "score.words": '["b"]', "name": "y"}
    new = changed(Outer(), texts)
    assert new == Outer(score=Inner(rounds=5, on=False, words=("b",)), name="y")


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("score.walk", "expected key=value"),
        ("score.wolk=1", "did you mean walk"),
        ("score=1", "neither"),
        ("nothing=1", "neither a setting nor a number"),
        ("score.walk=much", "is no float"),
        ("score.walk.more=1", "neither"),
    ],
)
def test_mistakes_are_one_line(assignment: str, said: str) -> None:
    with pytest.raises(EvalError, match=said):
        Overrides((assignment,)).tuning()


def test_a_bad_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="max_commits"):
        Overrides(("history.max_commits=many",)).settings(tmp_path)


def test_numbers_with_a_fraction_are_found_at_every_depth() -> None:
    assert list(float_leaves(Outer())) == [("score.walk", 0.5), ("share", 1.0)]

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.failure import EvalError
from eval.paired import bootstrap, difference


def test_a_gain_on_every_task_is_no_chance() -> None:
    a = [n / 40 for n in range(20)]
    b = [value + 0.1 + n / 1000 for n, value in enumerate(a)]
    found = difference(a, b)
    assert (found.better, found.worse) == (20, 0)
    assert found.p < 0.001
    assert found.gain == pytest.approx(0.1095)
    assert 0.1 < found.low < found.gain < found.high < 0.12
    assert found.effect > 5


def test_no_difference_is_no_difference() -> None:
    found = difference([0.3, 0.1 + 0.2], [0.3, 0.3])
    assert (found.p, found.effect, found.better, found.worse) == (1.0, 0.0, 0, 0)
    assert (found.low, found.high) == (0.0, 0.0)


def test_one_task_is_enough_to_compare_but_proves_nothing() -> None:
    found = difference([0.0], [1.0])
    assert found.p == 1.0


def test_nothing_in_common() -> None:
    with pytest.raises(EvalError):
        difference([], [])


def test_resampling_is_the_same_in_every_run() -> None:
    change = np.linspace(-1, 2, 30)
    assert bootstrap(change) == bootstrap(change)
    low, high = bootstrap(change)
    assert low < change.mean() < high


@settings(max_examples=15)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30))
def test_swapping_the_two_turns_the_sign(pairs: list[tuple[float, float]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    there, back = difference(a, b), difference(b, a)
    assert there.gain == pytest.approx(-back.gain)
    assert (there.better, there.worse) == (back.worse, back.better)
    assert there.p == pytest.approx(back.p)
    assert there.low == pytest.approx(-back.high)

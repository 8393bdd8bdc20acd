"""A deadline counts processor time and, once it is over, stays so."""

import time

from knowing.parse.deadline import Deadline


def work(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_work_beyond_the_limit_expires() -> None:
    expired = Deadline(0.02)
    work(0.06)
    assert expired()
    assert expired()


def test_work_within_the_limit_does_not() -> None:
    expired = Deadline(60)
    work(0.03)
    assert not expired()
    work(0.01)
    assert not expired()


def test_no_time_at_all_is_over_at_the_first_question() -> None:
    expired = Deadline(0)
    work(0.001)
    assert expired()

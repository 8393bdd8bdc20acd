import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.pack import Arc


def test_what_is_put_is_got_and_what_is_not_is_none() -> None:
    cache: Arc[str, int] = Arc(2)
    cache.put("a", 1)
    assert (cache.get("a"), cache.get("b"), len(cache), "a" in cache) == (1, None, 1, True)
    cache.put("a", 2)
    assert (cache.get("a"), len(cache)) == (2, 1)


def test_a_scan_does_not_push_out_what_is_used_again() -> None:
    cache: Arc[int, int] = Arc(10)
    for number in range(5):
        cache.put(number, number)
        cache.get(number)
    for number in range(100, 200):
        cache.put(number, number)
    assert [cache.get(number) for number in range(5)] == [0, 1, 2, 3, 4]


def test_recent_keys_get_more_room_when_lost_ones_come_back() -> None:
    cache: Arc[int, int] = Arc(4)
    for number in range(4):
        cache.put(number, number)
        cache.get(number)
    for _ in range(4):
        for number in (10, 11, 12):
            cache.put(number, number)
    assert all(number in cache for number in (10, 11, 12))


def test_clear_forgets_everything() -> None:
    cache: Arc[int, int] = Arc(3)
    for number in range(9):
        cache.put(number, number)
    cache.clear()
    assert len(cache) == 0 and cache.get(8) is None


def test_a_cache_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Arc(0)


@given(st.integers(1, 8), st.lists(st.tuples(st.booleans(), st.integers(0, 20))))
def test_it_never_holds_more_than_its_capacity_nor_a_wrong_value(
    capacity: int, calls: list[tuple[bool, int]]
) -> None:
    cache: Arc[int, int] = Arc(capacity)
    latest: dict[int, int] = {}
    for step, (writes, key) in enumerate(calls):
        if writes:
            cache.put(key, step)
            latest[key] = step
            assert cache.get(key) == step
        assert cache.get(key) in (None, latest.get(key))
        assert len(cache) <= capacity


def test_threads_may_share_it() -> None:
    cache: Arc[int, int] = Arc(16)

    def work(offset: int) -> None:
        for number in range(500):
            cache.put((number * offset) % 40, number)
            cache.get(number % 40)

    threads = [threading.Thread(target=work, args=(offset,)) for offset in (1, 3, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 16

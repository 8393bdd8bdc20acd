import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.errors import HistoryError
from knowing.history import Commit, Rename, Touch, decode, encode

Repo = Any
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
# A path that is not valid UTF-8 holds lone surrogates.
PATH = st.one_of(TEXT, st.just("caf\udce9.py"))
COMMITS = st.lists(
    st.builds(
        Commit,
        hash=st.text("0123456789abcdef", min_size=40, max_size=40),
        time=st.integers(-(2**40), 2**40),
        author=TEXT,
        email=TEXT,
        subject=TEXT,
        body=TEXT,
        file_count=st.integers(0, 10_000),
        files=st.lists(PATH, max_size=3).map(tuple),
        renames=st.lists(st.builds(Rename, PATH, PATH), max_size=2).map(tuple),
        touches=st.lists(
            st.builds(Touch, PATH, TEXT, TEXT, st.integers(0, 2**31), st.sampled_from([0.5, 1.0])),
            max_size=3,
        ).map(tuple),
    ),
    max_size=4,
)


@given(COMMITS)
def test_what_is_kept_comes_back(commits: list[Commit]) -> None:
    data = encode(commits)
    assert decode(data) == tuple(commits)
    assert encode(decode(data)) == data


def test_a_mined_history_comes_back_and_is_small(repo: Repo) -> None:
    for number in range(20):
        text = "".join(f"def f{n}():\n    return {number}\n" for n in range(20))
        repo.commit(f"change number {number}", {"package/module.py": text})
    commits = repo.mine().commits
    data = encode(commits)
    assert decode(data) == commits
    assert len(data) < 4_000


SAMPLE = encode(
    [
        Commit(
            hash="0" * 40,
            time=1,
            author="Ada",
            email="ada@example.org",
            subject="subject",
            body="body",
            file_count=1,
            files=("a.py",),
            renames=(Rename("b.py", "a.py"),),
            touches=(Touch("a.py", "run", "A", 3, 1.0),),
        )
    ]
)


def packed(text: str) -> bytes:
    return SAMPLE[:1] + zlib.compress(text.encode())


DAMAGED = {
    "empty": b"",
    "only a version": SAMPLE[:1],
    "another version": b"\xff" + SAMPLE[1:],
    "something after it": SAMPLE + b"x",
    "not packed": SAMPLE[:1] + b"plain",
    "not json": packed("{"),
    "not an object": packed("[]"),
    "a number": packed("3"),
    "no words": packed('{"commits": []}'),
    "a short row": packed('{"words": [], "commits": [["a", 1]]}'),
    "a word too far": packed('{"words": [], "commits": [["a", 1, 7, 7, "", "", 0, [], [], []]]}'),
    "half a touch": packed(
        '{"words": ["w"], "commits": [["a", 1, 0, 0, "", "", 0, [], [], [0, 0]]]}'
    ),
    "a row that is a number": packed('{"words": [], "commits": [3]}'),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_bytes_are_told_as_such(data: bytes) -> None:
    with pytest.raises(HistoryError, match="damaged") as raised:
        decode(data)
    assert raised.value.hint


@pytest.mark.parametrize("length", range(len(SAMPLE)))
def test_cut_bytes_are_told_as_such(length: int) -> None:
    with pytest.raises(HistoryError, match="damaged"):
        decode(SAMPLE[:length])


@given(st.integers(0, len(SAMPLE) - 1), st.integers(1, 255))
def test_no_flipped_bit_passes_unseen(position: int, mask: int) -> None:
    data = bytearray(SAMPLE)
    data[position] ^= mask
    try:
        assert decode(bytes(data)) == decode(SAMPLE)
    except HistoryError as error:
        assert "damaged" in str(error)

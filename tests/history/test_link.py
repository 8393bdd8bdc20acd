import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from knowing.history import Commit, Incidence, Links, Rename, SymbolTable, Touch, link

Repo = Any
Symbol = tuple[str, str, str, int]
"""Path, owner chain, name, line."""


def table(symbols: Sequence[Symbol], paths: Sequence[str] = ()) -> SymbolTable:
    known = list(dict.fromkeys([*paths, *(symbol[0] for symbol in symbols)]))
    return SymbolTable(
        paths=known,
        names=[name for _, _, name, _ in symbols],
        owners=[owner for _, owner, _, _ in symbols],
        path_ids=np.array([known.index(path) for path, *_ in symbols], dtype=np.int32),
        lines=np.array([line for *_, line in symbols], dtype=np.int32),
    )


def commit(
    *touches: Touch, time: int = 1, author: str = "Ada", renames: tuple[Rename, ...] = ()
) -> Commit:
    files = tuple(dict.fromkeys(touch.path for touch in touches))
    return Commit(
        hash=f"{time:040}",
        time=time,
        author=author,
        email="",
        subject="",
        body="",
        file_count=len(files),
        files=files,
        renames=renames,
        touches=touches,
    )


def touch(path: str, name: str, owner: str = "", line: int = 1, weight: float = 1.0) -> Touch:
    return Touch(path, name, owner, line, weight)


def row(links: Incidence, number: int) -> dict[int, float]:
    part = slice(links.indptr[number], links.indptr[number + 1])
    values = zip(links.indices[part].tolist(), links.weights[part].tolist(), strict=True)
    return dict(values)


def test_a_touch_finds_the_symbol_of_its_name_in_its_file() -> None:
    symbols = table([("a.py", "", "run", 1), ("b.py", "", "run", 1), ("a.py", "", "stop", 9)])
    links = link([commit(touch("b.py", "run")), commit(touch("a.py", "gone"))], symbols)
    assert row(links.symbols, 0) == {1: 1.0}
    assert row(links.symbols, 1) == {}
    assert row(links.files, 1) == {0: 1.0}


def test_the_owner_decides_between_symbols_of_one_name() -> None:
    symbols = table([("a.py", "A", "run", 1), ("a.py", "Outer.B", "run", 500)])
    links = link([commit(touch("a.py", "run", "B", 2))], symbols)
    assert row(links.symbols, 0) == {1: 1.0}


def test_the_nearest_line_decides_when_no_owner_does() -> None:
    symbols = table(
        [("a.py", "A", "run", 10), ("a.py", "B", "run", 100), ("a.py", "C", "run", 300)]
    )
    lines = [commit(touch("a.py", "run", "", line)) for line in (1, 90, 290, 10_000)]
    links = link([*lines, commit(touch("a.py", "run", "Unknown", 101))], symbols)
    assert [list(row(links.symbols, n)) for n in range(5)] == [[0], [1], [2], [2], [1]]


def test_several_touches_of_one_symbol_are_one_link_with_the_greatest_weight() -> None:
    symbols = table([("a.py", "", "run", 1)])
    links = link(
        [commit(touch("a.py", "run", "", 1, 0.5), touch("a.py", "run", "X", 1, 1.0))], symbols
    )
    assert row(links.symbols, 0) == {0: 1.0}
    assert links.symbol_activity.churn.tolist() == [1]


def test_a_renamed_file_keeps_the_history_of_its_symbols() -> None:
    symbols = table([("new.py", "", "run", 1)])
    move = commit(touch("new.py", "other"), time=2, renames=(Rename("old.py", "new.py"),))
    links = link([move, commit(touch("old.py", "run"), time=1)], symbols)
    assert row(links.symbols, 1) == {0: 1.0}
    assert links.file_activity.churn.tolist() == [2]


def test_churn_last_touch_and_main_author() -> None:
    symbols = table([("a.py", "", "run", 1), ("a.py", "", "stop", 9)], ["a.py", "never.py"])
    links = link(
        [
            commit(touch("a.py", "run"), time=30, author="Bob"),
            commit(touch("a.py", "run"), time=20, author="Ada"),
            commit(touch("a.py", "run"), time=40, author="Ada"),
        ],
        symbols,
    )
    assert links.authors == ("Ada", "Bob")
    assert links.symbol_activity.churn.tolist() == [3, 0]
    assert links.symbol_activity.last_touched.tolist() == [40, 0]
    assert links.symbol_activity.main_author.tolist() == [0, -1]
    assert links.file_activity.churn.tolist() == [3, 0]
    assert links.file_activity.main_author.tolist() == [0, -1]


def test_authors_with_equally_many_commits_are_taken_by_the_alphabet() -> None:
    symbols = table([("a.py", "", "run", 1)])
    commits = [
        commit(touch("a.py", "run"), time=n, author=who) for n, who in enumerate(["Zoe", "Bob"])
    ]
    for order in (commits, commits[::-1]):
        links = link(order, symbols)
        assert links.authors[links.symbol_activity.main_author[0]] == "Bob"


def test_an_author_without_a_name_goes_by_the_address() -> None:
    nameless = commit(touch("a.py", "run"), author="")
    assert link([nameless], table([("a.py", "", "run", 1)])).authors == ("",)


def test_nothing_links_to_nothing() -> None:
    links = link([], table([]))
    assert links.symbols.indptr.tolist() == links.files.indptr.tolist() == [0]
    assert link([], table([("a.py", "", "run", 1)])).symbol_activity.churn.tolist() == [0]
    assert link([commit(touch("a.py", "run"))], table([])).symbols.indptr.tolist() == [0, 0]


def test_mined_commits_link_to_the_code_of_today(repo: Repo) -> None:
    repo.commit("made", {"a.py": "class A:\n    def run(self):\n        return 1\n"}, who="Ada")
    repo.commit("edit", {"a.py": "class A:\n    def run(self):\n        return 2\n"}, who="Bob")
    symbols = table([("a.py", "", "A", 1), ("a.py", "A", "run", 2)])
    links = link(repo.mine().commits, symbols)
    assert row(links.symbols, 0) == {1: 1.0}
    assert row(links.symbols, 1) == {0: 1.0, 1: 1.0}
    assert links.symbol_activity.last_touched.tolist() == [repo.clock - 60, repo.clock]


PATHS = st.sampled_from(["a", "b", "c"])
NAMES = st.sampled_from(["f", "g", "h"])
OWNERS = st.sampled_from(["", "X", "Y"])
LINES = st.integers(1, 60)
TOUCHES = st.builds(touch, PATHS, NAMES, OWNERS, LINES, st.sampled_from([0.5, 1.0]))
COMMITS = st.lists(
    st.builds(
        lambda touches, time, author: commit(*touches, time=time, author=author),
        st.lists(TOUCHES, max_size=5),
        st.integers(0, 99),
        st.sampled_from(["Ada", "Bob", "Cy"]),
    ),
    max_size=8,
)
SYMBOLS = st.lists(st.tuples(PATHS, OWNERS, NAMES, LINES), max_size=12)


def slow_link(commits: Sequence[Commit], symbols: Sequence[Symbol]) -> list[dict[int, float]]:
    """The rules of linking, one touch at a time."""
    rows: list[dict[int, float]] = []
    for made in commits:
        found: dict[int, float] = {}
        for part in made.touches:
            same = [
                (bool(part.owner) and owner != part.owner, abs(line - part.line), number)
                for number, (path, owner, name, line) in enumerate(symbols)
                if (path, name) == (part.path, part.name)
            ]
            if same:
                best = min(same)[2]
                found[best] = max(found.get(best, 0.0), part.weight)
        rows.append(found)
    return rows


@given(COMMITS, SYMBOLS)
def test_linking_in_arrays_is_linking_one_by_one(
    commits: list[Commit], symbols: list[Symbol]
) -> None:
    links = link(commits, table(symbols))
    expected = slow_link(commits, symbols)
    assert [row(links.symbols, number) for number in range(len(commits))] == expected
    for number in range(len(symbols)):
        makers = [c for c, found in zip(commits, expected, strict=True) if number in found]
        check_activity(links, number, makers)


def check_activity(links: Links, number: int, makers: Sequence[Commit]) -> None:
    activity = links.symbol_activity
    assert activity.churn[number] == len(makers)
    assert activity.last_touched[number] == max((made.time for made in makers), default=0)
    counts = Counter(made.author for made in makers)
    best = min(counts, key=lambda who: (-counts[who], who), default=None)
    author = activity.main_author[number]
    assert (links.authors[author] if author >= 0 else None) == best


SCRIPT = """
import numpy as np
from knowing.history import Commit, SymbolTable, Touch, encode, link
names = [f"n{i}" for i in range(50)]
commits = [
    Commit(hash=str(i), time=i, author=f"a{i * 7 % 5}", email="", subject="", body="",
           file_count=1, files=("a.py",), renames=(),
           touches=tuple(Touch("a.py", names[i * j % 50], "", j, 1.0) for j in range(9)))
    for i in range(40)
]
table = SymbolTable(paths=["a.py"], names=names * 2, owners=[""] * 100,
                    path_ids=np.zeros(100, int), lines=np.arange(100))
links = link(commits, table)
print(links.authors, links.symbols.indices.tolist(), links.symbol_activity.main_author.tolist())
print(encode(commits).hex())
"""


def test_the_order_of_hashes_does_not_show() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert outputs.pop().strip()

from collections import defaultdict

import pytest

from tests.impact.asking import ask, codes, direct
from tests.impact.false_zeros import MISSES, Miss


@pytest.mark.parametrize("miss", MISSES, ids=lambda miss: f"{miss.mode}-{miss.language}")
def test_a_use_that_is_easily_missed_is_named_or_doubted(miss: Miss) -> None:
    answer = ask(miss.files, miss.symbol, unread=miss.unread)
    assert answer.direct or not answer.complete, "a false zero"
    if miss.caller:
        assert miss.caller in direct(answer)
    if miss.place:
        assert miss.place in {f"{item.path}:{item.line}" for item in answer.possible}
        assert not answer.complete
    if miss.code:
        assert miss.code in codes(answer)
    if not answer.complete:
        assert answer.reasons
    if not answer.direct:
        assert answer.risk.level != "low"


def test_every_way_of_missing_a_use_is_tried_in_four_languages() -> None:
    languages = defaultdict(set)
    for miss in MISSES:
        languages[miss.mode].add(miss.language)
    assert len(languages) == 11
    assert not {mode: tried for mode, tried in languages.items() if len(tried) < 4}


def test_what_nobody_uses_is_said_to_be_so_and_why() -> None:
    answer = ask({"a.py": "def forgotten(): ...\n\ndef other(): ...\n"}, "forgotten")
    assert not answer.direct
    assert answer.complete
    assert codes(answer) == {"no_callers"}
    assert answer.risk.level == "low"


def test_what_is_public_in_a_library_may_be_used_outside() -> None:
    files = {"a.py": "def forgotten(): ...\n\ndef _hidden(): ...\n"}
    assert codes(ask(files, "forgotten", published=True)) == {"public_api"}
    assert ask(files, "_hidden", published=True).complete


def test_while_indexing_nothing_is_complete() -> None:
    answer = ask({"a.py": "def forgotten(): ...\n"}, "forgotten", indexing="3 of 9 files are read")
    assert not answer.complete
    assert "indexing: 3 of 9 files are read" in [str(reason) for reason in answer.reasons]


def test_an_unread_file_without_the_name_is_no_reason_for_doubt() -> None:
    answer = ask(
        {"a.py": "def forgotten(): ...\n", "page.zz": "nothing of the kind\n"},
        "forgotten",
        unread={"page.zz": "unsupported: no language for .zz"},
    )
    assert answer.complete


def test_a_file_that_could_not_be_searched_is_a_reason() -> None:
    answer = ask(
        {"a.py": "def forgotten(): ...\n"},
        "forgotten",
        unread={"huge.py": "too large: 9,000,000 bytes, the limit is 2,000,000"},
    )
    assert codes(answer) == {"skipped"}
    assert "huge.py" in answer.reasons[0].detail


def test_remarks_and_documentation_are_no_uses() -> None:
    answer = ask(
        {
            "a.py": "def forgotten(): ...\n",
            "b.py": '# see forgotten()\ndef other():\n    """Like a.forgotten() in spirit."""\n',
        },
        "forgotten",
    )
    assert answer.complete
    assert not answer.possible

"""What use changes in later answers, and what it does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowing.engine import Engine
from knowing.engine_answers import Extent
from knowing.errors import NotFoundError
from knowing.model_events import Deed, Source
from tests.learn.shops import OTHER, TASK, names, opened, parts, shop


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(shop(tmp_path / "work"), tmp_path / "index") as found:
        yield found


def use(engine: Engine, symbol: str, task: str = TASK, times: int = 1) -> None:
    """Asks and uses one symbol of the answer."""
    for _ in range(times):
        engine.context(task)
        assert engine.feedback(Deed.OPENED, [symbol]).accepted


def test_answers_alone_change_nothing(engine: Engine) -> None:
    before = engine.rank(TASK)
    for _ in range(3):
        engine.context(TASK)
    after = engine.rank(TASK)
    assert [(hit.symbol, hit.score) for hit in after.hits] == [
        (hit.symbol, hit.score) for hit in before.hits
    ]
    assert after.learned is None


def test_what_is_used_rises_and_says_why(engine: Engine) -> None:
    before = names(engine).index("Ledger.post")
    assert before > 0
    use(engine, "Ledger.post", times=4)
    assert names(engine).index("Ledger.post") < before
    found = engine.why(TASK, "Ledger.post")
    values = {part.name: part.value for part in found.parts}
    assert values["feedback"] > 0
    assert values["session"] > 0
    assert values["vocabulary"] > 0
    assert sum(values.values()) == pytest.approx(found.score)
    assert any("useful for tasks like this" in part.detail for part in found.parts)


def test_what_is_passed_over_sinks_gently_and_only_for_its_topic(engine: Engine) -> None:
    use(engine, "Ledger.post", times=5)
    engine.context(OTHER)
    assert parts(engine, "bill_customer")["feedback"] < 0
    assert "feedback" not in parts(engine, "bill_customer", "write invoices and ship a parcel")
    assert (
        abs(parts(engine, "bill_customer")["feedback"]) < parts(engine, "Ledger.post")["feedback"]
    )


def test_an_answer_of_which_nothing_was_used_says_nothing(engine: Engine) -> None:
    engine.context(TASK)
    engine.context(OTHER)
    engine.feedback(Deed.OPENED, ["Parcel.weigh"])
    engine.context(TASK)
    assert "feedback" not in parts(engine, "bill_customer")


def test_a_use_long_after_the_answer_belongs_to_no_task(engine: Engine) -> None:
    engine.context(TASK)
    late = engine.clock() + 3600
    engine.feedback(Deed.OPENED, ["Ledger.post"], now=late)
    assert "feedback" not in parts(engine, "Ledger.post")


def test_the_boost_of_a_session_fades(engine: Engine) -> None:
    moment = 1_700_000_000.0
    engine.feedback(Deed.EDITED, ["Ledger.post"], now=moment)
    engine.clock = lambda: moment
    fresh = parts(engine, "Ledger.post")["session"]
    engine.clock = lambda: moment + 180
    assert parts(engine, "Ledger.post")["session"] == pytest.approx(fresh / 2, rel=1e-3)
    engine.clock = lambda: moment + 3600
    assert "session" not in parts(engine, "Ledger.post")


def test_thumbs_count_more_than_uses(engine: Engine) -> None:
    use(engine, "Ledger.post")
    used = parts(engine, "Ledger.post")["feedback"]
    engine.feedback(Deed.UP, ["Ledger.post"], task=TASK)
    assert parts(engine, "Ledger.post")["feedback"] > used
    for _ in range(3):
        engine.feedback(Deed.DOWN, ["Ledger.post"], task=TASK)
    assert parts(engine, "Ledger.post")["feedback"] < 0


def test_words_that_the_code_does_not_know_lead_to_a_symbol_after_two_uses(engine: Engine) -> None:
    assert names(engine, "cancel a carrier") == []
    engine.feedback(Deed.USED, ["ship"], task="dispatch the freight carrier")
    assert names(engine, "cancel a carrier") == []
    engine.feedback(Deed.USED, ["ship"], task="dispatch the freight carrier")
    assert names(engine, "cancel a carrier") == ["ship"]
    assert parts(engine, "ship", "cancel a carrier")["vocabulary"] > 0
    assert "vocabulary" not in parts(engine, "ship", "cancel the billing run")


def test_a_text_marks_what_it_names(engine: Engine) -> None:
    engine.context(TASK)
    noted = engine.used_in("ledger.post(customer, order)\n")
    assert noted.symbols == ("billing/ledger.py::Ledger.post",)
    assert not engine.used_in("nothing of that").accepted


def test_pins_come_first_and_bans_are_gone_until_taken_back(engine: Engine) -> None:
    plain = names(engine)
    engine.feedback(Deed.PINNED, ["ship"], task=TASK)
    engine.feedback(Deed.BANNED, ["bill_customer"])
    assert names(engine)[0] == "ship"
    assert names(engine, OTHER)[0] != "ship"
    assert "bill_customer" not in names(engine)
    assert engine.why(TASK, "bill_customer").verdict == "not returned: you banned it"
    assert parts(engine, "ship")["pins"] > 0
    assert engine.forget("ship", wishes=True) == 1
    assert engine.forget("bill_customer", wishes=True) == 1
    assert names(engine) == plain


def test_one_symbol_can_be_forgotten(engine: Engine) -> None:
    use(engine, "Ledger.post", times=3)
    assert engine.forget("Ledger.post") > 0
    assert not {"feedback", "session", "vocabulary"} & set(parts(engine, "Ledger.post"))


def test_what_was_learned_expires_when_the_package_changes(engine: Engine) -> None:
    use(engine, "Ledger.post", times=3)
    pinned = engine.feedback(Deed.PINNED, ["total"])
    assert pinned.accepted
    engine.clock = lambda: 1_800_000_000.0
    assert "feedback" in parts(engine, "Ledger.post")
    elsewhere = engine.root / "shipping/parcel.py"
    elsewhere.write_text(elsewhere.read_text("utf-8") + "\n\nLIMIT = 3\n", "utf-8")
    engine.index(history=False)
    assert "feedback" in parts(engine, "Ledger.post")
    beside = engine.root / "billing/invoice.py"
    before = beside.read_text("utf-8")
    beside.write_text(before + "\n\nLIMIT = 3\n", "utf-8")
    engine.index(history=False)
    assert not {"feedback", "vocabulary"} & set(parts(engine, "Ledger.post"))
    assert parts(engine, "total")["pins"] > 0
    beside.write_text(before, "utf-8")
    engine.index(history=False)
    assert "feedback" in parts(engine, "Ledger.post")


def test_switched_off_nothing_is_noted_or_used(tmp_path: Path) -> None:
    root = shop(tmp_path / "work")
    with opened(root, tmp_path / "index") as engine:
        plain = names(engine)
        use(engine, "Ledger.post", times=4)
        learned = names(engine)
        events = engine.learned_report().events
    assert learned != plain
    with opened(root, tmp_path / "index", enabled=False) as engine:
        assert names(engine) == plain
        engine.context(TASK)
        noted = engine.feedback(Deed.OPENED, ["Ledger.post"])
        assert not noted.accepted
        assert "learn.enabled" in noted.reason
        assert engine.learned_report().events == events


def test_skins_do_not_take_each_others_answers(engine: Engine) -> None:
    engine.context(TASK)
    engine.feedback(Deed.OPENED, ["Ledger.post"], source=Source.AGENT)
    assert "feedback" not in parts(engine, "Ledger.post")


def test_what_follows_from_answers_cannot_be_told(engine: Engine) -> None:
    with pytest.raises(NotFoundError, match="follows from answers"):
        engine.feedback(Deed.SHOWN, ["Ledger.post"])


def test_parts_add_up_for_everything_that_is_returned(engine: Engine) -> None:
    use(engine, "Ledger.post", times=3)
    engine.feedback(Deed.PINNED, ["ship"])
    ranking = engine.rank(TASK)
    for hit in ranking.hits:
        assert sum(part.value for part in hit.parts) == pytest.approx(hit.score)
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)


def test_a_larger_budget_after_a_use_is_answered_anew(engine: Engine) -> None:
    first = engine.context(TASK, Extent(budget=4000))
    engine.feedback(Deed.PINNED, ["ship"])
    second = engine.context(TASK, Extent(budget=5000))
    assert first.symbols[0].item.name != "ship"
    assert second.symbols[0].item.name == "ship"

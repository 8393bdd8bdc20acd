from dataclasses import replace

from knowing.pack import Form, PackOptions, key, tokens

BASE = PackOptions(budget=4000, title="fix the login")


class Other(tokens.Estimate):
    name = "other"


def test_the_same_question_has_the_same_key() -> None:
    assert key("fix the login ", BASE, "7", 3) == key("fix the login", replace(BASE), "7", 3, {})


def test_whatever_changes_a_pack_changes_its_key() -> None:
    keys = [
        key("fix the login", BASE, "7", 3),
        key("fix the Login", BASE, "7", 3),
        key("fix the login", BASE, "8", 3),
        key("fix the login", BASE, "7", 4),
        key("fix the login", BASE, "7", 3, {"limit": 10}),
        key("fix the login", BASE, "7", 3, {"limit": 20}),
        *(
            key("fix the login", options, "7", 3)
            for options in (
                replace(BASE, budget=4001),
                replace(BASE, form=Form.XML),
                replace(BASE, title=""),
                replace(BASE, notes=("stale",)),
                replace(BASE, tokenizer=Other()),
            )
        ),
    ]
    assert len(set(keys)) == len(keys)
    assert all(len(one) == 32 and one.isalnum() for one in keys)

from textwrap import dedent

import pytest

from knowing.impact.compare import Sketch, SymbolChange, SymbolChangeKind, compare, sketches
from knowing.impact.signatures import differences
from knowing.languages import load_languages
from knowing.model import SymbolFlag
from knowing.parse import extract

BEFORE = """
    class Cart:
        limit = 10

        def add(self, item):
            self.items.append(item)
            return self

        def total(self):
            return sum(item.price for item in self.items)


    def ship(cart, address):
        label = print_label(address)
        send(cart, label)
        return label
    """


def drawn(text: str, path: str = "cart.py") -> list[Sketch]:
    language = load_languages().for_path(path)
    assert language is not None
    data = dedent(text).encode()
    return sketches(path, extract(data, language, SymbolFlag(0)), data)


def changes(after: str, before: str = BEFORE) -> dict[str, SymbolChange]:
    found = compare(drawn(before), drawn(after))
    return {change.shown.name: change for change in found}


def test_nothing_differs_when_only_blank_lines_and_indentation_do() -> None:
    assert changes(BEFORE.replace("return self\n", "return self\n\n\n")) == {}


def test_a_changed_method_does_not_change_its_class() -> None:
    found = changes(BEFORE.replace("return sum(", "return 1 + sum("))
    assert {name: change.kind for name, change in found.items()} == {
        "Cart.total": SymbolChangeKind.MODIFIED
    }
    assert not found["Cart.total"].breaks


def test_what_is_new_and_what_is_gone() -> None:
    found = changes(
        BEFORE.replace(
            "    def total(self):\n            return sum(item.price for item in self.items)",
            "    def count(self):\n            return len(self.items)",
        )
    )
    kinds = {name: change.kind for name, change in found.items()}
    assert kinds == {
        "Cart.total": SymbolChangeKind.REMOVED,
        "Cart.count": SymbolChangeKind.ADDED,
    }
    assert found["Cart.total"].breaks


def test_members_go_with_a_class_that_is_removed() -> None:
    found = changes(BEFORE[BEFORE.index("    def ship") :])
    assert list(found) == ["Cart"]
    assert found["Cart"].kind is SymbolChangeKind.REMOVED
    assert found["Cart"].details == ("with 3 members",)


def test_a_function_under_a_new_name_is_renamed() -> None:
    found = changes(BEFORE.replace("def ship(", "def send_off("))
    assert list(found) == ["send_off"]
    change = found["send_off"]
    assert change.kind is SymbolChangeKind.RENAMED
    assert change.before is not None
    assert change.before.name == "ship"
    assert change.breaks


def test_a_class_under_a_new_name_takes_its_members_along() -> None:
    found = changes(BEFORE.replace("class Cart", "class Basket"))
    assert {name: change.kind for name, change in found.items()} == {
        "Basket": SymbolChangeKind.RENAMED
    }


def test_a_function_in_another_file_is_moved() -> None:
    rest = BEFORE[: BEFORE.index("    def ship")]
    ship = BEFORE[BEFORE.index("    def ship") :]
    found = compare(drawn(BEFORE), [*drawn(rest), *drawn(ship, "post.py")])
    moved = [change for change in found if change.kind is SymbolChangeKind.MOVED]
    assert [(change.shown.path, change.shown.name) for change in moved] == [("post.py", "ship")]


@pytest.mark.parametrize(
    ("before", "after", "said", "breaks"),
    [
        ("def f(a)", "def f(a, b=1)", ["optional parameter `b` added"], False),
        ("def f(a)", "def f(a, b)", ["parameter `b` added"], True),
        ("def f(a, b)", "def f(a)", ["parameter `b` removed"], True),
        ("def f(a, b)", "def f(b, a)", ["parameters are in another order"], True),
        ("def f(a=1)", "def f(a)", ["parameter `a=1` is now `a`"], True),
        ("def f(a: int)", "def f(a: str)", ["parameter `a: int` is now `a: str`"], False),
        ("def f(self, a) -> int", "def f(self, a) -> str", ["was `def f(self, a) -> int`"], False),
        ("def f(a, *args)", "def f(a, *args, key=None)", ["optional parameter `key` added"], False),
        ("func (s *T) Run(x int)", "func (s *T) Run(x int, y int)", ["parameter `y` added"], True),
        ("int sum(int a, int b)", "int sum(int a)", ["parameter `b` removed"], True),
        (
            "void put(Map<String, Integer> all)",
            "void put(Map<String, Integer> all, String key)",
            ["parameter `key` added"],
            True,
        ),
        ("send(a?: X)", "send(a?: X, b?: Y)", ["optional parameter `b` added"], False),
    ],
)
def test_differences_of_signatures(before: str, after: str, said: list[str], breaks: bool) -> None:
    found = differences(before, after)
    assert [item.text for item in found] == said
    assert any(item.breaks for item in found) is breaks

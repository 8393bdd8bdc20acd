import json
import shlex
from collections.abc import Mapping
from textwrap import dedent

import pytest

from knowing.impact.runners import Case, commands
from knowing.impact.tests import Change, Sureness, TestPlan, changed_symbols, plan_tests
from knowing.retrieve.locate import locate_one
from tests.impact.asking import view_of

SHOP = {
    "shop/price.py": """\
        def price(item):
            return tax(item)

        def tax(item):
            return 1

        def unused():
            return 2
    """,
    "tests/test_price.py": """\
        from shop.price import price

        class TestPrice:
            def test_price(self):
                assert price(1)

        def test_nothing():
            assert True
    """,
    "tests/test_other.py": """\
        from shop.price import tax

        def test_tax():
            assert tax(1)
    """,
}


def plan(files: Mapping[str, str], *symbols: str) -> TestPlan:
    view = view_of(files)
    chosen = [locate_one(view, symbol) for symbol in symbols]
    return plan_tests(
        view, chosen, lambda path: dedent(files[path]).encode() if path in files else None
    )


def test_tests_that_run_a_symbol_are_sure_and_the_nearest_come_with_a_reason() -> None:
    found = {pick.name: pick for pick in plan(SHOP, "tax").tests}
    assert found["test_tax"].sureness is Sureness.SURE
    assert found["TestPrice.test_price"].sureness is Sureness.SURE
    assert "price" in found["TestPrice.test_price"].why
    assert found["test_nothing"].sureness is Sureness.POSSIBLE


def test_one_command_runs_all_of_them() -> None:
    [command] = plan(SHOP, "tax").commands
    assert command.runner == "pytest"
    assert command.words[3:] == (
        "tests/test_other.py::test_tax",
        "tests/test_price.py::TestPrice::test_price",
    )


def test_what_no_test_runs_gets_the_tests_of_its_file_and_is_named() -> None:
    found = plan(SHOP, "unused")
    assert {pick.sureness for pick in found.tests} == {Sureness.LIKELY}
    assert {pick.path for pick in found.tests} == {"tests/test_price.py"}


def test_a_symbol_without_any_test_is_said_to_be_untested() -> None:
    found = plan({"a.py": "def lonely(): ...\n"}, "lonely")
    assert not found.tests
    assert not found.commands
    assert len(found.untested) == 1


def test_changed_lines_lead_to_the_symbols_around_them() -> None:
    view = view_of(SHOP)
    changes = [
        Change(path="shop/price.py", lines=((2, 2), (5, 5))),
        Change(path="gone.py", lines=((1, 1),)),
    ]
    symbols, unknown = changed_symbols(view, changes)
    assert [view.symbols.chain[symbol] for symbol in symbols] == ["price", "tax"]
    assert unknown == ["gone.py"]


def test_a_change_over_several_functions_concerns_each() -> None:
    view = view_of(SHOP)
    symbols, _ = changed_symbols(view, [Change(path="shop/price.py", lines=((2, 8),))])
    assert {"price", "tax", "unused"} <= {view.symbols.chain[symbol] for symbol in symbols}


def test_a_test_that_has_changed_is_run() -> None:
    [pick] = [pick for pick in plan(SHOP, "test_nothing").tests if pick.name == "test_nothing"]
    assert (pick.sureness, pick.confidence) == (Sureness.SURE, 1.0)


def test_a_test_that_takes_a_fixture_runs_what_the_fixture_does() -> None:
    files = {
        "shop/price.py": "def price(): ...\n",
        "tests/conftest.py": """\
            from shop.price import price

            def priced():
                return price()

            def dear(priced):
                return priced
        """,
        "tests/deep/test_far.py": """\
            def test_dear(dear: int):
                assert dear

            def test_apart():
                assert True
        """,
    }
    found = {pick.name: pick for pick in plan(files, "price.py::price").tests}
    assert set(found) == {"test_dear"}
    assert found["test_dear"].sureness is Sureness.LIKELY
    assert "priced" in found["test_dear"].why


RUNNERS = [
    (
        {"go.mod": "module x"},
        [("pkg/a_test.go", "TestA"), ("pkg/b_test.go", "TestB")],
        ["go test ./pkg -run '^(TestA|TestB)$'"],
    ),
    (
        {"sub/Cargo.toml": ""},
        [("sub/src/lib.rs", "tests.adds"), ("sub/tests/api.rs", "calls")],
        ["cd sub && cargo test -- adds", "cd sub && cargo test --test api -- calls"],
    ),
    (
        {"package.json": json.dumps({"devDependencies": {"vitest": "1"}})},
        [("src/a.test.ts", "adds two (2) numbers")],
        [r"npx vitest run src/a.test.ts -t 'adds two \(2\) numbers'"],
    ),
    (
        {"web/package.json": json.dumps({"scripts": {"test": "jest --ci"}})},
        [("web/a.test.js", "adds")],
        ["cd web && npx jest a.test.js -t adds"],
    ),
    (
        {"package.json": json.dumps({"devDependencies": {"mocha": "1"}})},
        [("a.test.js", "adds")],
        ["npx mocha a.test.js --grep adds"],
    ),
    ({"package.json": "{}"}, [("a.test.js", "adds")], ["npm test -- a.test.js"]),
    (
        {"pom.xml": ""},
        [
            ("src/test/java/CartTest.java", "CartTest.adds"),
            ("src/test/java/CartTest.java", "CartTest.pays"),
        ],
        ["mvn test '-Dtest=CartTest#adds+pays'"],
    ),
    (
        {"core/build.gradle": "", "gradlew": ""},
        [("core/src/test/java/CartTest.java", "CartTest.adds")],
        ["cd core && ../gradlew test --tests '*CartTest.adds'"],
    ),
    (
        {},
        [("Tests/CartTests.cs", "CartTests.Adds")],
        ["dotnet test --filter 'FullyQualifiedName~CartTests.Adds'"],
    ),
    ({"Gemfile": ""}, [("spec/cart_spec.rb", "adds")], ["bundle exec rspec spec/cart_spec.rb:3"]),
    (
        {"Gemfile": ""},
        [("test/cart_test.rb", "CartTest.test_adds")],
        ["bundle exec ruby -Itest test/cart_test.rb -n /test_adds/"],
    ),
    (
        {"composer.json": "{}"},
        [("tests/CartTest.php", "CartTest.testAdds")],
        ["vendor/bin/phpunit --filter '/::(testAdds)/' tests/CartTest.php"],
    ),
    (
        {},
        [("test/cart_test.cpp", "adds")],
        ["ctest --test-dir build --output-on-failure -R 'cart_test|adds'"],
    ),
    (
        {},
        [("tests/test it's.py", "test_a")],
        ["python -m pytest 'tests/test it'\"'\"'s.py::test_a'"],
    ),
]


@pytest.mark.parametrize(("project", "cases", "expected"), RUNNERS)
def test_commands_are_those_of_the_runner_and_quoted(
    project: dict[str, str], cases: list[tuple[str, str]], expected: list[str]
) -> None:
    chosen = [Case(path=path, line=3, name=name) for path, name in cases]
    found = commands(chosen, lambda path: project[path].encode() if path in project else None)
    assert [command.line for command in found] == expected
    for command in found:
        typed = command.line.split(" && ")[-1]
        assert shlex.split(typed) == list(command.words)


def test_many_tests_of_a_file_are_run_by_the_file() -> None:
    cases = [Case(path="test_a.py", line=n, name=f"test_{n}") for n in range(40)]
    [command] = commands(cases, lambda _path: None)
    assert command.line == "python -m pytest test_a.py"
    assert command.tests == 40


def test_tests_whose_words_fit_are_named_where_no_edge_leads_to_them() -> None:
    others = "\n\n".join(f"def test_thing_{n}():\n    assert {n} == {n}\n" for n in range(80))
    files = {
        "web/cookies.py": "class CookieJar:\n    def expire_session(self):\n        return 1\n",
        "tests/test_web.py": f"{others}\n\ndef test_session_expires(client):\n    client.get()\n",
    }
    view = view_of(files)
    symbol = locate_one(view, "CookieJar.expire_session")
    plan = plan_tests(view, [symbol], lambda _: None)
    named = {pick.name: pick for pick in plan.tests}
    assert named["test_session_expires"].sureness is Sureness.LIKELY
    assert named["test_session_expires"].why == "its words fit"
    assert len(named) == 1
    assert plan.untested == (symbol,)

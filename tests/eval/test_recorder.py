"""What the recorder writes for a package whose lines say which definitions they call.

`#> name` names the definitions of the package that the calls of its line reach, `#>` nothing
else; a line without it reaches none, however much of the package it runs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from eval.calls.callee import BASE, BASE_CLASS, INIT, WRAPPER

ROOT = Path(__file__).resolve().parents[2]

SCENARIOS = {
    "attributes": """
        class Price:
            def __init__(self, value): self.value = value
            @property
            def doubled(self): return helper(self.value)  #> helper
            def __add__(self, other): return Price(self.value + other.value)  #> Price
            def __getitem__(self, key): return self.value
            def __iter__(self): return iter([self.value])
            def __enter__(self): return self
            def __exit__(self, *error): pass
            def __del__(self): pass
            def __getattr__(self, name): return 1

        def helper(value): return value * 2

        def run():
            price = Price(2)  #> Price
            price.doubled
            price.anything
            price + price
            price[0]
            for each in price: pass
            with price: pass
            with Price(3) as other: other.doubled  #> Price
            a, = price
            del other
            return [*price]
        """,
    "generators": """
        from contextlib import contextmanager

        def numbers(): yield from inner()  #> inner
        def inner():
            yield 1
            yield 2

        @contextmanager
        def opened(): yield 3

        async def fetch(): return await deeper()  #> deeper
        async def deeper(): return 4

        def unstarted(): yield 5

        def run():
            later = numbers()  #> numbers
            next(later)
            list(later)
            for _ in numbers(): pass  #> numbers
            unstarted()  #> unstarted
            with opened() as value: pass  #> opened
            coroutine = fetch()  #> fetch
            try:
                coroutine.send(None)
            except StopIteration as stop:
                return stop.value
        """,
    "decorators": """
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args): return function(*args)  #> plain, Shop.open
            return wrapper

        def silent(function):
            def hidden(): return function()  #> bare
            return hidden

        def named(name):
            def apply(function): return function
            return apply

        class Command:
            def __init__(self, function): self.function = function
            def __call__(self): return self.function()  #> command

        def as_command(function): return Command(function)  #> Command

        @logged  #> logged
        def plain(): return 1

        @silent  #> silent
        def bare(): return 2

        @named("x")  #> named, named.apply
        def given(): return 3

        @as_command  #> as_command
        def command(): return 4

        @functools.lru_cache
        def cached(): return 5

        class Shop:
            @logged  #> logged
            def open(self): return 6
            @staticmethod
            @silent  #> silent
            def shut(): return 7

        def run():
            plain()  #> plain
            bare()  #> bare
            given()  #> given
            command()  #> command
            cached()  #> cached
            Shop().open()  #> Shop, Shop.open
            return 8
        """,
    "classes": """
        import typing
        from dataclasses import dataclass

        T = typing.TypeVar("T")

        class Base:
            def __init__(self): self.name = self.title()  #> Derived.title, Base.title
            def title(self): return "base"
            @classmethod
            def make(cls): return cls()  #> Derived

        class Derived(Base):
            def title(self): return super().title()  #> Base.title

        class Explicit(Base):
            def __init__(self): super().__init__()  #> Base.__init__
            def __call__(self): return "called"

        @dataclass
        class Point:
            x: int = int("1")

        class Box(typing.Generic[T]):
            size = len("abc")
            class Lid:
                pass

        class Body:
            value = Point()  #> Point

        def run():
            Base()  #> Base
            Derived.make()  #> Base.make
            Base.title(Derived())  #> Derived, Base.title
            Explicit()()  #> Explicit, Explicit.__call__
            Point(2)  #> Point
            Box[int]()  #> Box
            return Box.Lid()  #> Box.Lid
        """,
    "callbacks": """
        import functools
        import threading

        def key(item): return -item
        def callback(value): return value
        def apply(function): return function(1)  #> callback, run.<lambda>
        def in_thread(): return callback(1)  #> callback

        def default(value=callback(3)):  #> callback
            return value

        def run():
            sorted([2, 1], key=key)
            list(map(callback, [1]))
            apply(callback)  #> apply
            apply(lambda each: callback(each))  #> apply, callback
            [callback(each) for each in [1]]  #> callback
            any(callback(each) for each in [1])  #> callback
            bound = functools.partial(callback, 1)
            bound()  #> callback
            worker = threading.Thread(target=in_thread)
            worker.start()
            worker.join()
            default()  #> default
            return (callback
                (callback(2)))  #> callback
        """,
    "proxies": """
        from __future__ import annotations
        from unittest import mock

        class Proxy:
            def __init__(self, hidden): object.__setattr__(self, "hidden", hidden)
            @property
            def __class__(self): raise RuntimeError("asked for the class")
            def __getattr__(self, name): raise RuntimeError(f"asked for {name}")
            def __call__(self): return self.hidden()  #> target
            def method(self): return 1

        def target(value: int(1) = 2) -> target(1): return 1

        def broken(): return target(1 / 0)  #> target

        def run():
            proxy = Proxy(target)  #> Proxy
            proxy()  #> Proxy.__call__
            proxy.method()  #> Proxy.method
            mock.Mock()()
            try: broken()  #> broken
            except ZeroDivisionError: pass
            return print.__call__
        """,
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> "Recording":
    folder = tmp_path_factory.mktemp("recorded")
    package = folder / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for name, source in SCENARIOS.items():
        (package / f"{name}.py").write_text(dedent(source).lstrip(), encoding="utf-8")
    tests = [
        f"def test_{name}():\n    from shop import {name}\n    {name}.run()\n" for name in SCENARIOS
    ]
    (folder / "test_shop.py").write_text("\n".join(tests), encoding="utf-8")
    return Recording(folder, _record(folder))


def _record(folder: Path) -> list[dict[str, Any]]:
    calls = folder / "calls.jsonl"
    options = ("--record-calls", str(calls), "--record-root", str(folder))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "eval.calls.recorder"),
            *(*options, "--record-package", "src/shop", "--rootdir", str(folder), str(folder)),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not recorded" not in done.stdout
    return [json.loads(line) for line in calls.read_text("utf-8").splitlines()]


class Recording:
    def __init__(self, folder: Path, rows: list[dict[str, Any]]) -> None:
        self.folder = folder
        self.rows = rows

    def at(self, scenario: str, called: str, **wanted: object) -> list[dict[str, Any]]:
        """The rows of a scenario whose called name and other fields are these."""
        return [
            row
            for row in self.rows
            if row["caller_path"] == f"src/shop/{scenario}.py"
            and row["called"] == called
            and all(row[key] == value for key, value in wanted.items())
        ]

    def one(self, scenario: str, called: str, **wanted: object) -> dict[str, Any]:
        (row,) = self.at(scenario, called, **wanted)
        return row


def _expected(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        _, mark, names = line.partition("#>")
        if mark:
            yield from ((number, name.strip()) for name in names.split(","))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_line_reaches_what_it_says(recording: Recording, scenario: str) -> None:
    path = f"src/shop/{scenario}.py"
    source = (recording.folder / path).read_text("utf-8")
    recorded = {
        (row["end_line"], row["callee"])
        for row in recording.rows
        if row["caller_path"] == path and row["internal"]
    }
    assert recorded == set(_expected(source))


def test_positions_are_those_of_the_call_expression(recording: Recording) -> None:
    source = (recording.folder / "src/shop/callbacks.py").read_text("utf-8").splitlines()
    texts = [
        source[row["line"] - 1][row["col"] : row["end_col"]]
        for row in recording.at("callbacks", "apply")
    ]
    assert texts == ["apply(callback)", "apply(lambda each: callback(each))"]
    last = max(row["end_line"] for row in recording.at("callbacks", "callback"))
    outer, inner = recording.at("callbacks", "callback", end_line=last)
    assert (outer["line"], outer["name_line"], outer["end_line"]) == (last - 1, last - 1, last)
    assert (inner["line"], inner["name_line"], inner["end_line"]) == (last, last, last)


def test_callers_are_named_scopes(recording: Recording) -> None:
    inside = {
        (row["inside"], row["caller"])
        for row in recording.at("callbacks", "callback", caller="run")
    }
    assert inside == {("", "run"), ("lambda", "run"), ("comprehension", "run")}
    assert recording.one("callbacks", "callback", caller="in_thread")["callee"] == "callback"
    assert recording.one("classes", "Point", caller="Body")["inside"] == ""
    default = recording.one("callbacks", "callback", caller="<module>")
    assert default["owner"] == "default"
    assert recording.one("decorators", "named", context="decorator")["owner"] == "given"
    assert recording.one("decorators", "function", callee="bare")["caller"] == "silent.hidden"


def test_calls_that_leave_the_package_are_noted_as_external(recording: Recording) -> None:
    sort = recording.one("callbacks", "sorted")
    assert (sort["callee_path"], sort["callee"], sort["internal"]) == ("", "builtins.sorted", False)
    assert recording.one("callbacks", "start")["callee"] == "threading.Thread.start"
    assert recording.one("callbacks", "Thread")["callee"] == "threading.Thread"
    assert recording.one("classes", "len")["callee"] == "builtins.len"


def _also(row: dict[str, Any]) -> set[tuple[str, str]]:
    return {(role, name) for role, _path, name, _line in row["also"]}


def test_overrides_name_what_they_override(recording: Recording) -> None:
    ran = recording.one("classes", "title", callee="Derived.title")
    assert _also(ran) == {(BASE, "Base.title")}
    assert _also(recording.one("classes", "title", caller="Derived.title")) == set()


def test_constructions_name_initialisers_and_bases(recording: Recording) -> None:
    assert _also(recording.one("classes", "Base")) == {(INIT, "Base.__init__")}
    derived = recording.one("classes", "Derived")
    assert _also(derived) == {(INIT, "Base.__init__"), (BASE_CLASS, "Base")}
    explicit = recording.one("classes", "Explicit")
    bases = {(BASE_CLASS, "Base"), (BASE_CLASS, "Base.__init__")}
    assert _also(explicit) == {(INIT, "Explicit.__init__"), *bases}


def test_wrappers_are_named_beside_the_decorated_function(recording: Recording) -> None:
    assert _also(recording.one("decorators", "plain")) == {(WRAPPER, "logged.wrapper")}
    assert _also(recording.one("decorators", "bare")) == {(WRAPPER, "silent.hidden")}
    assert _also(recording.one("decorators", "command")) == {(WRAPPER, "Command.__call__")}
    assert _also(recording.one("decorators", "given")) == set()


def test_definitions_have_the_line_of_their_first_decorator(recording: Recording) -> None:
    source = (recording.folder / "src/shop/decorators.py").read_text("utf-8").splitlines()
    row = recording.one("decorators", "plain")
    assert source[row["callee_line"] - 1].startswith("@logged")
    row = recording.one("decorators", "Shop")
    assert source[row["callee_line"] - 1] == "class Shop:"


def test_rows_are_sorted_and_unique(recording: Recording) -> None:
    lines = (recording.folder / "calls.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(set(lines))
    places = [(row["caller_path"], row["line"], row["col"]) for row in recording.rows]
    assert places == sorted(places)


def test_nothing_is_recorded_without_being_asked(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        "import builtins\ndef test(): assert not hasattr(builtins, '__knowing_called__')\n", "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "eval.calls.recorder", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "recorded" not in done.stdout

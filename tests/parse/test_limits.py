"""A file that a parser could spend hours on is given up in time, and says so."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from knowing.languages import Language, load_languages
from knowing.parse import extract
from tests.parse.soundness import assert_sound

ROOT = Path(__file__).resolve().parent.parent.parent
REGISTRY = load_languages()
CODE = [language for language in REGISTRY.languages if not language.prose]
PROSE = [language for language in REGISTRY.languages if language.prose]
BIG = {
    "open": b"[" * 2_000_000,
    "nested": b"(" * 1_000_000 + b")" * 1_000_000,
    "chain": b"a." * 1_000_000,
    "line": b"a = b(c, 1), " * 400_000,
}
"""Inputs of 2 to 5 MB, each a single line."""

SCRIPT = """
import json, resource, sys
from knowing.languages import load_languages
from knowing.parse import extract
from tests.parse.test_limits import BIG
language = load_languages()[sys.argv[1]]
found = {}
opening = b"<?php " if language.name == "php" else b""
for name, source in BIG.items():
    facts = extract(opening + source, language, limit_ms=300)
    found[name] = facts.problem
kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"problems": found, "mib": kib // 1024}))
"""

TOO_LONG = "reading took too long"
TOO_DEEP = "parts of the file are nested too deeply"


@pytest.mark.parametrize("language", CODE, ids=lambda language: language.name)
def test_big_and_senseless_files_are_given_up(language: Language) -> None:
    # In a process of its own, so that what the parser might do to it is seen as a failure here.
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, language.name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert set(answer["problems"]) == set(BIG)
    for name in ("open", "nested"):
        problem = answer["problems"][name]
        assert problem.startswith((TOO_LONG, TOO_DEEP, "the file could not be parsed")), name
    assert answer["mib"] < 1500


def test_time_is_up_before_the_end_and_the_beginning_remains() -> None:
    source = b"def first():\n    return 1\n\n\n" + b"x = [1, 2, f(3)]\n" * 10_000
    facts = extract(source, REGISTRY["python"], limit_ms=0)
    assert facts.problem.startswith(TOO_LONG)
    assert_sound(facts, source, REGISTRY["python"])
    whole = extract(source, REGISTRY["python"], limit_ms=600_000)
    assert whole.problem == ""
    assert len(whole.symbols) > len(facts.symbols)
    assert "first" in whole.strings


def test_small_files_are_read_whatever_the_limit() -> None:
    facts = extract(b"def first():\n    return 1\n", REGISTRY["python"], limit_ms=0)
    assert facts.problem == ""
    assert "first" in facts.strings


def test_a_large_file_gives_what_its_parts_give() -> None:
    part = b"def f%d(a):\n    return g(a.b)\n\n\n"
    source = b"".join(part % number for number in range(3_000))
    facts = extract(source, REGISTRY["python"], limit_ms=600_000)
    assert facts.problem == ""
    assert len(facts.symbols) == 3_001
    assert_sound(facts, source, REGISTRY["python"])


def test_what_is_not_tangled_is_still_found() -> None:
    source = (
        b"def before():\n    pass\n\n\nx = " + b"-" * 30_000 + b"1\n\n\ndef after():\n    pass\n"
    )
    facts = extract(source, REGISTRY["python"], limit_ms=600_000)
    assert facts.problem.startswith(TOO_DEEP)
    assert {"before", "after"} <= set(facts.strings)
    assert_sound(facts, source, REGISTRY["python"])


def test_trees_of_imports_end_somewhere() -> None:
    source = b"use a::{b, c::{d, e}};\nuse " + b"a::{" * 3000 + b"x" + b"}" * 3000 + b";\n"
    facts = extract(source, REGISTRY["rust"])
    assert {"b", "d", "e"} <= set(facts.strings)


PATHOLOGICAL_PROSE = {
    "lists": b"".join(b"  " * depth + b"- a\n" for depth in range(1500)),
    "quotes": b"> " * 3000 + b"# x\n",
    "ticks": b"`a " * 100_000,
    "doubled": b"``a " * 100_000,
    "roles": b":a:`" * 100_000,
    "fences": b"```\n" * 100_000,
    "comments": b"<!--" * 300_000,
    "directives": b".. a\n" * 100_000,
    "brackets": b"# " + b"[" * 500_000,
    "blanks": b" " * 2_000_000 + b"x",
    "signs": b"a\n" + b"=" * 2_000_000,
    "line": b"word " * 1_000_000,
    "calls": b"```\n" + b"f(" * 1_000_000,
    "headings": b"# a\n" * 30_000,
    "literal": b"a::\n\n  b\n" * 30_000,
}


@pytest.mark.parametrize("language", PROSE, ids=lambda language: language.name)
@pytest.mark.parametrize("name", PATHOLOGICAL_PROSE)
def test_senseless_prose_is_read_or_given_up(language: Language, name: str) -> None:
    source = PATHOLOGICAL_PROSE[name]
    facts = extract(source, language, limit_ms=1000)
    assert facts.problem == "" or facts.problem.startswith(
        ("reading took too long", "nothing in it looks like")
    )
    assert int(facts.symbols[0, 6]) == len(source)

"""Which definitions a change touches, for each family of languages, as real git shows them."""

from collections.abc import Callable
from typing import Any

import pytest

from knowing.history.definitions import attributes, family_of

Repo = Any
Names = Callable[[Any], set[tuple[str, str]]]

PYTHON = """\
import os

LIMIT = 1


class Shape(Base):
    sides = 0

    def area(self):
        return 0

    @property
    async def name(self):
        return "shape"


def helper(a,
           b):
    return a
"""
GO = """\
package shapes

const Limit = 1

type Shape struct {
\tSides int
}

// Area is the area.
func (s *Shape) Area() int {
\treturn 0
}

func Map[T any](f func(T) T) int {
\treturn 1
}
"""
RUST = """\
const LIMIT: u32 = 1;

pub struct Shape<T> {
    sides: u32,
}

impl<T: Into<u32>> Draw<T> for Shape<T> {
    fn area(&self) -> u32 {
        0
    }
}

pub(crate) async fn helper() -> u32 {
    1
}
"""
JAVA = """\
package shapes;

public class Shape extends Base {
    private int sides = 0;

    public Shape(int sides) {
        this.sides = sides;
    }

    @Override
    public <T> Map<String, T> area(final T t,
                                   int b) {
        return null;
    }

    int plain() {
        return 1;
    }
}
"""
KOTLIN = """\
class Shape : Base() {
    override fun area(): Int {
        return 0
    }
}

fun String.shout(): String {
    return this
}
"""
CSHARP = """\
namespace Shapes.Core
{
    public sealed class Shape : Base
    {
        public int Sides
        {
            get { return 0; }
        }

        public override async Task<int> Area(int a)
        {
            return 0;
        }
    }
}
"""
RUBY = """\
module Shapes
  class Shape < Base
    LIMIT = 1

    def area?
      0
    end

    def self.make
      new
    end
  end
end
"""
PHP = """\
<?php
final class Shape extends Base
{
    public static function area($a)
    {
        return 0;
    }
}

function helper()
{
    return 1;
}
"""
CPP = """\
#define LIMIT 1

class Shape : public Base {
 public:
  int sides;
};

int Shape::area(int a) const {
  return 0;
}

static int
helper(int b)
{
  return 1;
}
"""
SCRIPT = """\
export const LIMIT = 1;

export default class Shape extends Base {
  sides = 0;

  async area(a: number): Promise<number> {
    return 0;
  }

  static make() {
    items.forEach((item) => {
      use(item);
    });
    return new Shape();
  }
}

export async function helper<T>(x: T) {
  return 1;
}

const arrow = (x) => {
  return 2;
};

interface Box {
  width: number;
}
"""
LUA = """\
local function helper(a)
  return 0
end

function Shape.area(b)
  return 1
end
"""

Case = tuple[str, str, str, str, set[tuple[str, str]]]
BODIES: list[Case] = [
    (".py", PYTHON, "return 0", "return 9", {("", "area")}),
    (".py", PYTHON, '"shape"', '"SHAPE"', {("", "name")}),
    (".py", PYTHON, "return a", "return b", {("", "helper")}),
    (".py", PYTHON, "sides = 0", "sides = 9", {("", "Shape")}),
    (".py", PYTHON, "LIMIT = 1", "LIMIT = 9", {("", "LIMIT")}),
    (".py", PYTHON, "import os", "import sys", set()),
    (".go", GO, "return 0", "return 9", {("Shape", "Area")}),
    (".go", GO, "return 1", "return 9", {("", "Map")}),
    (".go", GO, "Sides int", "Sides uint", {("", "Shape")}),
    (".go", GO, "Limit = 1", "Limit = 9", {("", "Limit")}),
    (".go", GO, "is the area", "is the whole area", set()),
    (".rs", RUST, "        0", "        9", {("", "area")}),
    (".rs", RUST, "    1", "    9", {("", "helper")}),
    (".rs", RUST, "sides: u32", "sides: u64", {("", "Shape")}),
    (".rs", RUST, "LIMIT: u32", "LIMIT: u64", {("", "LIMIT")}),
    (".java", JAVA, "this.sides = sides", "this.sides = 1", {("", "Shape")}),
    (".java", JAVA, "return null", "return Map.of()", {("", "area")}),
    (".java", JAVA, "return 1", "return 9", {("", "plain")}),
    (".java", JAVA, "sides = 0", "sides = 9", {("", "Shape")}),
    (".kt", KOTLIN, "return 0", "return 9", {("", "area")}),
    (".kt", KOTLIN, "return this", "return plus(this)", {("String", "shout")}),
    (".cs", CSHARP, "return 0;\n        }\n    }", "return 9;\n        }\n    }", {("", "Area")}),
    (".rb", RUBY, "      0", "      9", {("", "area?")}),
    (".rb", RUBY, "      new", "      allocate", {("", "make")}),
    (".rb", RUBY, "LIMIT = 1", "LIMIT = 9", {("Shape", "LIMIT")}),
    (".php", PHP, "return 0", "return 9", {("", "area")}),
    (".php", PHP, "return 1", "return 9", {("", "helper")}),
    (".cpp", CPP, "return 0", "return 9", {("Shape", "area")}),
    (".cpp", CPP, "return 1", "return 9", {("", "helper")}),
    (".cpp", CPP, "int sides", "long sides", {("", "Shape")}),
    (".h", CPP, "LIMIT 1", "LIMIT 9", {("", "LIMIT")}),
    (".ts", SCRIPT, "return 0", "return 9", {("", "area")}),
    (".ts", SCRIPT, "use(item)", "drop(item)", {("", "make")}),
    (".ts", SCRIPT, "return 1", "return 9", {("", "helper")}),
    (".ts", SCRIPT, "return 2", "return 9", {("", "arrow")}),
    (".tsx", SCRIPT, "width: number", "width: string", {("", "Box")}),
    (".js", SCRIPT, "sides = 0", "sides = 9", {("", "Shape")}),
    (".ts", SCRIPT, "LIMIT = 1", "LIMIT = 9", {("", "LIMIT")}),
    (".lua", LUA, "return 0", "return 9", {("", "helper")}),
    (".lua", LUA, "return 1", "return 9", {("Shape", "area")}),
]


@pytest.mark.parametrize(("suffix", "text", "old", "new", "expected"), BODIES)
def test_a_changed_line_touches_what_it_lies_in(
    repo: Repo,
    names: Names,
    suffix: str,
    text: str,
    old: str,
    new: str,
    expected: set[tuple[str, str]],
) -> None:
    assert text.count(old) == 1
    repo.commit("before", {f"a{suffix}": text})
    repo.commit("after", {f"a{suffix}": text.replace(old, new)})
    newest = repo.mine((suffix,)).commits[0]
    assert names(newest) == expected


WHOLE = [
    (".py", PYTHON, {"LIMIT", "Shape", "Shape.area", "Shape.name", "helper"}),
    (".go", GO, {"Limit", "Shape", "Shape.Area", "Map"}),
    (".rs", RUST, {"LIMIT", "Shape", "Shape.area", "helper"}),
    (".java", JAVA, {"Shape", "Shape.Shape", "Shape.area", "Shape.plain"}),
    (".kt", KOTLIN, {"Shape", "Shape.area", "String.shout"}),
    (".cs", CSHARP, {"Core", "Core.Shape", "Shape.Sides", "Shape.Area"}),
    (".rb", RUBY, {"Shapes", "Shapes.Shape", "Shape.LIMIT", "Shape.area?", "Shape.make"}),
    (".php", PHP, {"Shape", "Shape.area", "helper"}),
    (".cpp", CPP, {"LIMIT", "Shape", "Shape.area", "helper"}),
    (".ts", SCRIPT, {"LIMIT", "Shape", "Shape.area", "Shape.make", "helper", "arrow", "Box"}),
    (".lua", LUA, {"helper", "Shape.area"}),
]


@pytest.mark.parametrize(("suffix", "text", "expected"), WHOLE)
def test_a_new_file_touches_all_that_it_defines(
    repo: Repo, suffix: str, text: str, expected: set[str]
) -> None:
    repo.commit("new", {f"a{suffix}": text})
    [commit] = repo.mine((suffix,)).commits
    found = [f"{touch.owner}.{touch.name}".strip(".") for touch in commit.touches]
    assert set(found) == expected
    assert all(touch.weight == 1.0 for touch in commit.touches)
    lines = text.splitlines()
    assert all(touch.name in lines[touch.line - 1] for touch in commit.touches)


def test_a_function_added_after_another_does_not_touch_that_one(repo: Repo, names: Names) -> None:
    repo.commit("before", {"a.py": PYTHON})
    repo.commit("after", {"a.py": PYTHON + "\n\n@cached\ndef added():\n    return 1\n"})
    assert names(repo.mine().commits[0]) == {("", "added")}


def test_a_method_added_to_a_class_knows_its_owner(repo: Repo, names: Names) -> None:
    text = "class Shape:\n    sides = 0\n"
    repo.commit("before", {"a.py": text})
    repo.commit("after", {"a.py": text + "\n    def added(self):\n        return 1\n"})
    assert names(repo.mine().commits[0]) == {("Shape", "added")}


def test_a_removed_definition_weighs_less_than_a_changed_one(repo: Repo) -> None:
    repo.commit("before", {"a.py": "def a():\n    pass\n\n\ndef b():\n    pass\n"})
    repo.commit("removed", {"a.py": "def a():\n    pass\n"})
    repo.commit("changed", {"a.py": "def a(x):\n    pass\n"})
    changed, removed, _ = repo.mine().commits
    assert [(touch.name, touch.weight) for touch in removed.touches] == [("b", 0.5)]
    assert [(touch.name, touch.weight) for touch in changed.touches] == [("a", 1.0)]


def test_one_name_in_two_classes_is_two_definitions(repo: Repo) -> None:
    text = "".join(
        f"class {name}:\n    def run(self):\n        a = 1\n        b = 2\n"
        f"        return {name}\n\n    def stop{name}(self):\n        return 3\n\n\n"
        for name in ("A", "B")
    )
    repo.commit("before", {"a.py": text})
    repo.commit(
        "after",
        {"a.py": text.replace("a = 1", "a = 4").replace("return A", "return 5").replace("3", "6")},
    )
    touches = repo.mine().commits[0].touches
    assert [(touch.name, touch.line) for touch in touches] == [
        ("run", 3),
        ("stopA", 8),
        ("run", 13),
        ("stopB", 18),
    ]


def test_names_in_conflict_markers_and_text_are_not_definitions(repo: Repo, names: Names) -> None:
    repo.commit(
        "text", {"a.py": 'def a():\n    """class Fake is no class\n    -- def no\n    """\n'}
    )
    assert names(repo.mine().commits[0]) == {("", "a")}


def test_very_long_lines_are_searched_in_no_time(repo: Repo, names: Names) -> None:
    line = "a b(" * 100_000
    repo.commit("long", {"a.js": f"function f() {{\n  {line}\n}}\n", "a.java": f"  {line}\n"})
    assert ("", "f") in names(repo.mine((".js", ".java")).commits[0])


def test_prose_is_linked_and_not_searched(repo: Repo) -> None:
    repo.commit("docs", {"a.md": "# Title\n\nclass Shape\n", "a.py": "def a():\n    pass\n"})
    [commit] = repo.mine((".md", ".py")).commits
    assert commit.files == ("a.md", "a.py")
    assert {touch.path for touch in commit.touches} == {"a.py"}
    assert family_of(".md") is None


def test_the_longest_suffix_comes_last_where_git_lets_it_win() -> None:
    lines = attributes([".d.ts", ".ts", ".py", "with space"]).splitlines()
    assert lines[0] == "* -diff"
    assert lines.index("*.ts diff=knowing-script") < lines.index("*.d.ts diff")
    assert not any("space" in line for line in lines)


def test_attributes_of_the_repository_may_turn_a_file_off(repo: Repo) -> None:
    repo.commit("generated", {".gitattributes": "gen.py -diff\n", "gen.py": PYTHON, "a.py": PYTHON})
    [commit] = repo.mine().commits
    assert commit.files == ("a.py", "gen.py")
    assert {touch.path for touch in commit.touches} == {"a.py"}

"""Single edits whose effects lie in other files; each ends where a rebuild ends."""

from collections.abc import Mapping
from textwrap import dedent

import numpy as np
import pytest

from knowing.graph import FileEntry, Graph, Setting, advance, build_graph, refs
from knowing.languages import load_languages
from knowing.model import EdgeKind
from knowing.parse import extract
from tests.graph.making import graph_of, pairs
from tests.graph.views import assert_same

REGISTRY = load_languages()


def entry(path: str, text: str) -> FileEntry:
    language = REGISTRY.for_path(path)
    assert language is not None
    facts = extract(dedent(text).encode(), language)
    return FileEntry(path=path, language=language.name, facts=facts)


def graph(files: Mapping[str, str]) -> Graph:
    entries = [entry(path, files[path]) for path in sorted(files)]
    return build_graph(entries, Setting(registry=REGISTRY))


def edited(before: Graph, path: str, text: str) -> Graph:
    """The graph after an edit, which is also what a rebuild gives."""
    after = advance(before, {path: entry(path, text)})
    assert_same(after.view, build_graph(after.files, after.setting).view)
    return after


RUBY = {
    "base.rb": "class Base\n  def setup\n  end\nend\n",
    "child.rb": "class Child < Base\n  def setup\n    super\n  end\nend\n",
}


def test_a_bare_super_loses_the_method_that_was_renamed() -> None:
    before = graph(RUBY)
    call = ("child.rb::Child.setup", "base.rb::Base.setup")
    assert call in pairs(before.view, EdgeKind.CALLS)
    after = edited(before, "base.rb", "class Base\n  def prepare\n  end\nend\n")
    assert call not in pairs(after.view, EdgeKind.CALLS)


def test_what_makes_an_instance_is_the_same_for_an_edited_file_as_for_all() -> None:
    files = {
        "proxy.rb": "class Proxy\n  def self.new(*args)\n  end\nend\nclass Own < Proxy\nend\n",
        "use.rb": "class Use\n  def run\n    Own.new\n  end\nend\n",
    }
    after = edited(graph(files), "use.rb", files["use.rb"].replace("run", "walk"))
    assert any(source == "use.rb::Use.walk" for source, _ in pairs(after.view, EdgeKind.CALLS))


def test_symbols_that_change_places_keep_their_edges() -> None:
    one, two = "def one(): ...\n", "def two(): ...\n"
    files = {
        "lib.py": one + two,
        "use.py": "from lib import one, two\ndef use():\n    one()\n    two()\n",
    }
    before = graph(files)
    after = edited(before, "lib.py", two + one)
    assert pairs(after.view, EdgeKind.CALLS) == pairs(before.view, EdgeKind.CALLS)


def test_a_method_follows_its_named_owner_to_another_file() -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "shop/item.go": "package shop\n\ntype Item struct{}\n",
        "shop/other.go": "package shop\n\ntype Other struct{}\n",
        "shop/price.go": "package shop\n\nfunc (i *Item) Price() int { return 1 }\n",
    }
    before = graph({path: text for path, text in files.items() if path != "go.mod"})
    member = ("shop/price.go::Item.Price", "shop/item.go::Item")
    assert member in pairs(before.view, EdgeKind.MEMBER_OF)
    gone = edited(before, "shop/item.go", "package shop\n\ntype Thing struct{}\n")
    assert member not in pairs(gone.view, EdgeKind.MEMBER_OF)
    back = edited(gone, "shop/other.go", "package shop\n\ntype Item struct{}\n")
    moved = ("shop/price.go::Item.Price", "shop/other.go::Item")
    assert moved in pairs(back.view, EdgeKind.MEMBER_OF)


def test_nodes_outside_the_code_come_and_go() -> None:
    files = {
        "a.py": "import os\nA = os.getenv('FIRST')\n",
        "b.py": "import os\nB = os.getenv('SECOND')\n",
    }
    after = edited(graph(files), "a.py", "import os\nA = os.getenv('THIRD')\n")
    read = {target for _, target in pairs(after.view, EdgeKind.READS_ENV)}
    assert read == {"env://SECOND", "env://THIRD"}


def test_many_replaced_files_are_joined_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs, "_MANY", 3)
    text = "from lib0 import f\n\nclass C{n}:\n    def m(self):\n        f()\n        self.m()\n"
    files = {f"lib{n}.py": text.format(n=n) for n in range(6)}
    files["lib0.py"] = "def f(): ...\n"
    current = graph(files)
    for step in range(1, 6):
        name = f"lib{step}.py"
        current = edited(current, name, f"x = {step}\n" * step + files[name])
    assert len(current.corpus.references.replaced) < 3
    fresh = build_graph(current.files, current.setting).corpus
    columns = [refs.RefColumn.CODE, refs.RefColumn.RECV, refs.RefColumn.SCOPE, refs.RefColumn.LINE]
    assert np.array_equal(current.corpus.refs[:, columns], fresh.refs[:, columns])
    assert np.array_equal(current.corpus.ref_file, fresh.ref_file)


def test_prose_about_a_type_is_read_again_when_the_type_appears() -> None:
    files = {
        "a.py": "class A:\n    def run_it(self): ...\n",
        "b.py": "x = 1\n",
        "doc.md": "# Use\n\nCall `Late.run_it` to begin.\n",
    }
    before = graph(files)
    mention = ("doc.md::Use", "a.py::A.run_it")
    assert mention not in pairs(before.view, EdgeKind.DOCUMENTS)
    after = edited(before, "b.py", "class Late:\n    pass\n")
    assert mention in pairs(after.view, EdgeKind.DOCUMENTS)


CIRCLE = {
    "pkg/__init__.py": "from pkg import signals\nfrom pkg.other import thing\n",
    "pkg/signals.py": "def send(): ...\n",
    "pkg/other.py": "from pkg import signals\n\ndef thing():\n    signals.send()\n",
}


@pytest.mark.parametrize("first", ["a.py", "z.py"])
def test_imports_in_a_circle_mean_the_same_whoever_asks_first(first: str) -> None:
    view = graph_of({**CIRCLE, first: "from pkg import signals\n\nsignals.send()\n"})
    imports = pairs(view, EdgeKind.IMPORTS)
    assert ("pkg/__init__.py", "pkg/signals.py") in imports
    assert ("pkg/other.py", "pkg/signals.py") in imports
    assert (first, "pkg/signals.py") in imports


def test_a_type_in_several_parts_inherits_each_member_once() -> None:
    view = graph_of(
        {
            "mixin.rb": "module Mixin\n  def help\n  end\nend\n",
            "again.rb": "module Mixin\n  def hint\n  end\nend\n",
            "one.rb": "class Model\n  include Mixin\nend\n",
            "two.rb": "class Model\n  include Mixin\n  def own\n  end\nend\n",
            "user.rb": "class User < Model\nend\n",
        }
    )
    found = [edge for edge in view.all_edges() if edge.kind == EdgeKind.INHERITS]
    ends = [(edge.source, edge.target.rpartition(".")[2]) for edge in found]
    assert len(ends) == len(set(ends))
    assert ("user.rb::User", "hint") in ends
    assert {source for source, _ in ends} == {"one.rb::Model", "user.rb::User"}

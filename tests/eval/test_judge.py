"""The judge on hand-written sources, recorded calls and edges."""

import ast
from collections.abc import Sequence
from textwrap import dedent

import pytest

from eval.calls.callee import BASE, BASE_CLASS, INIT, WRAPPER, Place
from eval.calls.judge import Judgement, judge
from eval.calls.report import as_json, as_text
from eval.calls.sites import FileSites, Site, collect
from eval.calls.truth import Observation
from eval.failure import EvalError
from eval.index import Edge, Symbol

PATH = "shop/a.py"

SOURCE = dedent(
    """\
    def run(self, items):
        helper(1)
        self.save()
        Order(items)
        first(1); second(2)
        register(items,
                 handler)
        alias(3)
        (items
            .chain()
            .close())
        never()

    @mark
    @route("x")
    def view(): pass

    def outer():
        def inner(): helper(1)
        return [helper(each) for each in inner()]

    class Config:
        field = make()
    total = make()
    """
)

LINES = {
    "helper": 2,
    "save": 3,
    "Order": 4,
    "first": 5,
    "register": 6,
    "alias": 8,
    "close": 11,
    "never": 12,
    "mark": 14,
    "route": 15,
    "inner helper": 19,
    "field": 23,
    "total": 24,
}

KINDS = {"Order": "class", "Base": "class", "Config": "class", "total": "variable"}


def sites() -> FileSites:
    return collect(ast.parse(SOURCE))


def site(called: str, line: int = 0, context: str = "call") -> Site:
    """The site of a called name; the first one, or the one that begins at a line."""
    return next(
        each
        for each in sites().sites
        if (each.called, each.context) == (called, context) and line in (0, each.line)
    )


def symbol(name: str, kind: str = "", line: int = 1, end_line: int = 999) -> Symbol:
    """A symbol of the file; a number after `#` makes it one of several of its name."""
    plain = name.partition("#")[0]
    identity = f"{PATH}::{name}" if name else PATH
    member = "method" if "." in plain else "function"
    return Symbol(
        name=plain,
        qualified_name=identity,
        kind=kind or KINDS.get(plain) or ("module" if not name else member),
        path=PATH,
        line=line,
        end_line=end_line,
    )


def edge(
    target: str, line: int, source: str = "run", origin: str = "ast_resolved", kind: str = "calls"
) -> Edge:
    return Edge(
        source=f"{PATH}::{source}" if source else PATH,
        target=f"{PATH}::{target}",
        kind=kind,
        origin=origin,
        path=PATH,
        line=line,
    )


def saw(
    where: Site, callee: str, *also: tuple[str, str], internal: bool = True, path: str = PATH
) -> Observation:
    return Observation(
        path=PATH,
        site=where,
        callee=Place(path if internal else "", callee, 7),
        internal=internal,
        also=tuple((role, Place(PATH, name, 9)) for role, name in also),
    )


def judged(
    truth: Sequence[Observation],
    edges: Sequence[Edge],
    names: Sequence[str | Symbol] = (),
) -> Judgement:
    given = [name if isinstance(name, Symbol) else symbol(name) for name in names]
    known = {each.qualified_name: each for each in [symbol(""), symbol("run"), *given]}
    for each in edges:
        name = each.target.removeprefix(f"{PATH}::")
        known.setdefault(each.target, symbol(name))
    for seen in truth:
        if seen.internal and seen.named and seen.callee.path == PATH:
            identity = f"{PATH}::{seen.callee.name}"
            known.setdefault(identity, symbol(seen.callee.name))
    return judge(truth, edges, known.values(), {PATH: sites()})


def outcome(judgement: Judgement, tier: str = "above_guess") -> tuple[int, int, dict[str, int]]:
    """Sites, sites found, verdicts."""
    figures = judgement.tiers[tier]
    return figures.sites, figures.found, dict(figures.verdicts)


ORDER = saw(site("Order"), "Order", (INIT, "Order.__init__"), (BASE_CLASS, "Base"))
OVERRIDE = saw(site("save"), "Derived.save", (BASE, "Base.save"))
WRAPPED = saw(site("helper", 2), "helper", (WRAPPER, "logged.wrapper"))


@pytest.mark.parametrize(
    ("seen", "target"),
    [
        pytest.param(WRAPPED, "helper", id="the callee"),
        pytest.param(WRAPPED, "helper#2", id="an overload of the callee"),
        pytest.param(WRAPPED, "logged.wrapper", id="the wrapper that ran"),
        pytest.param(ORDER, "Order", id="the class that was called"),
        pytest.param(ORDER, "Order.__init__", id="the initialiser of the class"),
        pytest.param(saw(site("save"), "Base.__init__"), "Base", id="the class of an initialiser"),
        pytest.param(saw(site("save"), "Base.__new__"), "Base", id="the class of a constructor"),
        pytest.param(OVERRIDE, "Derived.save", id="the override"),
        pytest.param(OVERRIDE, "Base.save", id="what the override overrides"),
        pytest.param(
            saw(site("alias"), "Order", (BASE_CLASS, "Base")), "Base", id="a base of a class value"
        ),
    ],
)
def test_right_answers(seen: Observation, target: str) -> None:
    judgement = judged([seen], [edge(target, seen.site.line)])
    assert outcome(judgement) == (1, 1, {"right": 1})
    assert judgement.tiers["above_guess"].recall == 1.0
    assert judgement.tiers["above_guess"].precision == 1.0
    assert judgement.misses == []


@pytest.mark.parametrize(
    ("seen", "target"),
    [
        pytest.param(WRAPPED, "other.helper", id="another function of the name"),
        pytest.param(OVERRIDE, "Unrelated.save", id="a method of an unrelated class"),
        pytest.param(
            saw(site("save"), "Base.save"), "Derived.save", id="an override when the base ran"
        ),
        pytest.param(saw(site("Order"), "other.Order"), "Order", id="another class of the name"),
        pytest.param(saw(site("Order"), "other.Order"), "Order.__init__", id="its initialiser"),
        pytest.param(ORDER, "Base", id="a base of a class called by its own name"),
        pytest.param(saw(site("alias"), "helper"), "save", id="a name that is not on the line"),
    ],
)
def test_wrong_answers(seen: Observation, target: str) -> None:
    judgement = judged([seen], [edge(target, seen.site.line)])
    assert outcome(judgement) == (1, 0, {"wrong": 1})
    figures = judgement.tiers["above_guess"]
    assert (figures.precision, figures.precision_internal) == (0.0, 0.0)
    (ruling,) = judgement.wrong()
    assert ruling.truth == (f"{PATH}::{seen.callee.name}",)


def test_an_edge_to_the_workspace_is_wrong_where_only_others_were_called() -> None:
    external = saw(site("save"), "builtins.dict.save", internal=False)
    judgement = judged([external, WRAPPED], [edge("Base.save", 3), edge("helper", 2)])
    assert outcome(judgement) == (1, 1, {"right": 1, "wrong": 1})
    figures = judgement.tiers["above_guess"]
    assert (figures.precision, figures.precision_internal) == (0.5, 1.0)


def test_a_base_is_right_when_the_override_lies_outside() -> None:
    outside = Observation(
        path=PATH,
        site=site("save"),
        callee=Place("tests/test_a.py", "Mine.save", 3),
        internal=False,
        also=((BASE, Place(PATH, "Base.save", 9)),),
    )
    judgement = judged([outside], [edge("Base.save", 3)])
    assert outcome(judgement) == (0, 0, {"right": 1})


def test_calls_of_one_line_are_told_apart_by_name() -> None:
    both = [saw(site("first"), "first"), saw(site("second"), "second")]
    judgement = judged(both, [edge("first", 5), edge("other.second", 5)])
    assert outcome(judgement) == (2, 1, {"right": 1, "wrong": 1})
    (miss,) = judgement.misses
    assert (miss.site.called, miss.reason) == ("second", f"bound to {PATH}::other.second")


@pytest.mark.parametrize(
    ("target", "line", "verdict"),
    [
        pytest.param("never", LINES["never"], "not_executed", id="the line never ran"),
        pytest.param("second", 5, "not_executed", id="another call of the line ran"),
        pytest.param("unseen", 5, "not_executed", id="it may be the call that did not run"),
        pytest.param("handler", 6, "passed", id="handed over"),
        pytest.param("handler", 7, "passed", id="handed over on a line of its own"),
        pytest.param("pass", 16, "no_call", id="no call on the line"),
    ],
)
def test_what_cannot_be_known_is_not_judged(target: str, line: int, verdict: str) -> None:
    truth = [saw(site("first"), "first"), saw(site("register"), "register")]
    judgement = judged(truth, [edge(target, line)])
    assert outcome(judgement)[2] == {verdict: 1}
    assert judgement.tiers["above_guess"].precision == 0.0


def test_a_variable_of_the_called_name_is_not_judged() -> None:
    variable = symbol("alias", kind="variable")
    judgement = judged([saw(site("alias"), "helper")], [edge("alias", 8)], [variable])
    assert outcome(judgement) == (1, 0, {"binding": 1})


def test_edges_to_what_lies_outside_are_not_judged() -> None:
    outside = symbol("helper", kind="external")
    judgement = judged([saw(site("helper", 2), "own")], [edge("helper", 2)], [outside])
    assert outcome(judgement) == (1, 0, {})


def test_only_calls_are_judged() -> None:
    judgement = judged([WRAPPED], [edge("helper", 2, kind="references")])
    assert outcome(judgement) == (1, 0, {})


def test_a_site_with_several_callees_counts_once() -> None:
    several = [saw(site("save"), name) for name in ("A.save", "B.save", "C.save")]
    judgement = judged(several, [edge("A.save", 3)])
    figures = judgement.tiers["above_guess"]
    assert (figures.sites, figures.found, figures.pairs, figures.found_pairs) == (1, 1, 3, 1)


def test_nameless_and_external_callees_are_not_wanted() -> None:
    truth = [
        saw(site("helper", 2), "run.<lambda>"),
        saw(site("save"), "builtins.dict.save", internal=False),
    ]
    assert outcome(judged(truth, [])) == (0, 0, {})


def test_applied_decorators_are_judged_but_not_wanted() -> None:
    applied = saw(site("mark", context="decorator"), "mark")
    assert outcome(judged([applied], [])) == (0, 0, {})
    right = judged([applied], [edge("mark", LINES["mark"], source="view")])
    assert outcome(right) == (0, 0, {"right": 1})
    wrong = judged([applied], [edge("other.mark", LINES["mark"], source="view")])
    assert outcome(wrong) == (0, 0, {"wrong": 1})


def test_calls_in_decorators_are_wanted() -> None:
    called = saw(site("route", context="call"), "route")
    view = symbol("view", line=14, end_line=16)
    from_module = judged([called], [edge("route", 15, source="")], [view])
    from_decorated = judged([called], [edge("route", 15, source="view")], [view])
    from_elsewhere = judged([called], [edge("route", 15, source="run")], [view])
    found = [outcome(each)[:2] for each in (from_module, from_decorated, from_elsewhere)]
    assert found == [(1, 1), (1, 1), (1, 0)]


def test_a_chain_over_lines_is_found_at_any_of_them() -> None:
    chained = saw(site("close"), "Items.close")
    for line in (9, 10, 11):
        assert outcome(judged([chained], [edge("Items.close", line)]))[:2] == (1, 1)
    assert outcome(judged([chained], [edge("Items.close", 12)]))[:2] == (1, 0)


def test_the_caller_must_be_the_source() -> None:
    inner = symbol("outer.inner", line=19, end_line=19)
    outer = symbol("outer", line=18, end_line=20)
    called = saw(site("helper", 19), "helper")
    assert called.site.caller == "outer.inner"
    own = judged([called], [edge("helper", 19, source="outer.inner")], [inner, outer])
    enclosing = judged([called], [edge("helper", 19, source="outer")], [inner, outer])
    without_inner = judged([called], [edge("helper", 19, source="outer")], [outer])
    assert [outcome(each)[1] for each in (own, enclosing, without_inner)] == [1, 0, 1]
    assert enclosing.misses[0].reason == f"from another source: {PATH}::outer"
    assert outcome(enclosing)[2] == {"right": 1}


def test_a_comprehension_belongs_to_its_function() -> None:
    called = saw(site("helper", 20), "helper")
    outer = symbol("outer", line=18, end_line=20)
    assert outcome(judged([called], [edge("helper", 20, source="outer")], [outer]))[1] == 1


def test_what_is_assigned_may_stand_for_its_scope() -> None:
    total = symbol("total", kind="variable", line=24, end_line=24)
    called = saw(site("make", LINES["total"]), "make")
    assert outcome(judged([called], [edge("make", 24, source="total")], [total]))[1] == 1
    own = symbol("Config", line=22, end_line=23)
    field = symbol("Config.field", kind="field", line=23, end_line=23)
    called = saw(site("make", LINES["field"]), "make")
    for source, found in (("Config", 1), ("Config.field", 1), ("total", 0)):
        judgement = judged([called], [edge("make", 23, source=source)], [own, field, total])
        assert outcome(judgement)[1] == found


def test_guesses_are_a_tier_of_their_own() -> None:
    truth = [WRAPPED, OVERRIDE]
    edges = [
        edge("helper", 2, origin="heuristic"),
        edge("Unrelated.save", 3, origin="heuristic"),
        edge("Derived.save", 3),
    ]
    judgement = judged(truth, edges)
    assert outcome(judgement) == (2, 1, {"right": 1})
    assert outcome(judgement, "guess") == (2, 1, {"right": 1, "wrong": 1})
    assert outcome(judgement, "all") == (2, 2, {"right": 2, "wrong": 1})
    assert [miss.reason for miss in judgement.misses] == ["only a guess"]


def test_misses_say_why() -> None:
    no_edge = judged([WRAPPED], [])
    elsewhere = judged([WRAPPED], [edge("helper", 8)])
    unknown = judge([WRAPPED], [], [symbol("run")], {PATH: sites()})
    reasons = [each.misses[0].reason for each in (no_edge, elsewhere, unknown)]
    assert reasons == ["no edge", "only at another line", "the callee has no symbol"]
    assert elsewhere.tiers["above_guess"].recall_any_line == 1.0


def test_a_definition_is_found_by_line_when_its_owner_chain_differs() -> None:
    local = symbol("local.helper", line=8, end_line=9)
    seen = saw(site("helper", 2), "outer.local.helper")
    judgement = judge([seen], [edge("local.helper", 2)], [symbol("run"), local], {PATH: sites()})
    assert outcome(judgement) == (1, 1, {"right": 1})


def test_recordings_of_another_version_are_refused() -> None:
    other = Site(**{**{f: getattr(site("save"), f) for f in Site.__slots__}, "line": 77})
    with pytest.raises(EvalError, match="another version"):
        judged([saw(other, "Base.save")], [])
    with pytest.raises(EvalError, match="not given"):
        judge([WRAPPED], [], [], {})


def test_the_report_lists_wrong_edges_and_groups_misses() -> None:
    truth = [OVERRIDE, saw(site("helper", 2), "helper"), saw(site("helper", 19), "helper")]
    judgement = judged(truth, [edge("Unrelated.save", 3)])
    text = as_text(judgement, show=True)
    assert "WRONG shop/a.py:3 run -> shop/a.py::Unrelated.save (ast_resolved)" in text
    assert "MISS 2x `helper` -> shop/a.py::helper; no edge; shop/a.py:2" in text
    assert "WRONG" not in as_text(judgement, show=False)
    data = as_json(judgement)
    assert data["wrong"] == [
        {
            "path": PATH,
            "line": 3,
            "source": f"{PATH}::run",
            "target": f"{PATH}::Unrelated.save",
            "origin": "ast_resolved",
            "reached": [f"{PATH}::Derived.save"],
        }
    ]

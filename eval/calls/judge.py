"""Compare the index's call edges with calls that were recorded.

A *site* is a call expression of a recorded package that ran at least once. Its truth is the set
of callees that were recorded for it. A target is *right* for a callee when it is

- the callee itself (the function whose code ran, the class that was called);
- the class, for its `__init__` or `__new__`, and these for the class;
- the same method of a class further along the receiver's MRO, when an override ran; likewise a
  base of the class that was called, unless the call spells that class's own name;
- the decorated function when its wrapper ran, and the wrapper.

Sites that apply a bare decorator (`@f`) are no call expressions: they count neither for nor
against recall; an edge that claims such a call is judged like any other.

*recall* = sites found / sites with a callee that lies in the recorded packages and has a name.
A site is found when an edge `calls` has its place in the site's lines, one of its right targets
and its caller as source. The caller's symbol is the enclosing function, class or module; a
symbol nested in it that encloses the line (a variable being assigned, a definition being
decorated) will do, as will the nearest enclosing symbol when the caller has none.
`recall_pairs` counts each (site, callee) instead; `recall_any_line` ignores the edge's line.

*precision* = right / (right + wrong), over `calls` edges to symbols of the workspace whose line
holds executed sites. An edge is right when its target is right for one of them. It is wrong when
it is right for none and either the line's calls of the target's name were all executed, or no
call on the line has that name and all of them were executed. It is not judged when
a call on its line that it could stand for never ran (`not_executed`), when no call expression
stands there (`no_call`; calls in annotations are none), when its target is a variable or field
that bears the called name (`binding`), or when the target's name is only handed over as an
argument there (`passed`).
`precision_internal` leaves out wrong edges at sites whose every callee is external: a resolver
that claims `Config.get` for a `dict.get` is wrong for the first figure only.

Both are given for edges above the guess tier, for guesses alone, and for all together.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eval.calls.lookup import Lookup
from eval.calls.sites import CALL, FileSites, Site
from eval.calls.truth import INITIALISERS, Observation
from eval.failure import EvalError
from eval.index import GUESS, Edge, Symbol

CALLS = "calls"
EXTERNAL_KIND = "external"
BINDINGS = frozenset({"variable", "constant", "field", "property"})
RIGHT, WRONG = "right", "wrong"
NOT_EXECUTED, NO_CALL, BINDING, PASSED = "not_executed", "no_call", "binding", "passed"
Position = tuple[int, int, int, int, str]
TIERS = ("above_guess", "guess", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """A site that ran, with all that it reached."""

    path: str
    site: Site
    reached: tuple[Observation, ...]

    @property
    def counts(self) -> list[Observation]:
        """The callees that an index should know."""
        return [each for each in self.reached if each.internal and each.named]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What is thought of one edge."""

    edge: Edge
    verdict: str
    external: bool = False
    """Wrong, and everything the site reached is external."""
    truth: tuple[str, ...] = ()
    """What was reached instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A site without a right edge above the guess tier, and the likely reason."""

    path: str
    site: Site
    callees: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of one tier of edges."""

    sites: int
    found: int
    pairs: int
    found_pairs: int
    found_any_line: int
    verdicts: Mapping[str, int]
    wrong_external: int

    @property
    def recall(self) -> float:
        return _share(self.found, self.sites)

    @property
    def recall_pairs(self) -> float:
        return _share(self.found_pairs, self.pairs)

    @property
    def recall_any_line(self) -> float:
        return _share(self.found_any_line, self.sites)

    @property
    def precision(self) -> float:
        right = self.verdicts.get(RIGHT, 0)
        return _share(right, right + self.verdicts.get(WRONG, 0))

    @property
    def precision_internal(self) -> float:
        right = self.verdicts.get(RIGHT, 0)
        return _share(right, right + self.verdicts.get(WRONG, 0) - self.wrong_external)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Everything the judge has to say."""

    tiers: Mapping[str, Figures]
    rulings: Sequence[Ruling]
    misses: Sequence[Miss]

    def wrong(self) -> list[Ruling]:
        return [ruling for ruling in self.rulings if ruling.verdict == WRONG]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@dataclass(slots=True)
class _Case:
    """The evidence, arranged for asking."""

    lookup: Lookup
    executed: Mapping[str, Mapping[Position, Executed]]
    """By path and position."""
    written: Mapping[str, FileSites]
    claims: list[Edge]
    by_target: dict[tuple[str, str], list[Edge]] = field(default_factory=dict)

    def on_line(self, path: str, line: int) -> list[Executed | Site]:
        """What an edge at a line may stand for: executed sites, and those that never ran.

        Calls whose expression or called name begins there; failing these, the innermost call
        that spans the line.
        """
        ran = self.executed.get(path, {})
        sites = self.written[path].sites
        near = [site for site in sites if line in (site.line, site.name_line)]
        if not near:
            spans = [site for site in sites if site.line <= line <= site.end_line]
            near = sorted(spans, key=lambda site: site.end_line - site.line)[:1]
        return [ran.get(_position(site), site) for site in near]


def judge(
    truth: Iterable[Observation],
    edges: Iterable[Edge],
    symbols: Iterable[Symbol],
    written: Mapping[str, FileSites],
) -> Judgement:
    """Judge the call edges of the files in `written`, the recorded packages' sources."""
    claims = sorted(
        {edge for edge in edges if edge.kind == CALLS and edge.path in written},
        key=lambda edge: (edge.path, edge.line, edge.source, edge.target, edge.origin),
    )
    case = _Case(Lookup(symbols), _executed(truth), written, claims)
    _check_same_source(case)
    for edge in claims:
        case.by_target.setdefault((edge.path, edge.target), []).append(edge)
    rulings = [ruling for edge in claims if (ruling := _rule(edge, case)) is not None]
    return Judgement(
        tiers={tier: _figures(tier, rulings, case) for tier in TIERS},
        rulings=rulings,
        misses=_misses(case),
    )


def _executed(truth: Iterable[Observation]) -> dict[str, dict[Position, Executed]]:
    sites: dict[tuple[str, Site], list[Observation]] = {}
    for observation in truth:
        sites.setdefault((observation.path, observation.site), []).append(observation)
    by_path: dict[str, dict[Position, Executed]] = {}
    for (path, site), reached in sites.items():
        executed = Executed(path=path, site=site, reached=tuple(reached))
        by_path.setdefault(path, {})[_position(site)] = executed
    return by_path


def _position(site: Site) -> Position:
    return site.line, site.column, site.end_line, site.end_column, site.context


def _check_same_source(case: _Case) -> None:
    for path, executed in case.executed.items():
        if path not in case.written:
            raise EvalError(f"calls were recorded in {path}, whose source is not given")
        known = {_position(site) for site in case.written[path].sites}
        for position, each in executed.items():
            if position not in known:
                raise EvalError(
                    f"no call at {path}:{each.site.line}: recorded from another version of it"
                )


def _rule(edge: Edge, case: _Case) -> Ruling | None:
    """Judge one edge; None for a target that is no symbol of the workspace."""
    target = case.lookup.by_identity.get(edge.target)
    if target is None or target.kind == EXTERNAL_KIND:
        return None
    near = case.on_line(edge.path, edge.line)
    ran = [each for each in near if isinstance(each, Executed)]
    if not ran:
        return Ruling(edge=edge, verdict=NOT_EXECUTED if near else NO_CALL)
    if target.qualified_name in case.lookup.targets(o for each in ran for o in each.reached):
        return Ruling(edge=edge, verdict=RIGHT)
    same_name = [each for each in near if _site(each).called in _spellings(target)]
    if same_name and target.kind in BINDINGS:
        return Ruling(edge=edge, verdict=BINDING)
    if not same_name and _is_passed(target.plain, near, case.written[edge.path]):
        return Ruling(edge=edge, verdict=PASSED)
    suspects = same_name or near
    meant = [each for each in suspects if isinstance(each, Executed)]
    if len(meant) < len(suspects):
        return Ruling(edge=edge, verdict=NOT_EXECUTED)
    reached = [observation for each in meant for observation in each.reached]
    return Ruling(
        edge=edge,
        verdict=WRONG,
        external=not any(observation.internal for observation in reached),
        truth=tuple(sorted({_identity(observation) for observation in reached})),
    )


def _is_passed(name: str, near: Iterable[Executed | Site], written: FileSites) -> bool:
    """Whether a name is an argument within the lines of these calls."""
    return any(
        (line, name) in written.passed
        for site in map(_site, near)
        for line in range(site.line, site.end_line + 1)
    )


def _site(each: Executed | Site) -> Site:
    return each.site if isinstance(each, Executed) else each


def _spellings(target: Symbol) -> set[str]:
    """Names under which a call may spell a target; an initialiser is called by its class."""
    owner = target.name.rpartition(".")[0].rpartition(".")[2]
    return {target.plain, owner} if target.plain in INITIALISERS else {target.plain}


def _identity(observation: Observation) -> str:
    callee = observation.callee
    return f"{callee.path}::{callee.name}" if callee.path else callee.name


def _figures(tier: str, rulings: Iterable[Ruling], case: _Case) -> Figures:
    own = [ruling for ruling in rulings if in_tier(ruling.edge, tier)]
    sites = _wanted(case)
    pairs = [(each, observation) for each in sites for observation in each.counts]
    return Figures(
        sites=len(sites),
        found=sum(bool(_found(each, each.counts, tier, case)) for each in sites),
        pairs=len(pairs),
        found_pairs=sum(bool(_found(each, [one], tier, case)) for each, one in pairs),
        found_any_line=sum(
            bool(_found(each, each.counts, tier, case, any_line=True)) for each in sites
        ),
        verdicts=dict(sorted(Counter(ruling.verdict for ruling in own).items())),
        wrong_external=sum(ruling.verdict == WRONG and ruling.external for ruling in own),
    )


def _wanted(case: _Case) -> list[Executed]:
    """The sites that recall is about."""
    return [
        each
        for path in sorted(case.executed)
        for each in case.executed[path].values()
        if each.site.context == CALL and each.counts
    ]


def _found(
    each: Executed,
    reached: Iterable[Observation],
    tier: str,
    case: _Case,
    any_line: bool = False,
    any_source: bool = False,
) -> list[Edge]:
    """The edges that find a site."""
    return [
        edge
        for target in sorted(case.lookup.targets(reached))
        for edge in case.by_target.get((each.path, target), [])
        if in_tier(edge, tier)
        and (any_line or each.site.line <= edge.line <= each.site.end_line)
        and (any_source or case.lookup.is_caller(edge.source, each.path, each.site))
    ]


def in_tier(edge: Edge, tier: str) -> bool:
    return tier == "all" or (edge.origin == GUESS) == (tier == "guess")


def _misses(case: _Case) -> list[Miss]:
    return [
        Miss(
            path=each.path,
            site=each.site,
            callees=tuple(sorted({_identity(observation) for observation in each.counts})),
            reason=_reason(each, case),
        )
        for each in _wanted(case)
        if not _found(each, each.counts, "above_guess", case)
    ]


def _reason(each: Executed, case: _Case) -> str:
    """Why a site is not found, as far as the edges tell."""
    above = "above_guess"
    if not case.lookup.targets(each.counts):
        return "the callee has no symbol"
    if _found(each, each.counts, "guess", case):
        return "only a guess"
    if strangers := _found(each, each.counts, above, case, any_source=True):
        return f"from another source: {strangers[0].source}"
    if _found(each, each.counts, above, case, any_line=True):
        return "only at another line"
    lines = (each.site.line, each.site.name_line)
    for edge in case.claims:
        if edge.path == each.path and edge.line in lines and in_tier(edge, above):
            target = case.lookup.by_identity.get(edge.target)
            if target is not None and each.site.called in _spellings(target):
                return f"bound to {edge.target}"
    return "no edge"

"""Every number that ranking depends on, in one frozen value.

Weights are global: none is fitted to a repository. What a number does is said where it is used;
how each was measured stands in `eval/EXPERIMENTS.md`.
"""

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Self

from knowing.errors import NotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldWeights:
    """BM25F: how much a word counts in each field of a symbol, and how much its length."""

    name: float = 4.0
    owner: float = 1.5
    path: float = 1.5
    doc: float = 1.6
    body: float = 0.7
    children: float = 0.25
    callers: float = 0.5
    far_callers: float = 0.4
    name_length: float = 0.5
    owner_length: float = 0.5
    path_length: float = 0.3
    doc_length: float = 0.6
    body_length: float = 0.7
    children_length: float = 0.7
    callers_length: float = 0.6
    far_callers_length: float = 0.6
    saturation: float = 1.2
    least_caller: float = 0.45
    """Confidence that a use needs for the user's words to be taken over."""
    max_callers: int = 40
    max_far_callers: int = 12
    max_callers_of_caller: int = 6
    max_far_pairs: int = 100
    file_name: float = 3.0
    file_path: float = 5.0
    file_length: float = 0.6
    """For a file as one document."""
    document_title: float = 2.0
    document_length: float = 0.5
    """For tests, sections, examples and commits as documents."""
    example_path: float = 2.0
    sought_title: float = 3.0
    """For sections that are searched for themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeWeights:
    """How readily the walk follows an edge of each kind, forwards and `_back`."""

    calls: float = 1.0
    calls_back: float = 0.5
    references: float = 0.5
    references_back: float = 0.2
    type_hint_of: float = 0.5
    type_hint_of_back: float = 0.2
    accesses_field: float = 0.5
    accesses_field_back: float = 0.2
    decorates: float = 0.2
    decorates_back: float = 0.5
    throws: float = 0.3
    throws_back: float = 0.1
    extends: float = 0.6
    extends_back: float = 0.4
    implements: float = 0.6
    implements_back: float = 0.4
    overrides: float = 0.3
    overrides_back: float = 0.2
    contains: float = 0.5
    contains_back: float = 0.6
    aside: float = 0.1
    """For edges into tests and examples."""
    told: float = 0.53
    """For edges that a language server told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskWeights:
    """What each kind of word in a task counts."""

    plain: float = 1.0
    soft: float = 0.3
    workspace_name: float = 0.15
    joined: float = 0.7
    identifier: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWeights:
    """What it is worth that a name, or what it belongs to, stands in the task."""

    owner_share: float = 0.7
    """Of a term that stands in the owner's name and not in the symbol's."""
    one_word: float = 0.5
    """For a name that is one word of the task; of several it is 1."""
    other_case: float = 0.6
    qualified: float = 1.5
    misqualified: float = 0.4
    qualifier: float = 0.7
    highest: float = 1.5
    file: float = 0.5
    """For what stands in a file that the task names, where a line would make it 1."""
    in_file: float = 0.2
    """Of that, what a symbol gets whose words do not fit."""
    max_definitions: int = 5
    max_users: int = 60
    """Names with more definitions or users than these say nothing about their users."""
    base_words: int = 4
    base_first: float = 0.4
    base_further: float = 0.3
    """For a type named like the last words of what is to be made, by their number."""
    base_closed: float = 0.5
    """Factor for such a type that nothing extends."""
    overrides_enough: float = 2.0
    """Logarithm of how often a member is overridden that makes it a hook for certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteWeights:
    """Votes of documents that are linked to symbols: commits, tests, sections, examples."""

    fewest: int = 3
    """Documents that a bridge needs: the best of two says nothing."""
    commits: int = 60
    tests: int = 60
    sections: int = 30
    examples: int = 20
    power: float = 2.0
    size: float = 0.5
    """Exponent by which a document with many links says less about each."""
    churn: float = 0.5
    tested: float = 0.3
    shown: float = 0.3
    """Exponents by which a symbol that many commits, tests or examples use gains less of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedWeights:
    """The first score, from which the graph is walked."""

    in_degree: float = 0.2
    scale: float = 1.5
    commits: float = 0.3
    tests: float = 0.3
    sections: float = 0.3
    coverage: float = 0.3
    compound: float = 0.3
    identifier: float = 0.4
    place: float = 0.6
    file: float = 0.2
    count: int = 30
    power: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkWeights:
    """The random walk with restart from the seeds."""

    restart: float = 0.3
    rounds: int = 12
    family_restart: float = 0.4
    family_rounds: int = 6
    least: float = 2e-5
    """Probability below which a symbol passes nothing on; what keeps a walk local."""
    neighbour_least: float = 0.02
    """First scores below this are not passed on to callers and callees one by one."""
    neighbour_bonus: float = 0.3
    """Added to the confidence of a use, so that a likely one counts almost as a sure one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWeights:
    """Parts of the score that are added up."""

    text: float = 1.0
    compound: float = 0.2
    coverage: float = 0.3
    identifier: float = 0.3
    place: float = 0.6
    commits: float = 0.3
    commit_files: float = 0.2
    tests: float = 0.3
    sections: float = 0.3
    examples: float = 0.15
    file: float = 0.1
    file_best: float = 0.1
    members: float = 0.1
    owner: float = 0.1
    walk: float = 0.2
    family: float = 0.1
    users: float = 0.3
    base: float = 0.2
    hooks: float = 0.2
    best_caller: float = 0.15
    best_callee: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorWeights:
    """What makes a symbol likelier whatever the task; factors of the score."""

    in_degree: float = 0.1
    lines: float = 0.05
    churn: float = 0.05
    doc: float = 0.05
    subtypes: float = 0.05
    data: float = -0.5
    """For fields, variables and constants."""
    abstract: float = 0.2
    least: float = 0.05
    aside: float = 0.15
    """Factor for tests and examples that the task does not ask for."""
    generated: float = 0.5
    vendored: float = 0.15
    namespace: float = 0.8
    nested: float = 0.75
    """Factor for what is defined inside a function."""
    hollow: float = 0.4
    """Further factor for namespaces that hold nothing to call."""
    module: float = 0.3
    report: float = 0.75
    """Factor for types when the task reports a fault: its cause is in a function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionWeights:
    """How much symbols matter that an editor or a change points at."""

    at_cursor: float = 1.0
    selected: float = 0.8
    used: float = 0.5
    diagnosed: float = 0.5
    edited: float = 0.4
    open: float = 0.2
    decay: float = 0.7
    changed: float = 1.0
    beside_change: float = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosenessWeights:
    """How close the two ends of one edge are, for the few that are shown beside a symbol."""

    calls: float = 1.0
    overrides: float = 0.9
    implements: float = 0.9
    extends: float = 0.9
    handles_route: float = 0.8
    decorates: float = 0.6
    type_hint_of: float = 0.6
    references: float = 0.6
    tests: float = 0.6
    accesses_field: float = 0.5
    throws: float = 0.4
    documents: float = 0.3
    similar_to: float = 0.3
    co_tested_with: float = 0.2
    in_tests: float = 0.5
    """Factor for what stands in a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityWeights:
    """Choosing the list: each further symbol of a type or of a name counts less."""

    family: float = 0.95
    family_free: int = 2
    name: float = 0.8
    pool: int = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnWeights:
    """What use teaches, and how far it may move a symbol. Times are in seconds."""

    session_half_life: float = 180.0
    session_highest: float = 2.0
    session_least: float = 0.01
    session_stamps: int = 20
    session: float = 0.1
    """Share of a symbol's score that the highest boost adds."""
    window: float = 600.0
    """How long after an answer a symbol that was in it counts as used because of it."""
    useful: float = 0.25
    useless: float = 0.05
    """Shares of the best score for a symbol that was always useful, or never."""
    doubt: float = 1.5
    """Useful and useless answers that every symbol is taken to have had before the first."""
    verdict: float = 3.0
    """How many uses a thumb up or down counts as."""
    like: float = 0.7
    """Likeness from which two tasks are about the same; 1 is equality."""
    look: float = 0.5
    """Exponent by which a lower place in an answer is looked at less."""
    vocabulary: float = 0.05
    word_least: int = 2
    word_most: int = 10
    word_low: float = 0.3
    word_high: float = 0.8
    """Confidence that a word leads to a symbol, from the least number of times to the most."""
    word_common: float = 0.25
    """A word that stands in more of all topics than this is common, once there are some."""
    word_topics: int = 8
    fade: float = 604800.0
    """Half-life of habits."""
    habit: float = 0.5
    habit_most: float = 1.5
    """Highest factor that habits make of a score; its inverse is the lowest."""
    habit_doubt: float = 1.0
    group_doubt: float = 3.0
    """Expected uses that a symbol, or a type or package, is taken to have had before the first."""
    habit_proof: float = 0.85
    """Standard errors by which a habit must have foretold what was used, to count at all."""
    shown: int = 20
    """How many symbols of an answer are taken to have been seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """All of them."""

    fields: FieldWeights = field(default_factory=FieldWeights)
    edges: EdgeWeights = field(default_factory=EdgeWeights)
    task: TaskWeights = field(default_factory=TaskWeights)
    names: NameWeights = field(default_factory=NameWeights)
    votes: VoteWeights = field(default_factory=VoteWeights)
    seed: SeedWeights = field(default_factory=SeedWeights)
    walk: WalkWeights = field(default_factory=WalkWeights)
    score: ScoreWeights = field(default_factory=ScoreWeights)
    prior: PriorWeights = field(default_factory=PriorWeights)
    diversity: DiversityWeights = field(default_factory=DiversityWeights)
    attention: AttentionWeights = field(default_factory=AttentionWeights)
    closeness: ClosenessWeights = field(default_factory=ClosenessWeights)
    learn: LearnWeights = field(default_factory=LearnWeights)

    def with_values(self, values: dict[str, float]) -> Self:
        """The same with some numbers replaced: `{"score.walk": 0.0}`."""
        changed = self
        for key, value in values.items():
            group, _, name = key.partition(".")
            part: Any = getattr(changed, group, None)
            if not is_dataclass(part) or name not in {item.name for item in fields(part)}:
                raise NotFoundError(f"no such ranking number: {key}", "see knowing.retrieve.tuning")
            kind = type(getattr(part, name))
            changed = replace(changed, **{group: replace(part, **{name: kind(value)})})  # type: ignore[arg-type, type-var]
        return changed


DEFAULT = Tuning()

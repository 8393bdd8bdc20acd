"""A score taken apart into named parts that add up to it."""

from dataclasses import dataclass

from knowing.retrieve import learned as learning
from knowing.retrieve.scene import Evidence, Scene
from knowing.retrieve.score import CHANNELS, prior_values, reported

DESCRIPTIONS = {
    "text": "its words fit the task",
    "compound": "its name is words of the task written as one",
    "coverage": "its name and the task cover each other",
    "identifier": "the task names it",
    "place": "the task names its place",
    "commits": "commits that tell of the like touched it",
    "commit_files": "commits that tell of the like touched its file",
    "tests": "tests that fit the task use it",
    "sections": "documentation that fits the task mentions it",
    "examples": "examples that fit the task use it",
    "file": "its file fits the task",
    "file_best": "a neighbour in its file fits the task",
    "members": "its members fit the task",
    "owner": "what it belongs to fits the task",
    "walk": "reached from the best matches through the graph",
    "family": "close to the best matches in what contains what",
    "users": "uses something that the task names",
    "base": "named like what is to be made",
    "hooks": "others override it in what is to be made",
    "best_caller": "used by something that fits the task",
    "best_callee": "uses something that fits the task",
    "in_degree": "much of the code uses it",
    "lines": "its length",
    "churn": "often changed",
    "doc": "well documented",
    "subtypes": "others extend it",
    "data": "data rather than code",
    "abstract": "an interface or base that others build on",
    "least": "a lower bound for all of these",
    "report": "a type, while the task reports a fault",
    "standing": "a test, an example, generated, vendored or a mere namespace",
    "usage": "what you use, and what you pass over, in this code",
    "session": "you have just used it",
    "feedback": "useful, or not, for tasks like this",
    "vocabulary": "tasks with the same words led to it",
    "pins": "you pinned it, or banned it",
    "variety": "like others that come before it",
}
"""What each part means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One summand of a score."""

    name: str
    value: float
    detail: str


def parts_of(
    scene: Scene,
    evidence: Evidence,
    symbol: int,
    variety: float = 1.0,
    learned: learning.Learned | None = None,
) -> tuple[Part, ...]:
    """The parts of a symbol's score: what channels add, then what factors add or take away."""
    found: list[Part] = []

    def add(name: str, value: float, said: str = "") -> None:
        if value:
            found.append(Part(name=name, value=value, detail=said or DESCRIPTIONS[name]))

    relevance = 0.0
    for channel in CHANNELS:
        value = getattr(scene.tuning.score, channel) * float(evidence[channel][symbol])
        add(channel, value)
        relevance += value
    total = relevance
    factor = 1.0
    for name, value in prior_values(scene, symbol):
        add(name, relevance * value)
        factor += value
    least = scene.tuning.prior.least
    if factor < least:
        add("least", relevance * (least - factor))
        factor = least
    total = relevance * factor
    for name, share in (
        ("report", reported(scene, symbol)),
        ("standing", float(evidence["standing"][symbol])),
    ):
        add(name, total * (share - 1))
        total *= share
    if learned is not None:
        for name in learning.PARTS:
            value = float(evidence[name][symbol])
            add(name, value, learned.detail(name, symbol))
            total += value
    add("variety", total * (variety - 1))
    return tuple(found)

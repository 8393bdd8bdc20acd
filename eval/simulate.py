"""`python -m eval simulate`: does ranking get better for somebody who uses it?

A simulated user asks all tasks of a repository, one after the other, round after round. A place in
an answer is looked at with a chance that falls with its number; what is looked at and wanted is
opened almost always, what is not wanted now and then. After each round it is measured how good the
answers would be

- to the *same* tasks, asked again;
- to *other* tasks: each is asked of a memory that has grown without it, from a user who never had
  that task, so nothing of its own outcome can have been learned;

and the same for a user who opens things at random. Learning takes place as in the engine; only
time is made up: tasks come five minutes apart, rounds a day apart.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from eval.metrics import Row, score_task
from eval.overrides import Overrides
from eval.plot import bars
from eval.rankers import EngineSystem, opened_folder
from eval.report import table
from eval.results import write_text
from eval.tasks import Task, chosen, read_tasks
from knowing.learn import Ground, Memory, habits, learned_for, topic_of
from knowing.model_events import Deed, Event
from knowing.retrieve import Gathered, gather
from knowing.retrieve.bags import Floats
from knowing.retrieve.choose import choose
from knowing.retrieve.learned import PLAIN, adjust
from knowing.retrieve.tuning import Tuning

METRIC = "snDCG"
ROUNDS = 5
_LISTED = 50
_APART, _LOOKS_AFTER, _DAY = 300.0, 30.0, 86400.0
_BEGIN = 1_700_000_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """How somebody goes through an answer."""

    name: str
    wanted: float
    """Chance that something wanted is opened once it is looked at."""
    unwanted: float
    look: float = 0.5
    """The place with number n is looked at with the chance n to the power of minus this."""


CAREFUL = User(name="careful", wanted=0.9, unwanted=0.1)
RANDOM = User(name="random", wanted=0.25, unwanted=0.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A task with all evidence for it, and the symbols that are wanted."""

    task: Task
    gathered: Gathered
    wanted: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One repository, ready to be asked."""

    repo: str
    ground: Ground
    asked: tuple[Asked, ...]
    tuning: Tuning


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Means after each round, from before the first on."""

    repo: str
    user: str
    tasks: int
    same: tuple[float, ...]
    other: tuple[float, ...]

    def gain(self, kind: str) -> float:
        """Of the last round over none."""
        values: tuple[float, ...] = getattr(self, kind)
        return values[-1] / values[0] - 1 if values[0] else 0.0


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("simulate", help="simulated users: does learning help?")
    parser.add_argument("--tasks", type=Path, required=True, help="file or folder of tasks")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--repo", action="append", help="only this repository")
    parser.add_argument("--index-dir", type=Path, help="keep indexes here and use them again")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seeds", type=int, default=3, help="users of each kind")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes")
    parser.add_argument("--output", type=Path, help="file to write all figures to")
    parser.add_argument("--plot", type=Path, help="SVG file to draw")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Simulate on every repository and print the figures."""
    overrides = Overrides(tuple(options.changes))
    courses: list[Course] = []
    tasks = chosen(read_tasks(options.tasks), options.repo)
    for repo in sorted({task.repo for task in tasks}):
        mine = [task for task in tasks if task.repo == repo]
        bench = prepared(repo, mine, options.corpus, options.index_dir, overrides)
        for user in (CAREFUL, RANDOM):
            courses.append(simulated(bench, user, options.rounds, options.seeds))
            print(_line(courses[-1]), file=sys.stderr, flush=True)
    print(as_markdown(courses))
    if options.output:
        write_text(options.output, json.dumps([asdict(item) for item in courses], indent=1) + "\n")
    if options.plot:
        write_text(options.plot, as_plot(courses))
    return 0


# -- one repository ----------------------------------------------------------------------------


def prepared(
    repo: str, tasks: Sequence[Task], corpus: Path, index_dir: Path | None, overrides: Overrides
) -> Bench:
    """Gathers the evidence for every task once; learning never changes it."""
    tuning = overrides.tuning()
    system = EngineSystem(overrides)
    with opened_folder(index_dir, repo) as folder, system.open(corpus / repo, folder) as ranker:
        lookup = ranker.engine.lookup()
        ground = Ground(
            view=lookup.view,
            text=lookup.prepared.text,
            packages=ranker.engine.package_hashes(),
        )
        asked = []
        for task in tasks:
            gathered = gather(
                task.description,
                lookup.view,
                lookup.prepared,
                lookup.past,
                workspace=repo,
                tuning=tuning,
            )
            asked.append(Asked(task=task, gathered=gathered, wanted=_wanted(gathered, task)))
        return Bench(repo=repo, ground=ground, asked=tuple(asked), tuning=tuning)


def _wanted(gathered: Gathered, task: Task) -> frozenset[int]:
    """Symbols that count as hits, of those that could ever be shown."""
    names = gathered.scene.view.symbols.chain
    candidates = np.flatnonzero(gathered.evidence["score"] > 0).tolist()
    lasts = {truth.rpartition(".")[2].lower() for truth in task.truth}
    near = [number for number in candidates if names[number].rpartition(".")[2].lower() in lasts]
    return frozenset(
        number for number in near if score_task(task, [Row(name=names[number])])["sR@10"] > 0
    )


def simulated(bench: Bench, user: User, rounds: int, seeds: int) -> Course:
    """The means over several users of a kind."""
    same: list[list[float]] = []
    other: list[list[float]] = []
    for seed in range(seeds):
        whole = Walk(bench, user, seed)
        lacking = [Walk(bench, user, seed, without=place) for place in range(len(bench.asked))]
        same.append([whole.mean()])
        other.append([same[-1][0]])
        for _ in range(rounds):
            whole.walk()
            same[-1].append(whole.mean())
            for one in lacking:
                one.walk()
            other[-1].append(statistics.mean(one.figure(one.lacked) for one in lacking))
    return Course(
        repo=bench.repo,
        user=user.name,
        tasks=len(bench.asked),
        same=tuple(statistics.mean(column) for column in zip(*same, strict=True)),
        other=tuple(statistics.mean(column) for column in zip(*other, strict=True)),
    )


class Walk:
    """One user's way through the tasks of a repository."""

    def __init__(self, bench: Bench, user: User, seed: int, without: int | None = None) -> None:
        self._bench, self._user, self._seed = bench, user, seed
        self._without = without
        self._memory = Memory(bench.tuning.learn)
        self._round = 0
        self._now = _BEGIN
        self._request = 0
        self._habits: Floats | None = None

    @property
    def lacked(self) -> Asked:
        """The task that this user never has."""
        return self._bench.asked[self._without or 0]

    def walk(self) -> None:
        """One round."""
        self._now = _BEGIN + self._round * _DAY
        for place, asked in enumerate(self._bench.asked):
            if place != self._without:
                self._ask(place, asked)
                self._now += _APART
        self._round += 1

    def mean(self) -> float:
        return statistics.mean(self.figure(asked) for asked in self._bench.asked)

    def figure(self, asked: Asked) -> float:
        """How good the answer to a task would be."""
        names = asked.gathered.scene.view.symbols.chain
        rows = [Row(name=names[symbol]) for symbol, _ in self._answer(asked, 10)]
        return score_task(asked.task, rows)[METRIC]

    def _ask(self, place: int, asked: Asked) -> None:
        shown = self._answer(asked, _LISTED)[: self._bench.tuning.learn.shown]
        self._request += 1
        topic = topic_of(asked.task.description)
        events = [self._event(symbol, Deed.SHOWN, topic, rank) for symbol, rank in shown]
        settled = self._memory.settled
        self._memory.take(events)
        if self._memory.settled != settled:
            self._habits = habits(self._memory, self._bench.ground, self._now)
        chance = np.random.default_rng([self._seed, self._round, place])
        for number, event in enumerate(events, 1):
            looked, opened = chance.random(2)
            wanted = shown[number - 1][0] in asked.wanted
            likely = self._user.wanted if wanted else self._user.unwanted
            if looked < number**-self._user.look and opened < likely:
                time = self._now + _LOOKS_AFTER
                self._memory.take([replace(event, deed=Deed.OPENED, time=time)])

    def _event(self, symbol: int, deed: Deed, topic: str, rank: int) -> Event:
        view, ground = self._bench.ground.view, self._bench.ground
        path = view.paths[int(view.symbols.file[symbol])]
        return Event(
            time=self._now,
            deed=deed,
            symbol=view.identity(symbol),
            path=path,
            package=ground.package(path),
            topic=topic,
            request=self._request,
            rank=rank,
        )

    def _answer(self, asked: Asked, limit: int) -> list[tuple[int, int]]:
        """Symbols in order, each with its place if nothing had been learned."""
        learned = learned_for(
            asked.task.description, self._memory, self._bench.ground, self._now, self._habits
        )
        scene = asked.gathered.scene
        evidence = adjust(scene, asked.gathered.evidence, learned)
        symbols = [choice.symbol for choice in choose(scene, evidence["score"], limit)]
        plain = evidence[PLAIN if learned else "score"]
        order = sorted(symbols, key=lambda symbol: (-float(plain[symbol]), symbol))
        places = {symbol: place for place, symbol in enumerate(order, 1)}
        return [(symbol, places[symbol]) for symbol in symbols]


# -- figures -----------------------------------------------------------------------------------


def _line(course: Course) -> str:
    return (
        f"{course.repo} {course.user}: {course.same[0]:.3f}, "
        f"same {course.gain('same'):+.1%}, other {course.gain('other'):+.1%}"
    )


def _rows(courses: Sequence[Course]) -> Iterator[list[str]]:
    for course in courses:
        for kind in ("same", "other"):
            values = [f"{value:.3f}" for value in getattr(course, kind)]
            name = f"{course.repo} ({course.tasks})"
            yield [course.user, kind, name, *values, f"{course.gain(kind):+.1%}"]


def as_markdown(courses: Sequence[Course]) -> str:
    """A row for each kind of user, of tasks and for each repository, then the mean gains."""
    rounds = len(courses[0].same)
    head = ["user", "tasks", "repository", *(str(number) for number in range(rounds)), "gain"]
    body = sorted(_rows(courses), key=lambda row: (row[0], row[1]))
    lines = [table(head, body), ""]
    for user in dict.fromkeys(course.user for course in courses):
        mine = [course for course in courses if course.user == user]
        for kind in ("same", "other"):
            gains = [course.gain(kind) for course in mine]
            mean = statistics.mean(gains)
            lines.append(f"{user}, {kind}: mean gain {mean:+.1%}, least {min(gains):+.1%}")
    return "\n".join(lines)


def as_plot(courses: Sequence[Course]) -> str:
    """Before, other tasks and same tasks for the careful user."""
    rows: dict[str, Mapping[str, float]] = {
        course.repo: {
            "nothing learned": course.same[0],
            "other tasks": course.other[-1],
            "same tasks": course.same[-1],
        }
        for course in courses
        if course.user == CAREFUL.name
    }
    return bars(f"strict nDCG@10 after {len(courses[0].same) - 1} rounds", rows)

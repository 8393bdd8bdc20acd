"""RETRIEVE: a task to ranked symbols, by a list of small stages that all leave their trace."""

from dataclasses import dataclass

from knowing.graph.view import View
from knowing.retrieve import channels, places, score, spread
from knowing.retrieve.choose import choose
from knowing.retrieve.learned import Learned, adjust
from knowing.retrieve.past import Past
from knowing.retrieve.prepared import Prepared
from knowing.retrieve.ranking import Ranking, hits
from knowing.retrieve.scene import Evidence, Scene, Stage
from knowing.retrieve.task import Task, understand
from knowing.retrieve.tuning import DEFAULT, Tuning

STAGES: tuple[Stage, ...] = (
    channels.match_text,
    channels.match_names,
    channels.match_files,
    places.match_places,
    channels.ask_commits,
    channels.ask_documents,
    channels.find_users,
    channels.find_bases,
    spread.demote,
    spread.seed,
    spread.walk,
    spread.look_around,
    spread.ask_neighbours,
    score.add_up,
    score.weigh,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """All evidence for a task, before anything is chosen; what was learned is no part of it."""

    scene: Scene
    evidence: Evidence


def gather(
    text: str,
    view: View,
    prepared: Prepared,
    past: Past | None,
    *,
    workspace: str = "",
    tuning: Tuning = DEFAULT,
) -> Gathered:
    """Runs all stages for a task."""
    task: Task = understand(text, prepared.text, workspace, tuning.task)
    scene = Scene(view=view, prepared=prepared, past=past, task=task, tuning=tuning)
    evidence = Evidence()
    for stage in STAGES:
        evidence = stage(scene, evidence)
    return Gathered(scene=scene, evidence=evidence)


def settle(gathered: Gathered, limit: int, learned: Learned | None = None) -> Ranking:
    """Adds what was learned, if anything was, and chooses the list."""
    scene = gathered.scene
    evidence = adjust(scene, gathered.evidence, learned)
    chosen = choose(scene, evidence["score"], limit)
    found = hits(scene, evidence, chosen, learned)
    return Ranking(scene=scene, evidence=evidence, hits=found, learned=learned)


def rank(
    text: str,
    view: View,
    prepared: Prepared,
    past: Past | None,
    *,
    workspace: str = "",
    limit: int = 50,
    tuning: Tuning = DEFAULT,
) -> Ranking:
    """The symbols that matter for a task, best first, with nothing learned."""
    return settle(gather(text, view, prepared, past, workspace=workspace, tuning=tuning), limit)

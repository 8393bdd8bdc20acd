"""RETRIEVE: a task to ranked symbols, by a list of small stages that all leave their trace."""

from knowing.graph.view import View
from knowing.retrieve import channels, score, spread
from knowing.retrieve.choose import choose
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
    """The symbols that matter for a task, best first."""
    task: Task = understand(text, prepared.text, workspace, tuning.task)
    scene = Scene(view=view, prepared=prepared, past=past, task=task, tuning=tuning)
    evidence = Evidence()
    for stage in STAGES:
        evidence = stage(scene, evidence)
    chosen = choose(scene, evidence["score"], limit)
    return Ranking(scene=scene, evidence=evidence, hits=hits(scene, evidence, chosen))

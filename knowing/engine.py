"""The engine: everything that can be asked of one workspace, over its index."""

from knowing.engine_index import IndexEngine
from knowing.retrieve import DEFAULT, Ranking, Tuning, prepare, rank


class Engine(IndexEngine):
    """Answers for one workspace; safe to call from several threads."""

    def rank(
        self, task: str, *, limit: int = 50, tuning: Tuning = DEFAULT, history: bool = True
    ) -> Ranking:
        """The symbols that matter for a task, best first."""
        lookup = self.lookup()
        prepared = lookup.prepared
        if (tuning.fields, tuning.edges) != (DEFAULT.fields, DEFAULT.edges):
            prepared = prepare(self.live_graph().files, lookup.view, tuning)
        return rank(
            task,
            lookup.view,
            prepared,
            lookup.past if history else None,
            workspace=self.root.name,
            limit=limit,
            tuning=tuning,
        )

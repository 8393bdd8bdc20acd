"""The engine: everything that can be asked of one workspace, over its index."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from knowing.engine_answers import (
    EXTENT,
    Extent,
    Question,
    context_answer,
    explanation,
    found_items,
    ranked_items,
    symbols_of_changes,
    symbols_of_files,
)
from knowing.engine_learn import LearnEngine
from knowing.engine_lookup import Lookup, stored_commits
from knowing.errors import StoreError
from knowing.graph import View
from knowing.history import Commit
from knowing.history.revision import changes, fork_point
from knowing.live import relative_path, text_at
from knowing.pack import Arc, PackOptions, Source, tokenizer
from knowing.reports import ContextAnswer, Explanation, IndexState, ItemsAnswer
from knowing.retrieve import (
    DEFAULT,
    Gathered,
    Mode,
    Past,
    Ranking,
    Tuning,
    What,
    gather,
    prepare,
    rank_around,
    settle,
)
from knowing.retrieve.locate import locate_one
from knowing.store import snapshot

_KEPT_RANKINGS = 32


class Engine(LearnEngine):
    """Answers for one workspace; safe to call from several threads."""

    @cached_property
    def _rankings(self) -> Arc[tuple[object, ...], Ranking]:
        """Rankings of the last questions: another budget needs no other ranking."""
        return Arc(_KEPT_RANKINGS)

    @cached_property
    def _gathered(self) -> Arc[tuple[object, ...], Gathered]:
        """Their evidence, to which what is learned meanwhile is added."""
        return Arc(_KEPT_RANKINGS)

    # -- ranking -------------------------------------------------------------------------------

    def rank(
        self, task: str, *, limit: int = 50, tuning: Tuning | None = None, history: bool = True
    ) -> Ranking:
        """The symbols that matter for a task, best first; numbers as calibrated, unless given."""
        lookup = self.lookup()
        key = (task, limit, tuning or self.tuning(), history)
        learned = self.learned(task, lookup)
        kept = self._rankings.get(key)
        if kept is not None and kept.view is lookup.view and kept.learned is learned is None:
            return kept
        ranking = settle(self._evidence(task, lookup, key[2], history), limit, learned)
        self._rankings.put(key, ranking)
        return ranking

    def _evidence(self, task: str, lookup: Lookup, tuning: Tuning, history: bool) -> Gathered:
        key = (task, tuning, history)
        kept = self._gathered.get(key)
        if kept is not None and kept.scene.view is lookup.view:
            return kept
        prepared = lookup.prepared
        if (tuning.fields, tuning.edges) != (DEFAULT.fields, DEFAULT.edges):
            prepared = prepare(self.live_graph().files, lookup.view, tuning)
        gathered = gather(
            task,
            lookup.view,
            prepared,
            lookup.past if history else None,
            workspace=self.root.name,
            tuning=tuning,
        )
        self._gathered.put(key, gathered)
        return gathered

    def rank_around(self, seeds: Mapping[int, float], *, limit: int = 50) -> Ranking:
        """What belongs with some symbols of the current view, themselves included."""
        lookup = self.lookup()
        return rank_around(seeds, lookup.view, lookup.prepared, lookup.past, limit=limit)

    # -- context -------------------------------------------------------------------------------

    def context(
        self,
        task: str,
        extent: Extent = EXTENT,
    ) -> ContextAnswer:
        """What matters for a task, packed into a token budget."""
        ranking = self.rank(task, limit=self._limit(extent))
        self.note_answer(task, ranking)
        return self._packed(Question(text=task), ranking, extent)

    def context_for_files(
        self,
        paths: Sequence[str],
        extent: Extent = EXTENT,
    ) -> ContextAnswer:
        """What belongs with some files: their symbols and what is around them."""
        relatives = [relative_path(self.root, path) for path in paths]
        seeds, notes = symbols_of_files(self.lookup().view, relatives)
        question = Question(text=f"Files: {', '.join(relatives)}", notes=notes)
        ranking = self.rank_around(seeds, limit=self._limit(extent))
        return self._packed(question, ranking, extent)

    def context_for_changes(
        self,
        base: str,
        extent: Extent = EXTENT,
    ) -> ContextAnswer:
        """What belongs with everything that differs from where the work left `base`."""
        found = changes(self.root, fork_point(self.root, base))
        seeds, notes = symbols_of_changes(self.lookup().view, found)
        question = Question(text=f"Changes since {base}", notes=notes)
        ranking = self.rank_around(seeds, limit=self._limit(extent))
        return self._packed(question, ranking, extent)

    def context_for_symbols(
        self,
        seeds: Mapping[int, float],
        title: str,
        extent: Extent = EXTENT,
    ) -> ContextAnswer:
        """What belongs with symbols that an editor knows of, each with how much it matters."""
        ranking = self.rank_around(seeds, limit=self._limit(extent))
        return self._packed(Question(text=title), ranking, extent)

    def _limit(self, extent: Extent) -> int:
        return extent.limit or self.settings.context.limit

    def _packed(self, question: Question, ranking: Ranking, extent: Extent) -> ContextAnswer:
        chosen = self.settings.context
        options = PackOptions(
            budget=chosen.budget if extent.budget is None else extent.budget,
            form=extent.form,
            tokenizer=tokenizer(chosen.tokenizer),
            title=question.text,
            languages=self.registry,
        )
        return context_answer(question, ranking, self.source(), options, self.root, self.state())

    # -- other questions -----------------------------------------------------------------------

    def why(self, task: str, symbol: str, extent: Extent = EXTENT) -> Explanation:
        """Why a symbol has its place in the answer to a task, or has none."""
        ranking = self.rank(task, limit=self._limit(extent))
        return explanation(task, ranking, locate_one(ranking.view, symbol), self.state())

    def related(self, symbol: str, *, limit: int = 20) -> ItemsAnswer:
        """What belongs with a symbol."""
        lookup = self.lookup()
        seed = locate_one(lookup.view, symbol)
        ranking = rank_around(
            {seed: 1.0}, lookup.view, lookup.prepared, lookup.past, limit=limit, without_seeds=True
        )
        return ranked_items(symbol, ranking, self.root, self.state())

    def search(
        self, query: str, *, mode: Mode = Mode.HYBRID, what: What = What.SYMBOLS, limit: int = 20
    ) -> ItemsAnswer:
        """Symbols, files or sections of documentation that fit some words."""
        if mode is Mode.HYBRID and what is What.SYMBOLS:
            return ranked_items(query, self.rank(query, limit=limit), self.root, self.state())
        return found_items(query, self.lookup(), mode, what, limit, self.root, self.state())

    def state(self) -> IndexState:
        """How fresh the view is, as far as is known without looking at the workspace."""
        busy = not self._guard.acquire(blocking=False)
        if not busy:
            self._guard.release()
        view, info = self.view(), snapshot.info(self._store.snapshots)
        return IndexState(
            state="indexing" if busy else "stale" if self._behind else "fresh",
            generation=info.generation if info else 0,
            files=len(view.paths),
            symbols=len(view.symbols),
            edges=len(view.edges),
            notes=(*self._notes, *filter(None, (self._behind,))),
        )

    def commits(self) -> list[Commit]:
        """The commits that were read, newest first."""
        with self._guard:
            return stored_commits(self._database)

    def known_past(self, view: View) -> Past | None:
        """The history of the symbols of a view, if it lies ready."""
        if self._info is None or self._live is not None:
            # What is in memory only has to be linked to its history first, which takes a while.
            return None
        try:
            lookup = self.lookup()
        except StoreError:
            return None
        return lookup.past if lookup.view is view else None

    def saved_view(self, path: str | Path) -> View:
        """The graph without the unsaved text of one file."""
        with self._guard:
            text = self._texts.get(relative_path(self.root, path))
            if text is None:
                return self.view()
            try:
                return self.overlay(path, None)
            finally:
                self.overlay(path, text.decode("utf-8", "surrogatepass"))

    def source(self) -> Source:
        """Reads a file as it was indexed: unsaved text over what is on disk."""
        unsaved = dict(self._texts)

        def read(path: str) -> bytes | None:
            return unsaved[path] if path in unsaved else text_at(self.root, path, self.settings)

        return read

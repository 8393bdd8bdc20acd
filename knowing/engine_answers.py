"""Rankings to the values that every skin shows: items, packed context, explanations."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from knowing.engine_lookup import Lookup
from knowing.graph import View
from knowing.history.revision import ChangeKind, Changes
from knowing.model import SymbolKind
from knowing.pack import Candidate, Form, PackOptions, Source, pack
from knowing.reports import (
    ChannelPlace,
    ContextAnswer,
    Explanation,
    IndexState,
    Item,
    ItemsAnswer,
    PathStep,
    ScorePart,
    ShownItem,
)
from knowing.retrieve import Mode, Ranking, What, account
from knowing.retrieve.search import best_rows, matching_files, matching_sections, similar_symbols
from knowing.retrieve.task import understand
from knowing.retrieve.tuning import DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, in words, and what is to be said about it."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is asked for; what is not said, settings say."""

    budget: int | None = None
    limit: int | None = None
    form: Form = Form.MARKDOWN


EXTENT = Extent()


def item_of(view: View, symbol: int, rank: int, score: float, why: tuple[str, ...] = ()) -> Item:
    """A symbol as an answer shows it."""
    shown = view.symbol(symbol)
    return Item(
        rank=rank,
        name=shown.name,
        qualified_name=view.identity(symbol),
        kind=shown.kind.label,
        path=shown.path,
        line=shown.line,
        end_line=shown.end_line,
        score=round(score, 6),
        why=why,
    )


def context_answer(
    question: Question,
    ranking: Ranking,
    source: Source,
    options: PackOptions,
    root: Path,
    state: IndexState,
) -> ContextAnswer:
    """The ranked symbols as far as they fit into the budget."""
    candidates = [
        Candidate(symbol=hit.symbol, score=hit.score, why=hit.why) for hit in ranking.hits
    ]
    packed = pack(ranking.view, candidates, source, options)
    by_symbol = ranking.by_symbol
    symbols = []
    for item in packed.items:
        hit = by_symbol[item.candidate.symbol]
        symbols.append(
            ShownItem(
                item=item_of(ranking.view, hit.symbol, hit.rank, hit.score, hit.why),
                detail=item.detail.value,
                tokens=item.tokens,
                text=item.text,
            )
        )
    notes = (*question.notes, *packed.notes, *_shortcomings(ranking, len(symbols), options.budget))
    return ContextAnswer(
        task=question.text,
        root=root,
        index=state,
        budget=options.budget,
        used=packed.used,
        tokenizer=packed.tokenizer,
        left_out=packed.left_out,
        symbols=tuple(symbols),
        text=packed.text,
        notes=notes,
    )


def _shortcomings(ranking: Ranking, shown: int, budget: int) -> list[str]:
    """Why there is less than one might expect."""
    task, view = ranking.scene.task, ranking.view
    if ranking.hits and not shown:
        return [f"nothing fits into {budget} tokens; allow more"]
    if ranking.hits:
        unknown = [word for word in task.unknown if len(word) > 1][:8]
        return [f"not known in this workspace: {', '.join(unknown)}"] if unknown else []
    if not len(view.symbols):
        return ["nothing found: no file of a known language is in this workspace"]
    if not task.text.strip():
        return ["nothing found: the task is empty"]
    if task.unknown:
        words = ", ".join(task.unknown[:8])
        return [f"nothing found: the workspace uses none of these words: {words}"]
    return ["nothing found: the task has no word that says what it is about"]


def ranked_items(query: str, ranking: Ranking, root: Path, state: IndexState) -> ItemsAnswer:
    """The hits of a ranking without their text."""
    view = ranking.view
    items = tuple(item_of(view, hit.symbol, hit.rank, hit.score, hit.why) for hit in ranking.hits)
    notes = () if items else tuple(_shortcomings(ranking, 0, 0))
    return ItemsAnswer(query=query, root=root, index=state, items=items, notes=notes)


def found_items(
    query: str, lookup: Lookup, mode: Mode, what: What, limit: int, root: Path, state: IndexState
) -> ItemsAnswer:
    """What fits some words, by the words alone."""
    view, prepared = lookup.view, lookup.prepared
    task = understand(query, prepared.text, root.name, DEFAULT.task)
    terms = [(term.number, term.weight) for term in task.terms]
    items: tuple[Item, ...]
    if what is What.FILES:
        found = best_rows(matching_files(terms, prepared, len(view.paths)), limit)
        items = tuple(_file_item(view, f.row, rank, f.score) for rank, f in enumerate(found, 1))
    else:
        if what is What.DOCS:
            found = matching_sections(terms, prepared, limit)
        elif mode is Mode.VECTOR:
            found = best_rows(similar_symbols(terms, prepared), limit)
        else:
            weighted = [(t, w * float(prepared.text.rarity[t])) for t, w in terms]
            found = best_rows(prepared.text.symbols.scores(weighted, len(view.symbols)), limit)
        items = tuple(item_of(view, f.row, rank, f.score) for rank, f in enumerate(found, 1))
    notes = () if items else (f"nothing found: no {what.value} hold the words of {query!r}",)
    return ItemsAnswer(query=query, root=root, index=state, items=items, notes=notes)


def _file_item(view: View, file: int, rank: int, score: float) -> Item:
    path = view.paths[file]
    return Item(
        rank=rank,
        name=path,
        qualified_name=path,
        kind="file",
        path=path,
        line=1,
        end_line=int(view.symbols.end_line[view.symbols.file == file].max(initial=1)),
        score=round(score, 6),
    )


def explanation(task: str, ranking: Ranking, symbol: int, state: IndexState) -> Explanation:
    """The account of one symbol in a ranking."""
    found, view = account(ranking, symbol), ranking.view
    return Explanation(
        task=task,
        symbol=view.identity(symbol),
        rank=found.rank,
        score=found.score,
        parts=tuple(
            ScorePart(name=part.name, value=part.value, detail=part.detail) for part in found.parts
        ),
        channels=tuple(
            ChannelPlace(name=place.channel, rank=place.rank, score=place.value)
            for place in found.places
        ),
        path=tuple(
            PathStep(symbol=view.identity(step.symbol), edge=step.edge) for step in found.path
        ),
        verdict=found.verdict,
        index=state,
    )


def symbols_of_files(view: View, paths: Sequence[str]) -> tuple[dict[int, float], tuple[str, ...]]:
    """All symbols of some files as seeds, and which files are not in the index."""
    numbers = {path: number for number, path in enumerate(view.paths)}
    seeds: dict[int, float] = {}
    missing = []
    for path in paths:
        if path not in numbers:
            missing.append(f"{path} is not in the index")
            continue
        rows = np.flatnonzero(view.symbols.file == numbers[path])
        seeds |= dict.fromkeys(rows[view.symbols.kind[rows] != SymbolKind.MODULE].tolist(), 1.0)
    return seeds, tuple(missing)


def symbols_of_changes(view: View, found: Changes) -> tuple[dict[int, float], tuple[str, ...]]:
    """The symbols that changes touch as seeds, and what cannot be shown of the changes."""
    numbers = {path: number for number, path in enumerate(view.paths)}
    seeds: dict[int, float] = {}
    notes = list(found.problems)
    for change in found.files:
        if change.kind is ChangeKind.DELETED:
            notes.append(f"{change.path} is deleted")
            continue
        if change.path not in numbers:
            notes.append(f"{change.path} is not in the index")
            continue
        rows = np.flatnonzero(view.symbols.file == numbers[change.path])
        rows = rows[view.symbols.kind[rows] != SymbolKind.MODULE]
        for symbol in rows.tolist():
            seeds.setdefault(symbol, DEFAULT.attention.beside_change)
        for hunk in change.hunks:
            last = hunk.new_start + max(hunk.new_count - 1, 0)
            touched = (view.symbols.line[rows] <= last) & (
                view.symbols.end_line[rows] >= hunk.new_start
            )
            seeds |= dict.fromkeys(rows[touched].tolist(), DEFAULT.attention.changed)
    if not found.files:
        notes.append("nothing has changed")
    return seeds, tuple(notes)

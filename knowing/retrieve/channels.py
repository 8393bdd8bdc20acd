"""Channels: each looks at the task in one way and gives every symbol a value."""

from collections.abc import Iterator

import numpy as np

from knowing.graph.keys import Ids
from knowing.model import SymbolFlag
from knowing.retrieve.bags import Floats
from knowing.retrieve.bridges import Bridge
from knowing.retrieve.fields import Field
from knowing.retrieve.scene import Evidence, Scene, normalised
from knowing.retrieve.task import Identifier, phrases
from knowing.retrieve.terms import plain


def match_text(scene: Scene, evidence: Evidence) -> Evidence:
    """`text`: BM25F over all fields; `coverage`: how well name and task cover each other."""
    index, count = scene.prepared.text, scene.count
    text = np.zeros(count, dtype=np.float32)
    of_name = np.zeros(count, dtype=np.float32)
    of_task = np.zeros(count, dtype=np.float32)
    total = 0.0
    for term, weight in scene.terms:
        run = index.symbols.run(term)
        rows = index.symbols.rows[run]
        text[rows] += np.float32(weight * index.rarity[term]) * index.symbols.values[run]
        where = index.fields[run]
        named = rows[(where & int(Field.NAME)) != 0]
        owned = rows[(where & int(Field.NAME | Field.OWNER)) == int(Field.OWNER)]
        share = np.float32(weight * index.file_rarity[term])
        of_name[named] += np.float32(min(1.0, 2 * weight) * index.name_rarity[term])
        of_task[named] += share
        of_task[owned] += share * np.float32(scene.tuning.names.owner_share)
        total += float(share)
    share_of_name = of_name / np.maximum(index.name_mass, np.float32(1e-6))
    reach = normalised(of_task / np.float32(max(total, 1e-6)))
    coverage = (share_of_name * reach).astype(np.float32)
    return evidence.plus(text=normalised(text), coverage=coverage)


def match_names(scene: Scene, evidence: Evidence) -> Evidence:
    """`compound`: names that are words of the task; `identifier`: names that stand in it."""
    index = scene.prepared.text
    compound = scene.nothing()
    best: dict[str, float] = {}
    for size, form in phrases(scene.task.words):
        best[form] = max(best.get(form, 0.0), 1.0 if size > 1 else scene.tuning.names.one_word)
    for form, value in best.items():
        found = index.named(form)
        compound[found] = np.maximum(compound[found], np.float32(value))
    identifier = scene.nothing()
    for wanted in scene.task.identifiers:
        _mark_identifier(scene, wanted, identifier)
    identifier = np.minimum(identifier, np.float32(scene.tuning.names.highest))
    return evidence.plus(compound=compound * evidence["text"], identifier=identifier)


def _mark_identifier(scene: Scene, wanted: Identifier, values: Floats) -> None:
    view, weights = scene.view, scene.tuning.names
    for symbol in scene.prepared.text.named(plain(wanted.name)).tolist():
        value = 1.0 if view.symbols.name[symbol] == wanted.name else weights.other_case
        if len(wanted.chain) > 1:
            fits = _qualified(scene, symbol, wanted.chain[-2])
            value *= weights.qualified if fits else weights.misqualified
        values[symbol] = max(values[symbol], value)
    for qualifier in wanted.chain[:-1]:
        for symbol in scene.prepared.text.named(plain(qualifier)).tolist():
            if view.symbols.name[symbol] == qualifier:
                values[symbol] = max(values[symbol], weights.qualifier)


def _qualified(scene: Scene, symbol: int, qualifier: str) -> bool:
    """Whether a symbol's owner or file has the name that stands before it."""
    view = scene.view
    chain = view.symbols.chain[symbol].split(".")
    if len(chain) > 1 and chain[-2] == qualifier:
        return True
    file = view.paths[int(view.symbols.file[symbol])].rpartition("/")[2]
    return file.partition(".")[0] == qualifier


def match_files(scene: Scene, evidence: Evidence) -> Evidence:
    """`file`: how well the whole file fits."""
    index = scene.prepared.text
    scores = normalised(index.files.scores(scene.terms, len(scene.view.paths)))
    home = scene.view.symbols.file
    return evidence.plus(file=np.where(home >= 0, scores[home], np.float32(0)))


def ask_commits(scene: Scene, evidence: Evidence) -> Evidence:
    """`commits`: touched by commits that tell of the like; `commit_files`: so is its file."""
    past, tuning = scene.past, scene.tuning.votes
    nothing = scene.nothing()
    if past is None:
        return evidence.plus(commits=nothing, commit_files=nothing)
    best, fit = past.commits.best(scene.terms, tuning.commits, tuning.fewest)
    strengths = fit**tuning.power
    votes = past.symbols.votes(best, strengths, tuning.size) / (1 + past.churn) ** tuning.churn
    file_votes = past.files.votes(best, strengths, tuning.size) / np.sqrt(1 + past.file_churn)
    home = scene.view.symbols.file
    in_files = normalised(file_votes.astype(np.float32))
    return evidence.plus(
        commits=normalised(votes.astype(np.float32)),
        commit_files=np.where(home >= 0, in_files[home], np.float32(0)),
    )


def ask_documents(scene: Scene, evidence: Evidence) -> Evidence:
    """`tests`, `sections`, `examples`: linked to such documents that fit the task."""
    bridges, tuning = scene.prepared.bridges, scene.tuning.votes
    return evidence.plus(
        tests=_votes(scene, bridges.tests, tuning.tests, tuning.tested),
        sections=_votes(scene, bridges.sections, tuning.sections, 0.0),
        examples=_votes(scene, bridges.examples, tuning.examples, tuning.shown),
    )


def _votes(scene: Scene, bridge: Bridge, top: int, popularity: float) -> Floats:
    best, fit = bridge.documents.best(scene.terms, top, scene.tuning.votes.fewest)
    tuning = scene.tuning.votes
    votes = bridge.links.votes(best, fit**tuning.power, tuning.size)
    if popularity:
        votes = votes / (1 + bridge.links.popularity) ** popularity
    return normalised(votes.astype(np.float32))


def find_users(scene: Scene, evidence: Evidence) -> Evidence:
    """`users`: who uses something that the task names exactly."""
    values = scene.nothing()
    weights = scene.tuning.names
    plain_code = (scene.view.symbols.flags & int(SymbolFlag.TEST)) == 0
    for wanted in scene.task.identifiers:
        found = scene.prepared.text.named(plain(wanted.name))
        exact = [
            symbol
            for symbol in found.tolist()
            if scene.view.symbols.name[symbol] == wanted.name and plain_code[symbol]
        ]
        if 0 < len(exact) <= weights.max_definitions:
            users: Ids = scene.prepared.uses.of_used(np.array(exact, dtype=np.int64))[1]
            users = users[plain_code[users]]
            if len(users) <= weights.max_users:
                values[users] = 1
    return evidence.plus(users=values)


def find_bases(scene: Scene, evidence: Evidence) -> Evidence:
    """`base`: types named like what is to be made; `hooks`: what others override in them."""
    base, hooks = scene.nothing(), scene.nothing()
    priors, weights, subject = scene.prepared.priors, scene.tuning.names, scene.task.subject
    tests = (scene.view.symbols.flags & int(SymbolFlag.TEST)) != 0
    for size in range(1, min(weights.base_words, len(subject)) + 1):
        worth = min(1.0, weights.base_first + weights.base_further * size)
        for name in _base_names("".join(subject[-size:])):
            for symbol in scene.prepared.text.named(name).tolist():
                if priors.container[symbol] and not tests[symbol]:
                    extended = priors.subtypes[symbol] > 0 or priors.abstract[symbol]
                    value = worth if extended else worth * weights.base_closed
                    base[symbol] = max(base[symbol], value)
    if base.any():
        owner = scene.view.symbols.owner
        members = np.flatnonzero((owner >= 0) & (base[owner] > 0))
        sure = np.minimum(1, priors.overridden[members] / np.float32(weights.overrides_enough))
        hooks[members] = base[owner[members]] * sure
    return evidence.plus(base=base, hooks=hooks)


def _base_names(words: str) -> Iterator[str]:
    """Plain names that the type behind some words may have."""
    for form in dict.fromkeys((words, words.rstrip("s"))):
        yield from (form, f"base{form}", f"abstract{form}")

"""The judge's findings as a table and as JSON."""

from collections import Counter
from collections.abc import Iterator

from eval.calls.judge import Judgement, Miss, Ruling


def as_json(judgement: Judgement) -> dict[str, object]:
    """All figures, all wrong edges and all misses."""
    return {
        "tiers": {
            tier: {
                "sites": figures.sites,
                "found": figures.found,
                "recall": round(figures.recall, 4),
                "recall_pairs": round(figures.recall_pairs, 4),
                "recall_any_line": round(figures.recall_any_line, 4),
                "precision": round(figures.precision, 4),
                "precision_internal": round(figures.precision_internal, 4),
                "edges": dict(figures.verdicts),
                "wrong_external": figures.wrong_external,
            }
            for tier, figures in judgement.tiers.items()
        },
        "wrong": [_wrong(ruling) for ruling in judgement.wrong()],
        "misses": [_miss(miss) for miss in judgement.misses],
    }


def _wrong(ruling: Ruling) -> dict[str, object]:
    edge = ruling.edge
    return {
        "path": edge.path,
        "line": edge.line,
        "source": edge.source,
        "target": edge.target,
        "origin": edge.origin,
        "reached": list(ruling.truth),
    }


def _miss(miss: Miss) -> dict[str, object]:
    return {
        "path": miss.path,
        "line": miss.site.line,
        "caller": miss.site.caller,
        "called": miss.site.called,
        "callees": list(miss.callees),
        "reason": miss.reason,
    }


def as_text(judgement: Judgement, show: bool) -> str:
    """A table; with `show` also every wrong edge and the misses, most frequent first."""
    return "\n".join([*_table(judgement), *(_details(judgement) if show else ())])


def _table(judgement: Judgement) -> Iterator[str]:
    yield (
        "| edges | recall | found/sites | pairs | any line "
        "| precision | right | wrong | internal | not judged |"
    )
    yield "|" + "---|" * 10
    for tier, figures in judgement.tiers.items():
        verdicts = dict(figures.verdicts)
        right, wrong = verdicts.pop("right", 0), verdicts.pop("wrong", 0)
        rest = ", ".join(f"{name} {count}" for name, count in verdicts.items())
        yield (
            f"| {tier} | {figures.recall:.3f} | {figures.found}/{figures.sites} "
            f"| {figures.recall_pairs:.3f} | {figures.recall_any_line:.3f} "
            f"| {figures.precision:.3f} | {right} | {wrong} "
            f"| {figures.precision_internal:.3f} | {rest} |"
        )


def _details(judgement: Judgement) -> Iterator[str]:
    for ruling in judgement.wrong():
        edge = ruling.edge
        reached = ", ".join(ruling.truth[:4])
        yield (
            f"WRONG {edge.path}:{edge.line} {edge.source.rpartition('::')[2]} -> {edge.target} "
            f"({edge.origin}); reached {reached}"
        )
    groups = Counter(_group(miss) for miss in judgement.misses)
    for (reason, called, callees), count in sorted(
        groups.items(), key=lambda item: (-item[1], item[0])
    ):
        places = [
            f"{miss.path}:{miss.site.line}"
            for miss in judgement.misses
            if _group(miss) == (reason, called, callees)
        ]
        yield f"MISS {count}x `{called or '(expression)'}` -> {callees}; {reason}; {places[0]}"


def _group(miss: Miss) -> tuple[str, str, str]:
    names = ", ".join(miss.callees[:3]) + (", ..." if len(miss.callees) > 3 else "")
    return miss.reason, miss.site.called, names

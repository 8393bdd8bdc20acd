"""Ranked answers and explanations as JSON objects and as text for a terminal."""

from typing import Any

from knowing.reports import (
    ContextAnswer,
    Explanation,
    IndexState,
    Item,
    ItemsAnswer,
)

Json = dict[str, Any]
_BAR = 24


def state_json(state: IndexState) -> Json:
    return {
        "state": state.state,
        "generation": state.generation,
        "files": state.files,
        "symbols": state.symbols,
        "edges": state.edges,
        "pending": state.pending,
        "notes": list(state.notes),
    }


def item_json(item: Item) -> Json:
    return {
        "rank": item.rank,
        "name": item.name,
        "qualified_name": item.qualified_name,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "end_line": item.end_line,
        "score": item.score,
        "origin": item.origin,
        "confidence": item.confidence,
        "why": list(item.why),
    }


def context_json(found: ContextAnswer) -> Json:
    return {
        "task": found.task,
        "root": str(found.root),
        "index": state_json(found.index),
        "budget": {"tokens": found.budget, "used": found.used, "tokenizer": found.tokenizer},
        "left_out": found.left_out,
        "symbols": [
            {
                **item_json(shown.item),
                "detail": shown.detail,
                "tokens": shown.tokens,
                "text": shown.text,
            }
            for shown in found.symbols
        ],
        "text": found.text,
        "notes": list(found.notes),
    }


def items_json(found: ItemsAnswer) -> Json:
    return {
        "query": found.query,
        "root": str(found.root),
        "index": state_json(found.index),
        "items": [item_json(item) for item in found.items],
        "notes": list(found.notes),
    }


def items_text(found: ItemsAnswer) -> str:
    lines = [
        f"{item.rank:3d}. {item.name}  {item.path}:{item.line}  [{item.kind}]"
        + (f"\n     {'; '.join(item.why)}" if item.why else "")
        for item in found.items
    ]
    return "\n".join([*lines, *found.notes])


def explanation_json(found: Explanation) -> Json:
    return {
        "task": found.task,
        "symbol": found.symbol,
        "rank": found.rank,
        "score": found.score,
        "parts": [
            {"name": part.name, "value": part.value, "detail": part.detail} for part in found.parts
        ],
        "channels": [
            {"name": place.name, "rank": place.rank, "score": place.score}
            for place in found.channels
        ],
        "path": [{"symbol": step.symbol, "edge": step.edge} for step in found.path],
        "verdict": found.verdict,
        "index": state_json(found.index),
    }


def explanation_text(found: Explanation) -> str:
    """The parts as a bar chart, which adds up to the score."""
    lines = [found.symbol, found.verdict, "", f"score {found.score:.4f}"]
    widest = max((abs(part.value) for part in found.parts), default=1.0)
    for part in found.parts:
        bar = "█" * round(_BAR * abs(part.value) / widest)
        lines.append(f"  {part.value:+8.4f}  {part.name:<13} {bar:<{_BAR}} {part.detail}")
    if len(found.path) > 1:
        lines += ["", "reached from a match:"]
        lines += [f"  {step.edge:>24}  {step.symbol}" for step in found.path]
    return "\n".join(lines)

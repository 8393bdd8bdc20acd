"""Packs of a few lines of source, and what must hold for every one of them."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import dedent
from xml.etree import ElementTree

from knowing.graph import View
from knowing.pack import Candidate, Form, Pack, PackOptions, pack
from tests.graph.making import graph_of

MARK = re.compile(r"\s*(?:#|//|/\*)?\s*\.\.\. (\d+) lines?(?: \*/)?")


def view_of(files: Mapping[str, str]) -> tuple[View, dict[str, bytes]]:
    """The view of some files and their texts."""
    return graph_of(files), {path: dedent(text).encode() for path, text in files.items()}


def numbers_of(view: View, *names: str) -> list[int]:
    """The symbols of some qualified names, or of names that end so."""
    known = {view.identity(number): number for number in range(len(view.symbols))}
    return [
        next(known[identity] for identity in known if identity.endswith(name)) for name in names
    ]


def candidates(numbers: Sequence[int]) -> list[Candidate]:
    return [
        Candidate(symbol=number, score=1 / (1 + rank), why=("name",))
        for rank, number in enumerate(numbers)
    ]


def packed(
    files: Mapping[str, str], names: Sequence[str], budget: int = 2000, form: Form = Form.MARKDOWN
) -> Pack:
    """The pack of some symbols of some files."""
    view, texts = view_of(files)
    chosen = candidates(numbers_of(view, *names))
    options = PackOptions(budget=budget, form=form, title="a task")
    result = pack(view, chosen, texts.get, options)
    check_pack(result, chosen, options, texts)
    return result


def files_of(result: Pack, form: Form) -> dict[str, list[str]]:
    """The lines of each file in a pack, read as a program would read its form."""
    if not result.text:
        return {}
    if form is Form.JSON:
        value = json.loads(result.text)
        return {file["path"]: file["text"][:-1].split("\n") for file in value["files"]}
    if form is Form.XML:
        root = ElementTree.fromstring(result.text)
        return {
            file.attrib["path"]: (file.text or "")[1:-1].split("\n") for file in root.iter("file")
        }
    found: dict[str, list[str]] = {}
    fence = ""
    for line in result.text.split("\n"):
        if not fence and line.startswith("## "):
            path = line[3:].rpartition(" (line")[0]
        elif not fence and line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
            found[path] = []
        elif fence and line == fence:
            fence = ""
        elif fence:
            found[path].append(line)
    assert not fence, "a fence is not closed"
    return found


def check_pack(
    result: Pack, asked: Sequence[Candidate], options: PackOptions, texts: Mapping[str, bytes]
) -> None:
    """Within the budget, in rank order, every line once and as it is, every gap counted right."""
    assert result.used == options.tokenizer.count(result.text) <= max(0, options.budget)
    assert result.tokenizer == options.tokenizer.name
    order = [item.candidate for item in result.items]
    assert order == [one for one in asked if one in order]
    assert result.left_out == len(asked) - len(order)
    for path, lines in files_of(result, options.form).items():
        text = texts[path].decode("utf-8", "replace")
        if options.form is Form.XML:
            # There are characters that XML has no way to write.
            text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text)
        check_lines(lines, re.split(r"\r\n|\n|\r", text))


def check_lines(shown: list[str], source: list[str]) -> None:
    """Shown lines are lines of the source in its order; a mark stands for the lines it counts."""
    source = [line.removeprefix("\ufeff") for line in source]
    marks = [(place, MARK.fullmatch(line)) for place, line in enumerate(shown)]
    gaps = {place: int(found[1]) for place, found in marks if found}
    first = next((line for place, line in enumerate(shown) if place not in gaps), None)
    starts = [place for place, line in enumerate(source) if line == first] or [0]
    assert any(_follows(shown, source, start, gaps) for start in starts), (shown, source)


def _follows(shown: list[str], source: list[str], start: int, gaps: dict[int, int]) -> bool:
    at = start - gaps.get(0, 0)
    for place, line in enumerate(shown):
        if place in gaps and not (at < len(source) and source[at] == line):
            at += gaps[place]
        elif at < len(source) and source[at] == line:
            at += 1
        else:
            return False
    return at <= len(source)


def repeated(lines: Sequence[str]) -> list[str]:
    """Lines that occur more than once."""
    return [line for line, count in Counter(lines).items() if count > 1 and line.strip()]

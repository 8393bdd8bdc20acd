"""A pack as Markdown, XML or JSON.

Code is never changed: Markdown fences are longer than any run of backticks in the code, XML keeps
code in CDATA sections, JSON escapes it. Everything else is kept on one line.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from knowing.pack.values import Form

_BACKTICKS = re.compile(r"`{3,}")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_TITLE = 300
_ALSO = "Also relevant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines of one file with marks where some are left out."""

    path: str
    language: str
    first: int
    """First and last line that are shown, from 1."""
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """What is named without its text, by file; no path for what is outside the code."""

    path: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a reader should know first."""

    title: str = ""
    notes: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The notes, and how much of the ranking is not here."""
        symbols = "symbol" if self.left_out == 1 else "symbols"
        left = (f"{self.left_out} ranked {symbols} left out",) if self.left_out else ()
        return tuple(one_line(note) for note in (*self.notes, *left))


def one_line(text: str, limit: int = _LONGEST_TITLE) -> str:
    """Words of a text, on one line, cut if it is long."""
    words = " ".join(text[: 4 * limit].split())
    return words if len(words) <= limit else words[: limit - 3] + "..."


def render(form: Form, head: Head, blocks: Sequence[Block], mentions: Sequence[Mentions]) -> str:
    """The text of a pack; no text at all if there is nothing to say."""
    if not (head.title or head.lines or blocks or mentions):
        return ""
    return _WRITERS[form](head, blocks, mentions)


def written(form: Form, line: str) -> str:
    """A line of code with its line end, as it stands in the pack: what it costs."""
    if form is Form.MARKDOWN:
        return line + "\n"
    if form is Form.XML:
        return _code(line) + "\n"
    return json.dumps(line, ensure_ascii=False)[1:-1] + "\\n"


def _markdown(head: Head, blocks: Sequence[Block], mentions: Sequence[Mentions]) -> str:
    parts = [f"# Context: {one_line(head.title)}\n"] if head.title else []
    parts += ["\n".join(f"> {line}" for line in head.lines) + "\n"] if head.lines else []
    for block in blocks:
        text = "\n".join(block.lines)
        longest = max((len(found) for found in _BACKTICKS.findall(text)), default=2)
        fence = "`" * (longest + 1)
        title = f"## {one_line(block.path)} ({_lines(block)})"
        parts.append(f"{title}\n\n{fence}{block.language}\n{text}\n{fence}\n")
    if mentions:
        names = [f"- {_place(group)}: {'; '.join(group.names)}" for group in mentions]
        parts.append(f"## {_ALSO}\n\n" + "\n".join(names) + "\n")
    return "\n".join(parts)


def _lines(block: Block) -> str:
    return (
        f"lines {block.first}-{block.last}" if block.last > block.first else f"line {block.first}"
    )


def _place(group: Mentions) -> str:
    return one_line(group.path) or "outside the code"


def _xml(head: Head, blocks: Sequence[Block], mentions: Sequence[Mentions]) -> str:
    parts = ["<context>"]
    parts += [f"<task>{_text(one_line(head.title))}</task>"] if head.title else []
    parts += [f"<note>{_text(line)}</note>" for line in head.lines]
    for block in blocks:
        path, span = _attribute(one_line(block.path)), f"{block.first}-{block.last}"
        code = "\n".join(_code(line) for line in block.lines)
        opening = f'<file path={path} lines="{span}" language={_attribute(block.language)}>'
        parts.append(f"{opening}<![CDATA[\n{code}\n]]></file>")
    for group in mentions:
        names = "\n".join(_text(name) for name in group.names)
        parts.append(f"<also path={_attribute(group.path)}>\n{names}\n</also>")
    return "\n".join([*parts, "</context>", ""])


def _code(line: str) -> str:
    """A line for a CDATA section, whose end it must not hold; no character XML cannot hold."""
    return _NOT_XML.sub("\ufffd", line).replace("]]>", "]]]]><![CDATA[>")


def _text(text: str) -> str:
    # The library's own function is in a module that loads a web client.
    bare = _NOT_XML.sub("\ufffd", text)
    return bare.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    return '"' + _text(one_line(text)).replace('"', "&quot;") + '"'


def _json(head: Head, blocks: Sequence[Block], mentions: Sequence[Mentions]) -> str:
    value: dict[str, Any] = {
        "task": one_line(head.title),
        "notes": [one_line(note) for note in head.notes],
        "left_out": head.left_out,
        "files": [
            {
                "path": block.path,
                "language": block.language,
                "lines": [block.first, block.last],
                "text": "\n".join(block.lines) + "\n",
            }
            for block in blocks
        ],
        "also": [{"path": group.path, "names": list(group.names)} for group in mentions],
    }
    return json.dumps(value, ensure_ascii=False)


_Writer = Callable[[Head, Sequence[Block], Sequence[Mentions]], str]
_WRITERS: dict[Form, _Writer] = {
    Form.MARKDOWN: _markdown,
    Form.XML: _xml,
    Form.JSON: _json,
}

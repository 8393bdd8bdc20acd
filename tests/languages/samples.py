"""Reads the expectations that stand in comments of a language's sample files."""

import re
from dataclasses import dataclass
from pathlib import Path

from knowing.languages import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One comment line of a sample: what must be found where."""

    path: str
    line: int
    column: int
    verb: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.verb} {' '.join(self.words)}"


def sample_files(language: Language) -> list[Path]:
    folder = Path(language.folder) / "sample"
    return sorted(path for path in folder.rglob("*") if path.is_file())


def expectations(language: Language, path: Path, text: str) -> list[Expectation]:
    """Caret lines speak of the last line that is not itself an expectation."""
    marks = [*language.line_comments, *(start for start, _ in language.block_comments)]
    opening = "|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))
    caret = re.compile(rf"^(\s*(?:{opening})\s*?)(\s*)(\^+|<-+) (definition|reference) (.*)$")
    plain = re.compile(rf"^\s*(?:{opening})\s*(import) (.*)$")
    found: list[Expectation] = []
    subject = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("*/")[0].split("-->")[0].rstrip()
        matched = caret.match(line)
        if matched:
            mark, verb, rest = matched.group(3, 4, 5)
            arrow = mark.startswith("<")
            column = (
                len(line) - len(line.lstrip()) if arrow else len(line[: matched.start(3)].encode())
            )
            above = len(mark) - len("<-") if arrow else 0
        else:
            matched = plain.match(line)
            if not matched:
                subject = number
                continue
            column, above, verb, rest = -1, 0, "import", matched.group(2)
        found.append(
            Expectation(
                path=path.name,
                line=subject - above,
                column=column,
                verb=verb,
                words=tuple(rest.split()),
            )
        )
    return found

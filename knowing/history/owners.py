"""Who owns a file: CODEOWNERS as GitHub and GitLab read it.

The last pattern that matches a path decides. GitLab's sections decide each for itself and
their owners add up; a file without sections is one section.
"""

import functools
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

logger = logging.getLogger(__name__)

LOCATIONS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may lie; the first one found is the one that counts."""
MAX_BYTES = 3 * 1024 * 1024
_CACHED_PATHS = 1 << 17

Owners = Callable[[str], tuple[str, ...]]

_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s.*)?)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    pattern: re.Pattern[str]
    owners: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Section:
    owners: tuple[str, ...]
    """Owners of its patterns that name none."""
    rules: list[_Rule] = field(default_factory=list)


def owners_of(root: Path) -> Owners:
    """A function from a path (relative to `root`, with `/`) to its owners, in file order.

    In a folder of a repository the file at the repository's top counts too, after the folder's
    own. Without such a file nobody owns anything.
    """
    root = root.resolve()
    for folder in _upwards(root):
        for location in LOCATIONS:
            text = _read(folder / location)
            if text is not None:
                inside = root.relative_to(folder).as_posix()
                return _asked(_parse(text), "" if inside == "." else f"{inside}/")
    return _asked([], "")


def _upwards(root: Path) -> list[Path]:
    """The folder and, if it lies in a repository, the repository's top."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    return [root] if top == root else [root, top]


def _read(path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        if path.stat().st_size > MAX_BYTES:
            logger.warning("%s is larger than %d bytes and is not used", path, MAX_BYTES)
            return None
        return path.read_text("utf-8-sig", "replace")
    except OSError as error:
        logger.warning("%s cannot be read: %s", path, error)
        return None


def _asked(sections: Sequence[_Section], prefix: str) -> Owners:
    @functools.lru_cache(maxsize=_CACHED_PATHS)
    def owners(path: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for section in sections:
            for rule in reversed(section.rules):
                if rule.pattern.match(prefix + path):
                    found.update(dict.fromkeys(rule.owners))
                    break
        return tuple(found)

    return owners


def _parse(text: str) -> list[_Section]:
    current = _Section(owners=())
    sections = {"": current}
    for line in text.splitlines():
        header = _SECTION.match(line.strip())
        if header is not None:
            owners = _owners(_WORD.findall(header["owners"]))
            name = header["name"].strip().lower()
            current = sections.setdefault(name, _Section(owners=owners))
            continue
        pattern, *words = _WORD.findall(line) or [""]
        if not pattern or pattern.startswith("#"):
            continue
        if pattern.startswith("!"):
            # GitLab's way to leave paths out: they match and nobody is named.
            current.rules.append(_Rule(pattern=_compile(pattern[1:]), owners=()))
        else:
            owners = _owners(words) or current.owners
            current.rules.append(_Rule(pattern=_compile(pattern), owners=owners))
    return list(sections.values())


def _owners(words: Sequence[str]) -> tuple[str, ...]:
    """Users, teams and addresses, up to a comment."""
    owners: list[str] = []
    for word in words:
        if word.startswith("#"):
            break
        if "@" in word:
            owners.append(word)
    return tuple(owners)


def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern as an expression over whole paths.

    As in a .gitignore, a pattern without an inner slash holds at any depth and a folder stands
    for all that is in it; unlike there, `docs/*` stops at files directly in `docs` and brackets
    are plain characters.
    """
    body = pattern.strip("/")
    anchored = pattern.startswith("/") or "/" in body
    parts = body.split("/") if body else []
    text = "" if anchored else "(?:.*/)?"
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:.*/)?"
        else:
            text += _translate(part) + ("" if last else "/")
    if pattern.endswith("/"):
        text += "/.*" if body else ".*"
    elif not (anchored and parts and parts[-1] == "*"):
        text += "(?:/.*)?"
    return re.compile(text + r"\Z", re.DOTALL)


def _translate(part: str) -> str:
    """One part of a pattern, between slashes."""
    text = ""
    for token in re.findall(r"\\.|\*+|.", part, re.DOTALL):
        if token.startswith("*"):
            text += "[^/]*"
        elif token == "?":
            text += "[^/]"
        else:
            text += re.escape(token[-1])
    return text

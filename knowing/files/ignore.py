"""One ignore file, compiled: which of its lines decides about a path.

The answer is git's, byte for byte; `tests/files/test_gitignore.py` compares the two. Nearly
every name matches nothing, so names are first held against a set of plain names, a tuple of
suffixes and one joint expression; only a name that passes is tested line by line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knowing.files.wildmatch import SPECIAL, byte_text, literal_length, translate

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of an ignore file."""

    text: str
    """The line as written, for people."""
    source: str
    """The ignore file it stands in, relative to the root where possible."""
    line: int
    """1-based; 0 for a rule of the settings."""
    pattern: str
    """What is matched: without `!`, without a leading or a closing slash."""
    negated: bool
    folders_only: bool
    name_only: bool
    """Without a slash: compared with the last part of the path, at any depth."""

    def names(self, name: str) -> bool:
        """Whether the rule spells out `name` as the last part of what it matches."""
        return self.pattern.rpartition("/")[2] == byte_text(name)


def parse(data: bytes, source: str) -> list[Rule]:
    """The rules of an ignore file, first to last."""
    rules = []
    for number, raw in enumerate(data.removeprefix(_BYTE_ORDER_MARK).split(b"\n"), start=1):
        if raw.startswith(b"#"):
            continue
        rule = rule_of(raw.removesuffix(b"\r").decode("latin-1"), source, number)
        if rule is not None:
            rules.append(rule)
    return rules


def rule_of(line: str, source: str, number: int) -> Rule | None:
    """The rule that `line`, given as `byte_text`, states, or None when it can match nothing."""
    line = _trim_trailing_spaces(line.partition("\0")[0])
    pattern = line.removeprefix("!")
    folders_only = pattern.endswith("/")
    if folders_only:
        pattern = pattern[:-1]
    name_only = "/" not in pattern
    pattern = pattern.removeprefix("/")
    if not pattern:
        return None
    return Rule(
        text=line.encode("latin-1").decode("utf-8", "backslashreplace"),
        source=source,
        line=number,
        pattern=pattern,
        negated=line.startswith("!"),
        folders_only=folders_only,
        name_only=name_only,
    )


def _trim_trailing_spaces(line: str) -> str:
    """Drop spaces at the end that no backslash quotes."""
    end = 0
    position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 1
        elif line[position] == " ":
            position += 1
            continue
        position += 1
        end = position
    return line[: min(end, len(line))]


class RuleSet:
    """The rules of one ignore file, ready to be asked about the folder it stands in."""

    __slots__ = ("_base_length", "_by_line", "_ignore_case", "_names", "_outer", "_paths", "_rules")

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        base: str = "",
        outer: str = "",
        ignore_case: bool = False,
    ) -> None:
        """Rules of a folder inside the root (`base`) or around it (`outer`).

        `base` is the way from the root to the folder, `outer` the way from the folder to the
        root; either is empty or ends with `/`.
        """
        self._rules = tuple(rules)
        self._base_length = len(base)
        self._outer = outer
        self._ignore_case = ignore_case
        self._names = _Quick(self._rules, name_only=True, ignore_case=ignore_case)
        self._paths = _Quick(self._rules, name_only=False, ignore_case=ignore_case)
        self._by_line: list[re.Pattern[str] | None] = [None] * len(self._rules)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def deciding(self, path: str, name: str, *, is_folder: bool) -> Rule | None:
        """The last rule that matches `path`, whose last part is `name`, or None."""
        if not self._rules:
            return None
        name = byte_text(name)
        below = byte_text(self._outer + path[self._base_length :]) if self._paths else ""
        if not (self._names.may_match(name) or (self._paths and self._paths.may_match(below))):
            return None
        for index in range(len(self._rules) - 1, -1, -1):
            rule = self._rules[index]
            if rule.folders_only and not is_folder:
                continue
            if self._expression(index).fullmatch(name if rule.name_only else below):
                return rule
        return None

    def _expression(self, index: int) -> re.Pattern[str]:
        compiled = self._by_line[index]
        if compiled is None:
            compiled = re.compile(_expression_of(self._rules[index]), _flags(self._ignore_case))
            self._by_line[index] = compiled
        return compiled


class _Quick:
    """A test that is cheap and never wrongly says no, over rules of one sort."""

    __slots__ = ("_expression", "_literals", "_rest", "_suffixes")

    def __init__(self, rules: Sequence[Rule], *, name_only: bool, ignore_case: bool) -> None:
        literals, suffixes, rest = set(), set(), []
        for rule in rules:
            if rule.name_only is not name_only:
                continue
            if not ignore_case and not SPECIAL & set(rule.pattern):
                literals.add(rule.pattern)
            elif not ignore_case and name_only and _is_suffix(rule.pattern):
                suffixes.add(rule.pattern[1:])
            else:
                rest.append(_expression_of(rule))
        self._literals = frozenset(literals)
        self._suffixes = tuple(sorted(suffixes))
        self._rest = bool(rest)
        self._expression = re.compile("|".join(rest) or r"(?!)", _flags(ignore_case))

    def __bool__(self) -> bool:
        return bool(self._literals or self._suffixes or self._rest)

    def may_match(self, text: str) -> bool:
        return (
            text in self._literals
            or text.endswith(self._suffixes)
            or (self._rest and self._expression.match(text) is not None)
        )


def _is_suffix(pattern: str) -> bool:
    return pattern.startswith("*") and not SPECIAL & set(pattern[1:])


def _flags(ignore_case: bool) -> int:
    return re.ASCII | re.IGNORECASE if ignore_case else re.ASCII


def _expression_of(rule: Rule) -> str:
    """The expression of a rule; every alternative ends in `\\Z`, so `match` is `fullmatch`.

    Git compares the plain beginning of a pattern that holds a slash by itself and then matches
    the rest as a pattern of its own, which makes `foo**/bar` match `foobar`.
    """
    if rule.name_only:
        return translate(rule.pattern)
    length = literal_length(rule.pattern)
    return re.escape(rule.pattern[:length]) + translate(rule.pattern[length:])


class RuleStack:
    """Rule sets in the order in which they are asked: the first that decides, decides."""

    __slots__ = ("_sets",)

    def __init__(self, sets: Sequence[RuleSet] = ()) -> None:
        self._sets = tuple(sets)

    def before(self, rules: RuleSet) -> "RuleStack":
        """This stack with `rules` asked first."""
        return RuleStack((rules, *self._sets)) if rules else self

    def deciding(self, path: str, name: str, *, is_folder: bool) -> Rule | None:
        """The rule that decides about `path`; it may be a negated one."""
        for rules in self._sets:
            rule = rules.deciding(path, name, is_folder=is_folder)
            if rule is not None:
                return rule
        return None


NO_RULES = RuleStack()

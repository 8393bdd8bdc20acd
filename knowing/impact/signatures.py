"""What is different about two signatures, and whether callers of one can call the other.

Signatures are text of any language, so only what most languages share is looked at: a list in
parentheses, parts separated by commas, a default after `=`, a star or dots before what may be left
out. In doubt a difference breaks.
"""

import re
from dataclasses import dataclass

_OPENING, _CLOSING = "([{<", ")]}>"
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_TYPE_WORDS = (
    *("int", "long", "short", "byte", "char", "bool", "boolean", "float", "double", "void"),
    *("string", "object", "unsigned", "signed", "final", "const", "var", "val", "let", "mut"),
    *("in", "out", "ref", "static", "struct", "readonly", "params"),
)
"""Words before the name of a parameter in languages that put types first."""
_RECEIVERS = ("self", "cls", "this", "&self", "&mut self", "mut self")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference in words."""

    text: str
    breaks: bool


def differences(before: str, after: str, *, names: bool = True) -> list[Difference]:
    """All differences between two signatures; without `names` those of names do not count."""
    if before == after:
        return []
    old, new = parameters(before), parameters(after)
    if old is None or new is None:
        return [Difference(text=f"was `{before}`", breaks=True)] if names else []
    found = _of_parameters(old, new)
    if not found and _around(before) != _around(after) and names:
        found.append(Difference(text=f"was `{before}`", breaks=False))
    return found


def parameters(signature: str) -> list[str] | None:
    """The parts of the last list in parentheses before a body; None if there is no list."""
    span = _list_span(signature)
    if span is None:
        return None
    parts: list[str] = []
    depth, part = 0, ""
    for place, sign in enumerate(signature[span[0] + 1 : span[1]], start=span[0] + 1):
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING and signature[place - 1] not in "-=":
            depth -= 1
        if sign == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += sign
    parts.append(part)
    cleaned = [" ".join(part.split()) for part in parts]
    return [part for part in cleaned if part and part not in _RECEIVERS]


def _list_span(signature: str) -> tuple[int, int] | None:
    """Where the list of parameters opens and closes.

    A method of Go has its receiver in parentheses before its name, so a list that is not behind
    a name does not count.
    """
    for match in re.finditer(r"[\w$>\])]\s*\(", signature):
        start = match.end() - 1
        if re.search(r"\bfunc\s*$", signature[:start]):
            continue
        depth = 0
        for place in range(start, len(signature)):
            depth += {"(": 1, ")": -1}.get(signature[place], 0)
            if depth == 0:
                return start, place
        return None
    return None


def _around(signature: str) -> str:
    """What stands before and behind the parameters, such as the type of the outcome."""
    span = _list_span(signature)
    if span is None:
        return signature
    return f"{signature[: span[0]]}()" + " ".join(signature[span[1] + 1 :].split())


def _of_parameters(old: list[str], new: list[str]) -> list[Difference]:
    was = {_called(part): part for part in old}
    has = {_called(part): part for part in new}
    found = [
        Difference(text=f"parameter `{name}` removed", breaks=True)
        for name in was
        if name not in has
    ]
    for name, part in has.items():
        if name not in was:
            optional = _is_optional(part)
            kind = "optional parameter" if optional else "parameter"
            found.append(Difference(text=f"{kind} `{name}` added", breaks=not optional))
        elif part != was[name]:
            breaks = _is_optional(was[name]) and not _is_optional(part)
            found.append(Difference(text=f"parameter `{was[name]}` is now `{part}`", breaks=breaks))
    shared_old = [name for name in was if name in has]
    shared_new = [name for name in has if name in was]
    first_new = list(has)[: len(shared_new)]
    if shared_old != shared_new or (shared_new != first_new and not _ends_with_stars(new)):
        found.append(Difference(text="parameters are in another order", breaks=True))
    return found


def _ends_with_stars(parts: list[str]) -> bool:
    """Whether what follows is given by name, so that its place does not matter."""
    return any(part.startswith("*") for part in parts)


def _called(part: str) -> str:
    """The name of a parameter, wherever the language puts it; of a bare type, the type."""
    if part in ("*", "/"):
        return part
    stars = part[: len(part) - len(part.lstrip("*"))]
    bare = part.lstrip("*").partition("=")[0].partition(":")[0].strip()
    names: list[str] = _NAME.findall(bare)
    if not names:
        return part
    # `name: Type` and `name Type` have the name first, `final Type name` last.
    typed_before = ":" not in part and len(names) > 1 and bare.endswith(names[-1])
    type_first = not bare[0].islower() or names[0] in _TYPE_WORDS
    return stars + (names[-1] if typed_before and type_first else names[0])


def _is_optional(part: str) -> bool:
    return "=" in part or "?" in part or "..." in part or part.startswith(("*", "/"))

"""When a found name is a wanted one: two matchers, both blind to case.

A name is split into parts at `.`, `::`, `#` and `/`. The leading parts of a wanted name that
name a package or module are dropped: everything before the first part that begins with a
capital letter, or, when none does, everything but the last part. So `flask.app.Flask.run`
wants `Flask.run` and `flask.helpers.url_for` wants `url_for`.

`strict`: the found name ends with the wanted parts, part by part. `Flask` is not found by
`Flask.run`, and `Flask.run` not by `Blueprint.run`.

`published`: the rule by which earlier figures were published. Besides equal names and names of
which one ends with the other, it takes a common last part when one of the names is bare or an
owner is shared, and one name standing anywhere within the other in the same case, so that a
method of a wanted class counts as the class.
"""

import re
from collections.abc import Iterable

_SEPARATOR = re.compile(r"::|\.|#|/")


def parts(name: str) -> list[str]:
    """A name's components, outermost first."""
    return [part for part in _SEPARATOR.split(name.strip().rstrip("(.")) if part]


def wanted_parts(truth: str) -> list[str]:
    """A wanted name's components without the package or module before them."""
    all_parts = parts(truth)
    for index, part in enumerate(all_parts):
        if part[:1].isupper():
            return all_parts[index:]
    return all_parts[-1:]


def strict(found: str, wanted: str) -> bool:
    """Whether a found name ends with the wanted one."""
    have, want = _lower(parts(found)), _lower(wanted_parts(wanted))
    return bool(want) and have[-len(want) :] == want


def published(found: str, wanted: str) -> bool:
    """Whether a found name is near enough to the wanted one for the published figures."""
    have, want = parts(found), wanted_parts(wanted)
    if not have or not want:
        return False
    low_have, low_want = _lower(have), _lower(want)
    if low_have[-len(low_want) :] == low_want or low_want[-len(low_have) :] == low_have:
        return True
    if low_have[-1] == low_want[-1]:
        bare = len(have) == 1 or len(want) == 1
        if bare or set(low_have[:-1]) & set(low_want[:-1]):
            return True
    return _within(want, have) or _within(have, want)


class Names:
    """Many names, asked whether one of them is strictly a wanted one."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_last: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            split = tuple(_lower(parts(name)))
            if split:
                self._by_last.setdefault(split[-1], set()).add(split)

    def has(self, wanted: str) -> bool:
        """The same answer as `any(strict(name, wanted) for name in names)`."""
        want = tuple(_lower(wanted_parts(wanted)))
        return bool(want) and any(
            name[-len(want) :] == want for name in self._by_last.get(want[-1], ())
        )


def _lower(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _within(inner: list[str], outer: list[str]) -> bool:
    size = len(inner)
    return any(outer[start : start + size] == inner for start in range(len(outer) - size + 1))

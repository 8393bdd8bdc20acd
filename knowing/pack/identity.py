"""The name of a pack in a cache: equal for equal questions to an equal index, and only then."""

import json
from collections.abc import Mapping
from hashlib import blake2b

from knowing.pack.values import PackOptions

_VERSION = 1
"""Of what packing makes of the same input; a stored pack of another version is not found."""


def key(
    task: str,
    options: PackOptions,
    generation: str,
    epoch: int,
    extra: Mapping[str, str | int | float | bool | None] | None = None,
) -> str:
    """A hexadecimal digest of all that a pack follows from.

    `generation` is the content hash or number of the index with what enriches it, `epoch` counts
    what was learned, `extra` is whatever else ranking was asked with. Case and spacing of the task
    matter: a name in it may differ by nothing else.
    """
    parts = [
        _VERSION,
        task.strip(),
        options.budget,
        options.form.value,
        options.tokenizer.name,
        options.title,
        list(options.notes),
        generation,
        epoch,
        dict(extra or {}),
    ]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()

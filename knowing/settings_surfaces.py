"""What is generated from the declared settings: the manual page and the schema for VS Code."""

import json
from collections.abc import Mapping

from knowing.settings import leaves, sections
from knowing.settings_schema import Leaf, Scope, Value, type_in_words
from knowing.text import split_identifier

_INTRODUCTION = """\
<!-- Generated from knowing/settings.py by `make docs`. Do not edit. -->
# Settings

Each setting has one value, taken from the last of these places that sets it:

1. the default below;
2. the project file: `knowing.toml` at the root of the workspace, or `[tool.knowing]` in
   `pyproject.toml` (`knowing.toml` wins if both exist);
3. the editor (`knowing.files.maxFileKb` and so on);
4. the command line (`--set files.max_file_kb=512`, as often as needed).

A list replaces the list of the place before it. Keys may be written in `snake_case`,
`camelCase` or `kebab-case`. A bad value or an unknown key is reported and ignored; the others
stay in force. `knowing settings` shows every value and where it comes from.

```toml
# knowing.toml
[files]
exclude = ["fixtures/", "*.min.js"]
max_file_kb = 512
```
"""


def markdown() -> str:
    """The whole of `docs/settings.md`."""
    parts = [_INTRODUCTION]
    for section, about in sections().items():
        rows = [_row(leaf) for leaf in leaves().values() if leaf.section == section]
        header = "| setting | value | default | |\n|---|---|---|---|"
        parts.append("\n".join([f"## {section}", "", about, "", header, *rows, ""]))
    return "\n".join(parts)


def vscode_configuration() -> dict[str, object]:
    """The value of `contributes.configuration` in the extension's `package.json`."""
    return {
        "title": "Knowing",
        "properties": {editor_key(leaf): _schema(leaf) for leaf in leaves().values()},
    }


def editor_key(leaf: Leaf) -> str:
    """The key of a setting in an editor: `knowing.files.maxFileKb`."""
    return ".".join(["knowing", *[_camel(part) for part in (leaf.section, leaf.name)]])


def _camel(name: str) -> str:
    first, *rest = split_identifier(name)
    return first + "".join(word.capitalize() for word in rest)


def _row(leaf: Leaf) -> str:
    """One line of the table of a section."""
    doc = leaf.doc
    if leaf.scope is Scope.MACHINE:
        doc += " Not from a project file."
    cells = (f"`{leaf.key}`", _values(leaf), f"`{json.dumps(_plain(leaf.default))}`", doc)
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _values(leaf: Leaf) -> str:
    """The values a setting can take, in words."""
    words = type_in_words(leaf)
    if leaf.minimum is not None and leaf.maximum is not None:
        return f"{words}, {leaf.minimum:,} to {leaf.maximum:,}"
    if leaf.minimum is not None:
        return f"{words}, at least {leaf.minimum:,}"
    return words if leaf.maximum is None else f"{words}, at most {leaf.maximum:,}"


def _schema(leaf: Leaf) -> Mapping[str, object]:
    """The JSON schema of one setting with the keys VS Code adds."""
    schema: dict[str, object] = dict(_TYPES[type(leaf.default)])
    if leaf.choices:
        schema["enum"] = list(leaf.choices)
    if leaf.minimum is not None:
        schema["minimum"] = leaf.minimum
    if leaf.maximum is not None:
        schema["maximum"] = leaf.maximum
    schema["default"] = _plain(leaf.default)
    schema["scope"] = leaf.scope.value
    schema["markdownDescription"] = leaf.doc
    return schema


_TYPES: Mapping[type, Mapping[str, object]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    tuple: {"type": "array", "items": {"type": "string"}},
}


def _plain(value: Value) -> object:
    """A value as JSON and TOML write it."""
    return list(value) if isinstance(value, tuple) else value

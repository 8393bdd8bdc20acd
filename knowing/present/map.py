"""The module map as Markdown, JSON and Mermaid."""

from typing import Any

from knowing.impact.map import Bridge, Key, Module, ModuleMap
from knowing.model import TYPE_KINDS

Json = dict[str, Any]


def map_markdown(whole: ModuleMap) -> str:
    """Modules with their key symbols, most important first, and the bridges between them."""
    lines = [
        "# Map",
        "",
        f"{whole.files:,} files, {whole.symbols:,} symbols; importance ★★★ to ★.",
        "",
        "## Modules",
        "",
        *(_module_line(module) for module in whole.modules),
    ]
    if whole.left_out:
        lines.append(f"- and {whole.left_out} smaller ones")
    if whole.bridges:
        lines += ["", "## Bridges", "", *(_bridge_line(bridge) for bridge in whole.bridges)]
    return "\n".join(lines) + "\n"


def _module_line(module: Module) -> str:
    keys = ", ".join(_key_text(key) for key in module.keys)
    size = f"{module.files} files, {module.symbols:,} symbols"
    return f"- **{module.path}** ({size})" + (f": {keys}" if keys else "")


def _key_text(key: Key) -> str:
    call = "" if key.kind in TYPE_KINDS else "()"
    return f"{key.name}{call}{_stars(key.importance)}"


def _stars(importance: float) -> str:
    stars = sum(importance >= least for least in (0.03, 0.1, 0.3))
    return f" {'★' * stars}" if stars else ""


def _bridge_line(bridge: Bridge) -> str:
    kinds = ", ".join(f"{kind.label} {count}" for kind, count in bridge.kinds[:3])
    user, used = bridge.example
    return f"- {bridge.source} → {bridge.target}: {bridge.count} ({kinds}), e.g. {user} → {used}"


def map_json(whole: ModuleMap) -> Json:
    return {
        "files": whole.files,
        "symbols": whole.symbols,
        "left_out": whole.left_out,
        "modules": [
            {
                "path": module.path,
                "files": module.files,
                "symbols": module.symbols,
                "importance": round(module.importance, 5),
                "keys": [_key_json(key) for key in module.keys],
            }
            for module in whole.modules
        ],
        "bridges": [
            {
                "source": bridge.source,
                "target": bridge.target,
                "count": bridge.count,
                "kinds": {kind.label: count for kind, count in bridge.kinds},
                "example": {"source": bridge.example[0], "target": bridge.example[1]},
            }
            for bridge in whole.bridges
        ],
    }


def _key_json(key: Key) -> Json:
    return {
        "name": key.name,
        "kind": key.kind.label,
        "path": key.path,
        "line": key.line,
        "importance": key.importance,
        "users": key.users,
    }


def map_mermaid(whole: ModuleMap) -> str:
    """A flow chart of modules, with the number of uses on each arrow."""
    number = {module.path: f"m{index}" for index, module in enumerate(whole.modules)}
    lines = ["flowchart LR"]
    for module in whole.modules:
        keys = "".join(f"<br/>{_quoted(key.name)}" for key in module.keys[:3])
        lines.append(f'  {number[module.path]}["{_quoted(module.path)}{keys}"]')
    for bridge in whole.bridges:
        if bridge.source in number and bridge.target in number:
            arrow = f"-->|{bridge.count}|"
            lines.append(f"  {number[bridge.source]} {arrow} {number[bridge.target]}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Text that does not end a label of a chart."""
    for letter, code in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(letter, code)
    return text

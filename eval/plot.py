"""Bars in SVG, written by hand: a picture of a few numbers needs no plotting library."""

from collections.abc import Mapping, Sequence
from html import escape

COLOURS = ("#2b6cb0", "#dd6b20", "#2f855a", "#805ad5", "#718096", "#b83280")
WIDTH = 720
LABEL = 170
BAR = 14
GAP = 12
TOP = 56


def bars(title: str, rows: Mapping[str, Mapping[str, float]], highest: float = 1.0) -> str:
    """Groups of horizontal bars: row -> series -> value between 0 and `highest`."""
    series = list(dict.fromkeys(name for values in rows.values() for name in values))
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(series)}
    parts: list[str] = []
    y = TOP
    for row, values in rows.items():
        middle = y + len(values) * BAR / 2 + 4
        parts.append(_text(LABEL - 8, middle, row, anchor="end"))
        for name, value in values.items():
            parts += _bar(y, value, highest, colours[name], f"{row}, {name}: {value:.3f}")
            y += BAR
        y += GAP
    head = [_text(LABEL, 20, title, size=15), *_legend(series, colours)]
    return _document(y + GAP, [*head, *parts])


def _bar(y: float, value: float, highest: float, colour: str, title: str) -> list[str]:
    room = WIDTH - LABEL - 60
    width = max(0.0, min(value / highest, 1.0)) * room
    return [
        f'<rect x="{LABEL}" y="{y:.0f}" width="{width:.1f}" height="{BAR - 2}" fill="{colour}">'
        f"<title>{escape(title)}</title></rect>",
        _text(LABEL + width + 5, y + BAR - 4, f"{value:.3f}", size=10),
    ]


def _legend(series: Sequence[str], colours: Mapping[str, str]) -> list[str]:
    parts = []
    x = float(LABEL)
    for name in series:
        parts.append(f'<rect x="{x:.0f}" y="30" width="10" height="10" fill="{colours[name]}"/>')
        parts.append(_text(x + 14, 39, name, size=11))
        x += 26 + 6.5 * len(name)
    return parts


def _text(x: float, y: float, text: str, size: int = 12, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="#444">{escape(text)}</text>'


def _document(height: float, parts: Sequence[str]) -> str:
    size = f'width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">'
    back = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"

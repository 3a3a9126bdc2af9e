"""Line charts as inline SVG: no script, colours from the page's own style sheet, labels beside the lines."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from mutakata.site.markdown import raised

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 200, 18, 52
LABEL_GAP = 17


@dataclass(frozen=True)
class Axis:
    """A scale from `low` to `high`, which may be the smaller; `ticks` are (value, label)."""

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = True

    def place(self, value: float) -> float:
        """0 at `low`, 1 at `high`; values beyond are held at the edge."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = (math.log10(one) for one in (low, high, max(value, min(low, high))))
        return min(1.0, max(0.0, (at - low) / (high - low)))


@dataclass(frozen=True)
class Line:
    """Points (x, y) in order. `kind` is a class of the style sheet: series-1 to series-6, or good."""

    label: str
    points: tuple[tuple[float, float], ...]
    kind: str


def powers(low: int, high: int, step: int = 1) -> tuple[tuple[float, str], ...]:
    """Ticks at powers of ten."""
    return tuple((10.0**e, "1" if e == 0 else f"10{raised(e)}") for e in range(low, high + 1, step))


def chart(
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    caption: str,
    levels: Sequence[tuple[float, str]] = (),
) -> str:
    """A figure. `levels` are horizontal lines with a name; `caption` is HTML, and says what to see."""
    inner = _grid(x, y) + "".join(_level(y, value, label) for value, label in levels)
    inner += "".join(_line(x, y, line) for line in lines) + _labels(x, y, lines)
    plain = ", ".join(line.label for line in lines)
    return (
        '<figure class="chart"><div class="chart-scroll" tabindex="0" role="region" '
        f'aria-label="chart of {escape(y.label)}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(y.label)} against '
        f'{escape(x.label)}: {escape(plain)}">{inner}</svg></div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _x(axis: Axis, value: float) -> float:
    return LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM)


def _grid(x: Axis, y: Axis) -> str:
    parts = []
    for value, label in x.ticks:
        at = _x(x, value)
        parts.append(f'<path class="grid" d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(
            f'<text class="tick" x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label}</text>'
        )
    for value, label in y.ticks:
        at = _y(y, value)
        parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(
        f'<text class="axis" x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x.label)}</text>'
    )
    half = TOP + (HEIGHT - TOP - BOTTOM) / 2
    turned = f'transform="translate(16 {half}) rotate(-90)" text-anchor="middle"'
    parts.append(f'<text class="axis" {turned}>{escape(y.label)}</text>')
    return "".join(parts)


def _level(y: Axis, value: float, label: str) -> str:
    at = _y(y, value)
    return (
        f'<path class="level" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>'
        f'<text class="level" x="{LEFT + 6}" y="{at - 5:.1f}">{escape(label)}</text>'
    )


def _line(x: Axis, y: Axis, line: Line) -> str:
    points = " ".join(f"{_x(x, a):.1f},{_y(y, b):.1f}" for a, b in line.points)
    return (
        f'<polyline class="line {line.kind}" points="{points}"><title>{escape(line.label)}</title></polyline>'
    )


def _labels(x: Axis, y: Axis, lines: Sequence[Line]) -> str:
    """Each line's name beside its end, pushed apart where two would touch."""
    ends = sorted((_y(y, line.points[-1][1]), index) for index, line in enumerate(lines))
    places: dict[int, float] = {}
    last = -math.inf
    for at, index in ends:
        last = max(at, last + LABEL_GAP)
        places[index] = last
    overflow = max(0.0, last - (HEIGHT - BOTTOM))
    parts = []
    for at, index in ends:
        line, to = lines[index], places[index] - overflow
        begin = _x(x, line.points[-1][0])
        edge = WIDTH - RIGHT + 14
        parts.append(f'<path class="lead {line.kind}" d="M{begin:.1f} {at:.1f}L{edge} {to:.1f}"/>')
        parts.append(
            f'<text class="name {line.kind}" x="{edge + 4}" y="{to + 4:.1f}">{escape(line.label)}</text>'
        )
    return "".join(parts)

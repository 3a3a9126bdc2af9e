"""A comparison with a contract as one HTML file: error against the size of the input. No scripts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from mutakata.numerics.compare import Answer
from mutakata.report.compare import Run, again, diagnosis_lines, number, problem_lines, verdict, where
from mutakata.report.models_html import STYLE

SHAPES = {"fp32": "circle", "fp16": "square", "bf16": "diamond", "fp64": "triangle"}
CORNERS = {
    "square": ((-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)),
    "diamond": ((0, -4.4), (4.4, 0), (0, 4.4), (-4.4, 0)),
    "triangle": ((0, -4.2), (4.2, 3.4), (-4.2, 3.4)),
}
LEFT, TOP, WIDE, HIGH = 70, 16, 720, 340
LOWEST, HIGHEST = -4, 8  # decades of the error that are drawn


@dataclass(frozen=True)
class Point:
    """One row of one output. size: root mean square of the input's row."""

    size: float
    ratio: float
    dtype: str
    label: str


def page(run: Run) -> str:
    """The whole file."""
    found = run.found
    tone = "" if found.verdict == "keeps" else " bad"
    quantities = dict.fromkeys(part.quantity for one in found.answers for part in one.parts)
    pictures = [
        f"<figure><h2>{escape(name)}</h2>{picture(drawn, f'Error of {name} against the input')}</figure>"
        for name in quantities
        if (drawn := list(points(found.answers, name)))
    ]
    parts = [
        f"<h1>{escape(run.target)}</h1>",
        f'<p class="verdict{tone}">{escape(verdict(run))}</p>',
        *(f"<p>{escape(line)}</p>" for line in diagnosis_lines(run.diagnosis)),
        *(f'<p class="verdict bad">{escape(line)}</p>' for line in problem_lines(found.answers)),
        *pictures,
        "<p>Each mark is one row: the root mean square of what went in, and the largest error of what came "
        "out, in units of what rounding allows. Below the line is right. An epsilon shows on the left, an "
        "overflow on the right. Exact results are drawn at the lower edge, NaN and infinity at the upper."
        "</p>",
        "<h2>Every case</h2>",
        _table(run),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    title = f"<title>{escape(run.target)} against {escape(found.contract.name)}</title>"
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}{title}</head>\n<body>\n{body}\n</body></html>\n'


def points(answers: Sequence[Answer], quantity: str) -> Iterator[Point]:
    """Rows of one quantity; one point for a case whose quantity has no rows."""
    for one in answers:
        if quantity not in one.got:
            continue
        data = next(v for v in one.question.case.inputs.values() if isinstance(v, np.ndarray) and v.ndim > 1)
        with np.errstate(invalid="ignore"):
            sizes = np.sqrt(np.mean(np.square(data.astype(np.float64)), axis=-1)).ravel()
        ratio = one.wanted[quantity].ratio(one.got[quantity])
        if ratio.ndim > 1:
            ratio = ratio.max(axis=-1, initial=0.0)
        if ratio.size != sizes.size:
            ratio, sizes = np.array([ratio.max(initial=0.0)]), np.array([sizes.mean()])
        for size, each in zip(sizes.tolist(), ratio.ravel().tolist(), strict=True):
            if math.isfinite(size):
                yield Point(size, each, one.question.dtype, one.question.id)


def picture(drawn: Sequence[Point], label: str) -> str:
    """Error in units of the bound (up) against the size of the input (right), both logarithmic."""
    logs = [math.log10(one.size) for one in drawn if one.size > 0]
    low = math.floor(min(logs, default=0.0)) - 1  # a column of its own for rows of zeros
    high = max(math.ceil(max(logs, default=1.0)), low + 2)
    marks = [
        *_axes(low, high),
        *(_mark(one, low, high) for one in drawn),
        *_legend({one.dtype for one in drawn}),
    ]
    width, height = LEFT + WIDE + 20, TOP + HIGH + 62
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    inside = "\n".join(marks)
    return f'<svg {size} role="img" aria-label="{escape(label)}">\n{inside}\n</svg>'


def _y(ratio: float) -> float:
    decade = LOWEST if not ratio > 0 else HIGHEST if math.isinf(ratio) else math.log10(ratio)
    return TOP + HIGH * (HIGHEST - min(max(decade, LOWEST), HIGHEST)) / (HIGHEST - LOWEST)


def _x(size: float, low: int, high: int) -> float:
    decade = low if not size > 0 else math.log10(size)
    return LEFT + WIDE * (decade - low) / (high - low)


def _axes(low: int, high: int) -> list[str]:
    limit = _y(1.0)
    bottom, right = TOP + HIGH, LEFT + WIDE
    marks = [
        f'<rect class="within" x="{LEFT}" y="{limit:.1f}" width="{WIDE}" height="{bottom - limit:.1f}"/>'
    ]
    for decade in range(LOWEST, HIGHEST + 1, 2):
        y = _y(10.0**decade)
        marks.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        marks.append(
            f'<text class="quiet" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_power(decade)}</text>'
        )
    for decade in range(low, high + 1):
        x = LEFT + WIDE * (decade - low) / (high - low)
        text = "0" if decade == low else _power(decade)
        marks.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>')
        marks.append(f'<text class="quiet" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>')
    marks.append(f'<line class="limit" x1="{LEFT}" x2="{right}" y1="{limit:.1f}" y2="{limit:.1f}"/>')
    marks.append(f'<text x="{right}" y="{limit - 6:.1f}" text-anchor="end">what rounding allows</text>')
    return marks


def _power(decade: int) -> str:
    return "1" if decade == 0 else f"1e{decade}"


def _mark(one: Point, low: int, high: int) -> str:
    tone = "good" if one.ratio <= 1 else "bad"
    title = f"<title>{escape(one.label)}: {number(one.ratio)} times the bound</title>"
    return _shape(one.dtype, _x(one.size, low, high), _y(one.ratio), tone, title)


def _shape(dtype: str, x: float, y: float, tone: str, title: str = "") -> str:
    shape = SHAPES[dtype]
    if shape == "circle":
        return f'<circle class="{tone}" cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill-opacity=".7">{title}</circle>'
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in CORNERS[shape])
    return f'<polygon class="{tone}" points="{corners}" fill-opacity=".7">{title}</polygon>'


def _legend(dtypes: set[str]) -> Iterator[str]:
    y = TOP + HIGH + 42
    for index, dtype in enumerate(name for name in SHAPES if name in dtypes):
        x = LEFT + 6 + 80 * index
        yield _shape(dtype, x, y, "good")
        yield f'<text class="quiet" x="{x + 10}" y="{y + 4}">{dtype}</text>'


def _table(run: Run) -> str:
    numbers = "".join(f'<th class="n">{name}</th>' for name in ("error / bound", "outside"))
    head = f"<tr><th>case</th><th></th>{numbers}<th>worst element</th></tr>"
    ordered = [*run.found.wrong, *(one for one in run.found.answers if one.right)]
    body = "\n".join(
        f"<tr{'' if part.right else ' class=bad'}><td><code title='{escape(again(run, one))}'>"
        f"{escape(one.question.id)}</code></td><td>{escape(part.quantity)}</td>"
        f'<td class="n">{number(part.ratio)}</td><td class="n">{part.outside:.1%}</td>'
        f"<td>{escape(where(part))}</td></tr>"
        for one in ordered
        for part in one.parts
    )
    return f"<table><thead>{head}</thead><tbody>\n{body}\n</tbody></table>"

"""A comparison of two models as one HTML file: the layers as a picture, the table, the logits. No scripts."""

import math
from collections.abc import Sequence
from html import escape

from mutakata.numerics.models import CAVEAT, Comparison, Judged
from mutakata.report.models import logit_lines, number, verdict, words

KINDS = {"norm": "circle", "product": "square", "lookup": "diamond", "block": "triangle"}
LEFT, TOP, ROW, PLOT = 330, 26, 15, 520
DECADES = (-6, 8)

STYLE = """
:root { color-scheme: light dark; --ink:#1c2024; --quiet:#667078; --line:#d5dade; --page:#fff;
  --good:#1a6fb5; --bad:#c22f2f; --within:#eef5fb; }
@media (prefers-color-scheme: dark) { :root { --ink:#e6e9ec; --quiet:#9aa4ad; --line:#3a4249; --page:#15191c;
  --good:#6cb6f0; --bad:#ff8078; --within:#1b2730; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.verdict { border-left: 4px solid var(--good); padding: .4rem .8rem; font-weight: 600;
  overflow-wrap: anywhere; }
.verdict.bad { border-color: var(--bad); }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: var(--quiet); }
svg { max-width: 100%; height: auto; } svg text { font: 11px ui-monospace, monospace; fill: var(--ink); }
svg .quiet { fill: var(--quiet); } svg .grid { stroke: var(--line); } svg .limit { stroke: var(--bad); }
svg .within { fill: var(--within); } svg .good { fill: var(--good); } svg .bad { fill: var(--bad); }
table { border-collapse: collapse; font-size: .87rem; width: 100%; } td, th { text-align: left;
  border-bottom: 1px solid var(--line); padding: .2rem .5rem; vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.bad td { color: var(--bad); } code { font-size: .9em; }
"""


def page(found: Comparison, reference: str, candidate: str, dtype: str) -> str:
    """The whole file. `reference` and `candidate` are how they were named; dtype "" is the models' own."""
    tone = "" if found.right else " bad"
    rows = found.worst()
    precision = f" in {escape(dtype)}" if dtype else ""
    parts = [
        f"<h1>{escape(candidate)} against {escape(reference)}{precision}</h1>",
        f'<p class="verdict{tone}">{escape(verdict(found))}</p>',
        *(f'<p class="verdict bad">{escape(f.message)}</p>' for f in found.parameters),
        "<h2>Layer by layer</h2>",
        f"<figure>{layers_picture(rows)}<figcaption>Error of each module when it is fed the reference's "
        "recorded input, in units of what rounding allows; in order of execution, inner modules before the "
        "ones around them. Left of the line is right. An exact result is drawn at the left edge."
        "</figcaption></figure>",
        "<h2>Against the size of the input</h2>",
        f"<figure>{size_picture(found.layers)}<figcaption>The same errors against the root mean square of "
        "what the module was fed. An epsilon shows where inputs are small, an overflow where they are large."
        "</figcaption></figure>",
        "<h2>Logits</h2>",
        *(f"<p>{escape(line)}</p>" for line in (logit_lines(found.logits) if found.logits else [CAVEAT])),
        "<h2>Every module</h2>",
        _table(rows),
        *(f"<p>{escape(problem)}</p>" for problem in found.problems),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    title = f"<title>{escape(candidate)} against {escape(reference)}</title>"
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}{title}</head>\n<body>\n{body}\n</body></html>\n'


def _x(ratio: float) -> float:
    """Where a ratio is drawn: logarithmic, and what lies beyond the picture at its edge."""
    low, high = DECADES
    if not ratio > 0:
        return 0.0
    decade = high if math.isinf(ratio) else min(max(math.log10(ratio), low), high)
    return (decade - low) / (high - low) * PLOT


def _power(decade: int) -> str:
    return "1" if decade == 0 else f"1e{decade}"


def _axis(height: float) -> list[str]:
    low, high = DECADES
    limit = LEFT + _x(1.0)
    marks = [f'<rect class="within" x="{LEFT}" y="{TOP}" width="{limit - LEFT:.1f}" height="{height:.0f}"/>']
    for decade in range(low, high + 1, 2):
        at = LEFT + _x(10.0**decade)
        marks.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{TOP + height:.0f}"/>')
        marks.append(
            f'<text class="quiet" x="{at:.1f}" y="{TOP - 8}" text-anchor="middle">{_power(decade)}</text>'
        )
    marks.append(
        f'<line class="limit" x1="{limit:.1f}" x2="{limit:.1f}" y1="{TOP}" y2="{TOP + height:.0f}"/>'
    )
    return marks


def _mark(one: Judged, x: float, y: float) -> str:
    tone = "good" if one.right else "bad"
    title = f"<title>{escape(one.name)}: {escape(words(one))}</title>"
    shape = KINDS[one.kind]
    if shape == "circle":
        return f'<circle class="{tone}" cx="{x:.1f}" cy="{y:.1f}" r="4">{title}</circle>'
    points = {
        "square": ((-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)),
        "diamond": ((0, -5), (5, 0), (0, 5), (-5, 0)),
        "triangle": ((0, -4.6), (4.6, 3.8), (-4.6, 3.8)),
    }[shape]
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon class="{tone}" points="{corners}">{title}</polygon>'


def _legend(y: float) -> str:
    drawn = []
    for index, kind in enumerate(KINDS):
        x = LEFT + 10 + index * 90
        drawn.append(_mark(Judged(kind, kind, 0, 0.0, 0.0), x, y))
        drawn.append(f'<text class="quiet" x="{x + 10}" y="{y + 4}">{kind}</text>')
    return "".join(drawn)


def _svg(width: float, height: float, label: str, marks: Sequence[str]) -> str:
    inside = "\n".join(marks)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg {size} role="img" aria-label="{escape(label)}">\n{inside}\n</svg>'


def layers_picture(rows: Sequence[Judged]) -> str:
    """One line per module in the order of execution, its error on a logarithmic axis."""
    height = ROW * len(rows)
    marks = _axis(height)
    for index, one in enumerate(rows):
        y = TOP + ROW * (index + 0.5)
        tone = "" if one.right else ' class="bad"'
        marks.append(
            f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end"{tone}>{escape(_short(one.name))}</text>'
        )
        marks.append(_mark(one, LEFT + _x(one.ratio), y))
    marks.append(_legend(TOP + height + 20))
    return _svg(LEFT + PLOT + 30, TOP + height + 36, "Error of each layer in units of its bound", marks)


def _short(name: str, most: int = 46) -> str:
    return name if len(name) <= most else "…" + name[-most + 1 :]


def size_picture(layers: Sequence[Judged]) -> str:
    """Error in units of the bound (x) against the size of the input (y), both logarithmic."""
    shown = [one for one in layers if one.size > 0 and math.isfinite(one.size)]
    if not shown:
        return ""
    logs = [math.log10(one.size) for one in shown]
    low, high = math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1)
    height = 220
    marks = _axis(height)
    for decade in range(low, high + 1):
        y = TOP + height * (high - decade) / (high - low)
        marks.append(f'<line class="grid" x1="{LEFT}" x2="{LEFT + PLOT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        marks.append(
            f'<text class="quiet" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{_power(decade)}</text>'
        )
    for one, log in zip(shown, logs, strict=True):
        marks.append(_mark(one, LEFT + _x(one.ratio), TOP + height * (high - log) / (high - low)))
    marks.append(_legend(TOP + height + 20))
    return _svg(LEFT + PLOT + 30, TOP + height + 36, "Error against the size of the input", marks)


def _table(rows: Sequence[Judged]) -> str:
    numbers = "".join(f'<th class="n">{name}</th>' for name in ("error / bound", "input size"))
    head = f"<tr><th>module</th><th>rule</th>{numbers}<th></th></tr>"
    body = "\n".join(
        f"<tr{'' if one.right else ' class=bad'}><td><code>{escape(one.name)}</code></td><td>{one.kind}</td>"
        f'<td class="n">{number(one.ratio)}</td><td class="n">{number(one.size)}</td>'
        f"<td>{escape('; '.join(one.problems))}</td></tr>"
        for one in rows
    )
    return f"<table><thead>{head}</thead><tbody>\n{body}\n</tbody></table>"

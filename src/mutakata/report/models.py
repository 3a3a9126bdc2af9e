"""A comparison of two models as a table, plain text in a pipe, or JSON."""

import json
import math
from typing import Any

from rich.console import Console

from mutakata.numerics.models import CAVEAT, Comparison, Judged, Logits
from mutakata.report.console import table

FORMAT_VERSION = 1
SHOWN = 12


def verdict(found: Comparison) -> str:
    """The conclusion in a sentence."""
    bad = found.first_bad
    if bad is not None:
        return f"first bad layer: {bad.name} ({words(bad)})"
    if found.parameters:
        return f"every layer is right, but the models hold different things: {found.parameters[0].message}"
    if found.problems:
        return f"not proved: {found.problems[0]}"
    worst = max((one.ratio for one in found.layers), default=0.0)
    return f"every layer is right: {len(found.worst())} modules, worst error {worst:.2g} of its bound"


def words(one: Judged) -> str:
    """What is wrong with a module, or how near it comes to its bound."""
    if one.problems:
        return "; ".join(one.problems)
    return f"{number(one.ratio)} times its bound"


def number(value: float) -> str:
    if math.isinf(value):
        return "inf"
    return "-" if math.isnan(value) else f"{value:.3g}"


def logit_lines(found: Logits) -> list[str]:
    """The logit report: the numbers, then what they cannot show."""
    return [
        f"logits: {number(found.ratio)} of the spread of faithful variants "
        f"(the reference itself {number(found.reference_ratio)}); same first token at {found.top1:.2%} of "
        f"{found.positions} positions; KL {number(found.kl)} nats, at worst {number(found.worst_kl)}",
        CAVEAT,
    ]


def show(console: Console, found: Comparison, every: bool = False) -> None:
    """Print the verdict, the telling layers or every one, and the logits."""
    good = found.right
    console.print(verdict(found), style="bold green" if good else "bold red", soft_wrap=True, markup=False)
    rows = found.worst()
    picked = rows if every else _interesting(rows)
    console.print(
        table(
            console,
            ("layer", "rule", "#error/bound", "#input size", ""),
            [
                (
                    one.name,
                    one.kind,
                    number(one.ratio),
                    number(one.size),
                    "right" if one.right else "[red]bad[/]",
                )
                for one in picked
            ],
        )
    )
    if len(picked) < len(rows):
        console.print(f"{len(rows) - len(picked)} more modules are right; --every shows them", soft_wrap=True)
    for finding in found.parameters:
        console.print(f"{finding.id}: {finding.message}", style="red", soft_wrap=True, markup=False)
    if found.skipped:
        console.print(f"not in the candidate: {', '.join(found.skipped)}", soft_wrap=True, markup=False)
    for line in (*found.problems, *(logit_lines(found.logits) if found.logits else ())):
        console.print(line, soft_wrap=True, markup=False)


def _interesting(rows: list[Judged]) -> list[Judged]:
    bad = [one for one in rows if not one.right][:SHOWN]
    near = sorted((one for one in rows if one.right), key=lambda one: -one.ratio)[: max(SHOWN - len(bad), 3)]
    chosen = {one.name for one in (*bad, *near)}
    return [one for one in rows if one.name in chosen]


def as_json(found: Comparison) -> str:
    """One object: format_version, right, first_bad, layers, parameters, skipped, problems, logits, caveat."""
    bad = found.first_bad
    return json.dumps(
        {
            "format_version": FORMAT_VERSION,
            "right": found.right,
            "verdict": verdict(found),
            "first_bad": bad.name if bad else None,
            "layers": [_layer(one) for one in found.layers],
            "parameters": [{"id": one.id, "message": one.message} for one in found.parameters],
            "skipped": list(found.skipped),
            "problems": list(found.problems),
            "logits": _logits(found.logits),
            "caveat": CAVEAT,
        },
        indent=2,
    )


def _layer(one: Judged) -> dict[str, Any]:
    return {
        "name": one.name,
        "rule": one.kind,
        "batch": one.batch,
        "ratio": _finite(one.ratio),
        "input_rms": _finite(one.size),
        "right": one.right,
        "problems": list(one.problems),
    }


def _finite(value: float) -> float | None:
    """JSON has no infinity: a ratio that is none is null, and its problem says why."""
    return value if math.isfinite(value) else None


def _logits(found: Logits | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "ratio": _finite(found.ratio),
        "reference_ratio": found.reference_ratio,
        "top1": found.top1,
        "kl": found.kl,
        "worst_kl": found.worst_kl,
        "positions": found.positions,
    }

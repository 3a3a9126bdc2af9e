"""What two models hold: weights that differ, are exchanged or missing, and what is tied."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mutakata.numerics.checkpoint import Finding
from mutakata.numerics.rounding import Array


def parameter_findings(reference: Any, candidate: Any) -> list[Finding]:
    """Differences of parameters by name, then of tying. A module that was replaced may name its own anew."""
    from mutakata.backends.arrays import to_numpy
    from mutakata.backends.torch_models import parameters

    mine = {name: to_numpy(value) for name, value in parameters(reference).items()}
    theirs = {name: to_numpy(value) for name, value in parameters(candidate).items()}
    return [*_values(mine, theirs), *_tying(reference, candidate)]


def _values(mine: Mapping[str, Array], theirs: Mapping[str, Array]) -> list[Finding]:
    findings = []
    differing = {}
    for name in mine.keys() & theirs.keys():
        a, b = mine[name], theirs[name]
        if a.shape != b.shape:
            findings.append(Finding("shape", f"{name} is {b.shape}; the reference has {a.shape}"))
        elif not np.array_equal(a.astype(np.float64), b.astype(np.float64)):
            differing[name] = (a, b)
    told: set[str] = set()
    for name, (a, b) in sorted(differing.items()):
        if name in told:
            continue
        partner = _partner(name, differing)
        if partner:
            told.add(partner)
            message = f"{name} and {partner} are exchanged: each holds what the reference has in the other"
            findings.append(Finding("exchanged", message))
        elif _halves_exchanged(a, b):
            findings.append(Finding("exchanged", f"{name}: its two halves of rows are exchanged"))
        else:
            most = float(np.max(np.abs(a.astype(np.float64) - b.astype(np.float64))))
            findings.append(Finding("value", f"{name} differs from the reference by up to {most:.3g}"))
    return findings


def _partner(name: str, differing: Mapping[str, tuple[Array, Array]]) -> str | None:
    a, b = differing[name]
    for other, (c, d) in sorted(differing.items()):
        if other != name and c.shape == a.shape and np.array_equal(b, c) and np.array_equal(d, a):
            return other
    return None


def _halves_exchanged(a: Array, b: Array) -> bool:
    half = len(a) // 2 if a.ndim else 0
    return half > 0 and len(a) % 2 == 0 and bool(np.array_equal(np.concatenate([a[half:], a[:half]]), b))


def _tying(reference: Any, candidate: Any) -> list[Finding]:
    from mutakata.backends.torch_models import storage_groups

    names = {name for name, _ in candidate.named_parameters(remove_duplicate=False)}
    wanted, found = storage_groups(reference), storage_groups(candidate)
    findings = []
    for group in wanted:
        here = group & names
        if len(here) > 1 and not any(here <= other for other in found):
            members = " and ".join(sorted(here))
            message = f"{members} share memory in the reference, not in the candidate: one would train alone"
            findings.append(Finding("untied", message))
    for group in found:
        if len(group) > 1 and not any(group <= other for other in wanted):
            message = f"{' and '.join(sorted(group))} share memory in the candidate, not in the reference"
            findings.append(Finding("tied", message))
    return findings

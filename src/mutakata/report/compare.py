"""A comparison with a contract as a table, plain text in a pipe, or JSON."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from mutakata.numerics.compare import Answer, Comparison, Part
from mutakata.numerics.diagnose import Decider, Diagnosis, Match
from mutakata.report.console import table

FORMAT_VERSION = 1
SHOWN = 10
NAMED = 3


@dataclass(frozen=True)
class Run:
    """What there is to report. command: the line that was typed, to which `--case ID` is added."""

    target: str
    found: Comparison
    diagnosis: Diagnosis
    command: str
    seconds: float


def verdict(run: Run) -> str:
    """The conclusion in a sentence."""
    found, promise = run.found, run.found.contract.name
    wrong = len(found.wrong)
    if found.verdict == "not-proved":
        problem = next((p for one in found.answers for p in one.problems), "nothing was asked")
        return f"not proved here: {problem}"
    if found.verdict == "mistrusted":
        reasons = "; ".join(dict.fromkeys(r for one in found.answers for r in one.mistrusted))
        return f"mistrusted: nothing is proved about {promise}, as {reasons}"
    if found.verdict == "keeps":
        worst = max(one.ratio for one in found.answers)
        return f"keeps {promise}: {len(found.answers)} cases, worst error {worst:.2g} of the bound"
    if found.other:
        return f"keeps another contract, {found.other.name}, in place of {promise}: {found.other.source}"
    return f"breaks {promise} on {wrong} of {len(found.answers)} cases"


def diagnosis_lines(diagnosis: Diagnosis) -> list[str]:
    """What it behaves like, in sentences."""
    if diagnosis.reason:
        return [] if diagnosis.reason == "the contract is not left" else [f"no diagnosis: {diagnosis.reason}"]
    left = diagnosis.remaining
    if not left:
        near = diagnosis.ranked[0]
        share = f"{diagnosis.asked - len(near.unexplained)} of {diagnosis.asked}"
        lines = [f"no known defect explains every case; the nearest explains {share}: {_named(near)}"]
    elif len(left) == 1:
        lines = [f"it behaves like {_named(left[0])}"]
    else:
        lines = ["it cannot be told from:", *(f"  {_named(one)}" for one in left[: 2 * NAMED])]
        lines += [f"  and {len(left) - 2 * NAMED} more"] if len(left) > 2 * NAMED else []
    singles = [one for one in diagnosis.excluded if one.suspect.kind != "pair"]
    if singles:
        names = "; ".join(one.suspect.id for one in singles[:NAMED])
        more = f" and {len(singles) - NAMED} more" if len(singles) > NAMED else ""
        lines.append(f"excluded: {names}{more}")
    if len(left) > 1:
        lines.append(decider_line(diagnosis.decider))
    return lines


def decider_line(found: Decider | None) -> str:
    if found is None:
        return "no fixed input tells them apart: within rounding they are the same"
    at = ", ".join(map(str, found.index))
    values = "; ".join(f"{name} gives {value:.6g}" for name, value in found.outputs.items())
    return f"--case {found.question.id} would decide: at {found.quantity}[{at}] {values}"


def _named(one: Match) -> str:
    seen = f" (seen in {', '.join(one.suspect.seen)})" if one.suspect.seen else ""
    return f"{one.suspect.id}: {one.suspect.reason}{seen}"


def number(value: float) -> str:
    return "inf" if math.isinf(value) else "-" if math.isnan(value) else f"{value:.3g}"


def where(part: Part) -> str:
    """The worst element in words."""
    if part.worst is None:
        return ""
    at = ",".join(map(str, part.worst.index))
    return f"[{at}] {part.worst.got:.6g}, expected {part.worst.expected:.6g}, {number(part.worst.ulps)} ulp"


def show(console: Console, run: Run) -> None:
    """Print the verdict, what it behaves like, the telling cases, and how to see one again."""
    tone = "bold green" if run.found.verdict == "keeps" else "bold red"
    console.print(f"{run.target}: {verdict(run)}", style=tone, soft_wrap=True, markup=False)
    for line in diagnosis_lines(run.diagnosis):
        console.print(line, soft_wrap=True, markup=False)
    picked = telling(run.found)
    rows = [
        (one.question.id, part.quantity, number(part.ratio), f"{part.outside:.1%}", where(part))
        for one in picked
        for part in one.parts
    ]
    if rows:
        heads = ("case", "", "#error/bound", "#outside", "worst: got, expected")
        console.print(table(console, heads, rows))
    for line in problem_lines(picked):
        console.print(line, style="red", soft_wrap=True, markup=False)
    unseen = len(run.found.answers) - len(picked)
    if unseen:
        console.print(f"{unseen} more cases; --format json lists every one", soft_wrap=True)
    if run.found.wrong:
        console.print(f"see one again: {again(run, run.found.wrong[0])}", soft_wrap=True, markup=False)
    console.print(f"{run.seconds:.1f} s", soft_wrap=True)


def again(run: Run, one: Answer) -> str:
    """The command line that reproduces one case."""
    return f"{run.command} --case {one.question.id}"


def telling(found: Comparison) -> list[Answer]:
    """The worst cases, one for each regime first; of those that are right the nearest to the bound."""
    ordered = found.wrong or sorted(found.answers, key=lambda one: -one.ratio)[:NAMED]
    first = {one.question.case.name: one for one in reversed(ordered)}
    chosen = sorted(first.values(), key=lambda one: -one.ratio)[:SHOWN]
    ids = {one.question.id for one in chosen}
    return [*chosen, *(one for one in ordered if one.question.id not in ids)][:SHOWN]


def problem_lines(answers: Iterable[Answer]) -> list[str]:
    """What went wrong beside the numbers, each sentence once, with the first case that shows it."""
    said: dict[str, str] = {}
    for one in answers:
        for problem in (*one.problems, *(text for part in one.parts for text in part.problems)):
            said.setdefault(problem.removeprefix("malformed: "), one.question.id)
    return [f"{problem} ({where})" for problem, where in said.items()]


def as_json(run: Run) -> dict[str, Any]:
    """One object: see "Machine output". ratio is null where it is infinite; `problems` then say why."""
    found, ranked = run.found, run.diagnosis.ranked
    return {
        "format_version": FORMAT_VERSION,
        "target": run.target,
        "op": found.contract.op,
        "contract": found.contract.name,
        "verdict": found.verdict,
        "sentence": verdict(run),
        "other_contract": found.other.name if found.other else None,
        "cases": [_case(run, one, part) for one in found.answers for part in _parts(one)],
        "diagnosis": [_match(one) for one in ranked if one.explains],
        "nearest": [_match(one) for one in ranked[:NAMED]] if not run.diagnosis.remaining else [],
        "excluded": [_match(one) for one in run.diagnosis.excluded],
        "decider": _decider(run.diagnosis.decider),
        "seconds": round(run.seconds, 2),
    }


def _parts(one: Answer) -> list[Part | None]:
    return list(one.parts) or [None]


def _case(run: Run, one: Answer, part: Part | None) -> dict[str, Any]:
    return {
        "id": one.question.id,
        "dtype": one.question.dtype,
        "shape": list(part.shape) if part else None,
        "quantity": part.quantity if part else None,
        "ratio": _finite(part.ratio) if part else None,
        "outside": part.outside if part else 1.0,
        "worst": _worst(part) if part else None,
        "right": one.right,
        "problems": [*one.problems, *(part.problems if part else ())],
        "mistrusted": list(one.mistrusted),
        "reason": one.question.case.reason,
        "reproduce": again(run, one),
    }


def _worst(part: Part) -> dict[str, Any] | None:
    if part.worst is None:
        return None
    worst = part.worst
    return {
        "index": list(worst.index),
        "expected": _finite(worst.expected),
        "got": _finite(worst.got),
        "ulps": _finite(worst.ulps),
    }


def _match(one: Match) -> dict[str, Any]:
    suspect = one.suspect
    return {
        "id": suspect.id,
        "kind": suspect.kind,
        "seen": list(suspect.seen),
        "reason": suspect.reason,
        "log_likelihood": round(one.likelihood, 4),
        "unexplained": list(one.unexplained[:NAMED]),
    }


def _decider(found: Decider | None) -> dict[str, Any] | None:
    if found is None:
        return None
    outputs = {name: _finite(value) for name, value in found.outputs.items()}
    return {
        "case": found.question.id,
        "quantity": found.quantity,
        "index": list(found.index),
        "outputs": outputs,
    }


def _finite(value: float) -> float | None:
    """JSON has neither infinity nor NaN."""
    return value if math.isfinite(value) else None

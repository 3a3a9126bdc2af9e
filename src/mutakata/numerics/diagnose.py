"""Which known defect does an output show: those it cannot be told from, and the input that would decide."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from mutakata.numerics.compare import DTYPES, Answer, Comparison, Question, questions
from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.likeness import likeness
from mutakata.numerics.ops import expected
from mutakata.numerics.rounding import as_exact
from mutakata.numerics.suspects import Outputs, Suspect, pairs, predict, suspects
from mutakata.numerics.verdict import judge_expected

PAIRED = 10  # the likeliest single defects, of which two are tried together
THOROUGH = 4  # the likeliest, which are held against every answer even if a glance excludes them
GLANCED, LOOKED = 512, 4096  # elements of each output that a glance, and a thorough look, take
DECIDING_WIDTHS = (63, 128, 1000, 4095)


@dataclass(frozen=True)
class Match:
    """A suspect against all answers. likelihood: mean per element, nats. unexplained: questions it fails."""

    suspect: Suspect
    likelihood: float
    unexplained: tuple[str, ...]
    close: bool = False  # held against every answer, not by a glance only

    @property
    def explains(self) -> bool:
        return not self.unexplained


@dataclass(frozen=True)
class Decider:
    """A fixed input on which the remaining suspects give different outputs."""

    question: Question
    outputs: dict[str, float]
    quantity: str
    index: tuple[int, ...]


@dataclass(frozen=True)
class Diagnosis:
    """ranked: likeliest first. remaining: those that explain every answer. decider: tells them apart."""

    ranked: tuple[Match, ...]
    decider: Decider | None = None
    reason: str = ""  # why there is nothing to rank
    asked: int = 0  # answers that it was ranked by

    @property
    def remaining(self) -> tuple[Match, ...]:
        return tuple(one for one in self.ranked if one.explains)

    @property
    def excluded(self) -> tuple[Match, ...]:
        return tuple(one for one in self.ranked if not one.explains)


@dataclass
class Predictions:
    """What every suspect gives for the questions of one contract, made once for any number of targets."""

    promise: Contract
    eps: float | None
    singles: list[Suspect]
    made: dict[tuple[str, str], list[Outputs]] = field(default_factory=dict)
    bounds: dict[tuple[str, str], Expected] = field(default_factory=dict)

    def of(self, suspect: Suspect, question: Question, wanted: Expected) -> list[Outputs]:
        key = (suspect.id, question.id)
        if key not in self.made:
            self.made[key] = predict(suspect, question, wanted)
        return self.made[key]

    def allowed(self, suspect: Suspect, question: Question, wanted: Expected) -> Expected:
        """What the suspect's own contract allows."""
        if suspect.promise == self.promise:
            return wanted
        key = (suspect.promise.name, question.id)
        if key not in self.bounds:
            self.bounds[key] = expected(suspect.promise, **question.case.inputs)
        return self.bounds[key]


def predictions(promise: Contract, asked: Sequence[Question]) -> Predictions:
    """Empty yet: each is made when it is first needed."""
    eps = asked[0].case.inputs.get("eps") if asked else None
    return Predictions(promise, eps, suspects(promise, eps))


def diagnose(found: Comparison, known: Predictions | None = None) -> Diagnosis:
    """Rank what could explain a comparison that is not kept."""
    answers = [one for one in found.answers if one.got]
    if found.verdict not in ("breaks", "other-contract"):
        return Diagnosis((), reason="the contract is not left")
    if not answers:
        return Diagnosis((), reason="no output has the right number, shape and dtype")
    known = known or predictions(found.contract, [one.question for one in answers])
    matches = _ranked(known, known.singles, answers)
    if not any(one.explains for one in matches):
        both = pairs(known.promise, [one.suspect for one in matches[:PAIRED]])
        best = matches[0].likelihood
        better = [one for one in _ranked(known, both, answers) if one.explains or one.likelihood > best]
        matches = sorted((*better, *matches), key=_order)
    left = [one.suspect for one in matches if one.explains]
    return Diagnosis(tuple(matches), decider(known, left, answers), asked=len(answers))


def _ranked(known: Predictions, among: Sequence[Suspect], answers: Sequence[Answer]) -> list[Match]:
    """All by a glance at few answers; those it leaves, and the likeliest, by all answers."""
    few = glance(answers)
    first = sorted((match(known, one, few, GLANCED) for one in among), key=_order)
    close = {one.suspect.id for one in first[:THOROUGH]} | {one.suspect.id for one in first if one.explains}
    thorough = [replace(match(known, o.suspect, answers), close=True) for o in first if o.suspect.id in close]
    return sorted((*thorough, *(one for one in first if one.suspect.id not in close)), key=_order)


def glance(answers: Sequence[Answer]) -> list[Answer]:
    """One answer for each regime, a wrong one where there is one, at the least width, the dtypes in turn."""
    chosen: list[Answer] = []
    used = Counter[str]()
    for name in dict.fromkeys(one.question.case.name for one in answers):
        members = [one for one in answers if one.question.case.name == name]
        chosen.append(min(members, key=lambda a: (a.right, used[a.question.dtype], a.question.width)))
        used[chosen[-1].question.dtype] += 1
    return chosen


def _order(one: Match) -> tuple[bool, bool, float, int]:
    kinds = ("contract", "mutant", "eps", "pair")
    return not one.explains, not one.close, -round(one.likelihood, 3), kinds.index(one.suspect.kind)


def match(known: Predictions, suspect: Suspect, answers: Sequence[Answer], most: int = LOOKED) -> Match:
    """One suspect's likelihood, and the questions that it does not explain."""
    total, unexplained = 0.0, []
    for answer in answers:
        tries = known.of(suspect, answer.question, answer.wanted)
        wanted = known.allowed(suspect, answer.question, answer.wanted)
        scores = [
            likeness(wanted[name], got, [one[name] for one in tries], most)
            for name, got in answer.got.items()
            if name in tries[0]  # a statistic is not, which the zoo does not return
        ]
        total += float(np.mean([one.likelihood for one in scores]))
        if suspect.kind == "contract":  # its bound decides, and not one implementation of it
            explained = judge_expected(suspect.promise, wanted, dict(answer.got)).right
        else:
            explained = all(one.explained for one in scores)
        if not explained:
            unexplained.append(answer.question.id)
    return Match(suspect, total / len(answers), tuple(unexplained))


def decider(known: Predictions, left: Sequence[Suspect], answers: Sequence[Answer]) -> Decider | None:
    """A fixed input, not asked yet, that tells those that remain apart: the narrowest, and there the best."""
    if len(left) < 2:
        return None
    asked = {one.question.id for one in answers}
    rows = next(len(next(iter(one.got.values()))) for one in answers)
    for width, dtype in product(DECIDING_WIDTHS, DTYPES):
        best: tuple[float, Decider] | None = None
        for question in questions(known.promise.op, [dtype], [width], min(rows, 6), known.eps):
            if question.id in asked:
                continue
            wanted = expected(known.promise, **question.case.inputs)
            outputs = [known.of(one, question, wanted)[0] for one in left]
            if any(_apart(wanted, outputs[0], other) for other in outputs[1:]):
                found = _widest(question, wanted, left, outputs)
                best = found if best is None or found[0] > best[0] else best
        if best:
            return best[1]
    return None


def _apart(wanted: Expected, a: Outputs, b: Outputs) -> bool:
    return not all(likeness(wanted[name], a[name], [b[name]]).explained for name in wanted.outputs)


def _widest(
    question: Question, wanted: Expected, left: Sequence[Suspect], outputs: Sequence[Outputs]
) -> tuple[float, Decider]:
    """How far apart the outputs are at most, in units of the tolerance, and where."""
    apart, quantity, index = -1.0, "", tuple[int, ...]()
    for name in wanted.outputs:
        values = np.stack([as_exact(one[name], wanted[name].dtype) for one in outputs])
        values = np.where(np.isnan(values), np.inf, values)
        with np.errstate(invalid="ignore"):
            distance = np.nan_to_num(np.ptp(values, axis=0), posinf=1e300)
        distance = distance / np.maximum(wanted[name].tolerance, 2.0**-140)
        at = np.unravel_index(int(distance.argmax()), distance.shape)
        if distance[at] > apart:
            apart, quantity, index = float(distance[at]), name, tuple(int(i) for i in at)
    at_index: Any = index
    shown = {one.id: float(out[quantity][at_index]) for one, out in zip(left, outputs, strict=True)}
    return apart, Decider(question, shown, quantity, index)

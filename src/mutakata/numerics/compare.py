"""Hold a callable to a contract on the fixed inputs: does it keep it, keep another one, or break it?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

import numpy as np

from mutakata.backends.adapt import needs_gpu
from mutakata.numerics.contracts import Contract, RmsNorm
from mutakata.numerics.expectation import Expected
from mutakata.numerics.guards import mistrusted, run_guarded
from mutakata.numerics.inputs import ROWS, Case, fixed_inputs
from mutakata.numerics.ops import expected
from mutakata.numerics.presets import contract, presets
from mutakata.numerics.rounding import Array, dtype_of, round_to
from mutakata.numerics.verdict import Worst, judge_expected, named_outputs

DTYPES = ("fp32", "fp16", "bf16")
WIDTHS = (63, 128, 1000)
FIXED_EPS = 1e-6  # that of the fixed inputs

_CASTS: tuple[Literal["before_weight", "after_weight"], ...] = ("before_weight", "after_weight")

Outcome = Literal["keeps", "other-contract", "breaks", "mistrusted", "not-proved"]


@dataclass(frozen=True)
class Question:
    """One call that a target is asked to make. `id` is dtype/width/regime, which `--case` takes."""

    id: str
    dtype: str
    width: int
    case: Case


@dataclass(frozen=True)
class Part:
    """One quantity of one call: an output, or a statistic that the target exposes."""

    quantity: str
    shape: tuple[int, ...]
    ratio: float
    outside: float
    worst: Worst | None
    problems: tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.ratio <= 1 and not self.problems


@dataclass(frozen=True)
class Answer:
    """What came of a question. got: the outputs by name, empty where nothing usable came back."""

    question: Question
    wanted: Expected = field(repr=False)
    got: Mapping[str, Array] = field(repr=False)
    parts: tuple[Part, ...]
    problems: tuple[str, ...]
    mistrusted: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not self.problems and all(part.right for part in self.parts)

    @property
    def unproved(self) -> bool:
        """It failed for want of a GPU."""
        return any(map(needs_gpu, self.problems))

    @property
    def ratio(self) -> float:
        """The worst error in units of the bound; infinite where there is a problem."""
        return (
            float("inf") if self.problems else max((part.ratio for part in self.parts), default=float("inf"))
        )


@dataclass(frozen=True)
class Comparison:
    """other: the contract that is kept in place of the promised one."""

    contract: Contract
    verdict: Outcome
    answers: tuple[Answer, ...]
    other: Contract | None = None

    @property
    def wrong(self) -> list[Answer]:
        """Those that are not right, worst first."""
        return sorted((one for one in self.answers if not one.right), key=lambda one: -one.ratio)


def questions(
    op: str,
    dtypes: Sequence[str] = DTYPES,
    widths: Sequence[int] = WIDTHS,
    rows: int = ROWS,
    eps: float | None = None,
) -> list[Question]:
    """The fixed inputs of an operation, with another eps where one is given."""
    return [
        Question(f"{dtype}/{width}/{case.name}", dtype, width, case)
        for dtype, width in product(dtypes, widths)
        for case in _with_eps(fixed_inputs(op, dtype, width, rows), dtype, eps)
    ]


def _with_eps(cases: list[Case], dtype: str, eps: float | None) -> Iterator[Case]:
    """The cases as they are; for another eps, that eps in each, and the grid once more in its size."""
    for case in cases:
        if eps is None or "eps" not in case.inputs or eps == FIXED_EPS:
            yield case
            continue
        yield replace(case, inputs={**case.inputs, "eps": eps})
        if case.name == "grid":
            x = case.inputs["x"].astype(np.float64)
            scale = np.exp2(np.rint(np.log2(np.sqrt(eps / np.mean(x * x)))))
            inputs = {**case.inputs, "x": round_to(x * scale, dtype_of(dtype)), "eps": eps}
            if "residual" in inputs:
                inputs["residual"] = round_to(inputs["residual"].astype(np.float64) * scale, dtype_of(dtype))
            yield Case("near_eps", "the grid scaled to a mean square near eps", inputs)


def compare(
    function: Callable[..., Any],
    promise: str | Contract,
    asked: Sequence[Question],
    *,
    in_place: Sequence[str] = (),
    others: Sequence[Contract] | None = None,
) -> Comparison:
    """Ask every question, judge each answer, and where the contract is left look for another that is kept.

    function: takes the operation's inputs by name, as NumPy arrays. in_place: inputs that it may edit.
    """
    found = contract(promise)
    answers = tuple(ask(function, found, question, in_place) for question in asked)
    verdict = outcome(answers)
    if verdict != "breaks":
        return Comparison(found, verdict, answers)
    other = kept(answers, alternatives(found) if others is None else others)
    return Comparison(found, "other-contract" if other else "breaks", answers, other)


def ask(
    function: Callable[..., Any], promise: Contract, question: Question, in_place: Sequence[str] = ()
) -> Answer:
    """One call, twice on clones, and what each of its outputs is worth."""
    inputs = question.case.inputs
    wanted = expected(promise, **inputs)
    with np.errstate(all="ignore"):
        returned, problems = run_guarded(function, wanted, inputs, in_place=in_place)
    got: dict[str, Array] = {}
    if returned is not None:
        got, malformed = named_outputs(wanted, returned)
        problems = [*(one.removeprefix("malformed: ") for one in malformed), *problems]
    elif not problems:
        problems = ["returned None"]
    parts = tuple(_part(promise, wanted, name, value) for name, value in got.items())
    doubts = tuple(mistrusted(promise, inputs, wanted)) if not problems else ()
    usable = got if not any(np.isinf(part.ratio) and part.worst is None for part in parts) else {}
    return Answer(question, wanted, usable, parts, tuple(problems), doubts)


def _part(promise: Contract, wanted: Expected, name: str, value: Array) -> Part:
    alone = Expected({name: wanted[name]}, (name,))
    verdict = judge_expected(promise, alone, {name: value})
    return Part(name, value.shape, verdict.ratio, verdict.outside, verdict.worst, verdict.problems)


def outcome(answers: Sequence[Answer]) -> Outcome:
    """What the answers amount to. A run in which nothing was asked proves nothing."""
    if not answers or any(one.unproved for one in answers):
        return "not-proved"
    if not all(one.right for one in answers):
        return "breaks"
    return "mistrusted" if all(one.mistrusted for one in answers) else "keeps"


def kept(answers: Sequence[Answer], others: Sequence[Contract]) -> Contract | None:
    """The first of the contracts that every answer keeps."""
    if any(one.problems or not one.got for one in answers):
        return None
    hardest = sorted(answers, key=lambda one: -one.ratio)
    return next((other for other in others if all(_keeps(other, one) for one in hardest)), None)


def _keeps(promise: Contract, answer: Answer) -> bool:
    wanted = expected(promise, **answer.question.case.inputs)
    return judge_expected(promise, wanted, dict(answer.got)).right


def alternatives(promise: Contract) -> list[Contract]:
    """Other contracts of the operation, each meaning once, named ones first."""
    named = presets(promise.op)
    made = []
    if isinstance(promise, RmsNorm):
        made = [
            replace(
                promise,
                name=f"{promise.op} (cast {cast}, weight offset {offset:g})",
                cast=cast,
                offset=offset,
            )
            for cast, offset in product(_CASTS, (0.0, 1.0))
        ]
    seen, found = {meaning(promise)}, []
    for other in sorted(named, key=_familiar) + made:
        if meaning(other) not in seen:
            seen.add(meaning(other))
            found.append(other)
    return found


def meaning(promise: Contract) -> tuple[Any, ...]:
    """What a contract asks, without its name and its source."""
    values = vars(promise).items()
    return (promise.op, *sorted((key, value) for key, value in values if key not in ("name", "source")))


def _familiar(promise: Contract) -> bool:
    """False, and so first, for the presets named after a project."""
    return promise.name.split("/")[1] in ("numpy", "after_weight", "before_weight", "two_pass", "normalised")

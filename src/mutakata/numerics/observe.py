"""Call an implementation on a named input and say what it did: result, error, inputs it edited."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.backends.arrays import to_numpy
from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.ops import expected
from mutakata.numerics.tolerances import looks_right
from mutakata.numerics.verdict import Verdict, judge_expected, named_outputs, same_expected

Make = Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Observation:
    """One call. `inputs` are as they were before it; `output` is None where it raised `error`."""

    inputs: dict[str, Any]
    output: Any
    error: str
    edited: tuple[str, ...]


@dataclass(frozen=True)
class CellVerdict:
    """What one call is worth: `looks_right` to a hurried tester, `differs` beyond what rounding explains."""

    right: bool
    differs: bool
    looks_right: bool
    ratio: float
    outside: float
    text: str


def observe(function: Callable[..., Any], make: Make) -> Observation:
    """Call the function with fresh arguments. Never raises for what the function does, an exit aside."""
    arguments = make()
    before = {name: to_numpy(value, copy=True) for name, value in arguments.items()}
    output, error = None, ""
    try:
        with np.errstate(all="ignore"):
            output = to_numpy(function(**arguments), copy=True)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    edited = tuple(name for name, value in arguments.items() if not _unchanged(before[name], to_numpy(value)))
    return Observation(before, output, error, edited)


def judge_case(promise: str | Contract, function: Callable[..., Any], make: Make) -> CellVerdict:
    """Hold one call against a contract."""
    return judge_observation(promise, observe(function, make))


def judge_observation(
    promise: str | Contract, seen: Observation, wanted: Expected | None = None
) -> CellVerdict:
    """`wanted` is what `expected` gives for the same inputs, where it is at hand."""
    if seen.error:
        return CellVerdict(False, True, False, float("inf"), 1.0, f"raised {seen.error}")
    wanted = wanted or expected(promise, **seen.inputs)
    verdict = judge_expected(promise, wanted, seen.output)
    passes = not seen.edited and _passes_default_rule(wanted, seen.output)
    text = str(verdict)
    if seen.edited:
        text = f"edited its input {', '.join(seen.edited)}; {text}"
    right, differs = verdict.right and not seen.edited, verdict.differs or bool(seen.edited)
    return CellVerdict(right, differs, passes, verdict.ratio, verdict.outside, text)


def alike(wanted: Expected, a: Observation, b: Observation) -> bool:
    """Whether two calls on the input behind `wanted` cannot be told apart beyond rounding."""
    if a.error or b.error:
        return a.error == b.error
    return a.edited == b.edited and same_expected(wanted, a.output, b.output)


def _passes_default_rule(wanted: Expected, output: Any) -> bool:
    found, problems = named_outputs(wanted, output)
    if problems:
        return False
    quantities = wanted.quantities
    return all(
        looks_right(quantities[name].value.astype(quantities[name].dtype), got) for name, got in found.items()
    )


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray):
        if before.shape != after.shape or before.dtype != after.dtype:
            return False
        return before.tobytes() == np.ascontiguousarray(after).tobytes()
    return bool(before == after)


__all__ = ["CellVerdict", "Observation", "Verdict", "alike", "judge_case", "judge_observation", "observe"]

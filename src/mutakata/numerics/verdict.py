"""Judge an output: right when a correct implementation, summing in any order, could have produced it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.backends.arrays import to_numpy
from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected, Quantity, half_gap
from mutakata.numerics.ops import expected
from mutakata.numerics.presets import contract
from mutakata.numerics.rounding import Array, Floats, as_exact, gap, short_name, ulps_between

DIFFERS_RATIO = 4.0  # a defect stands this far outside the bound, or
DIFFERS_SHARE = 0.01  # puts this share of the elements outside it


@dataclass(frozen=True)
class Worst:
    """The element with the largest error in units of the bound."""

    quantity: str
    index: tuple[int, ...]
    expected: float
    got: float
    ulps: float


@dataclass(frozen=True)
class Verdict:
    """ratio: worst error in units of the bound (inf for a NaN). outside: share of elements beyond it."""

    contract: str
    ratio: float
    outside: float
    worst: Worst | None
    problems: tuple[str, ...] = ()
    mistrusted: tuple[str, ...] = ()  # why a pass here would prove nothing

    @property
    def right(self) -> bool:
        """A correct implementation could have produced this."""
        return self.ratio <= 1 and not self.problems

    @property
    def differs(self) -> bool:
        """So far off that no looseness in the bound explains it."""
        return bool(self.problems) or self.ratio >= DIFFERS_RATIO or self.outside >= DIFFERS_SHARE

    def __str__(self) -> str:
        if self.right and self.mistrusted:
            return (
                f"MISTRUSTED: nothing is proved about {self.contract} here, as {'; '.join(self.mistrusted)}"
            )
        if self.right:
            return f"keeps {self.contract}: worst error {self.ratio:.2g} of the bound"
        lines = [f"breaks {self.contract}", *self.problems]
        if self.worst and self.ratio > 1:
            at = ", ".join(map(str, self.worst.index))
            lines.append(
                f"{self.worst.quantity}[{at}] is {self.worst.got:.9g}, expected {self.worst.expected:.9g}: "
                f"{self.worst.ulps:.3g} ulp, {self.ratio:.3g} times what rounding allows"
            )
            lines.append(f"{self.outside:.2%} of the elements are outside the bound")
        return "\n  ".join(lines)


def judge(promise: str | Contract, inputs: Mapping[str, Any], got: Any) -> Verdict:
    """Hold `got` against a contract.

    inputs: the keyword arguments of the call. got: the output, a tuple of the outputs in order, or a dict by
    name that may also hold statistics (rstd, mean).
    """
    return judge_expected(promise, expected(promise, **inputs), got)


def judge_expected(promise: str | Contract, wanted: Expected, got: Any) -> Verdict:
    """`judge` where the expectation is at hand already: computing it is most of the cost."""
    name = contract(promise).name
    found, problems = named_outputs(wanted, got)
    ratios: dict[str, Floats] = {}
    for key, value in found.items():
        shape_problems = _shape_problems(key, wanted[key], value)
        problems += shape_problems
        if not shape_problems:
            ratios[key] = wanted[key].ratio(value)
            problems += _content_problems(key, wanted[key], value)
    if any(problem.startswith("malformed") for problem in problems) or not ratios:
        return Verdict(
            name, float("inf"), 1.0, None, tuple(problem.removeprefix("malformed: ") for problem in problems)
        )
    key = max(ratios, key=lambda each: float(ratios[each].max(initial=0.0)))
    return Verdict(
        name,
        float(ratios[key].max(initial=0.0)),
        max(float((each > 1).mean()) if each.size else 0.0 for each in ratios.values()),
        _worst(key, wanted[key], found[key], ratios[key]),
        tuple(problems),
    )


def named_outputs(wanted: Expected, got: Any) -> tuple[dict[str, Array], list[str]]:
    """The outputs by name, and what is wrong with their number or their names. Tensors become arrays."""
    if isinstance(got, Mapping):
        got = {name: to_numpy(value) for name, value in got.items()}
        unknown = [name for name in got if name not in wanted.quantities]
        missing = [name for name in wanted.outputs if name not in got]
        if unknown or missing:
            return {}, [f"malformed: outputs {sorted(got)}; expected {list(wanted.outputs)}"]
        return {name: np.asarray(value) for name, value in got.items()}, []
    got = to_numpy(got)
    if len(wanted.outputs) == 1 and not isinstance(got, tuple):
        return {wanted.outputs[0]: np.asarray(got)}, []
    if not isinstance(got, tuple | list) or len(got) != len(wanted.outputs):
        what = f"{len(got)} outputs" if isinstance(got, tuple | list) else f"one {type(got).__name__}"
        return {}, [f"malformed: returned {what}; expected {', '.join(wanted.outputs)}"]
    return dict(zip(wanted.outputs, map(np.asarray, got), strict=True)), []


def _shape_problems(name: str, wanted: Quantity, got: Array) -> list[str]:
    """Findings that make a comparison of values meaningless."""
    problems = []
    if got.shape != wanted.value.shape:
        problems.append(f"malformed: {name} has shape {got.shape}; expected {wanted.value.shape}")
    if got.dtype != wanted.dtype:
        problems.append(f"malformed: {name} is {short_name(got.dtype)}; expected {short_name(wanted.dtype)}")
    return problems


def _content_problems(name: str, wanted: Quantity, got: Array) -> list[str]:
    """Findings about the values that deserve their own sentence."""
    problems = []
    lost = int((np.isnan(got.astype(np.float64)) & ~np.isnan(wanted.value)).sum())
    if lost:
        problems.append(f"{name} holds {lost} NaN where the exact result is a number")
    low, high = wanted.interval()
    if (
        got.size
        and not got.astype(np.float64).any()
        and ((low > wanted.delta) | (high < -wanted.delta)).any()
    ):
        problems.append(f"{name} is zero everywhere; the exact result is not")
    return problems


def _worst(name: str, wanted: Quantity, got: Array, ratios: Floats) -> Worst | None:
    if not ratios.size:
        return None
    index = np.unravel_index(int(ratios.argmax()), ratios.shape)
    value, found = float(wanted.value[index]), float(got[index])
    ulps = float(ulps_between(value, found, wanted.dtype))
    return Worst(name, tuple(int(i) for i in index), value, found, ulps)


def same(promise: str | Contract, inputs: Mapping[str, Any], got_a: Any, got_b: Any) -> bool:
    """Do two outputs agree within what rounding alone can do? Used to prove that two mutants are distinct.

    Each may be a bound away from one common value, so together they may be two bounds apart.
    """
    return same_expected(expected(promise, **inputs), got_a, got_b)


def same_expected(wanted: Expected, got_a: Any, got_b: Any) -> bool:
    """`same` where the expectation is at hand already."""
    (a, bad_a), (b, bad_b) = named_outputs(wanted, got_a), named_outputs(wanted, got_b)
    if bad_a or bad_b or a.keys() != b.keys():
        return False
    return all(_agree(wanted[name], a[name], b[name]) for name in a)


def _agree(wanted: Quantity, a: Array, b: Array) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype != wanted.dtype or a.shape != wanted.value.shape:
        return bool(np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True))
    x, y = as_exact(a, wanted.dtype), as_exact(b, wanted.dtype)
    low, high = wanted.interval()
    equal = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(invalid="ignore"):
        apart = np.abs(x - y) - half_gap(x, y, wanted.dtype) - half_gap(y, x, wanted.dtype)
        # Neighbours may be one value beside the tie between them. Where the bound is a small part of a gap
        # few values lie there, so that chance explains no DIFFERS_SHARE of them.
        by_chance = ~equal & (high - low < DIFFERS_SHARE * gap(x, wanted.dtype))
    few = int(np.count_nonzero(by_chance)) < DIFFERS_SHARE * max(x.size, 1)
    return few and bool((equal | (apart <= high - low)).all())


def bound(promise: str | Contract, **inputs: Any) -> Any:
    """How far a correct output may be from the exact one, per element, absolute, final rounding included.

    One array for an operation with one output; a dict by name for several.
    """
    wanted = expected(promise, **inputs)
    tolerances = {name: wanted[name].tolerance for name in wanted.outputs}
    return tolerances if len(tolerances) > 1 else tolerances[wanted.outputs[0]]


def assert_keeps(got: Any, promise: str | Contract, **inputs: Any) -> None:
    """Fail with what was found and where unless `got` keeps the contract.

    assert_keeps(rms_norm(x, weight, eps=1e-6), "rms_norm/numpy", x=x, weight=weight, eps=1e-6)
    """
    verdict = judge(promise, inputs, got)
    if not verdict.right:
        raise AssertionError(str(verdict))

"""What no tolerance sees: edited inputs, shared memory, unwritten outputs, bits that change between runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.ops import expected
from mutakata.numerics.presets import contract
from mutakata.numerics.rounding import FORMATS, Array, round_to
from mutakata.numerics.verdict import Verdict, judge_expected, named_outputs


def check(
    function: Callable[..., Any],
    promise: str | Contract,
    inputs: Mapping[str, Any],
    *,
    out: Sequence[str] = (),
    in_place: Sequence[str] = (),
) -> Verdict:
    """Call `function` twice on clones of the inputs and judge what it returns, and what it did besides.

    out: names of buffer arguments, in the order of the contract's outputs; they are handed over full of NaN
    and read instead of the returned value. in_place: inputs that the function may edit.
    """
    wanted = expected(promise, **inputs)
    got, problems = run_guarded(function, wanted, inputs, out=out, in_place=in_place)
    if got is None:
        verdict = Verdict(contract(promise).name, float("inf"), 1.0, None, ())
    else:
        verdict = judge_expected(promise, wanted, got)
    return replace(
        verdict,
        problems=(*verdict.problems, *problems),
        mistrusted=tuple(mistrusted(promise, inputs, wanted)),
    )


def run_guarded(
    function: Callable[..., Any],
    wanted: Expected,
    inputs: Mapping[str, Any],
    *,
    out: Sequence[str] = (),
    in_place: Sequence[str] = (),
) -> tuple[Any, list[str]]:
    """What the function gives (None if it raised), and findings in words."""
    first, problems = _one_run(function, wanted, inputs, out, in_place)
    if first is None:
        return None, problems
    second, _ = _one_run(function, wanted, inputs, out, in_place)
    if _bits(first) != _bits(second):
        problems.append("two runs on the same inputs give different bits")
    return first, problems


def _one_run(
    function: Callable[..., Any],
    wanted: Expected,
    inputs: Mapping[str, Any],
    out: Sequence[str],
    in_place: Sequence[str],
) -> tuple[Any, list[str]]:
    given = {name: clone(value) for name, value in inputs.items()}
    buffers = {
        argument: np.full(wanted[output].value.shape, np.nan, wanted[output].dtype)
        for argument, output in zip(out, wanted.outputs, strict=False)
    }
    try:
        returned = function(**given, **buffers)
    except Exception as error:
        return None, [f"raised {type(error).__name__}: {error}"]
    got = (
        (tuple(buffers.values()) if len(buffers) > 1 else next(iter(buffers.values())))
        if buffers
        else returned
    )
    problems = [
        f"edited its input {name}"
        for name, value in inputs.items()
        if name not in in_place and isinstance(value, np.ndarray) and not _equal(value, given[name])
    ]
    found, _ = named_outputs(wanted, got)
    for name, value in found.items():
        shared = [
            key
            for key, each in given.items()
            if isinstance(each, np.ndarray) and np.shares_memory(each, value)
        ]
        problems += [f"{name} shares memory with its input {key}" for key in shared if key not in in_place]
    return got, problems


def clone(value: Any) -> Any:
    """A copy with the same shape and strides, in fresh memory whose gaps hold NaN."""
    if not isinstance(value, np.ndarray):
        return value
    if value.flags.c_contiguous or value.size == 0:
        return value.copy()
    extents = [(size - 1) * stride for size, stride in zip(value.shape, value.strides, strict=True)]
    start = -sum(extent for extent in extents if extent < 0)
    length = (start + sum(extent for extent in extents if extent > 0)) // value.itemsize + 1
    poison = np.nan if value.dtype in FORMATS else -1
    buffer = np.full(length, poison, value.dtype)
    view = as_strided(buffer[start // value.itemsize :], value.shape, value.strides)
    view[...] = value
    return view


def mistrusted(
    promise: str | Contract, inputs: Mapping[str, Any], wanted: Expected | None = None
) -> list[str]:
    """Reasons why a pass on these inputs would prove nothing: wrong answers that would pass too."""
    wanted = wanted or expected(promise, **inputs)
    reasons = []
    for what, answer in _wrong_answers(promise, inputs, wanted):
        if judge_expected(promise, wanted, answer).right:
            reasons.append(f"{what} would pass as well")
    for name in wanted.outputs:
        value, tolerance = wanted[name].value, wanted[name].tolerance
        if value.any() and float((tolerance >= np.abs(value))[value != 0].mean()) > 0.5:
            reasons.append(f"for most elements of {name} the bound is wider than the value")
    return reasons


def _wrong_answers(
    promise: str | Contract, inputs: Mapping[str, Any], wanted: Expected
) -> list[tuple[str, dict[str, Array]]]:
    """Answers that no test may accept: zeros, an input handed back, the parameters left out."""
    exact = {name: round_to(wanted[name].value, wanted[name].dtype) for name in wanted.outputs}
    first = wanted.outputs[0]
    answers = [("an output of zeros", {name: np.zeros_like(value) for name, value in exact.items()})]
    for name, value in inputs.items():
        if isinstance(value, np.ndarray) and (value.shape, value.dtype) == (
            exact[first].shape,
            exact[first].dtype,
        ):
            answers.append((f"{name} handed back", {**exact, first: value}))
    for name in ("weight", "gamma"):
        if name in inputs:
            plain = expected(promise, **{**inputs, name: np.ones_like(np.asarray(inputs[name]))})
            left_out = {key: round_to(plain[key].value, plain[key].dtype) for key in plain.outputs}
            answers.append((f"leaving out {name}", left_out))
    return answers


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True))


def _bits(got: Any) -> list[bytes]:
    values = (
        list(got.values()) if isinstance(got, Mapping) else got if isinstance(got, tuple | list) else [got]
    )
    return [np.ascontiguousarray(np.asarray(value)).tobytes() for value in values]

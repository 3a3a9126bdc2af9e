"""One module per operation: `expected(contract, **inputs)` gives the exact outputs and the bound."""

from collections.abc import Callable
from typing import Any

from mutakata.backends.arrays import to_numpy
from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.ops import (
    add_rms_norm,
    add_rms_norm_backward,
    layer_norm,
    layer_norm_backward,
    rms_norm,
    rms_norm_backward,
    rope,
    softmax,
    swiglu,
)
from mutakata.numerics.presets import contract

OPERATIONS: dict[str, Callable[..., Expected]] = {
    "rms_norm": rms_norm.expected,
    "layer_norm": layer_norm.expected,
    "add_rms_norm": add_rms_norm.expected,
    "swiglu": swiglu.expected,
    "rope": rope.expected,
    "softmax": softmax.expected,
    "rms_norm_backward": rms_norm_backward.expected,
    "layer_norm_backward": layer_norm_backward.expected,
    "add_rms_norm_backward": add_rms_norm_backward.expected,
}


def expected(promise: str | Contract, **inputs: Any) -> Expected:
    """The exact outputs under a contract and the bound around them, for one call's keyword arguments.

    Arrays may be NumPy's or torch's.
    """
    found = contract(promise)
    return OPERATIONS[found.op](found, **{name: to_numpy(value) for name, value in inputs.items()})

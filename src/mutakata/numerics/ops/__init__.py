"""One module per operation: `expected(contract, **inputs)` gives the exact outputs and the bound."""

from collections.abc import Callable
from typing import Any

from mutakata.numerics.contracts import Contract, contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.ops import layer_norm, rms_norm

OPERATIONS: dict[str, Callable[..., Expected]] = {
    "rms_norm": rms_norm.expected,
    "layer_norm": layer_norm.expected,
}


def expected(promise: str | Contract, **inputs: Any) -> Expected:
    """The exact outputs under a contract and the bound around them, for one call's keyword arguments."""
    found = contract(promise)
    return OPERATIONS[found.op](found, **inputs)

"""Residual addition and RMSNorm in one: residual' = x + residual, y = rms_norm(residual')."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import AddRmsNorm, Contract
from mutakata.numerics.expectation import Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, refuse
from mutakata.numerics.ops.rms_norm import normalised
from mutakata.numerics.rounding import Array, Floats, round_to, wide


def expected(promise: Contract, *, x: Any, residual: Any, weight: Any, eps: float) -> Expected:
    """y, the updated residual and the statistic rstd. x, residual: (..., n), one dtype; weight: (n,)."""
    assert isinstance(promise, AddRmsNorm)
    data, skip, scale = np.asarray(x), np.asarray(residual), np.asarray(weight)
    problems = check_arrays(data, per_column={"weight": scale}) + check_eps(eps)
    if skip.shape != data.shape or skip.dtype != data.dtype:
        problems.append(f"residual: {skip.dtype} {skip.shape}; expected {data.dtype} {data.shape}")
    refuse(problems)
    total = added(data, skip, promise.addition == "carried")
    y, rstd = normalised(promise, total, scale, float(eps), data.dtype)
    # one correctly rounded addition: nothing is left to the implementation
    stored = quantity(added(data, skip, carried=False), 0.0, data.dtype)
    return Expected({"y": y, "residual": stored, "rstd": rstd}, ("y", "residual"))


def added(x: Array, residual: Array, carried: bool) -> Floats:
    """x + residual, rounded to their type, or to the statistic's type where the sum is carried.

    Rounding twice, to float32 and then to 16 bits, gives the same as rounding once: the float32 sum of two
    such numbers is exact whenever they are close enough in size for the sum to come near a tie.
    """
    exact = x.astype(np.float64) + residual.astype(np.float64)
    return round_to(exact, wide(x.dtype) if carried else x.dtype).astype(np.float64)

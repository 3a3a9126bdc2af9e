"""RMSNorm: y = (offset + weight) * x * rstd, with rstd = 1 / sqrt(mean(x^2) + eps)."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, RmsNorm
from mutakata.numerics.expectation import Expected, Quantity, Reach, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, refuse
from mutakata.numerics.rounding import (
    DIVIDE,
    ROOT,
    Array,
    DTypeLike,
    Floats,
    compound,
    round_to,
    unit_roundoff,
    wide,
)
from mutakata.numerics.sums import exact_sum, sum_error


def expected(promise: Contract, *, x: Any, weight: Any, eps: float) -> Expected:
    """y and the statistic rstd. x: (..., n); weight: (n,); eps: positive, in units of x squared."""
    assert isinstance(promise, RmsNorm)
    data, scale = np.asarray(x), np.asarray(weight)
    refuse(check_arrays(data, per_column={"weight": scale}) + check_eps(eps))
    y, rstd = normalised(promise, data.astype(np.float64), scale, float(eps), data.dtype)
    return Expected({"y": y, "rstd": rstd}, ("y",))


def normalised(
    promise: RmsNorm, exact: Floats, weight: Array, eps: float, dtype: DTypeLike
) -> tuple[Quantity, Quantity]:
    """y in `dtype` and rstd in the statistic's type, for rows that are known exactly."""
    kind = wide(dtype)
    u = unit_roundoff(kind)
    rstd, rstd_error = reciprocal_root(exact, eps, u)
    row = exact * rstd[..., None]
    factor = promise.offset + weight.astype(np.float64)
    y = row * factor
    # x*rstd, times the weight, and the weight's offset: one rounding each
    delta = compound(rstd_error, u, u, u)[..., None] * np.abs(y)
    reach = None
    if promise.cast == "before_weight":
        reach = rounded_then_scaled(row, compound(rstd_error, u)[..., None] * np.abs(row), factor, dtype, u)
    return quantity(y, delta, dtype, reach), quantity(rstd, rstd_error * rstd, kind)


def reciprocal_root(x: Floats, eps: float, u: float) -> tuple[Floats, Floats]:
    """rstd over the last axis, and its relative error.

    The mean square carries the error of the sum and of the division by n; adding eps, itself rounded to the
    statistic's type, costs one more. A relative error a under the root becomes at most 1/sqrt(1 - a) - 1,
    half of a to first order. ROOT covers the root and the reciprocal.
    """
    squares = x * x
    total = exact_sum(squares)
    mean_square = total / x.shape[-1]
    with np.errstate(invalid="ignore", divide="ignore"):
        sum_relative = np.where(total > 0, sum_error(squares, u) / total, 0.0)
    inside = compound(sum_relative, DIVIDE * u, u)
    return 1.0 / np.sqrt(mean_square + eps), compound(root_error(inside), ROOT * u)


def root_error(inside: Any) -> Any:
    """Relative error of 1/sqrt(v) when v is off by the relative error `inside`; infinite from 1 on."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(inside) < 1, 1.0 / np.sqrt(np.maximum(1.0 - inside, 0.0)) - 1.0, np.inf)


def rounded_then_scaled(value: Floats, delta: Floats, factor: Floats, dtype: DTypeLike, u: float) -> Reach:
    """Push value -+ delta through a rounding to `dtype`, then through one multiplication by `factor`."""

    def reach(t: Any) -> tuple[Floats, Floats]:
        edges = [round_to(value + sign * t * delta, dtype).astype(np.float64) * factor for sign in (-1, 1)]
        low, high = np.minimum(*edges), np.maximum(*edges)
        return low - t * u * np.abs(low), high + t * u * np.abs(high)

    return reach

"""Gradients of RMSNorm.

dx = rstd * (w*grad - x * rstd^2 * mean(w*grad*x)); dweight sums grad*x*rstd over the rows.
"""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, RmsNormBackward
from mutakata.numerics.expectation import Expected, Quantity, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, check_like, refuse
from mutakata.numerics.ops.rms_norm import reciprocal_root
from mutakata.numerics.rounding import (
    DIVIDE,
    Array,
    DTypeLike,
    Floats,
    compound,
    gamma,
    round_to,
    unit_roundoff,
    wide,
)
from mutakata.numerics.sums import exact_sum, sum_error


def expected(promise: Contract, *, grad: Any, x: Any, weight: Any, eps: float) -> Expected:
    """dx and dweight. grad, x: (..., n); weight: (n,)."""
    assert isinstance(promise, RmsNormBackward)
    g, data, scale = np.asarray(grad), np.asarray(x), np.asarray(weight)
    refuse(check_arrays(data, per_column={"weight": scale}) + check_like("grad", g, data) + check_eps(eps))
    dx, dx_delta, dweight = gradients(promise, g, data, scale, float(eps))
    return Expected({"dx": quantity(dx, dx_delta, data.dtype), "dweight": dweight}, ("dx", "dweight"))


def gradients(
    promise: RmsNormBackward, grad: Array, x: Array, weight: Array, eps: float
) -> tuple[Floats, Floats, Quantity]:
    """dx, its absolute error before the final rounding, and dweight.

    dx is the difference of two terms that may cancel, so each one's error counts in full: the direct term
    rstd*p with p = w*grad, and x*rstd^3*S/n with S the sum of p*x. S is off by gamma_(n+2) times the sum of
    magnitudes, or not at all where that sum is order-exact; a contract that sums p*(x*rstd) rounds each
    normalised element first and is never exact. A product of two numbers of half the width is exact in the
    wide type, so where the contract rounds p to the input's type, p is known to the bit.
    """
    u = unit_roundoff(wide(x.dtype))
    X, G = x.astype(np.float64), grad.astype(np.float64)
    n = X.shape[-1]
    rstd, rstd_error = reciprocal_root(X, eps, u)
    r, r_error = rstd[..., None], rstd_error[..., None]
    p = (promise.offset + weight.astype(np.float64)) * G
    if promise.cast == "before_weight":
        p = round_to(p, x.dtype).astype(np.float64)
    terms = p * X
    if promise.reduction == "raw":
        total_error = sum_error(terms, u, extra=3)
    else:
        total_error = gamma(n + 4, u) * np.abs(terms).sum(axis=-1)
    total = exact_sum(terms)[..., None]
    direct, projected = r * p, X * r**3 * total / n
    # the cube of rstd, the division by n, four products
    relative = compound(r_error, r_error, r_error, DIVIDE * u, gamma(4, u))
    error = compound(r_error, u, u, u) * np.abs(direct) + relative * np.abs(projected)
    error = error + (1 + relative) * np.abs(X) * r**3 / n * total_error[..., None]
    dx = direct - projected
    error = error + u * (np.abs(dx) + error)
    row_error = compound(r_error, u) * np.abs(X * r)
    return dx, error, _over_rows(promise, G, X * r, row_error, u, x.dtype, weight.dtype)


def _over_rows(
    promise: RmsNormBackward,
    grad: Floats,
    row: Floats,
    row_error: Floats,
    u: float,
    narrow: DTypeLike,
    dtype: DTypeLike,
) -> Quantity:
    """dweight, in `dtype`: the sum of grad times the normalised row, which is off by `row_error`."""
    n = row.shape[-1]

    def total(terms: Floats) -> Floats:
        return exact_sum(terms.reshape(-1, n).T)

    count = gamma(row.size // n + 1, u)
    terms = grad * row
    delta = total(np.abs(grad) * row_error) * (1 + count) + count * total(np.abs(terms))
    if promise.cast == "after_weight":
        return quantity(total(terms), delta, dtype)

    def rounded(edge: Floats) -> Floats:
        return round_to(grad * round_to(edge, narrow).astype(np.float64), narrow).astype(np.float64)

    def reach(t: Any) -> tuple[Floats, Floats]:
        edges = rounded(row - t * row_error), rounded(row + t * row_error)
        low, high = np.minimum(*edges), np.maximum(*edges)
        slack = t * count * total(np.maximum(np.abs(low), np.abs(high)))
        return total(low) - slack, total(high) + slack

    return quantity(total(rounded(row)), delta, dtype, reach)

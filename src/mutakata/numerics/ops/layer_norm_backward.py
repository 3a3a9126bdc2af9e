"""Gradients of LayerNorm, with c = x - mean and p = gamma*grad.

dx = rstd * (p - mean(p) - c * rstd^2 * mean(p*c)); dgamma and dbeta sum grad*c*rstd and grad over the rows.
"""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, LayerNorm, LayerNormBackward
from mutakata.numerics.expectation import Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, check_like, refuse
from mutakata.numerics.ops.layer_norm import Moments, moments
from mutakata.numerics.rounding import DIVIDE, Floats, compound, unit_roundoff, wide
from mutakata.numerics.rounding import gamma as roundings
from mutakata.numerics.sums import exact_sum, sum_error


def expected(promise: Contract, *, grad: Any, x: Any, gamma: Any, eps: float) -> Expected:
    """dx, dgamma and dbeta. grad, x: (..., n); gamma: (n,)."""
    assert isinstance(promise, LayerNormBackward)
    g, data, scale = np.asarray(grad), np.asarray(x), np.asarray(gamma)
    refuse(check_arrays(data, per_column={"gamma": scale}) + check_like("grad", g, data) + check_eps(eps))
    u = unit_roundoff(wide(data.dtype))
    G = g.astype(np.float64)
    forward = LayerNorm(promise.name, promise.source, variance=promise.variance)
    row = moments(data.astype(np.float64), float(eps), u, forward)
    dx, dx_delta = _row_gradient(promise, G, scale.astype(np.float64), row, u)
    n, r, r_error = data.shape[-1], row.rstd[..., None], row.rstd_error[..., None]
    scaled = (G * row.centred * r).reshape(-1, n).T
    count = roundings(scaled.shape[1] + 3, u)
    scaled_error = compound(r_error, count) * np.abs(row.centred) + 2 * row.centred_error
    scaled_error = np.abs(G) * r * scaled_error
    by_column = scaled_error.reshape(-1, n).sum(axis=0)
    plain = G.reshape(-1, n).T
    return Expected(
        {
            "dx": quantity(dx, dx_delta, data.dtype),
            "dgamma": quantity(exact_sum(scaled), by_column, scale.dtype),
            "dbeta": quantity(exact_sum(plain), sum_error(plain, u), scale.dtype),
        },
        ("dx", "dgamma", "dbeta"),
    )


def _row_gradient(
    promise: LayerNormBackward, grad: Floats, scale: Floats, row: Moments, u: float
) -> tuple[Floats, Floats]:
    """dx and its absolute error before the final rounding.

    Three terms that may cancel, so each one's error counts in full. The errors of the two means come from
    their sums (none where order-exact), the division, and for the second one from the centred values.
    """
    n = grad.shape[-1]
    c, c_error = row.centred, row.centred_error
    r, r_error = row.rstd[..., None], row.rstd_error[..., None]
    p = scale * grad
    first = exact_sum(p)[..., None] / n
    first_error = sum_error(p, u, extra=1)[..., None] / n + DIVIDE * u * np.abs(first)
    products = p * c
    second = exact_sum(products)[..., None] / n
    loose = roundings(n + 4, u) * np.abs(products).sum(axis=-1)
    summed = np.where((c_error == 0).all(axis=-1), sum_error(products, u, extra=3), loose)
    if promise.reduction == "normalised":
        summed = loose
    second_error = (summed[..., None] + (np.abs(p) * c_error).sum(axis=-1, keepdims=True)) / n
    second_error = second_error + DIVIDE * u * np.abs(second)
    projected = c * r**2 * second
    inner = u * np.abs(p) + first_error + compound(r_error, r_error, roundings(4, u)) * np.abs(projected)
    inner = inner + r**2 * ((np.abs(c) + c_error) * second_error + c_error * np.abs(second)) * (1 + 8 * u)
    whole = np.abs(p) + np.abs(first) + np.abs(projected)
    # rstd once more, two subtractions, the products that scale by it
    error = r * (inner + compound(r_error, roundings(4, u)) * (whole + inner))
    return r * (p - first - projected), error

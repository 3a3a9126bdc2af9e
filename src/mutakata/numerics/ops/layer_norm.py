"""LayerNorm: y = gamma * (x - mean) * rstd + beta, with rstd = 1 / sqrt(variance + eps)."""

from typing import Any, NamedTuple

import numpy as np

from mutakata.numerics.contracts import Contract, LayerNorm
from mutakata.numerics.expectation import Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, refuse
from mutakata.numerics.ops.rms_norm import root_error
from mutakata.numerics.rounding import DIVIDE, ROOT, Floats, compound, unit_roundoff, wide
from mutakata.numerics.rounding import gamma as roundings
from mutakata.numerics.sums import Flags, exact_sum, sum_error


class Moments(NamedTuple):
    """Row statistics and their errors; `*_error` are absolute but for rstd_error, which is relative."""

    mean: Floats
    mean_error: Floats
    centred: Floats
    centred_error: Floats
    rstd: Floats
    rstd_error: Floats


def expected(promise: Contract, *, x: Any, gamma: Any, beta: Any, eps: float) -> Expected:
    """y and the statistics mean and rstd. x: (..., n); gamma, beta: (n,); eps: positive, in x squared."""
    assert isinstance(promise, LayerNorm)
    data, scale, shift = np.asarray(x), np.asarray(gamma), np.asarray(beta)
    refuse(check_arrays(data, per_column={"gamma": scale, "beta": shift}) + check_eps(eps))
    exact, kind = data.astype(np.float64), wide(data.dtype)
    u = unit_roundoff(kind)
    row = moments(exact, float(eps), u, promise)
    slope = row.rstd[..., None] * np.abs(scale.astype(np.float64))
    product = row.centred * row.rstd[..., None] * scale.astype(np.float64)
    y = product + shift.astype(np.float64)
    # the centred value, rstd, two products, and the final addition before the output is rounded
    error = slope * row.centred_error + compound(row.rstd_error, u, u)[..., None] * (
        np.abs(product) + slope * row.centred_error
    )
    if promise.apply == "scale_shift":
        # x*scale and mean*scale are rounded before they cancel: three roundings of each
        error = error + roundings(3, u) * slope * (np.abs(exact) + np.abs(row.mean)[..., None])
    error = error + u * (np.abs(y) + error)
    return Expected(
        {
            "y": quantity(y, error, data.dtype),
            "mean": quantity(row.mean, row.mean_error, kind),
            "rstd": quantity(row.rstd, row.rstd_error * row.rstd, kind),
        },
        ("y",),
    )


def moments(x: Floats, eps: float, u: float, promise: LayerNorm) -> Moments:
    """Mean, centred values and rstd over the last axis, with their errors under the contract's algorithm."""
    n = x.shape[-1]
    mean = exact_sum(x) / n
    mean_error = sum_error(x, u) / n * (1 + DIVIDE * u) + DIVIDE * u * np.abs(mean)
    centred = x - mean[..., None]
    exact = (mean_error == 0) & _representable(centred, u)
    centred_error = np.where(exact[..., None], 0.0, mean_error[..., None] * (1 + u) + u * np.abs(centred))
    variance = exact_sum(centred * centred) / n
    variance_error = _variance_error(x, centred, variance, mean, mean_error, u, promise)
    inside = compound(variance_error / (variance + eps), u)
    rstd_error = compound(root_error(inside), ROOT * u)
    return Moments(mean, mean_error, centred, centred_error, 1.0 / np.sqrt(variance + eps), rstd_error)


def _variance_error(
    x: Floats,
    centred: Floats,
    variance: Floats,
    mean: Floats,
    mean_error: Floats,
    u: float,
    promise: LayerNorm,
) -> Floats:
    """Absolute error of the variance.

    Two passes: the centred values sum to zero, so an error E of the mean adds only E^2; each square carries
    the rounding of its centred value twice. Welford (Chan, Golub and LeVeque 1983): n*kappa*u relative, with
    kappa = sqrt(1 + mean^2/variance). Moments: the two terms cancel, so each one's error counts in full.
    """
    n = x.shape[-1]
    squares = centred * centred
    exact = (mean_error == 0) & _representable(centred, u)
    rounded = (np.asarray(roundings(n + 2, u)) * variance) * (1 + DIVIDE * u)
    summed = np.where(exact, sum_error(squares, u) / n, rounded)
    two_pass = summed + DIVIDE * u * variance + mean_error**2 * (1 + roundings(n + 6, u))
    if promise.variance == "welford":
        return np.asarray(np.maximum(two_pass, roundings(n, u) * np.sqrt(variance * (variance + mean**2))))
    if promise.variance == "moments":
        raw_squares = x * x
        raw = sum_error(raw_squares, u) / n + DIVIDE * u * exact_sum(raw_squares) / n
        return np.asarray(
            raw + (2 * mean_error + u * np.abs(mean)) * np.abs(mean) + mean_error**2 + u * variance
        )
    return np.asarray(two_pass)


def _representable(values: Floats, u: float) -> Flags:
    """For each row: does every value fit the bits of the statistic's type?"""
    scaled = np.frexp(values)[0] / u
    return np.asarray((scaled == np.rint(scaled)).all(axis=-1))

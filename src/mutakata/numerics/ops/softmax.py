"""Softmax over the last axis: y = exp(x - max) / sum(exp(x - max)). A fully masked row gives zeros or NaN."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, Softmax
from mutakata.numerics.expectation import FLUSHED, Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, refuse
from mutakata.numerics.rounding import DIVIDE, EXP, compound, gamma, unit_roundoff, wide
from mutakata.numerics.sums import exact_sum


def expected(promise: Contract, *, x: Any) -> Expected:
    """y. x: (..., n); -inf masks an element; a row that holds a NaN gives NaN.

    exp(d), d = x - max, computed as exp2(d * log2(e)) is off by (3|d| + EXP)u: the difference, the constant
    and the product are rounded. Online, x and max are multiplied before they are subtracted, so |x| + |max|
    takes the place of |d|, and each of up to n rescalings costs an exponential and two roundings. In the
    sum every exponential's error counts by its share y; the additions cost gamma_n, the division DIVIDE.
    """
    assert isinstance(promise, Softmax)
    data = np.asarray(x)
    problems = check_arrays(data, finite=False, per_column={})
    exact = data.astype(np.float64)
    if np.isposinf(exact).any():
        problems.append("the data hold +inf, for which softmax has no value")
    refuse(problems)
    kind = wide(data.dtype)
    u, n = unit_roundoff(kind), data.shape[-1]
    top = exact.max(axis=-1, keepdims=True)
    lost = np.isnan(top)[..., 0]
    if promise.empty_row == "nan":
        lost = lost | np.isneginf(top)[..., 0]
    level = np.where(np.isfinite(top), top, 0.0)
    d = exact - level
    e = np.exp(d)
    e_sum = exact_sum(np.where(lost[..., None], 0.0, e))
    y = np.where(lost[..., None], np.nan, e / np.where(e_sum > 0, e_sum, 1.0)[..., None])
    finite = np.isfinite(d)
    size = np.abs(np.where(finite, d, 0.0))
    steps = n
    if promise.algorithm == "online":
        size = np.where(finite, np.abs(np.where(finite, exact, 0.0)) + np.abs(level), 0.0)
        steps = n * (EXP + 2)
    own = np.expm1((3 * size + EXP) * u)
    shared = (own * np.nan_to_num(y)).sum(axis=-1) + gamma(steps, u)
    if promise.algorithm == "online":
        shared = shared + 3 * u * size.max(axis=-1)
    relative = compound(own, shared[..., None], DIVIDE * u)
    return Expected({"y": quantity(y, relative * np.nan_to_num(y) + FLUSHED[kind], data.dtype)}, ("y",))

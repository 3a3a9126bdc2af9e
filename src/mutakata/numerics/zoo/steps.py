"""The steps that implementations of a reduction differ in: the order of a sum, the mean, the root, the store.

Arrays are float32, or float64 where the data are; sums run over the last axis.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mutakata.numerics.rounding import BF16, Array

Sum = Callable[[Array], Array]
Dot = Callable[[Array, Array], Array]
F16 = np.dtype(np.float16)


def sequential(terms: Array) -> Array:
    """From the first element to the last, one accumulator."""
    return np.asarray(np.add.accumulate(terms, axis=-1)[..., -1])


def backwards(terms: Array) -> Array:
    """From the last element to the first."""
    return sequential(terms[..., ::-1])


def descending(terms: Array) -> Array:
    """Largest magnitude first, the least accurate order for terms of one sign."""
    order = np.argsort(-np.abs(terms.astype(np.float64)), axis=-1)
    return sequential(np.take_along_axis(terms, order, -1))


def padded(terms: Array, width: int) -> Array:
    """Zeros appended up to a width."""
    gap = np.zeros((*terms.shape[:-1], width - terms.shape[-1]), terms.dtype)
    return np.concatenate([terms, gap], axis=-1)


def pairwise(terms: Array) -> Array:
    """A binary tree over the width rounded up to a power of two, as Triton's and CUDA's reductions are."""
    level = padded(terms, 1 << (terms.shape[-1] - 1).bit_length())
    while level.shape[-1] > 1:
        level = level[..., 0::2] + level[..., 1::2]
    return np.asarray(level[..., 0])


def blocked(lanes: int) -> Sum:
    """`lanes` accumulators that stride through the row, then a tree over them."""

    def total(terms: Array) -> Array:
        full = padded(terms, -(-terms.shape[-1] // lanes) * lanes)
        parts = full.reshape(*terms.shape[:-1], -1, lanes)
        return pairwise(np.add.accumulate(parts, axis=-2)[..., -1, :])

    return total


def kahan(terms: Array) -> Array:
    """Compensated: the rounding error of each addition is carried along."""
    total, lost = np.zeros_like(terms[..., 0]), np.zeros_like(terms[..., 0])
    for column in np.moveaxis(terms, -1, 0):
        step = column - lost
        raised = total + step
        lost, total = (raised - total) - step, raised
    return total


def library(terms: Array) -> Array:
    """NumPy's own sum."""
    return np.asarray(terms.sum(axis=-1, dtype=terms.dtype))


def fused(a: Array, b: Array) -> Array:
    """A chain of fused multiply-adds: products are not rounded."""
    total = np.zeros(a.shape[:-1], a.dtype)
    left, right = np.moveaxis(a, -1, 0).astype(np.longdouble), np.moveaxis(b, -1, 0).astype(np.longdouble)
    for x, y in zip(left, right, strict=True):
        total = (total + x * y).astype(a.dtype)
    return total


def rounded_products(order: Sum) -> Dot:
    """Products are rounded, then summed in the given order."""
    return lambda a, b: order(a * b)


def narrow_sum(order: Sum, kind: Any) -> Dot:
    """The accumulator is of a narrow type."""
    return lambda a, b: order((a * b).astype(kind)).astype(a.dtype)


def narrow_products(kind: Any) -> Dot:
    """The factors and each product are of a narrow type; the sum is not."""
    return lambda a, b: pairwise((a.astype(kind) * b.astype(kind)).astype(kind).astype(a.dtype))


def without_last(a: Array, b: Array) -> Array:
    """The last column is not summed: a tail that does not fill a vector."""
    return pairwise((a * b)[..., :-1]) if a.shape[-1] > 1 else np.zeros(a.shape[:-1], a.dtype)


def divided(total: Array, n: float) -> Array:
    """Sum over n."""
    return np.asarray(total / total.dtype.type(n))


def times_reciprocal(total: Array, n: float) -> Array:
    """Sum times a rounded 1/n."""
    return np.asarray(total * total.dtype.type(1.0 / n))


def root_then_divide(value: Array) -> Array:
    """1 / sqrt, both correctly rounded."""
    return np.asarray(1 / np.sqrt(value))


def off_by(ulps: int) -> Callable[[Array], Array]:
    """A reciprocal root that many ulp away from the correctly rounded steps."""

    def root(value: Array) -> Array:
        result = root_then_divide(value)
        for _ in range(abs(ulps)):
            result = np.nextafter(result, result.dtype.type(np.inf if ulps > 0 else 0))
        return result

    return root


def approximate_root(value: Array) -> Array:
    """sqrt.approx (2^-23) and then div.full (2 ulp), both at their limit in the same direction."""
    low = np.nextafter(np.sqrt(value), value.dtype.type(0))
    result = 1 / low
    for _ in range(2):
        result = np.nextafter(result, result.dtype.type(np.inf))
    return np.asarray(result)


def narrow_root(kind: Any) -> Callable[[Array], Array]:
    """The reciprocal root is kept in a narrow type."""
    return lambda value: root_then_divide(value).astype(kind).astype(value.dtype)


def rounded(values: Array, dtype: np.dtype[Any]) -> Array:
    """To nearest, ties to even."""
    return values.astype(dtype)


def truncated(values: Array, dtype: np.dtype[Any]) -> Array:
    """Towards zero: what shifting out the low bits does."""
    near = values.astype(dtype)
    if dtype.itemsize >= values.dtype.itemsize:
        return near
    beyond = np.abs(near.astype(np.float64)) > np.abs(values.astype(np.float64))
    return np.where(beyond, np.nextafter(near, np.zeros_like(near)), near)


LOOPS = {"kahan": 1024, "fused": 1024}  # columns one by one in Python: run up to this width
ORDERS: dict[str, Dot] = {
    "sequential": rounded_products(sequential),
    "backwards": rounded_products(backwards),
    "descending": rounded_products(descending),
    "pairwise": rounded_products(pairwise),
    "blocked_32": rounded_products(blocked(32)),
    "blocked_256": rounded_products(blocked(256)),
    "library": rounded_products(library),
    "kahan": rounded_products(kahan),
    "fused": fused,
}
NARROW_SUMS: dict[str, Dot] = {
    "sum_bf16_sequential": narrow_sum(sequential, BF16),
    "sum_bf16_pairwise": narrow_sum(pairwise, BF16),
    "sum_bf16_blocked": narrow_sum(blocked(256), BF16),
    "sum_fp16_sequential": narrow_sum(sequential, F16),
    "sum_fp16_pairwise": narrow_sum(pairwise, F16),
}

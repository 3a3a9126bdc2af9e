"""Kills every mutant of RMSNorm's gradients: one test for each regime, and what it alone can see.

The bound is the library's, for both gradients: what a correct implementation can produce in at least float32,
summing in any order, and rounding once. What is left to a suite are the inputs.
"""

import ml_dtypes
import numpy as np
import pytest
from rms_norm_backward import rms_norm_backward

from mutakata.numerics import assert_keeps

BF16, FP16, FP32 = ml_dtypes.bfloat16, np.float16, np.float32


def normal(*shape, seed=0, dtype=FP32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def whole(*shape, seed=0):
    """1 to 7: squares and products are exact even in bfloat16, so that only one test is about them. All
    positive, so that nothing cancels in the projection, and sums over rows grow."""
    return np.random.default_rng(seed).integers(1, 8, shape)


def weight_of(n):
    """1 nowhere: a weight of ones cannot be seen where it is missing."""
    return 1 + normal(n, seed=2) / 2


def assert_right(grad, x, weight=None, eps=1e-6):
    weight = weight_of(x.shape[-1]).astype(x.dtype) if weight is None else weight
    gradients = rms_norm_backward(grad, x.copy(), weight, eps)  # a copy: an edited x must not move the bound
    assert_keeps(gradients, "rms_norm_backward/numpy", grad=grad, x=x, weight=weight, eps=eps)


def test_float64_gradients():
    """A detour through float32. All of the algebra shows here too, to sixteen digits."""
    assert_right(normal(3, 24, seed=1, dtype=np.float64), normal(3, 24, dtype=np.float64))


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_quiet_rows_feel_epsilon(eps):
    """Its place and size, in both terms. Two values, so that no literal passes both."""
    assert_right(normal(3, 24, seed=1), FP32(1e-3) * normal(3, 24), eps=eps)


@pytest.mark.parametrize("shape", [(24,), (7, 24), (2, 3, 24)])
def test_every_row_reaches_the_weight(shape):
    """Rows counted by one axis out of two, or lost behind the last block of four."""
    assert_right(normal(*shape, seed=1), normal(*shape))


def test_gradients_of_any_layout():
    """Gradients that do not lie in memory one after the other: expanded along the row, and sliced."""
    assert_right(np.broadcast_to(normal(3, 1, seed=1), (3, 24)), normal(3, 24))
    assert_right(normal(3, 48, seed=1)[:, ::2], normal(3, 24))


@pytest.mark.parametrize("dtype", [BF16, FP16])
def test_16_bit_gradients_are_rounded_once(dtype):
    """Early, late and other roundings of rstd, weight * grad and the normalised row. It stays: the
    test of many rows fails on most of them too, but a failure there does not point at dx."""
    assert_right(whole(3, 48, seed=1).astype(dtype), whole(3, 48).astype(dtype))


def test_products_may_leave_float16():
    """Squares of x and products with grad in 16 bits, which end at 65 504."""
    x, grad = normal(3, 48, dtype=FP16), 200 * normal(3, 48, seed=1, dtype=FP16)
    x[:, -1] = grad[:, -1] = 300
    assert_right(grad, x)


@pytest.mark.parametrize("dtype", [BF16, FP16])
def test_many_rows_are_summed_for_a_wide_weight(dtype):
    """A sum over rows that is kept in the type of x, and a gradient that takes it from x."""
    assert_right(whole(100, 16, seed=1).astype(dtype), whole(100, 16).astype(dtype), weight_of(16))


def test_inputs_are_left_alone():
    """Work in place. float32, where widening makes no copy."""
    inputs = normal(3, 24, seed=1), normal(3, 24), weight_of(24)
    before = [each.copy() for each in inputs]
    rms_norm_backward(*inputs, 1e-6)
    for each, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(each, copy)

"""Kills every mutant of LayerNorm in mixed precision: one test for each regime, and what it alone can see.

The bound is the library's: an output is right if float32 statistics, summed in any order, and one rounding at
the end can produce it. What is left to a suite are the inputs. All tests but two use the scale of ones and
the shift of zeros of a fresh module, so that each shows its own regime and not the roundings of the first.
"""

import ml_dtypes
import numpy as np
import pytest
from layer_norm import layer_norm

from mutakata.numerics import assert_keeps

BF16, FP16, FP32 = ml_dtypes.bfloat16, np.float16, np.float32


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(FP32)


def balanced(rows, n):
    """Odd numbers up to 13 and their negatives: the mean is zero in any type, bfloat16 holds each square."""
    tail = np.tile([2, 2, -4], (rows, n % 2))
    half = 2 * np.random.default_rng(2).integers(0, 7, (rows, (n - tail.shape[1]) // 2)) + 1
    return np.concatenate([half, -half, tail], axis=1)


def scale_and_shift(n, dtype):
    return (1 + normal(n, seed=1) / 2).astype(dtype), (normal(n, seed=3) / 2).astype(dtype)


def assert_right(x, gamma=None, beta=None, eps=1e-5):
    if gamma is None or beta is None:
        gamma, beta = np.ones(x.shape[-1], x.dtype), np.zeros(x.shape[-1], x.dtype)
    y = layer_norm(x.copy(), gamma, beta, eps)  # a copy: an edited input must not move the bound
    assert_keeps(y, "layer_norm/two_pass", x=x, gamma=gamma, beta=beta, eps=eps)


@pytest.mark.parametrize("dtype", [BF16, FP16])
def test_the_result_is_rounded_once(dtype):
    """Early, late, missing and other roundings, on the way through scale and shift."""
    assert_right(balanced(4, 48).astype(dtype), *scale_and_shift(48, dtype))


@pytest.mark.parametrize("eps", [1e-5, 1e-12])
def test_rows_of_small_variance_feel_epsilon(eps):
    """Its size. Two values, so that no literal passes both; float32, where all digits can be seen."""
    assert_right(FP32(3e-3) * normal(2, 48), eps=eps)


def test_constant_rows_give_the_shift():
    """An epsilon that is smaller than any float16."""
    assert_right(np.full((2, 8), 3, FP16), eps=1e-12)


def test_squares_may_leave_float16():
    """Squares of a 16-bit row in 16 bits: from 256 on they are infinite, though their mean fits.
    It stays: the test of the mean sees such squares too, but only by their last digits."""
    x = balanced(2, 48)
    x[:, [0, 24]] = [300, -300]
    assert_right(x.astype(FP16))


def test_float32_rows_far_from_zero_keep_their_variance():
    """The difference of two large moments in place of a second pass."""
    assert_right(10_000 + normal(2, 48))


def test_a_mean_between_two_16_bit_numbers():
    """A mean in the type of x, which is off by a part of the row's spread, and deviations in it."""
    assert_right((3 + normal(4, 48) / 10).astype(BF16))


def test_a_width_needs_more_than_eight_bits():
    """A count of columns that bfloat16 cannot hold."""
    assert_right(balanced(2, 263).astype(BF16))


def test_scale_and_shift_keep_their_own_type():
    """Parameters that are rounded to the type of x, or lend it theirs. Entries of +1 and -1 are their own
    normalised values, so that nothing is lost if those are rounded."""
    x = np.tile([1, -1, -1, 1], (2, 12)).astype(FP16)
    assert_right(x, *scale_and_shift(48, FP32), eps=1e-12)


def test_inputs_are_left_alone():
    """Work in place. float32, where widening makes no copy."""
    inputs = normal(4, 48), *scale_and_shift(48, FP32)
    before = [each.copy() for each in inputs]
    layer_norm(*inputs, 1e-5)
    for each, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(each, copy)

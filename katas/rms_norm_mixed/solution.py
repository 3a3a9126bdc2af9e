"""Kills every mutant of RMSNorm in mixed precision: one test for each regime, and what it alone can see.

The bound is the library's: an output is right if float32 statistics, summed in any order, and the two
roundings of the contract can produce it. What is left to a suite are the inputs.
"""

import ml_dtypes
import numpy as np
import pytest
from rms_norm import rms_norm

from mutakata.numerics import assert_keeps

BF16, FP16, FP32 = ml_dtypes.bfloat16, np.float16, np.float32


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(FP32)


def whole(*shape):
    """Whole numbers up to 7. float32 sums their squares exactly, in any order, which leaves nothing but the
    roundings to the bound; and bfloat16 holds each square, so that only one test is about squares."""
    return np.random.default_rng(2).integers(-7, 8, shape)


def weight_of(n):
    """1 nowhere: a weight of ones makes the second rounding exact."""
    return 1 + normal(n, seed=1) / 2


def assert_right(x, weight, eps=1e-6):
    y = rms_norm(x.copy(), weight.copy(), eps)  # copies: an edited input must not move the bound
    assert_keeps(y, "rms_norm/llama", x=x, weight=weight, eps=eps)


@pytest.mark.parametrize("dtype", [BF16, FP16])
def test_a_row_is_rounded_before_the_weight_and_after_it(dtype):
    """Early, late, missing and other roundings."""
    assert_right(whole(4, 48).astype(dtype), weight_of(48).astype(dtype))


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_quiet_rows_feel_epsilon(eps):
    """Its place and size. Two values, so that no literal passes both; float32, to see all digits."""
    assert_right(np.float32(1e-3) * normal(2, 48), weight_of(48), eps)


def test_zero_rows_give_zeros():
    """An epsilon that is smaller than any float16."""
    assert_right(np.zeros((2, 8), FP16), weight_of(8), eps=1e-8)


def test_squares_may_leave_float16():
    """Squares of a 16-bit row in 16 bits: from 256 on they are infinite."""
    assert_right((1000 * normal(2, 48)).astype(FP16), weight_of(48).astype(FP16))


def test_a_width_needs_more_than_eight_bits():
    """A count of columns that bfloat16 cannot hold. The weight of ones hides what the first test is about."""
    assert_right(whole(2, 263).astype(BF16), np.ones(263, BF16))


@pytest.mark.parametrize(("dtype", "weight_dtype"), [(FP16, FP32), (FP32, FP16)])
def test_the_weight_keeps_its_own_type(dtype, weight_dtype):
    """A weight that is rounded to the type of x, or the row or the result to that of the weight."""
    assert_right(whole(2, 48).astype(dtype), weight_of(48).astype(weight_dtype))


def test_inputs_are_left_alone():
    """Work in place. float32, where widening makes no copy."""
    x, weight = normal(4, 48), weight_of(48)
    before = x.copy(), weight.copy()
    rms_norm(x, weight, 1e-6)
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(weight, before[1])

"""Kills every mutant of the RMSNorm kernel: in each docstring what that test alone can see."""

import ml_dtypes
import numpy as np
import pytest
from rms_norm import rms_norm

from mutakata.numerics import assert_keeps


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def assert_right(x, eps=1e-6):
    """No weight is 1, so a lost, early or misplaced one shows in every test."""
    weight = (1 + 0.5 * normal(x.shape[-1], seed=1)).astype(x.dtype)
    assert_keeps(rms_norm(x, weight, eps), "rms_norm/numpy", x=x, weight=weight, eps=eps)


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_small_rows_feel_epsilon(eps):
    """Mean squares near epsilon: whether, where and how much. Two values, so that no literal passes both."""
    assert_right(1e-3 * normal(2, 32), eps)


def test_warps_need_not_be_full():
    """Lanes that do not exist, or are not counted: 83 columns are two warps and 19 lanes, no power of two."""
    assert_right(normal(2, 83))


def test_a_block_loops_over_rows():
    """20 rows for 6 blocks: rows that nobody takes, and shared memory used again while it is still read."""
    assert_right(normal(20, 64))


def test_a_thread_loops_over_columns():
    """1030 columns for 1024 threads: lost columns, and the most warps that a block can have. The last column
    holds most of the sum."""
    x = normal(1, 1030)
    x[:, -1] = 100
    assert_right(x)


def test_rows_may_lie_apart():
    """Half of a wider buffer: its row stride is not the width."""
    assert_right(normal(3, 128)[:, :64])


def test_low_precision_is_rounded_once():
    """Early roundings, of a square, the root or the quotient; and 300^2, which float16 cannot hold."""
    x = normal(2, 64)
    x[:, 5] = 300
    for dtype in (np.float16, ml_dtypes.bfloat16):
        assert_right(x.astype(dtype))
